"""A second reader of the protocol; its laptops are those of the LAN tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "Lan"))

from world import *  # noqa: E402, F403
