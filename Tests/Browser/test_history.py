"""Past games: looked at moment by moment, checked, saved; whatever was put away, and after a restart."""

import re
import subprocess

from playwright.sync_api import expect

from node import PROGRAM
from play import Game


def marked(person):
    return person.page.get_by_role("grid").locator(".is-marked").count()


def test_a_past_game_is_gone_through_by_keyboard_and_checked(room, tmp_path):
    nodes = [room.world.node(name) for name in ("Ana", "Bo")]
    game = Game.gather(nodes, ["code"], marking="tap", title="Monday stand-up").start()
    ana_, bo_ = game.seats
    theirs = bo_.lines()[0][0]
    game.confirm(bo_, theirs)
    ana_.mark(theirs)
    game.win(ana_, line=next(index for index, line in enumerate(ana_.lines()) if theirs not in line))
    lines = [line for line in ana_.table["feed"] if line["kind"] == "confirmed"]
    ana = room.person(node=nodes[0], table=ana_.id)
    ana.page.get_by_role("link", name="How it went").click()
    slider = ana.page.get_by_role("slider", name="Moment shown")
    expect(slider).to_be_visible()
    # The end is shown first, and is what the result shows.
    ended = marked(ana)
    assert ended == sum(tile["state"] == "marked" for tile in ana_.tiles)
    slider.focus()
    ana.key("Home")
    expect(slider).to_have_attribute("aria-valuetext", "The start: the boards were dealt.")
    assert marked(ana) == 0
    ana.key("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(
        f"^Moment 1 of \\d+, min 1: Bo spotted “{re.escape(theirs)}”. Agreed 2 to 0.$"))
    assert marked(ana) == 0, "Bo's tile was marked, Ana's was still to be tapped"
    ana.key("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"Ana marked “{re.escape(theirs)}”.$"))
    assert marked(ana) == 1
    ana.button("Show large Bo").click()
    expect(ana.page.get_by_role("grid", name="Bo’s board").locator(".is-marked")).to_have_count(1)
    slider.focus()
    ana.key("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Ana wins.$"))
    expect(ana.page.locator(".timeline li")).to_have_count(len(lines))
    expect(ana.page.locator(".timeline")).to_contain_text("agreed 2 of 2")
    ana.sees("checked on this laptop")
    ana.button("Check it now").click()
    ana.sees("Checked. This is proven:")
    expect(ana.page.locator(".bullets").first).to_contain_text("Ana")

    # Put away and started anew: it is all made again from the log.
    nodes[0].command("putAway", table=ana_.id)
    nodes[0].stop()
    nodes[0].start()
    ana.open()
    ana.page.get_by_role("link", name="Past games").click()
    expect(ana.heading("Past games")).to_be_visible()
    expect(ana.page.get_by_role("listitem").filter(has_text="Monday stand-up")).to_contain_text("Ana won.")
    ana.page.get_by_role("link", name=re.compile("^Look again Monday stand-up")).click()
    expect(slider).to_be_visible()
    assert marked(ana) == ended
    ana.page.locator("summary").get_by_text("Details", exact=True).last.click()
    with ana.page.expect_download() as waiting:
        ana.button("Save this game’s log").click()
    waiting.value.save_as(tmp_path / "game.ttlog")
    assert subprocess.run([PROGRAM, "verify", tmp_path / "game.ttlog"], capture_output=True).returncode == 0


def test_nobody_sees_boards_of_a_game_that_goes_on(room):
    nodes = [room.world.node(name) for name in ("Ana", "Bo")]
    game = Game.gather(nodes, ["code"]).start()
    ana = nodes[0].page
    assert ana.get("/api/v1/history") == []
    connection, response = ana.request("GET", f"/api/v1/tables/{game.creator.id}/replay")
    assert (response.status, b"noSuchGame" in response.read()) == (404, True)
    connection.close()
