"""Two pairs went on without the fifth, each in a game of its own: who was away reads both, and chooses."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from person import WORDS
from play import Game


def goes_on(pair):
    """Both of those who are here want to go on without the others."""
    for seat in pair:
        seat.wait("for whom it waits", lambda table: table["waiting"] and "goOn" in table["waiting"]["choices"], 30)
        seat.do("goOn")
    for seat in pair:
        seat.wait("that it goes on", lambda table: not table["waiting"], 30)


def test_who_was_left_out_of_two_games_chooses_one_by_keyboard(room):
    nodes = [room.world.node(name) for name in ("Ana", "Bo", "Cy", "Di", "Eve")]
    game = Game.gather(nodes, ["code"], words=WORDS, marking="tap").start()
    ana, bo, cy, di, eve = game.seats
    for seat in (cy, di, eve):
        seat.node.kill()
    goes_on([ana, bo])
    word = ana.harmless()[0]
    ana.claim(word)
    bo.vote(word, True)
    for seat in (ana, bo):
        seat.decided(word, "confirmed", 45)
    for seat in (ana, bo):
        seat.node.kill()
    for seat in (cy, di):
        seat.node.start()
    goes_on([cy, di])
    for seat in (ana, bo, eve):
        seat.node.start()
    person = room.person(node=eve.node, table=eve.id)
    page = person.page
    both = page.get_by_role("group", name="Two games went on without you")
    expect(both).to_be_visible(timeout=30_000)
    first = both.get_by_role("button", name="Go on with Ana and Bo")
    other = both.get_by_role("button", name="Go on with Cy and Di")
    for button, who in ((first, "Ana and Bo"), (other, "Cy and Di")):
        described = page.locator(f"[id='{button.get_attribute('aria-describedby')}']")
        expect(described).to_contain_text(f"{who} went on without you. All that you know is there")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    person.shoot("two-ways")
    person.tab_to(first)
    page.keyboard.press("Enter")
    expect(both).to_have_count(0)
    eve.decided(word, "confirmed", 30, ana)
    person.sees("Cy and Di went on by themselves. Theirs and yours are two games now")
    expect(other).to_have_count(0)
