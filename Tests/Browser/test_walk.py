"""A newcomer's way, looked at screen by screen: alone to a result, then two with their own words, a win and a rematch.

At every screen there must be one thing to do next, in view and said in words. What was seen and pressed, and how long it
took, is written to `.build/screenshots/walk/`, a picture for each step.
"""

import re
import time

import pytest
from playwright.sync_api import expect

from person import SCREENSHOTS, WORDS

WALK = SCREENSHOTS / "walk"
LOOKS = {
    "wide-light": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "narrow-dark": {"viewport": {"width": 320, "height": 640}, "color_scheme": "dark"},
}


class Walk:
    """Steps of one way, each with its picture, and what the page said to do."""

    def __init__(self, name, **people):
        self.name, self.people, self.lines, self.begin = name, people, [], time.monotonic()
        WALK.mkdir(parents=True, exist_ok=True)

    @property
    def seconds(self):
        return time.monotonic() - self.begin

    def stands(self, person, screen, next_step, seconds=20):
        """At this screen the next step is there to be seen, without a search; keeps a picture."""
        expect(next_step.first).to_be_visible(timeout=seconds * 1000)
        expect(next_step.first).to_be_in_viewport()
        who = next(name for name, one in self.people.items() if one is person)
        said = " ".join(next_step.first.inner_text().split())
        assert said, f"{screen}: the next step says nothing"
        picture = f"{self.name}-{len(self.lines) + 1:02}.png"
        person.page.screenshot(path=WALK / picture)
        self.lines.append(f"| {len(self.lines) + 1} | {who} | {screen} | {said[:160]} | {self.seconds:.1f} | ![]({picture}) |")

    def write(self):
        head = ["| step | who | screen | what it says to do next | seconds | picture |", "| --- | --- | --- | --- | --- | --- |"]
        (WALK / f"{self.name}.md").write_text("\n".join(head + self.lines) + "\n", encoding="utf-8")
        print(f"{self.name}: {len(self.lines)} screens in {self.seconds:.0f} s; .build/screenshots/walk/{self.name}.md")


def main(person):
    return person.page.get_by_role("main")


@pytest.mark.parametrize("look", LOOKS)
def test_alone_a_newcomer_comes_to_a_result_within_two_minutes(room, look):
    ana = room.person(**LOOKS[look])
    walk = Walk(f"alone-{look}", Ana=ana)
    walk.stands(ana, "Welcome", ana.button("Take a seat"))
    ana.box("Your name").fill("Ana")
    ana.button("Take a seat").click()
    expect(ana.heading("You are the first one here")).to_be_visible()
    walk.stands(ana, "Home, nobody else is here", ana.button("Copy invitation"))
    ana.button("Try it now").scroll_into_view_if_needed()
    walk.stands(ana, "Home, further down", ana.button("Try it now"))
    ana.button("Try it now").click()
    expect(ana.grid).to_be_visible(timeout=20_000)
    walk.stands(ana, "The board of a practice round", main(ana).get_by_text(re.compile("tap|press|click", re.I)))
    for word in ana.row(0):
        ana.claim(word)
    expect(ana.result).to_contain_text("Bingo! Ana", timeout=40_000)
    walk.stands(ana, "The result", ana.button("Rematch"))
    assert walk.seconds < 120
    walk.write()


@pytest.mark.parametrize("look", LOOKS)
def test_two_newcomers_play_their_own_words_win_and_play_again(room, look):
    ana, bo = room.person(**LOOKS[look]), room.person(**LOOKS[look])
    walk = Walk(f"two-{look}", Ana=ana, Bo=bo)
    for person, name in ((ana, "Ana"), (bo, "Bo")):
        walk.stands(person, "Welcome", person.button("Take a seat"))
        person.welcome(name)
    ana.sees("Bo")
    walk.stands(ana, "Home, somebody is here", ana.button("New bingo table"))
    ana.set_table(title="Monday stand-up")
    walk.stands(ana, "The lobby, alone", main(ana).get_by_text(re.compile("invit|waiting|nobody|alone|one more", re.I)))
    row = bo.page.get_by_role("listitem").filter(has_text="Monday stand-up")
    join = row.get_by_role("button", name="Join")
    expect(join).to_be_visible()
    join.scroll_into_view_if_needed()
    walk.stands(bo, "Home, a table is open", join)
    join.click()
    expect(bo.heading("Setting the table")).to_be_visible()
    walk.stands(bo, "The lobby, as a guest", bo.button("I am ready"))
    bo.ready()
    ana.ready()
    ana.sees("Everybody is ready.")
    walk.stands(ana, "The lobby, all are ready", ana.button("Start"))
    ana.button("Start").click()
    expect(bo.grid).to_be_visible(timeout=20_000)
    walk.stands(bo, "The board", bo.page.get_by_text(re.compile("tap|press|click", re.I)))
    line = ana.row(0)
    ana.claim(line[0])
    expect(bo.card(line[0])).to_be_visible()
    walk.stands(bo, "A claim waits for my vote", bo.votes.get_by_role("button", name="Confirm"))
    bo.vote(line[0])
    bo.is_(line[0], "confirmed, tap to mark")
    walk.stands(bo, "A word of mine is confirmed", bo.tile(line[0]))
    for word in line[1:]:
        ana.claim(word)
        bo.vote(word)
    for person in (ana, bo):
        expect(person.result).to_contain_text("Bingo! Ana")
        walk.stands(person, "The result", person.button("Rematch"))
    ana.button("Rematch").click()
    asked = bo.page.get_by_role("status", name="They went on")
    expect(asked).to_contain_text("Ana wants a rematch")
    walk.stands(bo, "The other wants a rematch", asked)
    bo.button("Rematch").click()
    for person in (ana, bo):
        move = person.page.get_by_role("status", name="They went on").get_by_role("button")
        expect(move.or_(person.heading("Setting the table"))).to_be_visible()
        if move.is_visible():
            move.click()
        expect(person.heading("Setting the table")).to_be_visible()
        walk.stands(person, "The lobby of the rematch", person.button("I am ready"))
    walk.write()
