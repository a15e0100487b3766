"""Reload at any moment, and a node that is killed: the same seat, board and votes come back."""

import re

import pytest
from playwright.sync_api import expect

from person import WORDS
from play import Game


@pytest.fixture
def people(room):
    nodes = [room.world.node(name) for name in ("Ana", "Bo", "Cy")]
    game = Game.gather(nodes, ["code"], words=WORDS, marking="tap").start()
    people = [room.person(node=node, table=game.creator.id) for node in nodes]
    for person, seat in zip(people, game.seats):
        person.seat = seat
        expect(person.grid).to_be_visible()
    return people


def picture(person):
    """What a player knows of the game: board, votes wanted, what others have, what was heard."""
    return {
        "board": person.board(),
        "votes": person.votes.get_by_role("article").count(),
        "players": person.page.get_by_role("region", name="Players").inner_text(),
        "heard": re.sub(r"just now|\d min ago", "",
                        person.page.get_by_role("region", name="Heard so far").inner_text()),
    }


def test_reload_three_times_at_the_board(people):
    ana, bo, _ = people
    marked, waiting, wanted = ana.row(0)
    ana.claim(marked)
    bo.vote(marked)
    ana.is_(marked, "marked")
    ana.claim(waiting)
    bo.claim(wanted)
    expect(ana.card(wanted)).to_be_visible()
    ana.is_(waiting, "waiting for votes")
    before = picture(ana)
    for _ in range(3):
        ana.page.reload()
        expect(ana.card(wanted)).to_be_visible()
        assert picture(ana) == before
    ana.vote(wanted)
    ana.is_(wanted, "confirmed, tap to mark")


def test_reload_right_after_a_press(people):
    ana, bo, _ = people
    first, second = ana.row(0)[:2]
    ana.tile(first).click()
    ana.page.reload()
    expect(bo.card(first)).to_be_visible()
    ana.is_(first, "waiting for votes")
    # In the same breath: the press has not even left the page.
    ana.tile(second).evaluate("(tile) => { tile.click(); location.reload(); }")
    ana.is_(second, "waiting for votes")
    assert len(ana.seat.moves()) == 2


def test_reload_after_a_vote_keeps_the_vote(people):
    ana, bo, cy = people
    word = ana.row(0)[0]
    ana.claim(word)
    bo.vote(word, "Deny")
    bo.page.reload()
    bo.sees("You said no to")
    expect(bo.card(word)).to_have_count(0)
    cy.vote(word)
    ana.is_(word, "marked")


def test_a_killed_node_comes_back_under_the_same_address(people):
    ana, bo, cy = people
    marked, waiting, wanted = ana.row(0)
    ana.claim(marked)
    bo.vote(marked)
    ana.is_(marked, "marked")
    ana.claim(waiting)
    bo.claim(wanted)
    expect(ana.card(wanted)).to_be_visible()
    ana.is_(waiting, "waiting for votes")
    before, url = picture(ana), ana.node.page.url

    ana.node.kill()
    expect(ana.page.get_by_role("status", name="Connection")).not_to_be_empty()
    cy.vote(wanted)
    bo.is_(wanted, "marked")
    ana.node.start()
    assert ana.node.page.url == url
    ana.is_(wanted, "confirmed, tap to mark")
    expect(ana.page.get_by_role("status", name="Connection")).to_be_empty()
    after = picture(ana)
    assert [word for word, _ in after["board"]] == [word for word, _ in before["board"]]
    ana.is_(marked, "marked")
    assert dict(after["board"])[waiting] in ("waiting for votes", "not marked")
    ana.page.reload()
    ana.is_(wanted, "confirmed, tap to mark")
    ana.tile(wanted).click()
    ana.is_(wanted, "marked")


def test_a_press_while_the_node_is_down_is_sent_when_it_is_back(people):
    ana, bo, _ = people
    word = ana.row(1)[1]
    ana.node.kill()
    expect(ana.page.get_by_role("status", name="Connection")).not_to_be_empty()
    ana.tile(word).click()
    ana.is_(word, "heard")
    ana.node.start()
    expect(bo.card(word)).to_be_visible()
    ana.is_(word, "waiting for votes")
    assert len(ana.seat.moves()) == 1
