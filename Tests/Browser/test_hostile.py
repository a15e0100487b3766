"""Words and names that want to be more than words."""

from playwright.sync_api import expect

from person import WORDS
from play import Game, refusal

HOSTILE = [
    "<script>window.hit = 1</script>",
    "<img src=x onerror='window.hit = 1'>",
    "\u202egnihton si siht",
    "\u2067\u05e9\u05dc\u05d5\u05dd \u0639\u0627\u0644\u0645",
    "👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪",
    "Z\u0351\u036balgo\u0334",
    "{who} {word} {n} ${1} %s &amp; &#60;",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "'; drop table log; --",
]


def test_hostile_words_are_words(room):
    name = "<b>Ana</b> \u05e9\u05dc\u05d5\u05dd"
    ana, bo = room.person(), room.person(viewport={"width": 320, "height": 700})
    ana.welcome(name)
    bo.welcome("Bo")
    ana.set_table(HOSTILE, title="<h1>Meeting</h1>")
    bo.join(ana.code())
    ana.button("Start").click()
    assert len(ana.words()) == 9
    for person in (ana, bo):
        expect(person.page.get_by_role("grid")).to_contain_text("<script>window.hit = 1</script>")
        expect(person.page.locator("main script, main img, main b, header h1")).to_have_count(0)
        assert person.page.evaluate("window.hit") is None
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    word = "<img src=x onerror='window.hit = 1'>"
    ana.claim(word)
    expect(bo.card(word)).to_be_visible()
    bo.vote(word)
    ana.is_(word, "marked")
    for person in (ana, bo):
        assert person.page.evaluate("window.hit") is None


def test_ten_thousand_characters_are_refused_and_change_nothing(room):
    ana = room.person("Ana")
    ana.button("New bingo table").click()
    ana.box("One word or phrase a line").fill("\n".join(["x" * 10_000, *WORDS]))
    ana.sees("one longer than 60 characters left out")
    assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    code = refusal(ana.node, "createTable", size=3, minutes=15, marking="tap",
                   own="\n".join(["x" * 10_000, *WORDS]))
    print(f"10,000 characters: {code}")
    bo = room.world.node("Bo")
    game = Game.gather([bo, ana.node], ["code"], words=WORDS)
    refusal(ana.node, "suggest", table=game.creator.id, word="y" * 10_000)
    assert "y" * 100 not in str(bo.state)
