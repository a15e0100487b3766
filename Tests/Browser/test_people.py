"""Who is nearby: comparing the six words, and looking harder."""

import pytest
from playwright.sync_api import expect


def near(person):
    return person.page.get_by_role("region", name="People nearby")


def words(person):
    return person.page.get_by_role("dialog").get_by_role("listitem").all_inner_texts()


def test_two_people_read_the_same_six_words_to_each_other(room):
    ana, bo = room.person("Ana"), room.person("Bo")
    ana.button("Compare with Bo").click()
    expect(ana.page.get_by_role("dialog", name="Is this Bo?").get_by_role("listitem")).to_have_count(6)
    # Once by keyboard alone.
    bo.button("Compare with Ana").focus()
    bo.page.keyboard.press("Enter")
    expect(bo.page.get_by_role("dialog", name="Is this Ana?").get_by_role("listitem")).to_have_count(6)
    assert words(ana) == words(bo)
    bo.page.keyboard.press("Escape")
    expect(bo.page.get_by_role("dialog")).to_have_count(0)
    expect(bo.button("Compare with Ana")).to_be_focused()
    ana.button("Done").click()
    expect(ana.page.get_by_role("dialog")).to_have_count(0)


def test_looking_harder_on_no_network_says_so(room):
    ana = room.person("Ana")
    ana.page.get_by_role("link", name="Somebody should be here?").click()
    ana.sees("on no network whose addresses can be asked one by one")
    expect(ana.button("Look harder")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("width", [390, 1280])
def test_what_can_be_done_stands_beside_the_name_and_says_what_it_is(room, width):
    bo = room.world.node("Bartholomew of Nazareth")
    ana = room.person("Ana", viewport={"width": width, "height": 844})
    row = near(ana).get_by_role("listitem").filter(has_text=bo.name)
    name = row.locator("strong").bounding_box()
    for button in (row.get_by_role("button", name="Favourite"), row.get_by_role("button", name="Compare")):
        box = button.bounding_box()
        assert box["x"] >= name["x"] + name["width"]
        assert box["y"] < name["y"] + name["height"] and name["y"] < box["y"] + box["height"]
        assert button.get_attribute("title")
    expect(near(ana)).to_contain_text("A star finds somebody again")
    expect(near(ana)).to_contain_text("six words")


def test_an_absent_favourite_lies_under_nothing(room):
    bo = room.world.node("Bo")
    ana = room.person("Ana", viewport={"width": 390, "height": 844})
    ana.button("Favourite: Bo").click()
    expect(ana.button("Favourite: Bo")).to_have_attribute("aria-pressed", "true")
    ana.set_table()
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    bo.stop()
    row = near(ana).get_by_role("listitem").filter(has_text="Bo")
    expect(row).to_contain_text("not here")
    copy = near(ana).get_by_role("button", name="Copy invitation").bounding_box()
    assert row.bounding_box()["y"] >= copy["y"] + copy["height"] + 8
