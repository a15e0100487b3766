"""At the board: claims, votes, marks, and the way out."""

import re
import time

import pytest
from playwright.sync_api import expect

from person import WORDS
from play import Game


# Notes what is read out by itself.
SPOKEN = """() => {
  window.spoken = [];
  const place = document.getElementById("spoken");
  new MutationObserver(() => { if (place.textContent) window.spoken.push(place.textContent); })
    .observe(place, { childList: true, characterData: true, subtree: true });
}"""


@pytest.fixture
def play(room):
    """People at boards: `play("Ana", "Bo")` returns them, with the game behind them."""
    def begin(*names, words=WORDS, size=3, marking="tap"):
        nodes = [room.world.node(name) for name in names]
        game = Game.gather(nodes, ["code"], size=size, words=words, marking=marking).start()
        people = [room.person(node=node, table=game.creator.id) for node in nodes]
        for person, seat in zip(people, game.seats):
            person.seat = seat
            expect(person.grid).to_be_visible()
        return people
    return begin


def test_undo_within_two_seconds_is_seen_by_nobody(play):
    ana, bo = play("Ana", "Bo")
    first, second = ana.row(0)[:2]
    ana.tile(first).click()
    ana.is_(first, "heard")
    ana.button("Undo").click()
    ana.is_(first, "not marked")
    ana.tile(second).click()
    ana.is_(second, "waiting for votes")
    expect(bo.card(second)).to_be_visible()
    assert len(bo.seat.log()) == len(ana.seat.log())
    assert len(ana.seat.moves()) == 1
    expect(bo.card(first)).to_have_count(0)


def test_a_press_is_sent_after_two_seconds_and_at_once_when_pressed_twice(play):
    ana, bo = play("Ana", "Bo")
    first, second = ana.row(0)[:2]
    begin = time.monotonic()
    ana.tile(first).click()
    expect(bo.card(first)).to_be_visible()
    assert time.monotonic() - begin > 1.9
    begin = time.monotonic()
    ana.tile(second).dblclick()
    expect(bo.card(second)).to_be_visible()
    assert time.monotonic() - begin < 1.5


def test_with_everyone_all_boards_are_marked_and_the_finder_is_named(play):
    ana, bo = play("Ana", "Bo", marking="everyone")
    word = ana.row(0)[0]
    ana.claim(word)
    bo.vote(word)
    for person in (ana, bo):
        person.is_(word, "marked")
        person.sees("Agreed 2 to 0.")
        expect(person.page.get_by_role("region", name="Heard so far")).to_contain_text(
            f"Ana spotted “{word}”")


def test_with_tap_the_others_tile_lights_up_and_one_press_marks_it(play):
    ana, bo = play("Ana", "Bo")
    word = ana.row(0)[0]
    ana.claim(word)
    bo.vote(word)
    ana.is_(word, "marked")
    bo.is_(word, "confirmed, tap to mark")
    bo.tile(word).click()
    bo.is_(word, "marked")
    bo.page.reload()
    bo.is_(word, "marked")


def test_a_denied_claim_is_told_within_two_seconds_and_says_how_long_to_wait(play):
    ana, bo = play("Ana", "Bo")
    word = ana.row(0)[0]
    ana.claim(word)
    begin = time.monotonic()
    bo.vote(word, "Deny")
    ana.hears(f"Denied 1 to 1: “{word}”")
    assert time.monotonic() - begin < 2
    ana.is_(word, "denied")
    bo.is_(word, "not marked")
    ana.tile(word).click()
    ana.hears(re.compile(rf"“{word}” was denied\. You can try again in [1-6]?\d seconds?\."))
    assert len(ana.seat.moves()) == 1


def test_a_diagonal_wins_nothing_and_one_away_is_shown(play):
    ana, bo = play("Ana", "Bo", marking="finder")
    words = ana.words()
    for index in (0, 4, 8):
        ana.claim(words[index])
        bo.vote(words[index])
        ana.is_(words[index], "marked")
    ana.claim(words[1])
    bo.vote(words[1])
    ana.is_(words[1], "marked")
    for index in (2, 7):
        expect(ana.tile(words[index])).to_have_accessible_name(re.compile("not marked, one away$"))
    for index in (3, 5, 6):
        expect(ana.tile(words[index])).to_have_accessible_name(re.compile("not marked$"))
    expect(bo.page.get_by_role("region", name="Players")).to_contain_text("one away")
    expect(ana.result).to_have_count(0)
    ana.claim(words[2])
    bo.vote(words[2])
    for person in (ana, bo):
        expect(person.result).to_contain_text("Bingo! Ana", timeout=6_000)
        person.sees("same result as 2 of 2 laptops")


def test_quit_asks_once_and_the_last_player_wins(play):
    ana, bo = play("Ana", "Bo")
    word = ana.row(1)[1]
    ana.page.evaluate(SPOKEN)
    bo.button("Quit").click()
    expect(bo.page.get_by_role("dialog", name="Quit this game?")).to_be_visible()
    bo.sees("You cannot come back to this game. Ana is the last player then, and wins.")
    bo.button("Stay").click()
    bo.button("Quit").click()
    bo.key("Escape")
    expect(bo.page.get_by_role("dialog")).to_have_count(0)
    bo.tile(word).click()
    bo.is_(word, "heard")
    bo.button("Quit").click()
    bo.button("Quit the game").click()
    expect(bo.button("New bingo table")).to_be_visible()
    expect(ana.result).to_contain_text("You win (last player).")
    expect(ana.page).to_have_title("Ana wins (last player): Tabletalk")
    assert ana.page.evaluate("spoken") == ["Everybody else has left, so Ana wins."]


def test_who_quits_a_game_of_three_hears_that_the_others_play_on(play):
    ana, _, _ = play("Ana", "Bo", "Cy")
    ana.button("Quit").click()
    ana.sees("The others play on.")


def test_only_what_happens_at_the_table_in_view_is_read_out_and_it_does_not_stay(play):
    ana, bo = play("Ana", "Bo")
    ana.page.evaluate(SPOKEN)
    first, second = ana.row(0)[:2]
    bo.claim(first)
    expect(ana.card(first)).to_be_visible()
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    bo.claim(second)
    ana.sees("2 votes wait for you")
    expect(ana.page.locator("#spoken")).to_be_empty()
    assert ana.page.evaluate("spoken") == [f"Bo heard “{first}”. Your vote is wanted."]


def test_nobody_answers_and_one_press_asks_again(play):
    ana, bo = play("Ana", "Bo")
    word = ana.row(0)[0]
    ana.claim(word)
    expect(bo.card(word)).to_be_visible()
    ana.sees("Waiting for Bo")
    expect(ana.tile(word)).to_have_accessible_name(re.compile("nobody answered"), timeout=40_000)
    ana.hears("nobody answered")
    ana.tile(word).click()
    ana.is_(word, "waiting for votes", timeout=2)
    bo.vote(word)
    ana.is_(word, "marked")


def test_who_presses_what_another_has_just_claimed_says_yes_and_shares_the_credit(play):
    ana, bo, _ = play("Ana", "Bo", "Cy")
    word = ana.row(0)[0]
    ana.claim(word)
    expect(bo.card(word)).to_be_visible()
    bo.tile(word).click()
    for person in (ana, bo):
        person.is_(word, "marked")
        expect(person.page.get_by_role("region", name="Heard so far")).to_contain_text(
            f"Ana and Bo spotted “{word}” together. Agreed 2 to 0.")


def test_nobody_is_trapped_when_the_other_laptop_dies(play):
    ana, bo = play("Ana", "Bo")
    bo.node.kill()
    begin = time.monotonic()
    hold = ana.page.get_by_role("status", name="Waiting for people")
    expect(hold).to_contain_text("1 of 2 people are here, the game needs 2.")
    expect(hold).to_contain_text("Nothing is lost.")
    assert time.monotonic() - begin < 8
    expect(ana.result).to_have_count(0)
    hold.get_by_role("button", name="Keep waiting").click()
    expect(ana.page.get_by_text("Bo is away").first).to_be_visible()
    ana.button("Quit").click()
    ana.button("Quit the game").click()
    ana.set_table()
    bo.node.start()
    expect(bo.result).to_contain_text("You win (last player).")
