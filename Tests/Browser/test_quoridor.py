"""Quoridor in real pages: a game by pointer, one by keyboard alone, and how it looks from all sides."""

import re

import pytest
from playwright.sync_api import expect

from duel import WIN
from test_looks import Album


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
    ana, bo = (room.person(name, **look) for name in ("Ana", "Bo"))
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


def test_a_game_by_pointer_and_one_by_keyboard_alone(room):
    pointer, keys = sit_down(room)
    expect(pointer.square("e1")).to_have_accessible_name("e1, your pawn")
    name = keys.person.node.name
    expect(pointer.square("e9")).to_have_accessible_name(f"e9, {name}’s pawn")
    expect(pointer.square("e2")).to_have_accessible_name("e2, you can move here")
    # The board is turned for whoever plays from the other side.
    assert not pointer.is_turned() and keys.is_turned()
    for index, move in enumerate(WIN):
        mover = (pointer, keys)[index % 2]
        mover.waits_for_turn()
        if mover is pointer:
            pointer.clicks(move)
        else:
            keys.types(move)
        if index == 1:
            expect(pointer.square("a8")).to_have_accessible_name("a8, wall above")
            expect(keys.square("b9")).to_have_accessible_name("b9, wall above")
    for player in (pointer, keys):
        expect(player.person.result).to_contain_text(
            "You win!" if player is pointer else f"{pointer.person.node.name} wins")
    slider = keys.page.get_by_role("slider", name="Moves shown")
    expect(slider).to_have_value(str(len(WIN)))
    slider.focus()
    keys.person.key("Home")
    expect(keys.square("e1")).to_have_accessible_name(f"e1, {pointer.person.node.name}’s pawn")
    keys.person.button("One move on").click()
    expect(keys.page.get_by_text("After move 1 of 15: e2.")).to_be_visible()


def test_two_fast_clicks_make_one_move_and_words_do_what_presses_do(room):
    first, second = sit_down(room)
    first.waits_for_turn()
    first.square("e2").dblclick()
    second.waits_for_turn()
    assert [turn["move"] for turn in board(second)["turns"]] == ["e2"]
    box = second.person.box("Type a move or a wall")
    box.fill("where")
    box.press("Enter")
    expect(second.page.get_by_text("You: e9, 10 walls left, 8 to go.")).to_be_visible()
    box.fill("e2h")
    box.press("Enter")
    first.waits_for_turn()
    first.person.button("Place a wall").click()
    expect(first.person.heading("Wall e4h")).to_be_visible()
    first.person.button("Turn").click()
    expect(first.person.heading("Wall e4v")).to_be_visible()
    expect(first.page.get_by_text("You keep 8 steps.")).to_be_visible()
    first.person.button("Cancel").click()
    first.person.button("Take back").click()
    second.person.button("Agree").click()
    expect(first.square("e1")).to_have_accessible_name("e1, your pawn")
    second.person.button("Give up").click()
    second.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(first.person.result).to_contain_text("You win!")
    expect(second.person.result).to_contain_text("Everybody else has given up or left.")


def practise(room, choice, **look):
    """Somebody at a new table on this laptop alone."""
    ana = room.person("Ana", **look)
    ana.button("New Quoridor table").click()
    ana.page.get_by_role("radio", name=choice).check(force=True)
    return ana


def test_the_computer_answers_and_says_that_it_is_one(room):
    ana = practise(room, "The computer", viewport={"width": 390, "height": 844}, has_touch=True)
    ana.page.get_by_role("radio", name="Beginner").check(force=True)
    ana.button("Start").click()
    player = Player(ana)
    for turn in range(3):
        player.waits_for_turn()
        before = len(board(player)["turns"])
        player.square(board(player)["squares"][-1]).tap()
        ana.node.wait("the computer's move", lambda state: len(
            state["tables"][0]["quoridor"]["board"]["turns"]) == before + 2)
    ana.sees("Computer")
    ana.sees("The computer plays as: Beginner.")
    ana.button("Give up").click()
    ana.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(ana.result).to_contain_text("Computer wins")
    ana.button("Rematch").click()
    expect(player.grid).to_be_visible()
    expect(ana.result).to_have_count(0)


def test_people_who_share_a_laptop_move_in_turns(room):
    ana = practise(room, "One laptop")
    ana.button("Start").click()
    player = Player(ana)
    expect(player.grid).to_be_visible()
    for index, move in enumerate("e2 e8 e3 e7".split()):
        player.square(move).click()
        ana.node.wait(f"{move} played", lambda state: len(
            state["tables"][0]["quoridor"]["board"]["turns"]) == index + 1)
    expect(player.square("e3")).to_have_accessible_name(re.compile("pawn"))


def board(player):
    return player.person.node.state["tables"][0]["quoridor"]["board"]


@pytest.fixture
def album():
    made = Album()
    yield made
    assert not made.wrong, "\n".join(made.wrong)


def test_the_board_looks_right_from_all_sides(room, album):
    first, second = sit_down(room)
    table = second.person.node.state["tables"][0]["id"]
    players = (first, second)
    for index, move in enumerate("e2 e8 e3 e7 e3h c6h d3 e6 g4v".split()):
        players[index % 2].waits_for_turn()
        players[index % 2].person.node.command("move", table=table, move=move)
    second.waits_for_turn()
    second.person.button("Place a wall").click()
    second.person.button("Shortest ways").click()
    album.look(second.person, "9-quoridor")
    second.person.node.command("giveUp", table=table)
    expect(second.person.result).to_be_visible()
    album.look(second.person, "9-quoridor-over")
