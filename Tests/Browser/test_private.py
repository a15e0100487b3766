"""A private table by clicks: chosen under House rules, shown as private, joined with the copied line."""

import re

import pytest
from playwright.sync_api import expect

from person import WORDS
from play import Game, Seat, join
from test_looks import Album

CLIPBOARD = ["clipboard-read", "clipboard-write"]
SIGN = "Private: only people with the invitation can see this table."


@pytest.fixture
def album():
    made = Album()
    yield made
    assert made.wrong == []


def set_private_table(person, album=None):
    """Makes a table of own words that only people with the invitation can find."""
    person.button("New bingo table").click()
    person.page.get_by_role("radio", name="No list").check(force=True)
    person.box("One word or phrase a line").fill("\n".join(WORDS))
    person.page.get_by_role("radio", name="15 min").check(force=True)
    person.sees("People nearby can sit down next.")
    person.page.locator("summary").get_by_text("House rules").click()
    who = person.page.get_by_role("group", name="Who can join")
    expect(who.get_by_role("radio", name="Everybody nearby")).to_be_checked()
    who.get_by_role("radio", name="Only with the invitation").check(force=True)
    person.sees("Only people with the invitation can sit down.")
    if album:
        album.look(person, "4-new-private-table")
    person.button("Start").click()
    expect(person.heading("Setting the table")).to_be_visible()
    person.sees(SIGN)


def test_at_an_anonymous_table_people_are_animals_until_they_show_themselves(room):
    bo = room.world.node("Bogumila")
    ana = room.person("Anastasia")
    ana.button("New bingo table").click()
    ana.page.get_by_role("radio", name="No list").check(force=True)
    ana.box("One word or phrase a line").fill("\n".join(WORDS))
    ana.page.locator("summary").get_by_text("House rules").click()
    names = ana.page.get_by_role("group", name="Names in the saved log")
    names.get_by_role("radio", name="Animals").check(force=True)
    expect(ana.page.get_by_role("group", name="Who can join")).to_have_count(0)
    ana.page.get_by_role("radio", name="15 min").check(force=True)
    ana.button("Start").click()
    ana.sees("Here you are")
    ana.sees(SIGN)
    seat = Seat(ana.node, ana.node.wait("the table", lambda state: state["tables"])[0]["id"])
    join(bo, seat, "line")
    game = Game([seat, Seat(bo, seat.id)])
    for one in game.seats:
        one.wait("both", lambda table: table["phase"] == "lobby" and len(table["seats"]) == 2)
    game.start()
    masks = [row["name"] for row in seat.table["seats"]]
    for node in (ana.node, bo):
        expect(ana.page.locator("main")).not_to_contain_text(node.name)
    game.win(game.seats[1])
    expect(ana.page.get_by_role("heading", name=re.compile(f"Bingo! .*{masks[1]}"))).to_be_visible()
    game.seats[1].do("showMe")
    ana.sees(f"{masks[1]} was Bogumila·")
    ana.button("Show who I was").click()
    ana.sees(f"{masks[0]} was Anastasia·")
    expect(ana.button("Show who I was")).to_have_count(0)


def copied(person):
    person.button("Copy invitation").click()
    person.hears("Copied")
    return person.page.evaluate("navigator.clipboard.readText()").splitlines()[0]


def test_the_copied_line_leads_to_the_table_and_nothing_else_does(room):
    ana = room.person("Ana", permissions=CLIPBOARD)
    cy = room.person("Cy")
    set_private_table(ana)
    line = copied(ana)
    code, secret = re.match(
        r"tabletalk join (\d{5})-([0-9a-z]{26})@127\.0\.0\.1:\d+$", line).groups()
    expect(ana.page.locator("main")).not_to_contain_text(code)
    expect(ana.page.locator("main")).not_to_contain_text(secret)
    bo = room.person("Bo", permissions=CLIPBOARD)
    expect(bo.page.get_by_role("region", name="Open tables")).to_contain_text("No table is open to everybody here")
    bo.join(line)
    bo.sees(SIGN)
    expect(ana.page.get_by_role("listitem").filter(has_text="Bo")).to_be_visible()
    assert copied(bo) == line
    for person in (ana, bo):
        person.ready()
    ana.button("Start").click()
    for person in (ana, bo):
        assert sorted(person.words()) == sorted(WORDS)
    assert "Private table" in ana.page.locator("header .where").inner_text()
    # Cy saw the list all the time, and has the code only.
    expect(cy.page.locator("main")).not_to_contain_text("Ana’s table")
    cy.box("Code or invitation").fill(code)
    cy.button("Join").click()
    expect(cy.page.locator("#join-said")).to_contain_text("No open table here has the code")
    cy.box("Code or invitation").fill(f"{code}-{secret[:-1]}")
    cy.button("Join").click()
    expect(cy.page.locator("#join-said")).to_contain_text("That is no invitation")
    cy.box("Code or invitation").fill(line.replace(secret, "0" * 26))
    cy.button("Join").click()
    expect(cy.page.locator("#join-said")).to_contain_text("Ask for the invitation once more")


def test_the_screens_of_a_private_table(room, album):
    ana = room.person("Ana")
    room.world.node("Bo")
    set_private_table(ana, album)
    album.look(ana, "5-private-lobby")
