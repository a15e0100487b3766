"""The star: put on by pointer or by keyboard alone, kept, and taken off when its person is not here."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def ana_and_bo(room):
    bo = room.world.node("Bo")
    ana = room.person("Ana")
    expect(ana.button("Favourite: Bo")).to_have_attribute("aria-pressed", "false")
    return ana, bo


def near(ana):
    return ana.page.get_by_role("region", name="People nearby")


def test_a_star_is_put_on_stays_after_reload_and_is_taken_off(ana_and_bo):
    ana, bo = ana_and_bo
    ana.button("Favourite: Bo").click()
    expect(ana.button("Favourite: Bo")).to_have_attribute("aria-pressed", "true")
    ana.page.reload()
    expect(ana.button("Favourite: Bo")).to_have_attribute("aria-pressed", "true")
    ana.node.stop()
    ana.node.start()
    ana.open()
    expect(ana.button("Favourite: Bo")).to_have_attribute("aria-pressed", "true")
    ana.button("Favourite: Bo").click()
    expect(ana.button("Favourite: Bo")).to_have_attribute("aria-pressed", "false")
    assert ana.node.state["favourites"] == []


def test_who_is_not_here_is_greyed_and_can_be_let_go_by_keys(ana_and_bo, room):
    ana, bo = ana_and_bo
    cy = room.world.node("Cy")
    for name in ("Bo", "Cy"):
        ana.tab_to(ana.button(f"Favourite: {name}"))
        ana.key("Space")
        expect(ana.button(f"Favourite: {name}")).to_have_attribute("aria-pressed", "true")
    bo.stop()
    row = near(ana).get_by_role("listitem").filter(has_text="Bo")
    expect(row).to_contain_text("not here")
    expect(row.get_by_role("button")).to_have_count(1)
    bo.start()
    expect(row).not_to_contain_text("not here")
    expect(ana.button("Favourite: Bo")).to_have_attribute("aria-pressed", "true")
    bo.stop()
    cy.stop()
    # Alone again: they are listed there as well.
    expect(ana.heading("You are the first one here")).to_be_visible()
    mine = ana.page.get_by_role("region", name="Your favourites")
    expect(mine.get_by_role("listitem")).to_have_count(2)
    ana.page.set_viewport_size({"width": 320, "height": 640})
    ana.tab_to(ana.button("Favourite: Bo"))
    ana.key("Enter")
    expect(mine.get_by_role("listitem")).to_have_count(1)
    expect(ana.button("Favourite: Cy")).to_be_focused()
    ana.key("Enter")
    expect(mine).to_have_count(0)
    ana.page.reload()
    expect(ana.heading("You are the first one here")).to_be_visible()
    expect(ana.button("Favourite: Cy")).to_have_count(0)
