"""Eight laptops play game after game at random: neither the pages nor the nodes grow."""

import os
import random
import statistics
import time

from node import Refused
from play import PHRASES, Game

NAMES = ["Ana", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal"]
MINUTES = float(os.environ.get("TABLETALK_SOAK_MINUTES", "30" if os.environ.get("TABLETALK_LONG") == "1" else "3"))
# What happens in one game: as much as in an hour's meeting, so that each needs as much memory as the next.
ACTS = 150
# After a tenth of the time, or when the first games have been let go of, everything has its size.
SETTLED = max(MINUTES * 60 / 10, 60)
GROWTH = 1.10
# What a node keeps within bounds, in MB: pages of its database (2), the last 2,048 agreed entries for pages that come back
# (1), rows of History. In a short run it fills up meanwhile. One measurement of a page differs from the next by 0.5.
KEPT, NOISE = 2 if MINUTES < 15 else 0.5, 0.5


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


def play(nodes, people, chance):
    """One game, from the table to its result, and off everybody's page again."""
    words = chance.sample(PHRASES, 40)
    game = Game.gather(nodes, ["code"], size=5, words=words, marking="tap", pattern="blackout").start()
    for person in people:
        person.page.evaluate("hash => { location.hash = hash; }", f"table/{game.creator.id}")
    for _ in range(ACTS):
        act(game, chance)
        time.sleep(0.05)
    for seat in game.seats:
        if seat.table["phase"] != "over":
            seat.do("quit")
    for seat in game.seats:
        if seat.table is not None and seat.table["phase"] == "over":
            seat.do("putAway")


def test_neither_pages_nor_nodes_grow(room):
    chance = random.Random(8)
    nodes = [room.world.node(name) for name in NAMES]
    people = [room.person(node=nodes[0]), room.person(node=nodes[1])]
    begin, samples = time.monotonic(), []
    while time.monotonic() < begin + MINUTES * 60:
        play(nodes, people, chance)
        sizes = [memory(node) for node in nodes] + [heap(person) for person in people]
        samples.append((time.monotonic() - begin, sizes))
    settled = [sizes for at, sizes in samples if at >= SETTLED]
    assert len(settled) >= 5, f"only {len(samples)} games were played"
    # A few games on either side, since each is another.
    some = min(5, len(settled) // 2)
    before = [statistics.median(sizes) for sizes in zip(*settled[:some])]
    after = [statistics.median(sizes) for sizes in zip(*settled[-some:])]
    print(f"{len(samples)} games in {samples[-1][0]:.0f} s; MB of {len(nodes)} nodes and {len(people)} pages after {SETTLED:.0f} s: "
          f"{' '.join(f'{size:.1f}' for size in before)}; at the end: {' '.join(f'{size:.1f}' for size in after)}")
    print(f"{nodes[0].name} after each game: {' '.join(f'{sizes[0]:.1f}' for _, sizes in samples)}")
    for place, (early, late) in enumerate(zip(before, after)):
        assert late <= early * GROWTH + (KEPT if place < len(nodes) else NOISE), (place, early, late)
