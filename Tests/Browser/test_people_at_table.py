"""By clicks: words are voted in, somebody comes late, somebody looks on, people talk and one is taken off."""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from person import WORDS


def unfold(person, summary):
    person.page.locator("summary").filter(has_text=summary).click()


def test_words_are_voted_in_people_come_late_look_on_and_talk(room):
    ana, bo = room.person("Ana"), room.person("Bo")
    # Nobody needs Cy's and Di's laptops to agree.
    cy, di = (room.world.node(name) for name in ("Cy", "Di"))
    for node in (cy, di):
        node.command("witness", on=False)
    ana.button("New bingo table").click()
    ana.page.get_by_role("radio", name="No list").check(force=True)
    ana.box("One word or phrase a line").fill("\n".join(WORDS))
    ana.page.get_by_role("radio", name="15 min").check(force=True)
    ana.page.locator("summary").get_by_text("House rules").click()
    ana.page.get_by_role("radio", name="Half of us").check(force=True)
    ana.page.get_by_role("radio", name="See the boards too").check(force=True)
    ana.button("Start").click()
    expect(ana.heading("Setting the table")).to_be_visible()
    bo.join(ana.code())
    eve = room.person("Eve")
    eve.join(ana.code())

    bo.box(re.compile("Suggest")).fill("Parking lot")
    bo.button("Add").click()
    ana.sees("1 of 2 want it")
    ana.button("I want “Parking lot”").click()
    for person in (ana, bo, eve):
        expect(person.page.locator(".words")).to_contain_text("Parking lot")
        expect(person.page.get_by_text("Words that wait")).to_have_count(0)

    for person in (ana, bo):
        unfold(person, "Talk")
    hostile = "<img src=x onerror=document.title='gone'> \u202enot"
    bo.box("Say something").fill(hostile)
    bo.button("Say it").click()
    log = ana.page.get_by_role("log", name="What people say")
    expect(log).to_contain_text("Bo <img src=x onerror=document.title='gone'> not")
    assert log.locator("img").count() == 0
    unfold(ana, "People and places")
    ana.button("Mute Bo").click()
    expect(log.get_by_role("listitem")).to_have_count(0)
    ana.button("Hear Bo again").click()
    expect(log.get_by_role("listitem")).to_have_count(1)

    ana.button("Take Eve off the table").click()
    eve.sees("You were taken off this table")
    assert bo.page.get_by_role("button", name=re.compile("off the table")).count() == 0
    ana.button("Let Eve back").click()
    expect(eve.heading("Setting the table")).to_be_visible()

    # A page with movement covers its board for three seconds, and shows it then.
    moving = room.person(node=bo.node, table=ana.page.url.split("table/")[1], reduced_motion="no-preference")
    ana.button("Start").click()
    cover = moving.page.get_by_role("timer", name="The boards are shown in a moment")
    expect(cover).to_be_visible()
    expect(ana.grid).to_be_visible()
    expect(ana.page.get_by_role("timer", name="The boards are shown in a moment")).to_be_hidden()
    expect(cover).to_be_hidden(timeout=5000)
    expect(moving.grid).to_be_visible()

    row = re.compile("being played")
    late = room.person(node=cy)
    late.page.get_by_role("listitem").filter(has_text=row).get_by_role("button", name=re.compile("^Join late")).click()
    expect(late.grid).to_be_visible()
    ana.sees("joined late")
    watching = room.person(node=di)
    watching.page.get_by_role("listitem").filter(has_text=row).get_by_role("button", name=re.compile("^Look on")).click()
    expect(watching.heading("You look on")).to_be_visible()
    expect(watching.heading(re.compile("^Board of"))).to_have_count(4)
    assert watching.page.get_by_role("grid").count() == 0
    expect(ana.page.locator("summary").filter(has_text="1 person looks on")).to_be_visible()
    assert watching.page.locator("summary").filter(has_text="Talk").count() == 0
    for person in (ana, watching):
        for width in (320, 1280):
            person.page.set_viewport_size({"width": width, "height": 800})
            found = Axe().run(person.page)
            assert found.violations_count == 0, found.generate_report()
            assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        person.shoot(f"people-{person.node.name}")
