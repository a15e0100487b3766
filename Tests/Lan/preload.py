"""Libraries loaded before the program, for what only a system could do to it otherwise."""

import struct
import subprocess
import time
from pathlib import Path

from network import sh


def preload(folder, source, **variables):
    """The environment of a program that gets this C file loaded before it."""
    library = Path(folder) / source.replace(".c", ".so")
    if not library.exists():
        sh("clang", "-shared", "-fPIC", "-O1", "-o", str(library),
           str(Path(__file__).with_name(source)), "-ldl")
    return {"LD_PRELOAD": str(library), **variables}


class Clocks:
    """The clocks of a node that is started with this environment, to be set while it runs."""

    def __init__(self, folder, name):
        self.file = Path(folder) / f"{name}.clocks"
        self.file.write_bytes(bytes(16))
        self.environment = preload(folder, "shifted_clock.c", CLOCK_FILE=str(self.file))

    def set(self, fast=0, slept=0):
        """The seconds that the wall clock is ahead, and those that the laptop has slept so far."""
        with open(self.file, "r+b", buffering=0) as file:
            file.write(struct.pack("qq", fast, slept))
        seen = subprocess.run(["date", "+%s"], capture_output=True, text=True, env=self.environment)
        assert abs(int(seen.stdout) - time.time() - fast) < 10


def shifted_clock(folder, minutes):
    """The environment of a program whose wall clock is so many minutes fast, and only that."""
    if not minutes:
        return {}
    clocks = Clocks(folder, f"{minutes} minutes")
    clocks.set(fast=minutes * 60)
    return clocks.environment
