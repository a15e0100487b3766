"""Two people press different words at the same moment: what came first is the same on every page."""

import time

import pytest
from playwright.sync_api import expect

from play import PHRASES, Game
from test_same_word import PRESS


def told(person):
    """The feed of a page, without how long ago each line was."""
    return person.page.locator(".feed li p").all_inner_texts()


@pytest.mark.parametrize("rounds", [8, pytest.param(100, marks=pytest.mark.long)])
def test_two_press_within_ten_milliseconds_and_every_page_tells_one_order(room, rounds):
    nodes = [room.world.node(name) for name in ("Ana", "Bo", "Cy")]
    apart, people = [], None
    while len(apart) < rounds:
        game = Game.gather(nodes, ["code"], size=7, words=PHRASES[:49], marking="finder", voting="honour",
                           pattern="blackout").start()
        people = people or [room.person(node=node) for node in nodes]
        for person in people:
            person.page.evaluate("hash => { location.hash = hash; }", f"table/{game.creator.id}")
            expect(person.grid).to_be_visible()
        for one, other in zip(PHRASES[:48:2], PHRASES[1:48:2]):
            at = time.time() * 1000 + 120
            for person, word in zip(people, (one, other)):
                person.page.evaluate(PRESS, [word, at, True])
            first, second = (person.page.evaluate("window.pressed") for person in people[:2])
            for person, word in zip(people, (one, other)):
                person.is_(word, "marked")
            if abs(first - second) < 10:
                apart.append(abs(first - second))
            if len(apart) == rounds:
                break
        game.agree()
        orders = [told(person) for person in people]
        for person in people[1:]:
            expect(person.page.locator(".feed li")).to_have_count(len(orders[0]))
        orders = [told(person) for person in people]
        assert len(orders[0]) > 3 and orders[1] == orders[0] and orders[2] == orders[0]
        for seat in game.seats:
            seat.do("quit")
    print(f"{rounds} times two presses at most {max(apart):.1f} ms apart, told in one order on three pages")
