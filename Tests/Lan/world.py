"""The laptops and nodes of one test, and a full report when something fails.

A conftest.py of black-box tests takes everything from here.
"""

import json
import os

import pytest

from network import Laptop, Segment
from node import Node

NAMES = ["Ana", "Bo", "Cy", "Di", "Ed"]


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes long; runs with Tests/run --long only")
    if os.environ.get("TABLETALK_TESTS_INSIDE") != "1":
        pytest.exit("these tests need namespaces of their own: run them by Tests/run", 1)


def pytest_collection_modifyitems(config, items):
    if os.environ.get("TABLETALK_LONG") == "1":
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]


class World:
    """The laptops and nodes of one test."""

    def __init__(self, folder):
        self.folder = folder
        self.segments = []
        self.laptops = []
        self.nodes = []
        self.things = []

    def segment(self, prefix="10.77.0"):
        self.segments.append(Segment(prefix))
        return self.segments[-1]

    def laptop(self, *segments):
        self.laptops.append(Laptop(*segments))
        return self.laptops[-1]

    def node(self, name, laptop=None, start=True, folder=None, **options):
        laptop = laptop or self.laptop(self.segments[0] if self.segments else self.segment())
        folder = folder or self.folder / f"{len(self.nodes)}-{name}"
        node = Node(laptop, name, folder, **options)
        self.nodes.append(node)
        if start:
            node.start()
        return node

    def people(self, count):
        """So many laptops on one segment, each with a running node."""
        return [self.node(name) for name in NAMES[:count]]

    def closing(self, thing):
        """Has a capture or a proxy closed at the end."""
        self.things.append(thing)
        return thing

    def close(self):
        for thing in [*self.nodes, *self.things, *self.laptops, *self.segments]:
            thing.close()


@pytest.fixture
def world(tmp_path, request):
    made = World(tmp_path)
    request.node.world = made
    yield made
    made.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    world = getattr(item, "world", None)
    if report.when != "call" or not report.failed or world is None:
        return
    for node in world.nodes:
        state = {key: value for key, value in (node.state or {}).items() if key != "packs"}
        for table in state.get("tables", []):
            table.get("words", {}).pop("items", None)
        running = "running" if node.running else "not running"
        text = json.dumps(state, indent=1)[:12_000]
        report.sections.append((f"{node}, {running}: last state", text))
        report.sections.append((f"{node}: end of its log", node.tail()))


def pytest_terminal_summary(terminalreporter):
    """Shows the figures that passed tests printed."""
    for report in terminalreporter.stats.get("passed", []):
        for line in report.capstdout.splitlines():
            terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {line}")
