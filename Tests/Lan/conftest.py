"""Laptops made of network namespaces, with nodes on them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from world import *  # noqa: E402, F403
