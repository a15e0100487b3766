"""Disks that fill up, and write-ahead logs that are cut."""

import os
import struct
import subprocess

from network import sh


class SmallDisk:
    """A file system of a few megabytes, for the data folder of one node."""

    def __init__(self, folder, megabytes):
        self.folder = folder
        folder.mkdir()
        sh("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder))

    def fill(self):
        """Leaves no room for anything more."""
        file = os.open(self.folder / "rest", os.O_WRONLY | os.O_CREAT)
        try:
            while os.write(file, bytes(4096)):
                pass
        except OSError:
            pass
        finally:
            os.close(file)

    def free(self):
        (self.folder / "rest").unlink()

    def close(self):
        subprocess.run(["umount", "-l", str(self.folder)], capture_output=True)


def cut_write_ahead_log(folder, share):
    """Cuts what SQLite has written into its -wal file, in the middle of a page.

    `share` says how much of it stays. Returns the frames that there were and those left whole. What the
    file has beyond them is of no meaning to SQLite: space, or an earlier round
    (https://sqlite.org/fileformat2.html#the_write_ahead_log).
    """
    path = folder / "tabletalk.db-wal"
    content = path.read_bytes()
    page_size, salts = struct.unpack_from(">I", content, 8)[0], content[16:24]
    frames = 0
    while content[32 + frames * (24 + page_size):][8:16] == salts:
        frames += 1
    kept = int(frames * share)
    os.truncate(path, 32 + kept * (24 + page_size) + 24 + page_size // 2)
    return frames, kept
