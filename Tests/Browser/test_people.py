"""Who is nearby: comparing the six words, and looking harder."""

from playwright.sync_api import expect


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
