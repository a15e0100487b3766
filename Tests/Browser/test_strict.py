"""A table where everybody must agree, by clicks under House rules."""

from playwright.sync_api import expect

from person import WORDS


def test_everybody_must_agree_is_chosen_and_said(room):
    ana, bo, cy = (room.person(name) for name in ("Ana", "Bo", "Cy"))
    ana.button("New bingo table").click()
    ana.page.get_by_role("radio", name="No list").check(force=True)
    ana.box("One word or phrase a line").fill("\n".join(WORDS))
    ana.page.get_by_role("radio", name="15 min").check(force=True)
    ana.page.locator("summary").get_by_text("House rules").click()
    who = ana.page.get_by_role("group", name="Who must agree")
    expect(who.get_by_role("radio", name="Most of us")).to_be_checked()
    who.get_by_role("radio", name="Everybody").check(force=True)
    ana.sees("one laptop asleep stops the game, and nobody can cheat")
    ana.button("Start").click()
    expect(ana.heading("Setting the table")).to_be_visible()
    code = ana.code()
    for guest in (bo, cy):
        guest.join(code)
    for person in (ana, bo, cy):
        person.sees("Everybody must agree here: one laptop that is asleep stops the game")
