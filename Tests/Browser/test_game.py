"""Two people play from Welcome to Result on two pages of two laptops."""

import re

from playwright.sync_api import expect

from person import WORDS


def same_result(ana, bo):
    """Both see the winner, that both laptops agree, and the line."""
    for person in (ana, bo):
        expect(person.result).to_contain_text("Bingo! Ana")
        expect(person.page).to_have_title("Bingo! Ana: Tabletalk")
        person.sees("same result as 2 of 2 laptops")
    expect(ana.heading("Your winning line")).to_be_visible()
    expect(bo.heading("Ana’s winning line")).to_be_visible()


def test_by_clicks_from_welcome_to_result_and_a_rematch(room):
    ana, bo = room.person(), room.person()
    ana.welcome("Ana")
    bo.welcome("Bo")
    ana.sees("Bo")
    code = ana.set_table(title="Monday stand-up")
    row = bo.page.get_by_role("listitem").filter(has_text="Monday stand-up")
    row.get_by_role("button", name="Join").click()
    expect(bo.heading("Setting the table")).to_be_visible()
    assert bo.code() == code
    bo.ready()
    ana.ready()
    ana.sees("Everybody is ready.")
    ana.button("Start").click()

    line = ana.row(0)
    assert sorted(ana.words()) == sorted(bo.words()) == sorted(WORDS)
    for word in line:
        ana.claim(word)
        expect(bo.card(word)).to_contain_text("Ana heard")
        bo.vote(word)
        if word != line[-1]:
            ana.is_(word, "marked")
            bo.is_(word, "confirmed, tap to mark")
    same_result(ana, bo)
    for word in line:
        timeline = bo.page.get_by_role("region", name="Who spotted what").get_by_role("listitem")
        expect(timeline.filter(has_text=word)).to_contain_text("agreed 2 of 2")

    ana.button("Rematch").click()
    expect(bo.page.get_by_role("status", name="They went on")).to_contain_text("Ana wants a rematch")
    expect(bo.page.get_by_text("Ana wants a rematch")).to_have_count(1)
    expect(bo.result).not_to_contain_text("rematch")
    bo.button("Rematch").click()
    for person in (ana, bo):
        move = person.page.get_by_role("status", name="They went on").get_by_role("button")
        expect(move.or_(person.heading("Setting the table"))).to_be_visible()
        if move.is_visible():
            move.click()
        expect(person.heading("Setting the table")).to_be_visible()
        expect(person.page.get_by_text("not ready yet").first).to_be_visible()
        person.ready()
    ana.sees("Everybody is ready.")


def test_on_a_narrow_screen_board_and_result_are_looked_at_from_their_top(room):
    ana, bo = (room.person(name, viewport={"width": 390, "height": 844}) for name in ("Ana", "Bo"))
    bo.join(ana.set_table())
    ana.button("Start").scroll_into_view_if_needed()
    bo.button("Add").scroll_into_view_if_needed()
    for person in (ana, bo):
        person.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    ana.button("Start").click()
    for person in (ana, bo):
        expect(person.grid).to_be_visible()
        expect(person.grid).to_be_in_viewport(ratio=1)
        person.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    for word in ana.row(0):
        ana.node.command("claim", table=ana.page.url.rpartition("/")[2], now=True,
                         tile=ana.words().index(word))
        bo.vote(word)
    for person in (ana, bo):
        expect(person.result).to_contain_text("Bingo! Ana")
        expect(person.result.get_by_role("heading")).to_be_in_viewport(ratio=1)


def test_by_keyboard_alone_from_welcome_to_result(room):
    ana, bo = room.person(), room.person()
    for person, name in ((ana, "Ana"), (bo, "Bo")):
        person.tab_to(person.box("Your name"))
        person.key("Control+A")
        person.page.keyboard.type(name)
        person.key("Enter")
    ana.sees("Bo")
    ana.tab_to(ana.button("New bingo table"))
    ana.key("Enter")
    ana.tab_to(ana.page.get_by_role("radio", name=re.compile("^Corporate")))
    ana.key("ArrowUp")
    expect(ana.page.get_by_role("radio", name="No list")).to_be_checked()
    ana.tab_to(ana.box("One word or phrase a line"))
    for word in WORDS:
        ana.page.keyboard.type(word)
        ana.key("Enter")
    ana.tab_to(ana.page.get_by_role("radio", name="30 min"))
    ana.key("ArrowLeft")
    expect(ana.page.get_by_role("radio", name="15 min")).to_be_checked()
    ana.sees("9 words, ready.")
    ana.tab_to(ana.button("Start"))
    ana.key("Enter")
    expect(ana.heading("Setting the table")).to_be_visible()

    bo.tab_to(bo.box("Code or invitation"))
    bo.page.keyboard.type(ana.code())
    bo.key("Enter")
    expect(bo.heading("Setting the table")).to_be_visible()
    for person in (bo, ana):
        person.tab_to(person.button("I am ready"))
        person.key("Space")
    ana.sees("Everybody is ready.")
    ana.tab_to(ana.button("Start"))
    ana.key("Enter")

    line = ana.row(0)
    ana.tab_to(ana.tile(line[0]))
    ana.key("Enter")
    ana.is_(line[0], "heard")
    ana.key("Escape")
    ana.is_(line[0], "not marked")
    for word in line:
        expect(ana.tile(word)).to_be_focused()
        ana.key("Enter", "Space")
        expect(bo.card(word)).to_be_visible()
        expect(bo.page.locator("tt-vote.settling")).to_have_count(0)
        bo.key("y")
        if word != line[-1]:
            ana.is_(word, "marked")
            ana.key("ArrowRight")
    same_result(ana, bo)
    for person in (ana, bo):
        home = person.page.get_by_role("link", name="Home", exact=True)
        person.tab_to(home)
        person.key("Enter")
        expect(person.page.get_by_role("link", name="See the result")).to_be_visible()


