"""Eight laptops play at random for half an hour: neither the pages nor the nodes grow."""

import os
import random
import time

import pytest

from node import Refused
from play import PHRASES, Game

NAMES = ["Ana", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal"]
MINUTES = float(os.environ.get("TABLETALK_SOAK_MINUTES", "30"))
PARTS = 10
GROWTH = 1.10


def memory(node):
    """What the process holds of its own, in MB: all of it but files."""
    text = open(f"/proc/{node.process.pid}/status", encoding="ascii").read()
    return int(text.split("RssAnon:")[1].split()[0]) / 1000


def heap(person):
    """What the page's scripts hold after a collection, in MB."""
    cdp = person.page.context.new_cdp_session(person.page)
    cdp.send("HeapProfiler.collectGarbage")
    size = cdp.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    cdp.detach()
    return size


def act(game, chance):
    """One of them does something: claims, votes, marks, or is late."""
    seat = chance.choice(game.seats)
    table = seat.table
    if table["phase"] != "playing":
        return
    votes = [claim for claim in table["claims"] if claim["mayVote"]]
    confirmed = [tile for tile in table["board"]["tiles"] if tile["state"] == "confirmed"]
    opened = [tile for tile in table["board"]["tiles"] if tile["state"] == "open"]
    try:
        if votes:
            claim = chance.choice(votes)
            seat.do("vote", claim=claim["id"], confirm=chance.random() < 0.7)
        elif confirmed and chance.random() < 0.5:
            seat.do("mark", tile=chance.choice(confirmed)["index"])
        elif opened:
            seat.do("claim", tile=chance.choice(opened)["index"], now=True)
    except Refused:
        pass   # it was decided meanwhile


@pytest.mark.long
def test_neither_pages_nor_nodes_grow(room):
    chance = random.Random(8)
    nodes = [room.world.node(name) for name in NAMES]
    people = [room.person(node=nodes[0]), room.person(node=nodes[1])]
    begin, games, samples, game = time.monotonic(), 0, [], None
    while time.monotonic() < begin + MINUTES * 60:
        if game is None:
            words = chance.sample(PHRASES, 40)
            game = Game.gather(nodes, ["code"], size=5, words=words, marking="tap", pattern="blackout").start()
            games += 1
            for person in people:
                person.page.evaluate("hash => { location.hash = hash; }", f"table/{game.creator.id}")
        act(game, chance)
        time.sleep(0.05)
        if chance.random() < 0.002 or any(seat.table["phase"] == "over" for seat in game.seats):
            for seat in game.seats:
                if seat.table["phase"] != "over":
                    seat.do("quit")
            for seat in game.seats:
                if seat.table is not None and seat.table["phase"] == "over":
                    seat.do("putAway")
            game = None
        if len(samples) < PARTS and time.monotonic() > begin + MINUTES * 60 * (len(samples) + 1) / PARTS:
            samples.append(([memory(node) for node in nodes], [heap(person) for person in people]))
            print(f"part {len(samples)}: nodes {', '.join(f'{size:.1f}' for size in samples[-1][0])} MB, "
                  f"pages {', '.join(f'{size:.1f}' for size in samples[-1][1])} MB, {games} games")
    first, last = samples[0], samples[-1]
    for kind in (0, 1):
        for before, after in zip(first[kind], last[kind]):
            assert after <= before * GROWTH + 1, (first, last)
