"""Nobody else has come yet: what to tell the others, and a round against pretend colleagues."""

import pytest
from playwright.sync_api import expect


def try_it(room):
    ana = room.person("Ana", permissions=["clipboard-read", "clipboard-write"])
    expect(ana.heading("You are the first one here")).to_be_visible()
    ana.button("Try it now").click()
    expect(ana.grid).to_be_visible(timeout=20_000)
    return ana


def first_claim(ana):
    """The first thing a colleague hears, and the answer to it."""
    card = ana.votes.get_by_role("article").first
    expect(card).to_be_visible(timeout=60_000)
    word = card.get_by_role("heading").inner_text().strip("“”")
    ana.vote(word)
    return word


def test_the_others_are_told_what_to_start(room):
    ana = room.person("Ana", permissions=["clipboard-read", "clipboard-write"])
    ana.button("Copy invitation").click()
    ana.hears("Copied")
    line, how = ana.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert line.startswith("tabletalk join 127.0.0.1:")
    assert "No Tabletalk yet?" in how
    bo = room.person("Bo")
    bo.sees("Ana")


def test_pretend_colleagues_claim_and_answer_and_nobody_else_hears_of_it(room):
    other = room.world.node("Bo")
    ana = room.person("Ana")
    ana.sees("Bo")
    ana.button("Try it now").click()
    expect(ana.grid).to_be_visible(timeout=20_000)
    assert len(ana.words()) == 9
    ana.sees("Practice, only on this laptop")
    heard = first_claim(ana)
    expect(ana.page.get_by_role("region", name="Heard so far")).to_contain_text(
        f"spotted “{heard}”", timeout=40_000)
    word = next(word for word, state in ana.board() if state == "not marked")
    ana.claim(word)
    expect(ana.page.get_by_role("region", name="Heard so far")).to_contain_text(
        f"“{word}”", timeout=40_000)
    assert other.state["openTables"] == []


def win(ana):
    """A whole row at once: one colleague says yes to everything."""
    for word in ana.row(0):
        ana.claim(word)
    expect(ana.result).to_contain_text("Bingo! Ana", timeout=40_000)


def test_a_rematch_is_looked_at_in_place_of_the_old_result_and_try_outs_do_not_pile_up(room):
    ana = try_it(room)
    for _ in range(2):
        first = ana.page.url
        win(ana)
        ana.button("Rematch").click()
        expect(ana.grid).to_be_visible(timeout=20_000)
        expect(ana.result).to_have_count(0)
        assert ana.page.url != first
    win(ana)
    mine = ana.page.get_by_role("region", name="My tables").get_by_role("listitem")
    ana.page.get_by_role("link", name="Home", exact=True).click()
    expect(mine).to_have_count(1)
    ana.button("Try it now").click()
    expect(ana.grid).to_be_visible(timeout=20_000)
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    expect(mine).to_have_count(1)


@pytest.mark.long
def test_a_round_against_pretend_colleagues_has_an_end(room):
    ana = try_it(room)
    for _ in range(60):
        if ana.result.count():
            break
        settled = ana.page.locator("tt-vote:not(.settling)").get_by_role("button", name="Confirm")
        if settled.count():
            settled.first.click()
        for word, state in ana.board():
            if state == "confirmed, tap to mark":
                ana.tile(word).click()
        ana.page.wait_for_timeout(3_000)
    expect(ana.result).to_contain_text("Bingo!")
