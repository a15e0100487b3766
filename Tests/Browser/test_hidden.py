"""The player is in another window: the tab says so, and nothing waits for the page."""

import subprocess
import time

import pytest
from playwright.sync_api import expect

from node import wait_until
from person import CHROMIUM, WORDS, Person
from play import Game

# Notes every change of the title and the tab's picture with the time of the machine's clock.
NOTES = """() => {
  window.notes = [];
  const note = () => window.notes.push(
    [Date.now() / 1000, document.title, document.querySelector("link[rel=icon]").getAttribute("href")]);
  new MutationObserver(note).observe(document.head, {
    subtree: true, childList: true, characterData: true, attributes: true });
}"""
SHOWN = """window.shown = [];
window.Notification = class { static permission = "granted";
  constructor(title, options) { window.shown.push(options.body); } close() {} };"""


@pytest.fixture
def own_chromium(playwright, tmp_path):
    """A Chromium as a person starts it: Playwright's usual settings would keep every tab visible and awake."""
    log = open(tmp_path / "chromium.log", "wb")
    process = subprocess.Popen(
        [CHROMIUM, "--headless", "--no-sandbox", "--no-first-run", "--remote-debugging-port=0",
         f"--user-data-dir={tmp_path}/chromium", "about:blank"],
        stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    port = tmp_path / "chromium/DevToolsActivePort"
    try:
        lines = wait_until("Chromium's port", lambda: port.exists() and port.read_text().split(), 30)
        browser = playwright.chromium.connect_over_cdp(
            f"http://127.0.0.1:{lines[0]}", no_defaults=True)
        yield browser.contexts[0]
        browser.close()
    finally:
        process.kill()
        process.wait()
        log.close()


class Tabs:
    """Bo's page and another tab in front of it."""

    def __init__(self, bo, other):
        self.bo, self.other = bo, other

    def hide(self):
        self.other.bring_to_front()
        wait_until("the page is hidden", lambda: self.bo.page.evaluate("document.hidden"))

    def show(self):
        self.bo.page.bring_to_front()
        wait_until("the page is shown", lambda: not self.bo.page.evaluate("document.hidden"))

    def told(self, text, since, within=1.0):
        """The title says it with a number in front, and the picture has its dot, within a second."""
        def find():
            return next((note for note in self.bo.page.evaluate("window.notes")
                         if note[0] >= since - 0.05 and note[1].startswith("(") and text in note[1]), None)
        note = wait_until(f"'{text}' in the title", find)
        assert note[0] - since < within, f"{note[0] - since:.2f} s"
        assert self.bo.page.evaluate(
            "document.querySelector('link[rel=icon]').getAttribute('href')") == "mark-dot.svg"
        return note[0] - since


@pytest.fixture
def hidden(world, own_chromium):
    nodes = [world.node(name) for name in ("Ana", "Bo")]
    game = Game.gather(nodes, ["code"], words=WORDS, marking="finder").start()
    page = own_chromium.pages[0]
    page.add_init_script(SHOWN)
    bo = Person(nodes[1], page)
    bo.open(game.creator.id)
    expect(bo.grid).to_be_visible()
    bo.button("Tell me in other windows").click()
    page.evaluate(NOTES)
    other = own_chromium.new_page()
    tabs = Tabs(bo, other)
    tabs.show()
    tabs.ana, tabs.seat = game.seats
    return tabs


def test_a_hidden_page_tells_of_votes_decisions_one_away_and_bingo(hidden):
    bo, ana, seat = hidden.bo, hidden.ana, hidden.seat
    line = seat.lines()[0]
    hidden.hide()
    word = next(tile["word"] for tile in ana.tiles if tile["word"] not in line)
    now = time.time()
    ana.claim(word)
    took = hidden.told(f"Ana heard “{word}”. Your vote is wanted.", now)
    seat.vote(word, True)

    hidden.show()
    expect(bo.page).to_have_title("Ana’s table: Tabletalk")
    assert bo.page.evaluate(
        "document.querySelector('link[rel=icon]').getAttribute('href')") == "mark.svg"
    bo.tile(line[0]).click()
    hidden.hide()
    ana.open_claim(line[0], timeout=3)
    now = time.time()
    ana.vote(line[0], True)
    hidden.told(f"Agreed 2 to 0: “{line[0]}”.", now)

    seat.claim(line[1])
    ana.open_claim(line[1])
    now = time.time()
    ana.vote(line[1], True)
    hidden.told("You are one away from a line.", now)
    seat.claim(line[2])
    ana.vote(line[2], True)
    ana.wait("over", lambda table: table["phase"] == "over")
    hidden.told("Bingo! Bo wins.", time.time())
    shown = bo.page.evaluate("window.shown")
    for text in ("Your vote is wanted", "Agreed 2 to 0", "one away", "Bingo"):
        assert any(text in one for one in shown), shown
    print(f"hidden title after {took * 1000:.0f} ms")


def test_a_tile_pressed_just_before_hiding_is_claimed_after_its_two_seconds(hidden):
    bo, ana, seat = hidden.bo, hidden.ana, hidden.seat
    word = seat.lines()[0][0]
    bo.tile(word).click()
    begin = time.monotonic()
    hidden.hide()
    ana.open_claim(word, timeout=4)
    assert 1.5 < time.monotonic() - begin < 3
    hidden.show()
    bo.is_(word, "waiting for votes")


def test_without_consent_the_title_tells_alone(hidden):
    bo, ana = hidden.bo, hidden.ana
    bo.button("Tell me in other windows").or_(bo.button("Told in other windows")).click()
    word = ana.tiles[0]["word"]
    hidden.hide()
    now = time.time()
    ana.claim(word)
    hidden.told(f"“{word}”", now)
    assert bo.page.evaluate("window.shown") == []
