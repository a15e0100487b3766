"""The packages: a friend without Swift installs one, and plays."""

import configparser
import fcntl
import hashlib
import os
import re
import shlex
import signal
import subprocess
import tarfile
import termios
import time

import pytest

from install import OtherMachine, libraries, needed
from network import sh
from node import GRACE, PROGRAM, ROOT, wait_until
from play import Game, everyone_sees_everyone

MANUAL = ROOT / ".ci/packaging/tabletalk.1"
# All on one of the test processes: the packages are made once.
pytestmark = pytest.mark.xdist_group("package")


def make(output):
    """Packs the program that the other tests run too; returns the .deb and the .tar.gz."""
    sh(str(ROOT / ".ci/package"), "--quick", "--program", str(PROGRAM), "--output", str(output))
    deb, = output.glob("*.deb")
    archive, = output.glob("*.tar.gz")
    return deb, archive


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    return make(tmp_path_factory.mktemp("packages"))


def test_the_deb_installs_without_swift_and_plays_against_a_built_program(world, packages, tmp_path):
    friend = OtherMachine(tmp_path / "root", tmp_path)
    refused = friend.install(packages[0])
    assert refused.returncode != 0
    for package in ("libsodium23", "libsqlite3-0", "libmicrohttpd12"):
        assert f"depends on {package}" in refused.stderr
    friend.knows_packages(True)
    begin = time.monotonic()
    done = friend.install(packages[0])
    assert done.returncode == 0, done.stderr
    seconds = time.monotonic() - begin

    assert friend.files() == [
        "usr/bin/tabletalk", "usr/share/applications/tabletalk.desktop",
        "usr/share/doc/tabletalk/changelog.gz", "usr/share/doc/tabletalk/copyright",
        "usr/share/icons/hicolor/scalable/apps/tabletalk.svg", "usr/share/man/man1/tabletalk.1.gz"]
    assert not [name for name in libraries(friend.root / "usr/bin/tabletalk") if "swift" in name.lower()]
    ana = world.node("Ana")
    bo = world.node("Bo", start=False, program=friend.command("/usr/bin/tabletalk"))
    first = bo.start()
    again = []
    for _ in range(3):
        assert bo.stop() == 0
        again.append(bo.start())
    print(f"installed in {seconds:.1f} s; first page after {first * 1000:.0f} ms, "
          f"later {min(again) * 1000:.0f}-{max(again) * 1000:.0f} ms")
    everyone_sees_everyone([ana, bo], 15)
    game = Game.gather([ana, bo], ways=["line"]).start()
    game.win(game.seats[1])
    assert bo.stop() == 0


def unpack(packages, folder):
    """Unpacks the archive; returns the one folder that is in it."""
    sh("tar", "-xzf", str(packages[1]), "-C", str(folder))
    inner, = folder.iterdir()
    return inner


def test_the_archive_runs_from_any_folder(packages, tmp_path):
    folder = tmp_path / "any folder"
    folder.mkdir()
    with tarfile.open(packages[1]) as archive:
        assert {member.uid for member in archive} == {0}
    inner = unpack(packages, folder)
    assert sorted(path.name for path in inner.iterdir()) == [
        "README.txt", "copyright", "tabletalk", "tabletalk.1", "tabletalk.desktop", "tabletalk.svg"]
    done = subprocess.run([inner / "tabletalk", "--version"], capture_output=True, text=True, env={})
    assert done.returncode == 0, done.stderr
    version = done.stdout.split()[1].rstrip(",")
    assert inner.name.startswith(f"tabletalk-{version}-linux-")
    assert f"tabletalk_{version}_" in packages[0].name
    readme = (inner / "README.txt").read_text()
    assert not re.search(r"@[A-Z]+@", readme)
    for name in needed(inner / "tabletalk"):
        assert name in readme or name.startswith(("libc.", "libm.", "ld-linux")), name
        assert "swift" not in name.lower()


def test_equal_programs_make_equal_packages(packages, tmp_path):
    def digests(files):
        return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    assert digests(make(tmp_path)) == digests(packages)


def test_the_manual_and_help_name_the_same_flags_and_commands():
    done = subprocess.run(["mandoc", "-T", "ascii", "-O", "width=100", MANUAL], capture_output=True, text=True)
    # What is bold or underlined comes as a letter, a backspace and a letter.
    manual = re.sub(".\x08", "", done.stdout)
    text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout

    def flags(text):
        return sorted(re.findall(r"^ +(--[a-z-]+(?: [A-Z:]+)?)(?:  .*)?$", text, re.MULTILINE))

    def commands(text):
        return sorted(re.findall(r"^(?:Usage:)? +(tabletalk\b.*?)(?:  .*)?$", text, re.MULTILINE))
    assert len(flags(text)) > 8 and flags(text) == flags(manual)
    synopsis = manual[manual.index("SYNOPSIS"):manual.index("DESCRIPTION")]
    assert len(commands(text)) > 1 and commands(text) == commands(synopsis)


def test_manual_and_menu_entry_are_as_their_readers_want_them(packages, tmp_path):
    inner = unpack(packages, tmp_path)
    for command in (["mandoc", "-T", "lint", "-W", "warning", inner / "tabletalk.1"],
                    ["desktop-file-validate", inner / "tabletalk.desktop"]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


class Desktop:
    """A desktop's menu and its terminal; its browser notes the address that it is asked to open."""

    def __init__(self, laptop, folder):
        self.laptop, self.folder = laptop, folder
        self.opened = folder / "opened"
        places = folder / "bin"
        places.mkdir()
        (places / "tabletalk").symlink_to(PROGRAM)
        opener = places / "xdg-open"
        opener.write_text(f"#!/bin/sh\necho \"$$ $1\" >>'{self.opened}'\nexec sleep 60\n")
        opener.chmod(0o755)
        self.environment = {"PATH": f"{places}:/usr/bin:/bin", "HOME": str(folder), "DISPLAY": ":7"}
        entry = configparser.ConfigParser(interpolation=None)
        entry.optionxform = str
        entry.read(ROOT / ".ci/packaging/tabletalk.desktop")
        self.entry = entry["Desktop Entry"]

    def choose(self, **more):
        """Chooses Tabletalk in the menu; returns its process, and the window it runs in."""
        assert self.entry["Terminal"] == "true"
        window, inside = os.openpty()
        child = subprocess.Popen(
            self.laptop.inside(*shlex.split(self.entry["Exec"])), stdin=inside, stdout=inside,
            stderr=inside, env={**self.environment, **more}, start_new_session=True,
            preexec_fn=self.enter)
        os.close(inside)
        return child, window

    def enter(self):
        """What a terminal does for the program it starts, whatever these tests were started by."""
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def browsers(self):
        """The process and the address of every browser that was opened."""
        lines = self.opened.read_text().splitlines() if self.opened.exists() else []
        return [(int(line.split()[0]), line.split()[1]) for line in lines]


def shown(window, text, timeout=10):
    """Reads what a terminal shows until it shows a text."""
    seen, end = b"", time.monotonic() + timeout + GRACE
    os.set_blocking(window, False)
    while text.encode() not in seen:
        assert time.monotonic() < end, f"no {text!r} in {seen!r}"
        try:
            seen += os.read(window, 4096)
        except BlockingIOError:
            time.sleep(0.02)
    return seen.decode()


def test_from_the_menu_it_opens_the_browser_and_closing_the_window_stops_it(world, tmp_path):
    desktop = Desktop(world.laptop(world.segment()), tmp_path)
    child, window = desktop.choose()
    try:
        shown(window, "close this terminal")
        (browser, address), = wait_until("a browser", desktop.browsers)
        second, other = desktop.choose()
        assert second.wait(10) == 0
        os.close(other)
        both = wait_until("another tab", lambda: len(found := desktop.browsers()) == 2 and found)
        assert both[1][1] == address
        note = tmp_path / ".local/share/tabletalk/node.json"
        assert note.exists()
    finally:
        os.close(window)
    try:
        assert child.wait(10) is not None
        wait_until("it has put its note away", lambda: not note.exists())
        # The browser is not Tabletalk's: it goes on.
        assert "sleep" in open(f"/proc/{browser}/comm").read()
    finally:
        for process, _ in desktop.browsers():
            os.kill(process, 9)


def test_a_start_from_the_menu_that_fails_can_be_read(world, tmp_path):
    desktop = Desktop(world.laptop(world.segment()), tmp_path)
    child, window = desktop.choose(XDG_DATA_HOME="/dev/null/nowhere")
    assert "data folder" in shown(window, "Press Enter")
    assert child.poll() is None
    os.write(window, b"\n")
    assert child.wait(10) == 0
    os.close(window)
