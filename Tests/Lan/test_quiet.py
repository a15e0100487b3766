"""A game in which nobody acts costs nothing, and is there at once when somebody does."""

import os
import time

from node import GRACE
from play import Game, everyone_sees_everyone

SECONDS = 600 if os.environ.get("TABLETALK_LONG") == "1" else 120


def test_nobody_acts_and_nothing_is_said(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo, cy = game.seats
    game.confirm(ana, ana.harmless()[0])
    game.agree()
    time.sleep(6)  # Late votes on the last block may still come.
    capture = world.closing(bo.node.laptop.capture())
    before = [(seat.table["details"]["messages"], len(seat.log())) for seat in game.seats]
    time.sleep(SECONDS)
    after = [(seat.node.page.get("/api/v1/state"), len(seat.log())) for seat in game.seats]
    after = [(seat.within(state)["details"]["messages"], count)
             for seat, (state, count) in zip(game.seats, after)]
    assert after == before, "consensus messages in a game where nobody acts"
    sent = capture.sent()
    links = [packet for packet in sent if packet.protocol == "tcp" and packet.payload]
    rate = sum(packet.length for packet in sent) / SECONDS
    print(f"{SECONDS} s of silence: {len(links)} frames on links, "
          f"{len(sent) - len(links)} other packets, {rate:.0f} bytes a second sent by one of three")
    begin = time.monotonic()
    word = cy.harmless()[0]
    cy.claim(word)
    for seat in game.seats:
        seat.open_claim(word, 1)
    seconds = time.monotonic() - begin
    print(f"then a claim was agreed by all in {seconds * 1000:.0f} ms (must 1000)")
    assert seconds < 1 + GRACE
