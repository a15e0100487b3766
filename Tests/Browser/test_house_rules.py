"""House rules: sizes, patterns, a free centre, places, taking back, ending early."""

import re

import pytest
from playwright.sync_api import expect

from play import Game


def sit(room, names, **rules):
    """People at boards of one game, each with the game's seat behind them."""
    nodes = [room.world.node(name) for name in names]
    game = Game.gather(nodes, ["code"], **rules).start()
    people = [room.person(node=node, table=game.creator.id) for node in nodes]
    for person, seat in zip(people, game.seats):
        person.seat = seat
        expect(person.grid).to_be_visible()
    return people


def agree(finder, other, word):
    finder.claim(word)
    other.vote(word)
    finder.is_(word, "marked")


def region(person, name):
    return person.page.get_by_role("region", name=name)


def test_rules_are_chosen_and_shown_in_the_lobby(room):
    ana = room.person("Ana")
    bo = room.person("Bo")
    ana.button("New bingo table").click()
    ana.page.locator("summary").get_by_text("House rules").click()

    def pick(group, option):
        ana.page.get_by_role("group", name=group).get_by_role("radio", name=option, exact=True).check(force=True)

    pick("Size of the boards", "7 by 7")
    ana.page.get_by_label(re.compile("^Free centre")).check()
    pick("What wins", "Diagonals too")
    pick("Play on", "Second place too")
    pick("Who decides on a word", "All")
    ana.button("Start").click()
    expect(ana.heading("Setting the table")).to_be_visible()
    bo.join(ana.code())
    bo.page.locator("summary").get_by_text("House rules").click()
    rules = bo.page.get_by_text("A row, a column or a diagonal wins.")
    expect(rules).to_contain_text("Everybody present must agree")
    expect(rules).to_contain_text("until there are 2 places")
    expect(bo.page.get_by_role("radio", name=re.compile("^7 by 7"))).to_be_checked()
    # A board without a middle has no free tile.
    ana.page.locator("summary").get_by_text("House rules").click()
    pick("Size of the boards", "6 by 6")
    expect(ana.page.get_by_label(re.compile("^Free centre"))).to_have_count(0)
    expect(bo.page.get_by_role("radio", name=re.compile("^6 by 6"))).to_be_checked()


@pytest.mark.parametrize("size", [5, 7])
def test_a_free_centre_is_marked_and_counts(room, size):
    ana, bo = sit(room, ["Ana", "Bo"], size=size, freeCentre=True)
    middle = size // 2
    free = ana.grid.get_by_role("button", name=re.compile(f"^Row {middle + 1} column {middle + 1}, Free, marked"))
    expect(free).to_be_visible()
    expect(region(ana, "Players")).to_contain_text(f"1 of {size}")
    tiles = [tile["word"] for tile in ana.seat.tiles]
    for word in tiles[middle * size:(middle + 1) * size]:
        if word:
            agree(ana, bo, word)
    for person in (ana, bo):
        expect(person.page.get_by_role("heading", name=re.compile("Bingo! .*Ana"))).to_be_visible()
    ana.shoot(f"free-centre-{size}")
    width = ana.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, f"the result is {width} px too wide"


@pytest.mark.parametrize("voting, pattern, tiles, text", [
    ("anyone", "diagonals", [0, 4, 8], "A diagonal is full."),
    ("majority", "corners", [0, 2, 6, 8], "The four corners are full."),
    ("unanimous", "cross", [0, 2, 4, 6, 8], "The X is full."),
    ("honour", "frame", [0, 1, 2, 3, 5, 6, 7, 8], "The frame is full."),
    ("majority", "blackout", list(range(9)), "The whole board is full.")])
def test_a_pattern_wins_however_words_are_decided(room, voting, pattern, tiles, text):
    ana, bo = sit(room, ["Ana", "Bo"], size=3, pattern=pattern, voting=voting)
    words = [tile["word"] for tile in ana.seat.tiles]
    for tile in tiles:
        ana.claim(words[tile])
        if voting != "honour":
            bo.vote(words[tile])
        if tile != tiles[-1]:
            ana.is_(words[tile], "marked")
    expect(ana.page.get_by_role("heading", name=re.compile("Bingo! .*Ana"))).to_be_visible()
    expect(bo.page.get_by_role("heading", name=re.compile("Bingo! .*Ana"))).to_be_visible()
    winning = ana.page.get_by_role("gridcell", name=re.compile("winning line"))
    expect(winning).to_have_count(len(tiles))
    ana.shoot(f"pattern-{pattern}")


def test_an_honest_mistake_is_taken_back(room):
    ana, bo = sit(room, ["Ana", "Bo"], size=3)
    word = ana.row(0)[0]
    agree(ana, bo, word)
    ana.button("Take it back").click()
    ana.is_(word, "not marked")
    for person in (ana, bo):
        expect(region(person, "Heard so far")).to_contain_text(f"Ana took “{word}” back.")
    # What was decided since stands.
    agree(ana, bo, word)
    expect(ana.button("Take it back")).to_be_visible()
    agree(bo, ana, next(one for one in bo.row(0) if one != word))
    expect(ana.button("Take it back")).to_have_count(0)


def test_most_end_the_game_as_it_stands(room):
    ana, bo, cy = sit(room, ["Ana", "Bo", "Cy"], size=3)
    agree(ana, bo, ana.row(0)[0])
    bo.button("End it here").click()
    expect(region(bo, "The meeting is over")).to_contain_text("You want to end it here")
    expect(region(cy, "The meeting is over")).to_contain_text("Bo wants to end it here")
    expect(region(cy, "The meeting is over")).to_contain_text("One more must want it.")
    bo.button("Play on after all").click()
    expect(region(cy, "The meeting is over")).to_have_count(0)
    bo.button("End it here").click()
    region(cy, "The meeting is over").get_by_role("button", name="End it here").click()
    for person in (ana, bo, cy):
        expect(person.page.get_by_role("heading", name=re.compile("Closest to bingo: .*Ana"))).to_be_visible()
    ana.shoot("settled")


def test_the_game_goes_on_for_the_second_place(room):
    ana, bo, cy = sit(room, ["Ana", "Bo", "Cy"], size=3, places=2, marking="finder")
    for word in ana.row(0):
        agree(ana, bo, word)
    for person in (ana, bo, cy):
        expect(region(person, "Players")).to_contain_text("First place")
        expect(region(person, "Heard so far")).to_contain_text("Ana has a place.")
        expect(person.grid).to_be_visible()
    for word in bo.row(0):
        agree(bo, ana, word)
    for person in (ana, bo, cy):
        expect(person.page.get_by_role("heading", name=re.compile("Bingo! .*Ana"))).to_be_visible()
        expect(person.page.get_by_role("list", name="Further places")).to_contain_text("Bo")
    cy.shoot("second-place")


@pytest.mark.parametrize("size", [6, 7])
def test_a_big_board_stays_in_a_narrow_window(room, size):
    ana, bo = sit(room, ["Ana", "Bo"], size=size)
    for width in (320, 768, 1280):
        ana.page.set_viewport_size({"width": width, "height": 800})
        over = ana.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{over} px too wide at {width}"
        ana.shoot(f"board-{size}-{width}")
    ana.page.set_viewport_size({"width": 320, "height": 800})
    last = ana.row(size - 1)[size - 1]
    # The last tile is brought into view by the keyboard alone.
    ana.grid.get_by_role("button").first.focus()
    ana.key("Control+End")
    expect(ana.tile(last)).to_be_focused()
    expect(ana.tile(last)).to_be_in_viewport()
    agree(ana, bo, last)


def test_the_rules_of_the_table_are_a_key_away(room):
    ana, bo = sit(room, ["Ana", "Bo"], size=3, pattern="corners", marking="everyone")
    dialog = ana.page.get_by_role("dialog", name="How it goes")
    first = ana.grid.get_by_role("button").first
    first.focus()
    ana.key("?")
    expect(dialog).to_contain_text("The four corners win.")
    expect(dialog).to_contain_text("Every board that has the word is marked at once.")
    assert ana.page.evaluate("document.activeElement.closest('dialog') !== null"), "the focus is inside"
    ana.key("Escape")
    expect(dialog).to_have_count(0)
    expect(first).to_be_focused()
    ana.button("How it goes").click()
    ana.button("Got it").click()
    expect(dialog).to_have_count(0)
    # Who switches the keys off has none.
    ana.page.get_by_role("checkbox", name=re.compile("^Answer votes with the keys")).uncheck()
    first.focus()
    ana.key("?")
    expect(dialog).to_have_count(0)
    expect(bo.page.get_by_role("dialog")).to_have_count(0)
