"""What a scenario is made of: the people in it, what happens while they play, and how it ends."""

import os
import time
from dataclasses import dataclass, field
from typing import Callable

from node import GRACE, PROGRAM, Node
from play import Game, everyone_sees_everyone

LONG = os.environ.get("TABLETALK_LONG") == "1"


@dataclass
class Scene:
    """People at their laptops; the first makes the table."""

    nodes: list
    # How the others sit down: by the list, by the code, or by the whole invitation line.
    way: str = "list"
    # No beacon of one reaches the other: they see each other only once they sit at one table.
    strangers: bool = False
    # What the table is besides a small one with words of its own.
    table: dict = field(default_factory=dict)
    # Seconds until all have to see one another.
    meet: float = 6
    # What happens in the middle of the game.
    during: Callable[[Game], None] = lambda game: None
    # Seconds for a claim to be decided after that.
    patience: float = 15
    # Whose doctor is asked, by default the first one's, and with which words.
    asked: Node | None = None
    words: list = field(default_factory=list)
    # What is put in the place of the names in braces in the sentence that doctor is to print, besides
    # `program`, by which it names itself.
    told: dict = field(default_factory=dict)
    # What must be true of it at the end besides.
    checks: list = field(default_factory=list)


def they_play(scene):
    """All see each other, sit down at one table, start, and agree on a claim, and on another one
    after what happens in the middle."""
    if not scene.strangers:
        everyone_sees_everyone(scene.nodes, scene.meet)
    game = Game.gather(scene.nodes, ways=(scene.way,), **scene.table).start()
    everyone_sees_everyone(scene.nodes, scene.meet)
    ana, bo = game.seats[:2]
    game.confirm(ana, ana.harmless()[0])
    game.agree()
    scene.during(game)
    game.confirm(bo, bo.harmless()[0], timeout=scene.patience)
    game.agree()
    for check in scene.checks:
        check()


def doctor_says(sentence, *, healthy=False, run=None):
    """The program's doctor prints exactly this, as trouble or as a mere note, with this command."""
    def ending(scene):
        expected = ("[--] " if healthy else "[!!] ") + sentence.format(program=PROGRAM, **scene.told)
        asked = scene.asked or scene.nodes[0]
        end = time.monotonic() + scene.patience + GRACE
        while True:
            done = asked.run_doctor(*scene.words)
            lines = done.stdout.splitlines()
            if expected in lines:
                break
            # Some of it is only known after others had their turn to send.
            assert time.monotonic() < end, f"{done.stdout}{done.stderr}"
            time.sleep(1)
        assert done.returncode == (0 if healthy else 1), done.stdout
        if run:
            assert f"     Run: {run}" in lines, done.stdout
        for check in scene.checks:
            check()
    return ending


def rows(node, name):
    """The rows of everybody of this name in somebody's list."""
    return [person for person in node.state["people"] if person["name"] == name]


def seen_at(node, name):
    """The hosts at which somebody's list has everybody of this name."""
    return [person["address"].rpartition(":")[0] for person in rows(node, name)]


def link_address(node):
    """Where a node takes links, as `--peer` and invitations name it."""
    return f"{node.laptop.address}:{node.state['network']['linkPort']}"


def ipv4_laptop(world, *segments):
    """A laptop on which IPv6, which would help, is switched off."""
    laptop = world.laptop()
    laptop.run("sysctl", "-q", "-w", "net.ipv6.conf.all.disable_ipv6=1",
               "net.ipv6.conf.default.disable_ipv6=1")
    for segment in segments:
        laptop.attach(segment)
    return laptop


def router(world, *segments):
    """A machine that passes packets between segments, with an address on each."""
    machine = world.laptop(*segments)
    machine.run("sysctl", "-q", "-w", "net.ipv4.ip_forward=1")
    return machine


def route_by(laptop, gate):
    """Sends by this gate whatever has no other way."""
    laptop.run("ip", "route", "add", "default", "via", gate)
