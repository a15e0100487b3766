"""Two laptops that cannot reach each other play through a third that both can reach."""

import pytest

from play import PHRASES, Game, everyone_sees_everyone

# Words that cannot turn up in ciphertext by chance, as they go over the wire in a log.
TELLING = [phrase for phrase in PHRASES if len(phrase) > 8]


def card_address(laptop):
    return laptop.run("cat", f"/sys/class/net/{laptop.cards[0][1]}/address").strip()


def keep_apart(one, other):
    """Nothing of either arrives at the other, by whatever protocol above the card's."""
    for here, there in ((one, other), (other, one)):
        here.run("nft", "add table inet apart; add chain inet apart in { type filter hook input "
                 "priority -10; }; add rule inet apart in ether saddr "
                 f"{card_address(there)} counter drop")


def bring_together(*laptops):
    for laptop in laptops:
        laptop.run("nft", "delete", "table", "inet", "apart")


def person(node, name):
    return next((row for row in node.state["people"] if row["name"] == name), None)


def through(node, name):
    """The name of who passes on to somebody, or None."""
    row = person(node, name)
    return row and row["through"]


def readable(capture, texts):
    """Which of the texts a captured packet shows."""
    blob = b"\0".join(packet.payload for packet in list(capture.packets)
                      if packet.protocol == "tcp")
    assert len(blob) > 10_000, "nothing was captured"
    return [text for text in texts if text.encode() in blob]


@pytest.fixture
def apart(world):
    """Ana and Cy, who cannot reach each other, and Bo, who reaches both."""
    segment = world.segment()
    laptops = [world.laptop(segment) for _ in range(3)]
    keep_apart(laptops[0], laptops[2])
    return [world.node(name, laptop) for name, laptop in zip(("Ana", "Bo", "Cy"), laptops)]


def test_two_who_hear_only_a_third_meet_and_play_through_it(world, apart):
    ana, bo, cy = apart
    capture = world.closing(bo.laptop.capture())
    everyone_sees_everyone(apart, 30)
    assert through(ana, "Cy") == "Bo" and through(cy, "Ana") == "Bo"
    assert through(ana, "Bo") is None and through(bo, "Ana") is None
    # Bo has no part in it but to pass on.
    game = Game.gather([ana, cy], ways=("list",), words=TELLING[:9]).start()
    assert bo.state["tables"] == []
    for word in game.seats[0].lines()[1][:2]:
        game.confirm(game.seats[0], word)
    game.agree()
    assert game.win(game.seats[1])["winners"] == [game.seats[1].player]
    assert readable(capture, TELLING[:9]) == []


def test_who_passes_on_plays_too(world, apart):
    everyone_sees_everyone(apart, 30)
    game = Game.gather(apart, ways=("list", "list")).start()
    ana, bo, cy = game.seats
    for seat, name in ((ana, "Cy"), (cy, "Ana")):
        seat.node.wait(f"{name} through Bo", lambda state, seat=seat, name=name: (
            through(seat.node, name) == "Bo"))
        seat.wait("nobody away", lambda table: table["away"] == [])
    assert game.win(cy)["winners"] == [cy.player]


def test_the_end_of_the_third_is_said_and_its_return_mends_it(world, apart):
    ana, bo, cy = apart
    everyone_sees_everyone(apart, 30)
    game = Game.gather([ana, cy], ways=("list",)).start()
    bo.kill()
    for seat, name in zip(game.seats, ("Cy", "Ana")):
        seat.wait(f"{name} away", lambda table, name=name: table["away"] == [name], 10)
    bo.start()
    for seat in game.seats:
        seat.wait("nobody away", lambda table: table["away"] == [], 40)
    game.confirm(game.seats[0], game.seats[0].lines()[0][0])
    game.agree()


def test_a_way_that_opens_is_taken_and_one_that_closes_is_replaced(world, apart):
    ana, bo, cy = apart
    everyone_sees_everyone(apart, 30)
    game = Game.gather([ana, cy], ways=("list",)).start()
    bring_together(ana.laptop, cy.laptop)
    for node, name in ((ana, "Cy"), (cy, "Ana")):
        node.wait(f"{name} without Bo", lambda state, node=node, name=name: (
            through(node, name) is None), 30)
    bo.kill()
    # No longer a matter of Bo's.
    game.confirm(game.seats[0], game.seats[0].lines()[0][0])
    bo.start()
    everyone_sees_everyone(apart, 30)
    keep_apart(ana.laptop, cy.laptop)
    for node, name in ((ana, "Cy"), (cy, "Ana")):
        node.wait(f"{name} through Bo", lambda state, node=node, name=name: (
            through(node, name) == "Bo"), 40)
    game.confirm(game.seats[1], game.seats[1].lines()[0][1])
    game.agree()
