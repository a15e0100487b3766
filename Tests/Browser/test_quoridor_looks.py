"""How Quoridor looks from all sides, with two and with four, and what axe says of each of its screens."""

import os
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from duel import Duel
from duelist import Player, practise, sit_down
from test_looks import SPILLED, Album


@pytest.fixture
def album():
    made = Album()
    yield made
    assert not made.wrong, "\n".join(made.wrong)


def test_the_board_looks_right_from_all_sides(room, album):
    first, second = sit_down(room)
    table = second.person.node.state["tables"][0]["id"]
    players = (first, second)
    for index, move in enumerate("e2 e8 e3 e7 e3h c6h d3 e6 g4v".split()):
        players[index % 2].waits_for_turn()
        players[index % 2].person.node.command("move", table=table, move=move)
    second.waits_for_turn()
    second.person.button("Place a wall").click()
    second.person.button("Shortest ways").click()
    album.look(second.person, "9-quoridor")
    second.person.node.command("giveUp", table=table)
    expect(second.person.result).to_be_visible()
    album.look(second.person, "9-quoridor-over")


IS_LONG = os.environ.get("TABLETALK_LONG") == "1"
SIDES = [(scheme, width) for scheme in ("light", "dark") for width in (320, 1280)]


def glance(person, name, wrong):
    """A screen from its two farthest sides, with --long from all four."""
    page = person.page
    for scheme, width in SIDES if IS_LONG else SIDES[1:3]:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 800})
        where = f"{name}-{width}-{scheme}"
        wrong += [f"{where}: {text}" for text in page.evaluate(SPILLED)]
        found = Axe().run(page)
        assert len(found.response["passes"]) > 10, "axe looked at nothing"
        wrong += [f"{where}: {rule['id']}: {node['html'][:200]}"
                  for rule in found.response["violations"] for node in rule["nodes"]]
        person.shoot(where)
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.long
def test_every_screen_of_two(room):
    wrong = []
    ana = practise(room, "The computer")
    ana.page.get_by_role("radio", name="Four").check(force=True)
    ana.page.locator("summary").get_by_text("Go on from moves").click()
    ana.box("Moves of a game").fill("1. e9")
    ana.button("Start").click()
    expect(ana.page.get_by_role("alert")).to_be_visible()
    glance(ana, "9-quoridor-new", wrong)
    bo, cy = room.world.node("Bo"), room.world.node("Cy")
    ana.node.wait("both", lambda state: len(state["people"]) == 2)
    for node in (bo, cy):
        node.command("witness", on=False)
    answer = ana.node.command("createTable", game="quoridor")["table"]
    bo.wait("the table", lambda state: any(row["id"] == answer for row in state["openTables"]))
    bo.command("joinTable", table=answer)
    ana.page.goto(ana.page.url.split("#")[0] + f"#table/{answer}")
    ana.sees("does not help at the moment")
    glance(ana, "9-quoridor-lobby", wrong)
    bo.command("ready", table=answer, ready=True)
    ana.button("Start").click()
    expect(Player(ana).grid).to_be_visible()
    duel = Duel.at([ana.node, bo], answer)
    duel.play("e2 e8".split())
    mine = next(seat for seat in duel.seats if seat.node is ana.node)
    other = next(seat for seat in duel.seats if seat.node is bo)
    other.do("askTakeBack")
    expect(ana.button("Agree")).to_be_visible()
    glance(ana, "9-quoridor-asked", wrong)
    ana.button("Play on").click()
    ana.button("Give up").click()
    expect(ana.page.get_by_role("dialog")).to_be_visible()
    glance(ana, "9-quoridor-give-up", wrong)
    ana.page.get_by_role("dialog").get_by_role("button", name="Play on").click()
    ana.key("?")
    expect(ana.page.get_by_role("dialog")).to_be_visible()
    glance(ana, "9-quoridor-rules", wrong)
    ana.key("Escape")
    bo.kill()
    ana.sees("the game needs 2", timeout=20)
    glance(ana, "9-quoridor-waiting", wrong)
    ana.button("End it unfinished").click()
    ana.hears("You have ended the game without a winner.")
    ana.page.goto(ana.page.url.split("#")[0] + f"#table/{answer}")
    ana.sees("It is on record as soon as Bo is back.")
    glance(ana, "9-quoridor-ending", wrong)
    bo.start()
    mine.wait("the end", lambda table: table["phase"] == "over", 20)
    expect(ana.result).to_contain_text("No winner this time")
    glance(ana, "9-quoridor-unfinished", wrong)
    assert wrong == [], "\n".join(wrong)


def test_a_board_of_four_from_a_side(room):
    wrong = []
    nodes = [room.world.node(name) for name in ("Ana", "Bo", "Cy", "Di with a long name")]
    for node in nodes:
        node.wait("the others", lambda state: len(state["people"]) == 3)
    duel = Duel.gather(nodes, jumps="sideways").start()
    duel.play("e2 b5 e8 h5 e3h c5 c7v g5".split())
    # Player 2 goes right, and sees the board turned so that the own pawn goes up.
    seat = duel.side(1)
    person = room.person(node=seat.node, table=seat.id)
    player = Player(person)
    expect(player.grid).to_be_visible()
    assert player.grid.get_by_role("gridcell").first.get_attribute("data-square") == "i9"
    duel.move("e3")
    player.waits_for_turn()
    expect(person.page.get_by_role("region", name="Players and clocks")).to_contain_text("5 walls left")
    expect(player.square("c5")).to_have_accessible_name(re.compile("^c5, your pawn"))
    person.button("Shortest ways").click()
    glance(person, "9-quoridor-four", wrong)
    player.places("e6h")
    duel.creator.wait("the wall", lambda table: "e6h" in table["quoridor"]["board"]["walls"])
    duel.move("d8")
    duel.give_up(duel.side(3))
    for seat in duel.seats:
        seat.wait("player 1 to move", lambda table: table["quoridor"]["board"]["toMove"] == 0)
    for square in ("d3", "d5"):
        duel.move(square, [duel.side(side) for side in range(3)])
    # Each move stands under who made it, though one of them has given up.
    expect(person.page.get_by_role("table")).to_be_visible()
    rows = person.page.locator(".moves tbody tr")
    expect(rows).to_have_count(4)
    assert rows.nth(3).locator("td").all_inner_texts() == ["d3", "d5", "", ""]
    assert rows.nth(2).locator("td").all_inner_texts() == ["e3", "e6h", "d8", ""]
    glance(person, "9-quoridor-three-left", wrong)
    assert wrong == [], "\n".join(wrong)
