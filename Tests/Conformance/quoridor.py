"""Quoridor in Python, written from Protocol/games/quoridor.md alone."""

from bingo import Stream, need
from tabletalk import digest

PASS = 209
WAYS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
SETTINGS_JUMPS = ("never", "sideways")


def name(square):
    return f"{'abcdefghi'[square % 9]}{square // 9 + 1}"


def wall(code):
    """Column, row and direction of a wall's code."""
    slot = (code - 81) % 64
    return slot % 8, slot // 8, "hv"[(code - 81) // 64]


def closes(one):
    """The pairs of squares that a wall keeps apart."""
    column, row, direction = one
    square = row * 9 + column
    if direction == "h":
        return {(square, square + 9), (square + 1, square + 10)}
    return {(square, square + 1), (square + 9, square + 10)}


class Position:
    def __init__(self, players, sideways):
        self.players, self.sideways = players, sideways
        self.pawns = [4, 76] if players == 2 else [4, 36, 76, 44]
        self.left = [10] * 2 if players == 2 else [5] * 4
        self.walls, self.turn = frozenset(), 0

    def copy(self):
        other = Position(self.players, self.sideways)
        other.pawns, other.left = self.pawns[:], self.left[:]
        other.walls, other.turn = self.walls, self.turn
        return other

    def key(self):
        return (self.walls, tuple(self.pawns), tuple(self.left), self.turn)

    def text(self):
        walls = ",".join(f"{name(row * 9 + column)}{direction}" for column, row, direction
                         in sorted(self.walls)) or "-"
        pawns = ",".join("-" if pawn is None else name(pawn) for pawn in self.pawns)
        left = ",".join(map(str, self.left))
        return f"{walls}/{pawns}/{left}/{self.turn + 1}" + "/sideways" * self.sideways

    def step(self, square, way, shut):
        """The square beside, or None where a wall or the edge is between."""
        column, row = square % 9 + way[0], square // 9 + way[1]
        other = row * 9 + column
        if not (0 <= column < 9 and 0 <= row < 9):
            return None
        return None if (min(square, other), max(square, other)) in shut else other

    def shut(self, walls):
        return {pair for one in walls for pair in closes(one)}

    def arrived(self, side, square):
        column, row = square % 9, square // 9
        if self.players == 2:
            return row == (8 if side == 0 else 0)
        return (row == 8, column == 8, row == 0, column == 0)[side]

    def has_way(self, side, walls):
        shut, seen, todo = self.shut(walls), set(), [self.pawns[side]]
        while todo:
            square = todo.pop()
            if self.arrived(side, square):
                return True
            if square not in seen:
                seen.add(square)
                todo += [other for way in WAYS
                         if (other := self.step(square, way, shut)) is not None]
        return False

    def targets(self):
        shut, here, found = self.shut(self.walls), self.pawns[self.turn], set()
        for way in WAYS:
            beside = self.step(here, way, shut)
            if beside is None:
                continue
            if beside not in self.pawns:
                found.add(beside)
                continue
            beyond = self.step(beside, way, shut)
            if beyond is not None and beyond not in self.pawns:
                found.add(beyond)
            elif beyond is None or self.sideways:
                for side in ((way[1], way[0]), (-way[1], -way[0])):
                    aside = self.step(beside, side, shut)
                    if aside is not None and aside not in self.pawns:
                        found.add(aside)
        return found

    def check(self, code):
        """Raises the refusal of a move."""
        if code < 81:
            return need(code in self.targets(), "pawnCannotGoThere")
        if code == PASS:
            walls = range(81, PASS)
            return need(not self.targets() and not any(self.fits(other) for other in walls),
                        "mustMove")
        need(self.left[self.turn] > 0, "noWallsLeft")
        column, row, direction = wall(code)
        need((column, row, "v" if direction == "h" else "h") not in self.walls, "wallCrosses")
        need(not any(closes(other) & closes(wall(code)) for other in self.walls), "wallOverlaps")
        walls = self.walls | {wall(code)}
        need(all(self.has_way(side, walls) for side in range(self.players)
                 if self.pawns[side] is not None), "wallClosesLastPath")

    def fits(self, code):
        try:
            self.check(code)
        except Exception:
            return False
        return True

    def next(self):
        for _ in range(4):
            self.turn = (self.turn + 1) % self.players
            if self.pawns[self.turn] is not None:
                return

    def play(self, code):
        if code < 81:
            self.pawns[self.turn] = code
        elif code < PASS:
            self.walls |= {wall(code)}
            self.left[self.turn] -= 1
        self.next()


def is_settings(item):
    players, jumps, timed = item
    return (players in (2, 4) and timed in (True, False)
            and jumps in (SETTINGS_JUMPS if players == 4 else ("never",)))


class Setup:
    """Rules of a lobby."""
    waits_for_ready = True

    def __init__(self, item):
        self.item = item
        self.settings = item[0]
        assert is_settings(self.settings)

    @property
    def seats(self):
        return self.settings[0]

    latecomers = watched = False

    def changed(self, members):
        pass

    def apply(self, change, seat, members):
        need(len(change) == 2 and change[0] == 0 and is_settings(change[1]), "malformed")
        need(seat == 0, "onlyCreatorSets")
        self.settings = change[1]

    def check_start(self, players):
        need(players == self.settings[0], "wrongPlayerCount")

    def first(self):
        given = self.item[1] if len(self.item) > 1 else None
        return given if self.settings[0] == 2 else None

    def hash(self):
        return digest("state", self.settings, *self.item[1:])


class Game:
    """A game of Quoridor."""

    def __init__(self, setup, players, seed):
        count, jumps, self.timed = setup.settings
        assert len(players) == count
        self.order = Stream(digest("board", seed)).shuffled(count)
        if setup.first() is not None:
            self.order = [setup.first(), 1 - setup.first()]
        self.deal = digest("state", setup.settings, seed, players, self.order)
        self.position = Position(count, jumps == "sideways")
        self.steps, self.strikes, self.away = [], [0] * count, [False] * count
        self.last = [None] * count
        self.turn, self.began, self.asked, self.outcome = 0, (0, 0), None, None
        self.turned_down = []

    def apply(self, move, seat, place):
        fields = {0: 3, 1: 2, 2: 2, 3: 2, 4: 3, 5: 2}
        need(type(move) is list and move and len(move) == fields.get(move[0]), "malformed")
        kind, turn, *field = move
        need(self.outcome is None, "gameOver")
        side = self.order.index(seat)
        need(self.position.pawns[side] is not None, "seatGone")
        if turn != self.turn and kind not in (1, 5):
            last = self.last[seat]
            need(kind == 0 and last and last[0] == turn and last[1] != field[0], "turnIsOver")
            self.give_up(side, place)
            return
        if kind == 0:
            need(side == self.position.turn, "notYourTurn")
            self.position.check(field[0])
            self.put(field[0], False)
            self.strikes[seat] = 0
            self.last[seat] = [turn, field[0]]
            self.end_turn(place)
        elif kind == 1:
            self.give_up(side, place)
        elif kind == 4:
            self.answer(field[0], seat, place)
        elif kind == 5:
            if self.asked and self.asked[0] == "end":
                need(self.asked[1] != seat and seat not in self.asked[2], "askedAlready")
                self.asked[2].append(seat)
                self.close_if_agreed(place)
            else:
                need(seat not in self.turned_down, "turnedDown")
                self.asked = ["end", seat, []]
        else:
            need(self.asked is None, "askedAlready")
            need(seat not in self.turned_down, "turnedDown")
            if kind == 2:
                need(self.seen() >= 3, "noDrawYet")
            elif kind == 3:
                need(any(before.turn == side and not ran for before, _, ran in self.steps),
                     "noMoveToTakeBack")
            self.asked = [{2: "draw", 3: "takeBack"}[kind], seat, []]

    def put(self, code, ran_out):
        self.steps.append((self.position, code, ran_out))
        self.position = self.position.copy()
        self.position.play(code)

    def seen(self):
        return 1 + sum(before.key() == self.position.key() for before, _, _ in self.steps)

    def answer(self, yes, seat, place):
        need(self.asked is not None, "nothingAsked")
        question, by, agreed = self.asked
        need(not yes or by != seat, "ownQuestion")
        if not yes:
            if by not in self.turned_down:
                self.turned_down.append(by)
            self.asked = None
            return
        if seat not in agreed:
            agreed.append(seat)
        self.close_if_agreed(place)

    def close_if_agreed(self, place):
        if self.asked is None:
            return
        question, by, agreed = self.asked
        if set(self.present()) - {by} - set(agreed):
            return
        if question != "takeBack":
            self.asked, self.outcome = None, "drawn" if question == "draw" else "unfinished"
            return
        side = self.order.index(by)
        gone = [index for index, pawn in enumerate(self.position.pawns) if pawn is None]
        while True:
            before, _, ran_out = self.steps.pop()
            if before.turn == side and not ran_out:
                break
        self.position = before.copy()
        for index in gone:
            self.position.pawns[index] = None
        if self.position.pawns[self.position.turn] is None:
            self.position.next()
        self.end_turn(place)

    def present(self):
        return [self.order[side] for side, pawn in enumerate(self.position.pawns)
                if pawn is not None]

    def give_up(self, side, place):
        if self.position.pawns[side] is None:
            return
        was_to_move = self.position.turn == side
        self.position.pawns[side] = None
        if was_to_move:
            self.position.next()
        if self.asked and (self.asked[0] != "end" or self.asked[1] == self.order[side]):
            self.asked = None
        if len(self.present()) == 1:
            self.outcome = "lastPlayer"
        if was_to_move:
            self.end_turn(place)
        if self.outcome is None:
            self.close_if_agreed(place)
        else:
            self.asked = None

    def end_turn(self, place, ran_out=False):
        self.turn, self.began = self.turn + 1, tuple(place)
        self.turned_down = []
        if self.asked and self.asked[0] != "end":
            self.asked = None
        if self.outcome is None:
            for side, pawn in enumerate(self.position.pawns):
                if pawn is not None and self.position.arrived(side, pawn):
                    self.outcome = "line"
            if self.outcome is None and not ran_out and self.seen() >= 5:
                self.outcome = "drawn"
        if self.outcome is not None:
            self.asked = None

    def deadlines(self):
        if self.outcome or not self.timed:
            return []
        return [("turn", self.turn, self.began)]

    def passed(self, kind, subject, place):
        seat = self.order[self.position.turn]
        self.strikes[seat] += 1
        if self.strikes[seat] == 5:
            self.give_up(self.position.turn, place)
        else:
            self.put(PASS, True)
            self.end_turn(place, True)

    def leave(self, seat, place):
        if self.outcome is None:
            self.give_up(self.order.index(seat), place)

    def hash(self):
        return digest("state", self.deal, bytes(code for _, code, _ in self.steps),
                      self.position.text(), self.turn, list(self.began), self.strikes, self.last,
                      self.asked, self.outcome, *([self.turned_down] if self.turned_down else []))
