"""Who is who at an anonymous table: the vectors, and two games between real nodes of which no log names anybody."""

import subprocess

import pytest

import anonymous
from node import PROGRAM
from play import PHRASES, Game, everyone_sees_everyone
from savedlog import read
from tabletalk import vectors


@pytest.mark.parametrize("case", vectors("alias.json")["cases"], ids=lambda case: case["name"])
def test_aliases_are_made_again(case):
    secret, nonce, identity = (bytes.fromhex(case[field]) for field in ("secret", "nonce", "identity"))
    assert anonymous.factor(secret, nonce, identity).hex() == case["factor"]
    alias = anonymous.alias(secret, nonce, identity)
    assert (alias.hex(), anonymous.moniker(alias)) == (case["alias"], case["name"])


def marks(table):
    """Every key that a log names, and what people are called there."""
    keys = {seat[field] for seat in table["seats"] for field in ("key", "player")}
    return keys, {seat["name"] for seat in table["seats"]}


def test_two_anonymous_games_name_nobody_twice(world):
    """PRODUCT B28: no key and no name of the first stands in the second's saved log."""
    nodes = [world.node(name) for name in ("Anastasia", "Boguslaw", "Cyprian")]
    everyone_sees_everyone(nodes, 10)
    logs, seen = [], []
    for _ in range(2):
        game = Game.gather(nodes, ["line"], words=PHRASES[:9], anonymous=True)
        assert game.creator.table["private"] and game.creator.table["anonymous"]
        game.start()
        game.win(game.seats[1])
        for seat in game.seats:
            seat.wait("everybody is here and agrees", lambda table: all(
                row["agrees"] and row["presence"] == "here" for row in table["seats"]))
        path = world.folder / f"{game.creator.id}.ttlog"
        subprocess.run(nodes[2].laptop.inside(
            str(PROGRAM), "export", game.creator.id, "--data", str(nodes[2].folder), "-o", str(path)), check=True)
        logs.append(path.read_bytes())
        seen.append(marks(game.creator.table))
    for own, other in ((0, 1), (1, 0)):
        ledger = read(logs[own])
        keys, names = seen[own]
        assert {seat.identity.hex() for seat in ledger.table.seats} < keys
        assert {seat.member[-1] for seat in ledger.table.seats} <= {name.rstrip(" 2345") for name in names}
        for key in keys | {seat.voter.hex() for seat in ledger.table.seats}:
            assert bytes.fromhex(key) in logs[own] and bytes.fromhex(key) not in logs[other]
        for node in nodes:
            assert bytes.fromhex(node.key) not in logs[own]
            assert node.name.encode() not in logs[own]
    # Who wants it says who he was; then it stands there, signed by him.
    seat = game.seats[1]
    seat.do("showMe")
    shown = game.seats[0].wait("who shows himself", lambda table: table["seats"][1]["shown"])
    assert (shown["name"], shown["key"]) == (nodes[1].name, nodes[1].key)
