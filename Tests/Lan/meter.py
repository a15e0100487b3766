"""What a running program takes of memory, threads, descriptors and processor time."""

import os
import threading
import time
from pathlib import Path


class Meter:
    """Reads it twenty times a second, and keeps the worst."""

    def __init__(self, process):
        self.folder = Path(f"/proc/{process.pid}")
        self.first = self.read()
        self.worst = dict(self.first)
        self._open = True
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def read(self):
        lines = (self.folder / "status").read_text().splitlines()
        fields = dict(line.split(":", 1) for line in lines if ":" in line)
        ticks = (self.folder / "stat").read_text().rpartition(")")[2].split()[11:13]
        return {"megabytes": int(fields["VmRSS"].split()[0]) / 1024,
                "threads": int(fields["Threads"]),
                "descriptors": len(os.listdir(self.folder / "fd")),
                "seconds": sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")}

    def _watch(self):
        while self._open:
            try:
                now = self.read()
            except (OSError, KeyError):
                return
            self.worst = {name: max(value, now[name]) for name, value in self.worst.items()}
            time.sleep(0.05)

    def close(self):
        self._open = False
        self._thread.join()
