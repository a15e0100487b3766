"""Somebody in front of a board of Quoridor: by pointer, by touch, by keyboard alone."""

import re

from playwright.sync_api import expect


class Player:
    """Somebody at a board of Quoridor."""

    def __init__(self, person):
        self.person, self.page = person, person.page

    @property
    def grid(self):
        return self.page.get_by_role("grid", name="Quoridor board")

    def square(self, name):
        return self.grid.get_by_role("gridcell", name=re.compile(f"^{name}(,|$)"))

    @property
    def is_mine(self):
        return self.page.get_by_role("status", name="Whose turn it is").get_by_text("Your turn")

    def waits_for_turn(self):
        expect(self.is_mine).to_be_visible()

    def clicks(self, move):
        """Presses a square, or the groove of a wall and then Build wall."""
        if len(move) == 2:
            self.square(move).click()
            return
        box = self.square(move[:2]).bounding_box()
        column, row = ord(move[0]) - 97, int(move[1]) - 1
        beside = chr(97 + column + 1) + str(row + 2)
        other = self.square(beside).bounding_box()
        # The groove between the two squares, a little off its middle, to the side that it lies on.
        x = (box["x"] + other["x"] + other["width"]) / 2
        y = (box["y"] + other["y"] + other["height"]) / 2
        if box["x"] > other["x"]:
            x = (other["x"] + box["x"] + box["width"]) / 2
        if box["y"] < other["y"]:
            y = (box["y"] + other["y"] + other["height"]) / 2
        else:
            y = (other["y"] + box["y"] + box["height"]) / 2
        along = box["width"] / 2
        self.page.mouse.click(x + (along if move[2] == "h" else 0), y + (0 if move[2] == "h" else along))
        expect(self.person.heading(f"Wall {move}")).to_be_visible()
        self.person.button("Build wall").click()

    def taps(self, move):
        """By touch: a square, or the groove of a wall, turned where it stands the other way, and Build wall."""
        if len(move) == 2:
            self.square(move).tap()
            return
        self.square(diagonal(move)).scroll_into_view_if_needed()
        x, y = self.crossing(move)
        self.page.touchscreen.tap(x, y)
        shown = self.page.get_by_role("heading", name=re.compile(f"^Wall {move[:2]}"))
        expect(shown).to_be_visible()
        if shown.inner_text().split()[-1] != move:
            self.page.touchscreen.tap(x, y)
        expect(self.person.heading(f"Wall {move}")).to_be_visible()
        self.person.button("Build wall").tap()

    def crossing(self, wall):
        """The middle of a wall on the screen, however the board is turned."""
        boxes = [self.square(name).bounding_box() for name in (wall[:2], diagonal(wall))]
        return (sum(box["x"] + box["width"] / 2 for box in boxes) / 2,
                sum(box["y"] + box["height"] / 2 for box in boxes) / 2)

    def places(self, move):
        """By pointer on any board: presses the middle, turns the wall where it stands the other way."""
        self.page.mouse.click(*self.crossing(move))
        shown = self.page.get_by_role("heading", name=re.compile(f"^Wall {move[:2]}"))
        expect(shown).to_be_visible()
        if shown.inner_text().split()[-1] != move:
            self.person.button("Turn").click()
        expect(self.person.heading(f"Wall {move}")).to_be_visible()
        self.person.button("Build wall").click()

    def types(self, move):
        """With the keyboard alone, on the board itself."""
        focused = self.grid.locator("[tabindex='0']")
        self.person.tab_to(focused)
        if len(move) == 2:
            self.walks_to(move)
            self.person.key("Enter")
            return
        self.walks_to(move[:2])
        self.person.key("w")
        expect(self.person.page.get_by_role("heading", name=re.compile("^Wall "))).to_be_visible()
        for _ in range(20):
            shown = self.page.get_by_role("heading", name=re.compile("^Wall ")).inner_text().split()[-1]
            if shown == move:
                break
            self.person.key(self.key_towards(shown, move))
            expect(self.person.heading(f"Wall {shown}")).to_have_count(0)
        self.person.key("Enter")
        expect(self.person.button("Build wall")).to_be_visible()
        self.person.key("Enter")

    def is_turned(self):
        return self.grid.get_by_role("gridcell").first.get_attribute("data-square") == "i1"

    def key_towards(self, shown, wanted):
        if shown[2] != wanted[2] and shown[:2] == wanted[:2]:
            return "r"
        flip = -1 if self.is_turned() else 1
        if shown[0] != wanted[0]:
            return "ArrowRight" if (wanted[0] > shown[0]) == (flip == 1) else "ArrowLeft"
        if shown[1] != wanted[1]:
            return "ArrowUp" if (wanted[1] > shown[1]) == (flip == 1) else "ArrowDown"
        return "r"

    def walks_to(self, name):
        for _ in range(20):
            at = self.page.evaluate("document.activeElement.getAttribute('data-square')")
            if at == name:
                return
            self.person.key(self.key_towards(at + "h", name + "h"))
        raise AssertionError(f"the arrows did not lead to {name}")


def sit_down(room, **look):
    """Two people at a new table, ready and started; the one to move first, first."""
    return begin(*(room.person(name, **look) for name in ("Ana", "Bo")))


def begin(ana, bo):
    """The first of two people makes a table, and the other one joins it."""
    ana.button("New Quoridor table").click()
    expect(ana.heading("New Quoridor table")).to_be_visible()
    ana.button("Start").click()
    expect(ana.heading("Setting the table")).to_be_visible()
    expect(ana.button("Start")).to_have_attribute("aria-disabled", "true")
    bo.join(ana.code())
    ana.sees("Somebody has not said to be ready yet.")
    bo.ready()
    expect(ana.button("Start")).not_to_have_attribute("aria-disabled", "true")
    ana.button("Start").click()
    players = [Player(ana), Player(bo)]
    for player in players:
        expect(player.grid).to_be_visible()
    expect(players[0].is_mine.or_(players[0].page.get_by_text("Bo’s turn")).first).to_be_visible()
    return players if players[0].is_mine.count() else players[::-1]


def diagonal(wall):
    """The square across the middle of a wall from the one that names it."""
    return chr(ord(wall[0]) + 1) + str(int(wall[1]) + 1)


def practise(room, choice, **look):
    """Somebody at a new table on this laptop alone."""
    ana = room.person("Ana", **look)
    ana.button("New Quoridor table").click()
    ana.page.get_by_role("radio", name=choice).check(force=True)
    return ana


def board(player):
    return player.person.node.state["tables"][0]["quoridor"]["board"]
