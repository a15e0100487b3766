"""The page in other languages: all of it is translated, longer words fit, and it reads from right to left as well."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from person import WORDS
from play import PHRASES, Game
from test_looks import SPILLED

LOCALES = Path(__file__).resolve().parents[2] / "Sources/Edge/WebFace/Page/locales"
ACCENTS = str.maketrans("abcdefghijklmnoprstuvwyzABCDEFGHIJKLMNOPRSTUVWYZ", "åƀçđéƒğĥîĵķļɱñöþřšţûṽŵýžÅƁÇĐÉƑĞĤÎĴĶĻṀÑÖÞŘŠŢÛṼŴÝŽ")

# Text in the page that no language has been asked for, and text that is cut off at an edge.
WRONG = """([own, brand]) => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: at } = texts.currentNode;
    if (!at || at.closest("bdi, code, script, noscript, .tile-word, .invite, .code, :not(html)[lang], kbd, .bar-me, datalist")) continue;
    const rest = own.reduce((text, word) => text.replaceAll(word, ""), data);
    if (/[A-Za-z]{3,}/.test(rest)) found.push(`not translated: ${data.trim().slice(0, 90)}`);
    if (data.trim() === "" || at.closest(".unseen, [aria-hidden=true]") || at.getClientRects().length === 0) continue;
    for (let box = at; box && box !== document.body; box = box.parentElement) {
      const look = getComputedStyle(box);
      if (look.display === "inline" || look.overflowX === "visible" || look.overflowX === "auto" || look.overflowX === "scroll") continue;
      if (box.closest("tt-vote, .where")) break;
      const inner = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      if (inner) found.push(`clipped: ${data.trim().slice(0, 60)} in ${box.className || box.localName}`);
      break;
    }
  }
  for (const one of document.querySelectorAll("[aria-label], [placeholder], [title]")) {
    for (const name of ["aria-label", "placeholder", "title"]) {
      const text = own.reduce((text, word) => text.replaceAll(word, ""), one.getAttribute(name) ?? "");
      if (/[A-Za-z]{3,}/.test(text)) found.push(`${name} not translated: ${text}`);
    }
  }
  if (/[A-Za-z]{3,}/.test(own.concat(brand).reduce((text, word) => text.replaceAll(word, ""), document.title)))
    found.push(`title not translated: ${document.title}`);
  return [...new Set(found)];
}"""


def longer(text):
    """Accents on every letter, and half as long again; places stay."""
    parts = re.split(r"(\{\w+\})", text)
    return "".join(part if part.startswith("{") else part.translate(ACCENTS) for part in parts) + " ñö" * max(1, len(text) // 9)


def pseudo(route):
    """Answers for the second language with sentences that cannot be mistaken for English, a third longer."""
    found = {"-node": {key: longer(key) for key in json.loads((LOCALES / "zh-Hant-node.json").read_text(encoding="utf-8"))}}
    for path in LOCALES.glob("en*.json"):
        found[path.stem[2:]] = {
            key: {form: longer(said) for form, said in text.items()} if isinstance(text, dict) else longer(text)
            for key, text in json.loads(path.read_text(encoding="utf-8")).items()}
    route.fulfill(json=found)


class Reader:
    """Looks at screens in the language that is too long, in both directions, narrow and wide."""

    def __init__(self, own):
        self.own, self.wrong = own, []

    def look(self, person, name):
        page = person.page
        for width, height in ((320, 640), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            for direction in ("ltr", "rtl"):
                page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
                where = f"{name} {width} {direction}"
                found = page.evaluate(WRONG, [sorted(self.own, key=len, reverse=True), ["Tabletalk"]]) if direction == "ltr" else []
                # What a sentence of the node has in its places stays as it is.
                found = [text for text in found if "other data folders" not in text]
                self.wrong += [f"{where}: {text}" for text in found + page.evaluate(SPILLED)]
            if width == 320:
                person.shoot(f"pseudo-{name}-rtl")
            page.evaluate("document.documentElement.dir = 'ltr'")
        person.shoot(f"pseudo-{name}")


def speaks(room, person):
    """The page in the made-up language."""
    person.page.context.route("**/locales/zh-Hant.all.json", pseudo)
    person.page.evaluate("localStorage.setItem('tabletalk.language', '\"zh-Hant\"')")
    person.page.reload()
    expect(person.page.locator("html")).to_have_attribute("lang", "zh-Hant")


def test_every_screen_fits_longer_words_and_leaves_no_english(room):
    reader = Reader(["Ana", "Bo", "Cy", "Monday", "Kim", "Pat", "tabletalk join", "Floor 4", "zero-sum", "Work words",
                     "Canteen", "English", "tabletalk verify", "Escape", "Enter", *WORDS, *PHRASES, "TXT", "CSV", "JSON",
                     "Tabletalk", "UDP", "TCP", "Wi-Fi"])
    ana = room.person()
    speaks(room, ana)
    reader.look(ana, "welcome")
    ana.node.command("setName", name="Ana", insist=False)
    expect(ana.page.locator("h1")).to_be_visible()
    ana.page.locator(".alone").wait_for()
    reader.look(ana, "alone")
    nodes = [ana.node] + [room.world.node(name) for name in ("Bo", "Cy")]
    bo, cy = nodes[1:]
    bo.command("createTable", size=3, own="\n".join(WORDS), title="Monday", place="Floor 4", startsAt=4_000_000_000)
    ana.node.wait("Monday", lambda state: state["openTables"])
    asked = cy.command("createTable", size=3, own="\n".join(WORDS), title="Canteen", private=True)["table"]
    cy.wait("Ana", lambda state: any(row["name"] == "Ana" for row in state["people"]))
    cy.command("invite", table=asked, person=ana.node.key)
    ana.node.wait("an invitation", lambda state: state["invites"])
    cy.command("makeList", title="Work words", text="\n".join(WORDS))
    cy.command("giveList", list=1, person=ana.node.key)
    ana.node.wait("a list", lambda state: state["wordLists"]["given"])
    ana.node.command("makeList", title="Work words", text="\n".join(WORDS))
    network = ana.node.state["network"]
    reader.own += [f"UDP {network['discoveryPort']} and TCP {network['linkPort']}"]
    reader.own += [word for pack in ana.node.state["packs"] for word in pack["words"]]
    for hash_ in ("", "new/bingo", "new/quoridor", "lists", "lists/1", "lists/900000001", "history", "network"):
        ana.page.evaluate("hash => { location.hash = hash; }", hash_)
        ana.page.wait_for_timeout(150)
        for summary in ana.page.locator("summary").all():
            summary.click()
        reader.look(ana, hash_.replace("/", "-") or "home")

    game = Game.gather(nodes, ["line"], marking="tap", title="Monday", words=PHRASES[:12], anonymous=True)
    reader.own += [seat["name"] for seat in game.creator.table["seats"]] + ["Teal Otter"]
    ana.page.evaluate("hash => { location.hash = hash; }", f"table/{game.creator.id}")
    ana.page.locator(".lobby").wait_for()
    reader.look(ana, "lobby")
    game.start()
    ana_, bo_, cy_ = game.seats
    word = bo_.lines()[0][0]
    bo_.claim(word)
    ana_.open_claim(word)
    ana_.claim(next(one for one in ana_.lines()[2] if one != word))
    ana.page.locator("tt-vote").first.wait_for()
    reader.look(ana, "board")
    ana.key("?")
    ana.page.get_by_role("dialog").wait_for()
    reader.look(ana, "rules")
    ana.key("Escape")
    ana_.vote(word, True)
    cy_.vote(word, True)
    game.win(ana_, line=next(index for index, line in enumerate(ana_.lines()) if index != 2 and word not in line))
    ana.page.locator(".over").wait_for()
    reader.look(ana, "result")
    ana.page.evaluate("hash => { location.hash = hash; }", f"history/{ana_.id}")
    ana.page.locator(".replay").wait_for()
    reader.look(ana, "past")
    assert not reader.wrong, "\n".join(reader.wrong)


def test_the_language_of_the_browser_comes_first_and_the_chosen_one_stays(room):
    ana = room.person("Ana", locale="zh-TW")
    expect(ana.page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(ana.page.locator("h1")).to_contain_text(re.compile("[\u4e00-\u9fff]"))
    ana.page.locator("#language").select_option("en")
    expect(ana.heading("You are the first one here")).to_be_visible()
    ana.page.reload()
    expect(ana.heading("You are the first one here")).to_be_visible()
    # What the node refuses is said in the language of the page, with what it names.
    ana.page.locator("#language").select_option("zh-Hant")
    ana.page.locator("#code").fill("00000")
    ana.page.locator("#code").press("Enter")
    said = ana.page.locator("#join-said")
    expect(said).to_contain_text("00000")
    expect(said).to_contain_text(re.compile("[\u4e00-\u9fff]{4}"))
    bo = room.person("Bo", locale="fr-FR")
    expect(bo.page.locator("html")).to_have_attribute("lang", "en")
