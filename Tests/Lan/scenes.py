"""What a scenario is made of: the people in it, what happens while they play, and how it ends."""

import os
from dataclasses import dataclass, field
from typing import Callable

from node import Node
from play import Game, everyone_sees_everyone

LONG = os.environ.get("TABLETALK_LONG") == "1"


@dataclass
class Scene:
    """People at their laptops; the first makes the table."""

    nodes: list
    # How the others sit down: by the list, by the code, or by the whole invitation line, which is
    # for those whom no beacon reaches.
    way: str = "list"
    # Seconds until all have to see one another.
    meet: float = 6
    # What happens in the middle of the game.
    during: Callable[[Game], None] = lambda game: None
    # Seconds for a claim to be decided after that.
    patience: float = 15
    # Whose doctor is asked, by default the first one's, and with which words.
    asked: Node | None = None
    words: list = field(default_factory=list)
    # What must be true of it at the end besides.
    checks: list = field(default_factory=list)


def they_play(scene):
    """All see each other, sit down at one table, start, and agree on a claim, and on another one
    after what happens in the middle."""
    if scene.way != "line":
        everyone_sees_everyone(scene.nodes, scene.meet)
    game = Game.gather(scene.nodes, ways=(scene.way,)).start()
    everyone_sees_everyone(scene.nodes, scene.meet)
    ana, bo = game.seats[:2]
    game.confirm(ana, ana.harmless()[0])
    game.agree()
    scene.during(game)
    game.confirm(bo, bo.harmless()[0], timeout=scene.patience)
    game.agree()
    for check in scene.checks:
        check()


def rows(node, name):
    """The rows of everybody of this name in somebody's list."""
    return [person for person in node.state["people"] if person["name"] == name]


def seen_at(node, name):
    """The hosts at which somebody's list has everybody of this name."""
    return [person["address"].rpartition(":")[0] for person in rows(node, name)]


def link_address(node):
    """Where a node takes links, as `--peer` and invitations name it."""
    return f"{node.laptop.address}:{node.state['network']['linkPort']}"


def router(world, *segments):
    """A machine that passes packets between segments, with an address on each."""
    machine = world.laptop(*segments)
    machine.run("sysctl", "-q", "-w", "net.ipv4.ip_forward=1")
    return machine


def route_by(laptop, gate):
    """Sends by this gate whatever has no other way."""
    laptop.run("ip", "route", "add", "default", "via", gate)
