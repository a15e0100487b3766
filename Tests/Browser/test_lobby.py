"""Before the game: finding a table, sitting down, and the words."""

import time

from playwright.sync_api import expect

from person import WORDS
from play import PHRASES, Game, Seat


def rows(person):
    return person.page.get_by_role("region", name="Open tables").get_by_role("listitem")


def test_open_tables_are_found_by_three_letters_and_go_with_their_host(room):
    ana, cy = room.person("Ana"), room.world.node("Cy")
    for title in ("Monday stand-up", "Quarterly numbers"):
        cy.command("createTable", size=3, minutes=15, marking="tap", own="\n".join(WORDS),
                   title=title)
    expect(rows(ana)).to_have_count(2)
    ana.page.get_by_role("searchbox", name="Search open tables").fill("qua")
    expect(rows(ana)).to_have_count(1)
    expect(rows(ana)).to_contain_text("Quarterly numbers")
    ana.sees("1 of 2")
    begin = time.monotonic()
    assert cy.stop() == 0
    expect(rows(ana)).to_have_count(0)
    assert time.monotonic() - begin < 10


def test_a_code_alone_leads_to_the_table(room):
    ana = room.person("Ana")
    code = ana.set_table()
    begin = time.monotonic()
    bo = room.person("Bo")
    bo.join(code)
    assert time.monotonic() - begin < 10
    assert bo.code() == code


def test_a_wrong_code_says_what_to_do(room):
    ana = room.person("Ana")
    for wrong in ("", "4821", "hello", "99999"):
        ana.box("Code or invitation").fill(wrong)
        ana.button("Join").click()
        said = ana.page.locator("#join-said")
        expect(said).to_contain_text(".", timeout=20_000)
    assert "#table" not in ana.page.url


def test_the_invitation_is_copied_and_pasted(room):
    ana = room.person("Ana", permissions=["clipboard-read", "clipboard-write"])
    code = ana.set_table()
    ana.button("Copy invitation").click()
    ana.hears("Copied")
    line, how = ana.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert line.startswith(f"tabletalk join {code}@127.0.0.1:")
    assert "package for Linux" in how
    bo = room.person("Bo", permissions=["clipboard-read", "clipboard-write"])
    bo.page.evaluate("text => navigator.clipboard.writeText(text)", f"{line}\n{how}")
    bo.box("Code or invitation").focus()
    bo.key("Control+v", "Enter")
    expect(bo.heading("Setting the table")).to_be_visible()
    assert bo.code() == code


def test_what_was_copied_is_said_beside_start_and_not_over_it(room):
    ana = room.person("Ana", permissions=["clipboard-read", "clipboard-write"])
    ana.set_table()
    bo = room.person("Bo")
    bo.join(ana.code())
    ana.button("Copy invitation").click()
    ana.hears("Copied")
    ana.button("Start").click(trial=True)
    on_top = ana.button("Start").evaluate("""(start) => {
      const { x, y, width, height } = start.getBoundingClientRect();
      return [0.1, 0.5, 0.9].every((part) => start.contains(document.elementFromPoint(x + part * width, y + height / 2)));
    }""")
    assert on_top, "something lies over Start"


def test_the_own_table_is_among_the_open_ones(room):
    ana = room.person("Ana")
    bo = room.world.node("Bo")
    ana.sees("Bo")
    expect(ana.page.get_by_role("region", name="Open tables")).to_contain_text("No table is open")
    ana.set_table(title="Mine for all")
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    expect(rows(ana)).to_contain_text("Mine for all")
    expect(ana.page.get_by_role("region", name="Open tables")).not_to_contain_text("No table is open")
    rows(ana).get_by_role("link", name="Go back").click()
    expect(ana.heading("Setting the table")).to_be_visible()
    assert [row["joined"] for row in bo.wait("it", lambda state: state["openTables"])] == [False]


def test_the_lobby_says_when_not_every_word_is_on_a_card(room):
    ana = room.person("Ana")
    ana.set_table(WORDS)
    expect(ana.page.get_by_text("9 words; boards of 3 by 3 need 9")).to_be_visible()
    expect(ana.page.get_by_text("drawn by lot")).to_have_count(0)
    for word in ("one of ours", "another of ours"):
        ana.box("Suggest a word or phrase").fill(word)
        ana.button("Add").click()
    ana.sees("Each card takes 9 of the 11 words, drawn by lot: some may be on no card.")


def test_a_reload_in_the_lobby_keeps_the_seat(room):
    ana = room.person("Ana")
    ana.set_table()
    ana.ready()
    seat = ana.page.get_by_role("listitem").filter(has_text="Ana (you)")
    expect(seat).to_contain_text("ready")
    ana.page.reload()
    expect(ana.heading("Setting the table")).to_be_visible()
    expect(seat).to_contain_text("ready")
    expect(ana.button("I am ready")).to_have_attribute("aria-pressed", "true")


def test_start_says_why_not_yet(room):
    ana = room.person("Ana")
    ana.set_table()
    start = ana.button("Start")
    expect(start).to_have_attribute("aria-disabled", "true")
    bo = room.person("Bo")
    bo.join(ana.code())
    expect(start).not_to_have_attribute("aria-disabled", "true")
    ana.sees("Bo is not ready yet")


def test_pasted_words_are_counted_and_the_last_list_is_offered_again(room):
    ana = room.person("Ana")
    pasted = PHRASES[:28] + [" " + PHRASES[3].upper() + " ", PHRASES[7] + "!"]
    ana.button("New bingo table").click()
    ana.page.get_by_role("radio", name="No list").check(force=True)
    ana.box("One word or phrase a line").fill("\n".join(pasted))
    ana.sees("28 words")
    ana.sees("2 duplicates merged")
    ana.button(f"Take out {PHRASES[0]}").click()
    ana.sees("27 words, ready.")
    ana.button("Start").click()
    expect(ana.heading("Setting the table")).to_be_visible()
    ana.button("Show all 27 words").click()
    assert ana.page.get_by_role("listitem").filter(has_text=PHRASES[0]).count() == 0
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    ana.button("New bingo table").click()
    ana.button("Use your last list", exact=False).click()
    assert ana.box("One word or phrase a line").input_value().splitlines()[1:3] == PHRASES[1:3]


def test_too_few_words_leave_start_off_with_the_number(room):
    ana = room.person("Ana")
    ana.button("New bingo table").click()
    ana.page.get_by_role("radio", name="No list").check(force=True)
    ana.page.get_by_role("radio", name="15 min").check(force=True)
    ana.box("One word or phrase a line").fill("\n".join(WORDS[:8]))
    ana.sees("One more word is needed.")
    expect(ana.button("Start")).to_have_attribute("aria-disabled", "true")
    ana.button("Start").click(force=True)
    assert ana.page.url.endswith("#new/bingo")


def test_a_word_is_suggested_once(room):
    ana = room.person("Ana")
    ana.set_table(WORDS[1:] + ["sprint"])
    bo = room.person("Bo")
    bo.join(ana.code())
    for word in ("Circle back", "circle  back!"):
        bo.box("Suggest a word or phrase").fill(word)
        bo.button("Add").click()
    bo.hears("already")
    expect(ana.page.get_by_role("listitem").filter(has_text="ircle")).to_have_count(1)
    ana.sees("10 words")


def test_two_vetoes_and_the_word_is_on_nobodys_board(room):
    ana = room.person("Ana")
    ana.set_table([*WORDS, "sprint", "war room", "silo"])
    bo = room.person("Bo")
    bo.join(ana.code())
    for word in ("war room", "silo"):
        bo.button(f"Veto {word}").click()
        expect(bo.page.get_by_role("listitem").filter(has_text=word)).to_contain_text("vetoed")
        expect(ana.page.get_by_role("listitem").filter(has_text=word)).to_contain_text("vetoed")
    expect(bo.button("Veto sprint")).to_have_count(0)
    ana.button("Start").click()
    for person in (ana, bo):
        assert not {"war room", "silo"} & set(person.words())


def test_a_cancelled_table_sends_everybody_home_with_the_news(room):
    ana = room.person("Ana")
    ana.set_table(title="Retro")
    bo = room.person("Bo")
    bo.join(ana.code())
    ana.button("Cancel the table").click()
    begin = time.monotonic()
    ana.button("Cancel it").click()
    bo.hears("Ana cancelled the table “Retro”.")
    expect(bo.button("New bingo table")).to_be_visible()
    assert time.monotonic() - begin < 2
    expect(ana.button("New bingo table")).to_be_visible()


def test_an_owner_who_leaves_hands_the_table_on_and_the_others_read_who_runs_it(room):
    ana = room.person("Ana")
    ana.set_table(title="Retro")
    # Alone there is nobody to leave it to.
    expect(ana.button("Leave table")).to_have_count(0)
    bo, cy = room.person("Bo"), room.person("Cy")
    for person in (bo, cy):
        person.join(ana.code())
    expect(ana.page.get_by_role("listitem").filter(has_text="Cy")).to_be_visible()
    code, old = ana.code(), cy.page.evaluate("location.hash")
    # By keyboard alone, as the others can.
    ana.button("Leave table").focus()
    ana.page.keyboard.press("Enter")
    expect(ana.page.get_by_role("dialog")).to_contain_text("Bo runs it then.")
    ana.page.keyboard.press("Tab")
    expect(ana.button("Leave", exact=True)).to_be_focused()
    begin = time.monotonic()
    ana.page.keyboard.press("Enter")
    bo.hears("You run the table now")
    cy.hears("Bo runs the table now")
    assert time.monotonic() - begin < 3
    for person in (bo, cy):
        expect(person.heading("Setting the table")).to_be_visible()
        assert person.code() == code and person.page.evaluate("location.hash") != old
    expect(bo.button("Start")).to_be_visible()
    expect(cy.page.get_by_text("Bo starts the game.")).to_be_visible()
    expect(ana.button("New bingo table")).to_be_visible()
    # The address of the old table leads on, too.
    new = cy.page.evaluate("location.hash")
    cy.page.evaluate("old => { location.hash = old; }", old)
    cy.page.wait_for_function("hash => location.hash === hash", arg=new)
    expect(cy.heading("Setting the table")).to_be_visible()


def test_a_name_that_is_taken_is_offered_with_a_number(room):
    room.person("Ana")
    second = room.person()
    # Before Welcome is answered nothing is sent, so Ana is heard when her next beacon is due.
    second.node.wait("Ana nearby", lambda state: state["people"], timeout=15)
    second.box("Your name").fill(" ana ")
    second.button("Take a seat").click()
    second.button("Use ana 2").click()
    expect(second.heading("Hello, ana 2")).to_be_visible()


def test_a_game_is_set_up_from_a_list_of_words_in_two_clicks(room):
    ana = room.person("Ana")
    bo = room.world.node("Bo")
    ana.button("New bingo table").click()
    ana.button("Start").click()
    expect(ana.heading("Setting the table")).to_be_visible()
    row = bo.wait("the table", lambda state: state["openTables"])[0]
    bo.command("joinTable", table=row["id"])
    expect(ana.page.get_by_role("listitem").filter(has_text="Bo")).to_be_visible()
    ana.button("Start").click()
    assert len(ana.words()) == 16
    Game([Seat(ana.node, row["id"]), Seat(bo, row["id"])]).agree()
