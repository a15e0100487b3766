"""Tables for later: where and when, reminders, a file for the calendar; and people who are asked to come."""

import re
import time
from datetime import datetime, timedelta, timezone

import icalendar
import pytest
from playwright.sync_api import expect

from node import Refused
from person import WORDS

TOLD = """window.told = [];
window.Notification = class { static permission = "granted"; static requestPermission = async () => "granted";
  constructor(title, options) { window.told.push(options.body); } close() {} };"""


def later(seconds):
    return int(time.time()) + seconds


def test_a_table_for_tomorrow_is_saved_for_the_calendar_in_another_time_zone(room, tmp_path):
    bo = room.world.node("Bo")
    ana = room.person("Ana", timezone_id="Asia/Taipei")
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    ana.button("New bingo table").click()
    ana.box("One word or phrase a line").fill("\n".join(WORDS))
    ana.page.locator("summary").get_by_text("House rules").click()
    ana.box("Name of the table").fill("Stand-up; kitchen, 9th")
    ana.box("Place (optional)").fill("Floor 4, Küche")
    day = datetime.now(timezone(timedelta(hours=8))).replace(hour=15, minute=0, second=0, microsecond=0) + timedelta(days=1)
    ana.page.get_by_label("Starts at (optional)").fill(day.strftime("%Y-%m-%dT%H:%M"))
    ana.button("Start").click()
    ana.sees("Planned for:")
    expect(ana.page.get_by_role("time")).to_have_attribute(
        "datetime", day.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:00.000Z"))
    with ana.page.expect_download() as waiting:
        ana.button("Save for my calendar").click()
    waiting.value.save_as(tmp_path / "table.ics")
    text = (tmp_path / "table.ics").read_bytes()
    assert all(len(line) <= 75 for line in text.split(b"\r\n")), "lines are folded"
    event = icalendar.Calendar.from_ical(text).walk("VEVENT")[0]
    assert event["summary"] == "Stand-up; kitchen, 9th" and event["location"] == "Floor 4, Küche"
    assert event.start == day and event.end - event.start == timedelta(minutes=30)
    assert [alarm["trigger"].dt for alarm in event.walk("VALARM")] == [timedelta(minutes=-10), timedelta(minutes=-1)]
    # The others see both in the list, and show only what is at a place.
    table = bo.wait("the table", lambda state: state["openTables"])[0]
    assert (table["place"], table["startsAt"]) == ("Floor 4, Küche", int(day.timestamp()))
    bo.command("createTable", own="\n".join(WORDS), size=3, place="Canteen", title="Lunch")
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    ana.sees("Lunch")
    ana.page.get_by_label("Place").select_option("Canteen")
    expect(ana.page.get_by_role("region", name="Open tables").get_by_role("listitem")).to_have_count(1)
    ana.sees("Lunch")
    ana.page.get_by_label("Place").select_option("All places")
    expect(ana.page.get_by_role("region", name="Open tables").get_by_role("listitem")).to_have_count(2)
    with pytest.raises(Refused, match="placeTooLong"):
        bo.command("createTable", own="\n".join(WORDS), size=3, place="x" * 25)
    with pytest.raises(Refused, match="badStartTime"):
        bo.command("createTable", own="\n".join(WORDS), size=3, startsAt=-5)


def test_everybody_at_a_table_is_reminded_ten_minutes_and_one_minute_before(room):
    ana, bo = (room.person(name) for name in ("Ana", "Bo"))
    start = later(3600)
    answer = ana.node.command("createTable", own="\n".join(WORDS), size=3, title="Retro", startsAt=start)
    bo.node.wait("the table", lambda state: state["openTables"])
    bo.node.command("joinTable", table=answer["table"])
    for person in (ana, bo):
        person.node.wait("both seats", lambda state: state["tables"] and len(state["tables"][0]["seats"]) == 2)
        person.page.add_init_script(TOLD)
        person.page.clock.install(time=start - 605)
        person.page.evaluate("localStorage.setItem('tabletalk.tell', 'true')")
        person.page.reload()
        expect(person.button("New bingo table")).to_be_visible()
        expect(person.notices).not_to_contain_text("Retro")
        person.page.clock.fast_forward(10_000)
        person.hears("“Retro” starts in 10 minutes.")
        person.page.clock.fast_forward(530_000)
        # Elsewhere: the title and a notification tell, once.
        person.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
        person.page.clock.fast_forward(10_000)
        expect(person.page).to_have_title("(1) “Retro” starts in one minute.")
        assert person.page.evaluate("window.told") == ["“Retro” starts in one minute."]
        person.page.clock.fast_forward(20_000)
        assert len(person.page.evaluate("window.told")) == 1
        person.page.reload()
        person.page.clock.fast_forward(10_000)
        expect(person.notices).not_to_contain_text("starts in one")


def test_people_are_asked_to_tables_accept_and_deny(room):
    ana, bo, cy = (room.person(name) for name in ("Ana", "Bo", "Cy"))
    start = later(7200)
    words = "\n".join(WORDS)
    one = bo.node.command("createTable", own=words, size=3, title="At three", startsAt=start, private=True)["table"]
    two = cy.node.command("createTable", own=words, size=3, title="At ten past", startsAt=start + 600)["table"]
    for asker, table in ((bo, one), (cy, two)):
        asker.node.wait("Ana nearby", lambda state: any(row["name"] == "Ana" for row in state["people"]))
        asker.open(table)
        asker.page.locator("summary").get_by_text(re.compile("nearby$")).click()
        asker.button("Ask Ana").click()
        asker.sees("asked")
    asked = ana.page.get_by_role("region", name="You are asked to a table")
    expect(asked.get_by_role("listitem")).to_have_count(2)
    expect(asked).to_contain_text("Bo asks you.")
    # Kept over a restart.
    ana.node.kill()
    ana.node.start()
    ana.open()
    expect(asked.get_by_role("listitem")).to_have_count(2)
    ana.button("Accept At three").click()
    expect(ana.heading("Setting the table")).to_be_visible(timeout=20_000)
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    expect(asked.get_by_role("listitem")).to_have_count(1)
    accept = ana.button("Accept At ten past")
    expect(accept).to_have_attribute("aria-disabled", "true")
    expect(accept).to_have_accessible_description("You are at “At three” at that time.")
    with pytest.raises(Refused, match="timeTaken"):
        ana.node.command("acceptInvite", table=two)
    ana.button("No, thanks At ten past").click()
    expect(asked).to_be_hidden()
    cy.sees("said no")
