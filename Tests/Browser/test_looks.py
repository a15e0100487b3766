"""Every screen in light and dark at three widths: axe finds nothing, nothing spills, screenshots are kept."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from person import SCREENSHOTS
from play import PHRASES, Game

WIDTHS = {320: 640, 768: 900, 1280: 800}

# Where words or tiles leave their box or make no sense, on the page as it is shown.
SPILLED = """() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} wide`);
  for (const tile of document.querySelectorAll("[role=grid] .tile")) {
    const word = tile.querySelector(".tile-word");
    if (tile.scrollWidth > tile.clientWidth + 1 || tile.scrollHeight > tile.clientHeight + 1
        || word.scrollWidth > word.clientWidth + 1) found.push(`a tile spills: ${tile.textContent}`);
    // A word may go on in the next line only behind a hyphen, soft or typed.
    const texts = document.createTreeWalker(word, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      const top = (at) => {
        const range = new Range();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return [...range.getClientRects()].at(-1).top;   // the first may be a hyphen
      };
      for (let at = 1; at < text.data.length; at += 1) {
        if (/^[a-z]{2}$/i.test(text.data.slice(at - 1, at + 1)) && Math.abs(top(at - 1) - top(at)) > 4) {
          found.push(`a word is broken: ${tile.textContent}`);
        }
      }
    }
  }
  for (const one of document.querySelectorAll("button, a.button, input:not(.unseen), textarea, summary")) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || one.closest(".unseen, .skip")) continue;
    if (box.left < 0 || box.right > innerWidth + 1) found.push(`cut off: ${one.textContent || one.id}`);
    if (one.closest("label")) continue;   // the label is what one hits
    if (box.height < 24 || box.width < 24) found.push(`too small to hit: ${one.textContent || one.id}`);
  }
  for (const one of document.querySelectorAll(".sign")) {
    if (one.textContent.trim() === "") found.push(`a sign without words: ${one.outerHTML}`);
  }
  const strange = document.body.innerText.match(/undefined|NaN|\\[object|\\bnull\\b|\\{[a-z]+\\}/);
  if (strange) found.push(`the page says ${strange[0]}`);
  return found;
}"""


# Puts phrases on the tiles of the board, all in one state, and looks at them like that.
DEALT = """async ([phrases, state]) => {
  const { tileWord } = await import("/components/parts.js");
  const { patch } = await import("/app/dom.js");
  const tiles = [...document.querySelectorAll("[role=grid] .tile")];
  const before = tiles.map((tile) => [tile.className, tile.querySelector(".tile-word")]);
  const found = [];
  while (phrases.length > 0) {
    for (const tile of tiles) {
      const holder = document.createElement("span");
      patch(holder, tileWord(phrases.shift() ?? ""));
      tile.className = `tile ${state}`;
      tile.querySelector(".tile-word").replaceWith(holder.firstElementChild);
    }
    found.push(...(%s)());
  }
  tiles.forEach((tile, index) => {
    tile.className = before[index][0];
    tile.querySelector(".tile-word").replaceWith(before[index][1]);
  });
  return found;
}""" % SPILLED


class Album:
    """Looks at a screen from all sides and remembers what is wrong."""

    def __init__(self):
        self.wrong = []

    def look(self, person, name):
        page = person.page
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for width, height in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": height})
                where = f"{name}-{width}-{scheme}"
                self.wrong += [f"{where}: {text}" for text in page.evaluate(SPILLED)]
                if width != 768:
                    found = Axe().run(page)
                    assert len(found.response["passes"]) > 10, "axe looked at nothing"
                    self.wrong += [
                        f"{where}: {rule['id']}: {node['html'][:200]}"
                        for rule in found.response["violations"] for node in rule["nodes"]]
                person.shoot(where)
        page.set_viewport_size({"width": 1280, "height": 800})


@pytest.fixture
def album():
    made = Album()
    yield made
    assert not made.wrong, "\n".join(made.wrong)


def test_the_screens_before_a_game(room, album):
    ana = room.person()
    ana.box("Your name").fill("Ana")
    album.look(ana, "1-welcome")
    ana.button("Take a seat").click()
    di = room.world.node("Di, who is away today")
    ana.node.wait("Di", lambda state: state["people"])
    ana.node.command("favourite", person=di.key, on=True)
    di.stop()
    ana.sees("not here")
    expect(ana.heading("You are the first one here")).to_be_visible()
    album.look(ana, "2-home-alone")
    bo, cy = room.world.node("Bo"), room.world.node("Cy")
    bo.command("createTable", size=4, minutes=30, marking="tap", pack=bo.state["packs"][0]["id"],
               title="Monday stand-up")
    cy.command("createTable", size=5, minutes=60, marking="tap", pack=bo.state["packs"][1]["id"])
    ana.sees("Monday stand-up")
    ana.sees("Cy’s table")
    asked = cy.command("createTable", size=3, own="\n".join(PHRASES[:9]), title="Lunch", place="Floor 4", startsAt=4_000_000_000)
    cy.command("invite", table=asked["table"], person=ana.node.key)
    ana.sees("You are asked to a table")
    ana.node.command("makeList", title="Ours", text="\n".join(PHRASES[:9]))
    album.look(ana, "3-home")
    ana.button("Compare with Bo").click()
    expect(ana.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(6)
    album.look(ana, "3-compare")
    ana.button("Done").click()
    ana.page.get_by_role("link", name="Somebody should be here?").click()
    ana.sees("sends and listens")
    ana.sees("Nothing is wrong here.")
    album.look(ana, "3-network")
    ana.page.get_by_role("link", name="Word lists").click()
    ana.page.get_by_role("link", name="Ours").click()
    album.look(ana, "3-lists")
    ana.page.get_by_role("link", name="Tabletalk, home").click()
    ana.button("New bingo table").click()
    ana.box("One word or phrase a line").fill("\n".join(PHRASES[:5] + PHRASES[:1]))
    ana.sees("duplicates merged")
    ana.page.locator("summary").get_by_text("House rules").click()
    album.look(ana, "4-new-table")


def test_the_lobby_the_board_and_the_result(room, album):
    nodes = [room.world.node(name) for name in ("Ana", "Bo", "Cy", "Di")]
    game = Game.gather(nodes, size=5, words=PHRASES[:40], marking="tap", title="Monday stand-up")
    ana_, bo_, cy_, di_ = game.seats
    bo_.do("suggest", word="a dog barks")
    cy_.do("veto", word=PHRASES[1])
    cy_.do("ready", ready=True)
    ana = room.person(node=nodes[0], table=game.creator.id)
    ana.sees("vetoed")
    album.look(ana, "5-lobby")
    cy_.do("ready", ready=False)

    game.start()
    lines = ana_.lines()
    mine = lines[2]
    others = [word for row in lines[:2] + lines[3:5] for word in row]
    for word in mine[:4]:
        game.confirm(ana_, word, [bo_, cy_])
    theirs = [word for word in others if bo_.tile(word)][:3]
    for word in theirs[:2]:
        game.confirm(bo_, word, [cy_, di_])
    ana_.mark(theirs[0])
    denied, waiting = [word for word in others if word not in theirs][:2]
    ana_.claim(denied)
    bo_.vote(denied, False)
    cy_.vote(denied, False)
    ana_.decided(denied, "denied")
    ana_.claim(waiting)
    wanted = [word for word in (tile["word"] for tile in bo_.tiles)
              if word not in (*mine, *theirs, denied, waiting)][:2]
    for word in wanted:
        bo_.claim(word)
    for word in wanted:
        expect(ana.card(word)).to_be_visible()
    ana.is_(waiting, "waiting for votes")
    album.look(ana, "6-board")
    ana.page.set_viewport_size({"width": 320, "height": 640})
    phrases = PHRASES + [word for pack in nodes[0].state["packs"] for word in pack["words"]]
    for state in ("", "is-one-away", "is-confirmed"):
        album.wrong += ana.page.evaluate(DEALT, [phrases, state])
    ana.button("Quit").click()
    expect(ana.page.get_by_role("dialog")).to_be_visible()
    album.look(ana, "7-quit")
    ana.button("Stay").click()

    game.confirm(ana_, mine[4], [bo_, cy_])
    expect(ana.result).to_contain_text("Bingo! Ana")
    for summary in ana.page.locator("summary").all():
        summary.click()
    album.look(ana, "8-result")
    ana.page.get_by_role("link", name="How it went").click()
    ana.button("Check it now").click()
    ana.sees("Checked. This is proven:")
    album.look(ana, "9-past")
    ana.page.get_by_role("link", name="All past games").click()
    ana.sees("Ana won.")
    album.look(ana, "9-history")
    print(f"screenshots are in {SCREENSHOTS}")
