"""A person in front of a page: sees roles, names and texts, and acts by pointer or by keyboard alone."""

import re

from playwright.sync_api import expect

from node import ROOT

CHROMIUM = "/usr/bin/chromium"
SCREENSHOTS = ROOT / ".build/screenshots"
WORDS = ["circle back", "synergy", "next slide", "quick win", "you are on mute", "hard stop",
         "low-hanging fruit", "deep dive", "touch base"]
TILE = re.compile(r"^Row (\d+) column (\d+), (.*?), (not marked|heard, Escape takes it back|on its way|"
                  r"waiting for votes|marked|confirmed, tap to mark|denied)(?:, (.*))?$")

expect.set_options(timeout=10_000)


class Room:
    """The people of one test, and what their pages did that a page must not do."""

    def __init__(self, world, chromium):
        self.world, self.chromium = world, chromium
        self.people = []
        self.wrong = []

    def person(self, name=None, node=None, table=None, **look):
        """Somebody at a laptop, looking at a table if one is given; without a name at Welcome."""
        node = node or self.world.node(name)
        # Without movement, as some ask for it: nobody waits for the boards to be shown at three.
        usual = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
        context = self.chromium.new_context(**{**usual, **look})
        context.set_default_timeout(10_000)
        self.watch(context, node)
        person = Person(node, context.new_page())
        self.people.append(person)
        person.open(table)
        return person

    def watch(self, context, node):
        """Notes requests to elsewhere, errors of scripts and complaints of the browser."""
        home = f"http://127.0.0.1:{node.page.port}/"

        def asked(request):
            if not request.url.startswith(home):
                self.wrong.append(f"{node.name} asked for {request.url}")

        def complained(message):
            # That the node is down or refuses is what some tests are about.
            if message.type == "error" and not message.text.startswith("Failed to load resource"):
                self.wrong.append(f"{node.name}: {message.text}")

        def failed(error):
            self.wrong.append(f"{node.name}: {error.error}")

        context.on("request", asked)
        context.on("console", complained)
        context.on("weberror", failed)

    def keep(self, name):
        """Screenshots of a test that failed."""
        for person in self.people:
            person.shoot(f"failed-{re.sub('[^a-zA-Z0-9_-]', '-', name)}-{person.node.name}")

    def close(self):
        for person in self.people:
            person.page.context.close()
        assert self.wrong == []


class Person:
    """What one person sees and does."""

    def __init__(self, node, page):
        self.node, self.page = node, page

    def open(self, table=None):
        """Opens the address that the laptop gives, at a table if one is named."""
        self.page.goto(self.node.page.url + (f"&go=table/{table}" if table else ""))

    # What is on the page.

    def button(self, name, exact=True):
        return self.page.get_by_role("button", name=name, exact=exact)

    def box(self, name):
        return self.page.get_by_role("textbox", name=name)

    def sees(self, text, timeout=10):
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=timeout * 1000)

    def heading(self, name):
        return self.page.get_by_role("heading", name=name)

    @property
    def grid(self):
        return self.page.get_by_role("grid", name="Your board")

    @property
    def votes(self):
        return self.page.get_by_role("region", name="Waiting for my vote")

    @property
    def result(self):
        return self.page.get_by_role("status", name="Result", exact=True)

    @property
    def notices(self):
        return self.page.get_by_role("status", name="Messages")

    def tile(self, word):
        return self.grid.get_by_role("button", name=re.compile(f", {re.escape(word)}, "))

    def board(self):
        """The words of the board, row by row, with the state each tile's name tells."""
        expect(self.grid).to_be_visible()
        names = self.grid.get_by_role("button").evaluate_all(
            "tiles => tiles.map((tile) => tile.getAttribute('aria-label'))")
        parts = [TILE.match(name).groups() for name in names]
        return [(word, state) for _, _, word, state, _ in parts]

    def words(self):
        return [word for word, _ in self.board()]

    def row(self, index):
        words = self.words()
        size = round(len(words) ** 0.5)
        return words[index * size:(index + 1) * size]

    def is_(self, word, state, timeout=10):
        """Waits until the tile of a word tells that state."""
        expect(self.tile(word)).to_have_accessible_name(
            re.compile(f", {re.escape(word)}, {re.escape(state)}"), timeout=timeout * 1000)

    # What a person does with the pointer.

    def welcome(self, name):
        self.box("Your name").fill(name)
        self.button("Take a seat").click()
        expect(self.button("New bingo table").or_(self.button("Try it now")).first).to_be_visible()

    def set_table(self, words=WORDS, minutes=15, size=3, marking=None, title=None):
        """Makes a table of own words; returns its code."""
        self.button("New bingo table").click()
        self.page.get_by_role("radio", name="No list").check(force=True)
        self.box("One word or phrase a line").fill("\n".join(words))
        self.page.get_by_role("radio", name=f"{minutes} min").check(force=True)
        self.page.locator("summary").get_by_text("House rules").click()
        self.page.get_by_role("group", name="Size of the boards").get_by_role(
            "radio", name=f"{size} by {size}").check(force=True)
        if marking:
            self.page.get_by_role("radio", name=marking).check(force=True)
        if title:
            self.box("Name of the table").fill(title)
        self.button("Start").click()
        expect(self.heading("Setting the table")).to_be_visible()
        return self.code()

    def code(self):
        return self.page.locator(".code [aria-hidden]").inner_text()

    def join(self, invitation):
        self.box("Code or invitation").fill(invitation)
        self.button("Join").click()
        expect(self.heading("Setting the table")).to_be_visible()

    def ready(self):
        self.button("I am ready").click()

    def claim(self, word):
        """Presses a tile twice: heard, and sent at once."""
        self.tile(word).click()
        self.tile(word).click()

    def card(self, word):
        return self.votes.get_by_role("article", name=word)

    def hears(self, text):
        """Waits for a sentence among the messages at the edge."""
        expect(self.notices).to_contain_text(text)

    def vote(self, word, answer="Confirm"):
        # For half a second a new card takes no answer, so that nobody answers what was not read.
        settled = self.votes.locator("tt-vote:not(.settling)")
        settled.get_by_role("article", name=word).get_by_role("button", name=answer).click()

    # What a person does with the keyboard alone.

    def key(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, place, most=120):
        """Presses Tab until the focus is there."""
        for _ in range(most):
            if place.count() == 1 and place.evaluate("element => element === document.activeElement"):
                return
            self.key("Tab")
        raise AssertionError(f"{most} times Tab did not lead to {place}")

    # Pictures.

    def shoot(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
