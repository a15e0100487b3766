"""What the tests share: nodes that keep to the loopback, and Chromium to look at their pages with."""

import os
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "Lan"), str(TESTS / "Browser")]

from network import ThisMachine, enter_own_network  # noqa: E402
from person import CHROMIUM, Room  # noqa: E402
from world import (  # noqa: E402, F401
    World, pytest_collection_modifyitems, pytest_runtest_makereport, pytest_terminal_summary)

INSIDE = "TABLETALK_TESTS_INSIDE"


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes long; runs with Tests/run --long only")
    if os.environ.get(INSIDE) == "1":
        if hasattr(config, "workerinput"):
            # Nodes of tests that run side by side would meet.
            enter_own_network()
        return
    # Other nodes on this machine would be seen: begin again in a network and a process table of our own.
    config.pluginmanager.getplugin("capturemanager").stop_global_capturing()
    flags = "-nmpf" if os.geteuid() == 0 else "-Urnmpf"
    os.environ[INSIDE] = "1"
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    os.execvp("unshare", [
        "unshare", flags, "--kill-child", "--mount-proc", "sh", "-c", 'ip link set lo up && exec "$@"',
        "sh", sys.executable, "-m", "pytest", *config.invocation_params.args])


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright):
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    yield browser
    browser.close()


class Loopback(World):
    """Nodes that share this machine's loopback."""

    def node(self, name, flags=("--interface", "lo"), **options):
        return super().node(name, ThisMachine(), flags=flags, **options)


@pytest.fixture
def world(tmp_path, request):
    made = Loopback(tmp_path)
    request.node.world = made
    yield made
    made.close()


@pytest.fixture
def room(world, chromium, request):
    """People at laptops; at the end none of their pages may have asked elsewhere or complained."""
    failed = request.session.testsfailed
    made = Room(world, chromium)
    yield made
    if request.session.testsfailed > failed:
        made.keep(request.node.name)
    made.close()
