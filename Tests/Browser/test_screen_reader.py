"""What a screen reader finds on the board, word for word (PRODUCT b.3)."""

import re

from playwright.sync_api import expect

from play import Game


def test_the_board_is_read_out_word_for_word(room):
    nodes = [room.world.node(name) for name in ("Ana", "Bo")]
    game = Game.gather(nodes, ["code"], marking="tap").start()
    ana_, bo_ = game.seats
    ana = room.person(node=nodes[0], table=ana_.id)
    words = [word for row in ana_.lines()[:3] for word in row]
    for word in words[3:5]:
        game.confirm(ana_, word)
    ana_.claim(words[0])
    bo_.vote(words[0], False)
    ana_.decided(words[0], "denied")
    game.confirm(bo_, words[2])
    ana_.claim(words[8])
    said = {0: "denied", 2: "confirmed, tap to mark", 3: "marked", 4: "marked", 5: "not marked, one away", 8: "waiting for votes"}
    expected = [f"Row {index // 3 + 1} column {index % 3 + 1}, {word}, {said.get(index, 'not marked')}"
                for index, word in enumerate(words)]
    ana.is_(words[8], "waiting for votes")
    dump = ana.grid.aria_snapshot()
    assert re.findall(r'- button "([^"]*)"', dump) == expected
    assert [bool(line) for line in re.findall(r'- button "[^"]*"( \[pressed\])?', dump)] == [
        index in (3, 4) for index in range(9)]
    assert dump.count("- row") == 3 and dump.count("- gridcell") == 9
    # One tab stop; arrows, Home and End move inside.
    stops = ana.grid.locator("[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    ana.key("Control+Home")
    for key, place in (("ArrowRight", (1, 2)), ("ArrowDown", (2, 2)), ("End", (2, 3)), ("Control+End", (3, 3)), ("Home", (3, 1))):
        ana.key(key)
        expect(ana.page.locator(":focus")).to_have_accessible_name(re.compile(f"^Row {place[0]} column {place[1]}, "))
        expect(stops).to_have_count(1)
