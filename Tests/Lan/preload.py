"""Libraries loaded before the program, for what only a system could do to it otherwise."""

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


def shifted_clock(folder, minutes):
    """The environment of a program whose wall clock is so many minutes fast, and only that."""
    if not minutes:
        return {}
    environment = preload(folder, "shifted_clock.c", CLOCK_SHIFT=str(minutes * 60))
    seen = subprocess.run(["date", "+%s"], capture_output=True, text=True, env=environment)
    assert abs(int(seen.stdout) - time.time() - minutes * 60) < 10
    return environment
