"""A wall clock that is wrong for one program, and nothing else wrong with it."""

import subprocess
import time
from pathlib import Path

from network import sh

SOURCE = Path(__file__).with_name("shifted_clock.c")


def shifted_clock(folder, minutes):
    """The environment of a program whose wall clock is so many minutes fast."""
    library = Path(folder) / "shifted_clock.so"
    if not library.exists():
        sh("clang", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE))
    environment = {"LD_PRELOAD": str(library), "CLOCK_SHIFT": str(minutes * 60)} if minutes else {}
    seen = subprocess.run(["date", "+%s"], capture_output=True, text=True, env=environment)
    assert abs(int(seen.stdout) - time.time() - minutes * 60) < 10
    return environment
