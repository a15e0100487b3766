"""A machine without Swift: a file system of its own, with this one's C libraries and nothing else of it."""

import os
import shutil
import subprocess
from pathlib import Path

# Runs in a mount namespace of its own, so that nothing that is mounted here is ever seen, or removed, by others.
_ENTER = """
root=$1 data=$2
shift 2
for place in /usr/lib /usr/lib64 /dev /proc; do
  [ ! -d $place ] || mount --rbind $place "$root$place"
done
for place in /usr/lib/swift /usr/lib/swift_static; do
  [ ! -d $place ] || mount -t tmpfs tmpfs "$root$place"
done
mount --bind "$data" "$root$data"
exec env -i HOME=/root PATH=/usr/bin:/usr/sbin chroot "$root" "$@"
"""


class OtherMachine:
    """Where packages are installed by dpkg itself, and what they install is run."""

    def __init__(self, folder, data):
        """`data` is a folder that both machines see, at one path."""
        self.root, self.data = Path(folder), Path(data)
        for place in ("usr/bin", "usr/lib", "usr/lib64", "dev", "proc", "root", "tmp", "var/lib/dpkg/info",
                      "var/lib/dpkg/updates", str(self.data)[1:]):
            (self.root / place).mkdir(parents=True)
        for link in ("bin", "lib", "lib64"):
            (self.root / link).symlink_to(f"usr/{link}")
        self.knows_packages(False)

    def knows_packages(self, known):
        """Whether dpkg takes the packages of this machine for installed there, whose libraries are there too."""
        status = self.root / "var/lib/dpkg/status"
        if known:
            shutil.copy("/var/lib/dpkg/status", status)
        else:
            status.write_text("")

    def install(self, package):
        """`dpkg -i`; whatever this machine's dpkg is configured to leave out is installed there."""
        return subprocess.run(
            ["dpkg", f"--root={self.root}", f"--log={self.root}/tmp/dpkg.log", "--force-unsafe-io",
             "--path-include=/*", "--install", str(package)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def command(self, *command):
        """The command that runs a command there."""
        return ["unshare", "--mount", "sh", "-euc", _ENTER, "sh", str(self.root), str(self.data),
                *command]

    def files(self):
        """What is installed there, without what belongs to dpkg."""
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*")
                      if path.is_file() and not path.is_relative_to(self.root / "var")
                      and not path.is_relative_to(self.root / "tmp"))


def libraries(program):
    """What a program is linked with, by name, as a machine without Swift on any path finds it."""
    done = subprocess.run(["ldd", str(program)], capture_output=True, text=True,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C"})
    assert done.returncode == 0, done.stderr
    assert "not found" not in done.stdout, done.stdout
    return [line.split()[0] for line in done.stdout.splitlines()]


def needed(program):
    """The libraries a program itself names."""
    done = subprocess.run(["readelf", "-dW", str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line.split("[")[1].rstrip("]") for line in done.stdout.splitlines() if "(NEEDED)" in line]
