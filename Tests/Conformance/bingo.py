"""Meeting bingo in Python, written from Protocol/games/bingo.md alone."""

import re
import unicodedata

from tabletalk import digest

SPACE = "".join(chr(code) for code in (
    *range(9, 14), 0x20, 0x85, 0xa0, 0x1680, *range(0x2000, 0x200b), 0x2028, 0x2029, 0x202f, 0x205f,
    0x3000))
KEPT = {"\u200c", "\u200d", *map(chr, range(0xe0020, 0xe0080))}


def clean(text):
    text = "".join(c for c in text if c in SPACE or c in KEPT
                   or unicodedata.category(c) not in ("Cc", "Cf"))
    return " ".join(part for part in re.split(f"[{SPACE}]+", text) if part)


def length(text):
    return sum(unicodedata.category(c)[0] != "M" and unicodedata.category(c) != "Cf" for c in text)


def is_word(text):
    marks = 0
    for c in text:
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        if unicodedata.category(c) in ("Cn", "Co", "Cs") or marks > 8:
            return False
    return (text == clean(text) and 1 <= length(text) <= 60 and len(text.encode()) <= 240)


def key(text):
    folded = "".join("".join(part.lower() for part in c.upper()) for c in text
                     if unicodedata.category(c) != "Cf"
                     and c not in "\u180b\u180c\u180d\u180f" and not 0xfe00 <= ord(c) <= 0xfe0f
                     and not 0xe0100 <= ord(c) <= 0xe01ef)

    def trimmed(c):
        return unicodedata.category(c)[0] == "P" or c in SPACE

    inner = [index for index, c in enumerate(folded) if not trimmed(c)]
    if inner:
        folded = folded[inner[0]:inner[-1] + 1]
    return unicodedata.normalize("NFC", folded)


def read_list(text):
    """Different words, repeated lines, lines that are no word."""
    words, seen, duplicates, faults = [], set(), 0, 0
    for line in re.split("\r\n|\n|\r", text):
        word = clean(line)
        if length(word) == 0:
            continue
        if not is_word(word):
            faults += 1
        elif key(word) in seen:
            duplicates += 1
        else:
            seen.add(key(word))
            words.append(word)
    return words, duplicates, faults


class Stream:
    def __init__(self, key):
        self.key, self.counter, self.numbers = key, 0, []

    def next(self):
        if not self.numbers:
            block = digest("draw", self.key, self.counter)
            self.numbers = [int.from_bytes(block[at:at + 8], "big") for at in (0, 8, 16, 24)]
            self.counter += 1
        return self.numbers.pop(0)

    def below(self, bound):
        top = (1 << 64) - 1
        while True:
            number = self.next()
            if number < top - top % bound:
                return number % bound

    def shuffled(self, count):
        items = list(range(count))
        for index in range(count - 1, 0, -1):
            other = self.below(index + 1)
            items[index], items[other] = items[other], items[index]
        return items


def extras(settings):
    """Pattern, free centre, places."""
    return settings[4:7] or ["lines", False, 1]


def among(settings):
    """How words are taken, whether people may come late, what those see who look on."""
    return settings[7:] or ["anyone", False, "nobody"]


def is_settings(item):
    sizes, places = range(3, 8), range(1, 4)
    if len(item) not in (4, 7, 10) or item[0] not in sizes or item[1] not in (15, 30, 60):
        return False
    pattern, free, last = extras(item)
    suggesting, late, watching = among(item)
    if (len(item) == 10 and item[7:] == ["anyone", False, "nobody"]
            or suggesting not in ("anyone", "creator", "half") or late not in (True, False)
            or watching not in ("nobody", "progress", "boards")):
        return False
    return (item[2] in ("tap", "everyone", "finder")
            and item[3] in ("majority", "anyone", "unanimous", "honour")
            and pattern in ("lines", "diagonals", "corners", "cross", "frame", "blackout")
            and free in (True, False) and last in places and not (free and item[0] % 2 == 0)
            and (len(item) != 7 or item[4:] != ["lines", False, 1]))


def tiles_with_words(settings):
    return settings[0] ** 2 - (1 if extras(settings)[1] else 0)


def lines(size, pattern):
    """Lists of tiles that win."""
    cells = [(row, column) for row in range(size) for column in range(size)]
    edge = (0, size - 1)

    def chosen(test):
        return [row * size + column for row, column in cells if test(row, column)]

    straight = [chosen(lambda row, column, at=at: row == at) for at in range(size)]
    straight += [chosen(lambda row, column, at=at: column == at) for at in range(size)]
    down = chosen(lambda row, column: row == column)
    up = chosen(lambda row, column: row + column == size - 1)
    return {"lines": straight, "diagonals": straight + [down, up],
            "corners": [chosen(lambda row, column: row in edge and column in edge)],
            "cross": [sorted({*down, *up})],
            "frame": [chosen(lambda row, column: row in edge or column in edge)],
            "blackout": [chosen(lambda row, column: True)]}[pattern]


def pool_size(settings, words, players):
    size, minutes = settings[:2]
    many = players >= 8
    wanted = {(15, 3): 16 if many else 12, (30, 4): 32 if many else 24,
              (60, 5): 60 if many else 50 if players >= 4 else 40}
    return min(words, wanted.get((minutes, size), -(-16 * tiles_with_words(settings) // 10)))


def deal(words, pool, settings, players, seed):
    chosen = sorted(Stream(digest("board", seed)).shuffled(len(words))[:pool])
    boards = [Stream(digest("board", seed, player)).shuffled(pool)[:tiles_with_words(settings)]
              for player in players]
    if extras(settings)[1]:
        for board in boards:
            board.insert(settings[0] ** 2 // 2, None)
    return [words[index] for index in chosen], boards


class Void(Exception):
    pass


def need(condition, code):
    if not condition:
        raise Void(code)


class Setup:
    """Words and rules of a lobby."""
    seats, waits_for_ready = 24, False

    def __init__(self, item):
        self.settings = item[0]
        self.items = [[word, None, None] for word in item[1]]
        self.suggested, self.vetoed, self.proposals = {}, {}, []

    @property
    def latecomers(self):
        return among(self.settings)[1]

    @property
    def watched(self):
        return among(self.settings)[2] != "nobody"

    def changed(self, members):
        """Takes what is to be taken; members are the seats that have not left."""
        for row in list(self.proposals):
            word, wanted = row
            if {"anyone": True, "creator": wanted[0] == 0,
                    "half": 2 * len(set(wanted) & set(members)) >= len(members),
                    }[among(self.settings)[0]]:
                self.take(row)

    def take(self, row):
        self.proposals.remove(row)
        self.items.append([row[0], row[1][0], None])

    def apply(self, item, seat, members):
        kind, field = item
        if kind == 0:
            need(is_settings(field), "malformed")
            need(seat == 0, "onlyCreatorSets")
            self.settings = field
            self.changed(members)
            return
        need(is_word(field), "malformed")
        found = [row for row in self.items if key(row[0]) == key(field)]
        waiting = [row for row in self.proposals if key(row[0]) == key(field)]
        if kind == 1:
            need(not found, "alreadyInList")
            need(not waiting, "alreadySuggested")
            need(len(self.items) + len(self.proposals) < 500, "listFull")
            need(seat == 0 or self.suggested.get(seat, 0) < 10, "suggestionsUsed")
            self.suggested[seat] = self.suggested.get(seat, 0) + 1
            self.proposals.append([field, [seat]])
            self.changed(members)
            return
        if kind == 3:
            need(waiting or found, "noSuchWord")
            need(waiting, "alreadyInList")
            if among(self.settings)[0] == "creator":
                need(seat == 0, "onlyCreatorTakes")
                self.take(waiting[0])
                return
            need(seat not in waiting[0][1], "alreadyWanted")
            waiting[0][1].append(seat)
            self.changed(members)
            return
        if waiting:
            need(seat in (0, waiting[0][1][0]), "notYourWord")
            self.proposals.remove(waiting[0])
            return
        need(found, "noSuchWord")
        if seat == 0:
            self.items.remove(found[0])
            return
        need(found[0][2] is None, "alreadyStruck")
        need(self.vetoed.get(seat, 0) < 2, "vetoesUsed")
        self.vetoed[seat] = self.vetoed.get(seat, 0) + 1
        found[0][2] = seat

    def playable(self):
        return [word for word, _, struck in self.items if struck is None]

    def check_start(self, players):
        need(len(self.playable()) >= tiles_with_words(self.settings), "wordsMissing")

    def hash(self):
        def counts(by_seat):
            return [by_seat.get(seat, 0) for seat in range(max(by_seat, default=-1) + 1)]

        rows = b"".join(digest("state", *row) for row in self.items)
        return digest("state", self.settings, rows, counts(self.suggested), counts(self.vetoed),
                      *[self.proposals] * bool(self.proposals))


class Claim:
    def __init__(self, number, event, by, place, voting, present, deserted):
        self.deserted = deserted
        self.number, self.event, self.by, self.place = number, event, by, place
        self.voting, self.present = voting, present
        self.finders, self.confirms, self.denials, self.state = [by], [by], [], 0

    def verdict(self):
        needed = {"majority": len(self.present) // 2 + 1, "anyone": min(2, len(self.present)),
                  "unanimous": len(self.present), "honour": 1}[self.voting]
        if self.deserted and self.voting != "honour":
            needed = 2
        if len(self.confirms) >= needed:
            return 1
        enough = 1 if self.voting == "unanimous" else len(self.present) / 2
        return 2 if self.denials and len(self.denials) >= enough else 0

    def hash(self):
        return digest("state", self.number, self.event, self.by, *self.place, self.voting,
                      self.present, self.finders, self.confirms, self.denials, self.state,
                      *[True] * self.deserted)


class Game:
    """A game of bingo."""

    def __init__(self, setup, players, seed):
        self.settings = setup.settings
        self.size, _, self.marking, self.voting = setup.settings[:4]
        pattern, free, self.places = extras(setup.settings)
        self.lines = lines(self.size, pattern)
        self.free = 1 << self.size ** 2 // 2 if free else 0
        words = setup.playable()
        self.pool, self.boards = deal(
            words, pool_size(self.settings, len(words), len(players)), self.settings, players,
            seed)
        self.players = players
        self.left = [False] * len(players)
        self.marks = [self.free] * len(players)
        self.marked_at = [None] * len(players)
        self.away = [False] * len(players)
        self.line = [None] * len(players)
        self.ranks, self.settlers, self.last = [], [], None
        self.claims, self.accepted, self.expired = [], set(), 0
        self.closing, self.outcome, self.winners = None, None, []
        self.closed = bytes(32)
        self.deal = digest("state", self.settings, seed, self.pool, players, self.boards)
        self.seed, self.late, self.before = seed, [], [0] * len(players)

    def best(self, marks):
        return max(sum(marks >> tile & 1 for tile in line) for line in self.lines)

    def marks_before(self, board):
        marks = self.free
        for tile, event in enumerate(board):
            if self.marking != "finder" and event in self.accepted:
                marks |= 1 << tile
        return marks

    def join(self, player, place):
        """Somebody sits down while it is played."""
        bests = sorted(self.best(self.marks[seat]) for seat in self.staying())
        level, found = bests[(len(bests) - 1) // 2], None
        for attempt in range(64):
            stream = Stream(digest("board", self.seed, player, attempt))
            board = stream.shuffled(len(self.pool))[:tiles_with_words(self.settings)]
            if self.free:
                board.insert(self.size ** 2 // 2, None)
            best = self.best(self.marks_before(board))
            if found is None or best < found[0]:
                found = best, board
            if best <= level:
                break
        board = found[1]
        marks = self.marks_before(board)
        self.players = [*self.players, player]
        self.boards.append(board)
        self.left.append(False)
        self.away.append(False)
        self.marks.append(marks)
        self.before.append(marks)
        self.marked_at.append(None)
        self.line.append(None)
        self.last = None
        self.late.append(list(place))

    def back(self, seat, place):
        """Somebody who was taken off is let back."""
        self.left[seat] = False
        marks = self.marks[seat]
        if self.marking == "everyone":
            marks |= self.marks_before(self.boards[seat])
        if marks != self.marks[seat]:
            self.marks[seat], self.marked_at[seat] = marks, list(place)
            self.look([seat], place)

    def open(self):
        return [claim for claim in self.claims if claim.state == 0]

    def tile(self, event, seat):
        need(event < len(self.pool), "noSuchEvent")
        need(event in self.boards[seat], "notOnYourBoard")
        tile = self.boards[seat].index(event)
        need(not self.marks[seat] >> tile & 1, "alreadyMarked")
        return tile

    def apply(self, item, seat, place):
        need(self.outcome is None, "gameOver")
        kind = item[0]
        if kind == 0:
            self.claim(item[1], seat, place)
        elif kind == 1:
            need(item[1] < len(self.claims), "noSuchClaim")
            claim = self.claims[item[1]]
            need(claim.state == 0, "claimClosed")
            need(claim.by != seat, "ownClaim")
            need(seat in claim.present, "notPresent")
            need(seat not in claim.confirms + claim.denials, "alreadyVoted")
            (claim.confirms if item[2] else claim.denials).append(seat)
            self.settle(claim, claim.verdict(), place)
        elif kind == 2:
            need(self.marking == "tap", "notTapMarking")
            tile = self.tile(item[1], seat)
            need(item[1] in self.accepted, "notConfirmed")
            self.marks[seat] |= 1 << tile
            self.marked_at[seat] = list(place)
            self.look([seat], place)
        elif kind == 3:
            need(item[1] != self.voting, "sameVoting")
            usual = item[1] in ("majority", self.settings[3])
            need(usual or (self.expired >= 3 and self.voting != "honour"
                           and item[1] != "unanimous"), "votingNotOffered")
            self.voting, self.expired = item[1], 0
        elif kind == 4:
            self.take_back(item[1], seat, place)
        else:
            need((seat in self.settlers) != item[1], "sameWish")
            self.settlers = [one for one in self.settlers if one != seat] + [seat] * item[1]
            if self.settled() and not self.closing:
                self.end_settled()

    def take_back(self, number, seat, place):
        need(number < len(self.claims), "noSuchClaim")
        claim = self.claims[number]
        need(claim.by == seat, "notYourClaim")
        need(claim.state == 1, "nothingToTakeBack")
        need(self.last == number, "tooLateToTakeBack")
        self.close(claim, 5)
        self.last = None
        if not any(one.event == claim.event and one.state == 1 for one in self.claims):
            self.accepted.discard(claim.event)
        seats = claim.finders if self.marking == "finder" else range(len(self.players))
        for one in seats:
            if claim.event not in self.boards[one]:
                continue
            bit = 1 << self.boards[one].index(claim.event)
            if not self.marks[one] & bit:
                continue
            self.marks[one] &= ~bit
            self.marked_at[one] = list(place)
            if one not in self.placed() and not self.complete(one):
                self.line[one] = None
        if not any(line for one, line in enumerate(self.line) if one not in self.placed()):
            self.closing = None

    def placed(self):
        return [seat for rank in self.ranks for seat in rank]

    def staying(self):
        return [seat for seat, left in enumerate(self.left) if not left]

    def settled(self):
        return len(self.settlers) > len(self.staying()) // 2

    def closeness(self, seat):
        counts = [sum(self.marks[seat] >> tile & 1 for tile in line) for line in self.lines]
        return max(counts), counts.count(max(counts)), bin(self.marks[seat] & ~self.free).count("1")

    def end_settled(self):
        if self.ranks:
            return self.end("line", self.ranks[0])
        best = max(map(self.closeness, self.staying()))
        level = [seat for seat in self.staying() if self.closeness(seat) == best]
        places = [self.marked_at[seat] for seat in level if self.marked_at[seat]]
        return self.end("settled", [seat for seat in level
                                    if not places or self.marked_at[seat] == min(places)])

    def claim(self, event, seat, place):
        self.tile(event, seat)
        need(self.marking != "tap" or event not in self.accepted, "alreadyConfirmed")
        for claim in self.open():
            if claim.event == event:
                need(claim.by != seat, "alreadyClaimed")
                need(seat in claim.present, "notPresent")
                need(seat not in claim.confirms + claim.denials, "alreadyVoted")
                claim.confirms.append(seat)
                claim.finders.append(seat)
                return self.settle(claim, claim.verdict(), place)
        need(sum(c.event == event and c.by == seat for c in self.claims) < 3, "claimLimit")
        staying = [other for other, left in enumerate(self.left) if not left]
        present = [other for other in staying if not self.away[other]]
        claim = Claim(len(self.claims), event, seat, place, self.voting, present,
                      len(present) < min(2, len(staying)))
        self.claims.append(claim)
        return self.settle(claim, claim.verdict(), place)

    def close(self, claim, state):
        claim.state = state
        self.closed = digest("state", self.closed, claim.hash())
        self.last = claim.number

    def settle(self, claim, state, place):
        if state == 0:
            return
        self.close(claim, state)
        self.expired = self.expired + 1 if state == 3 else 0
        if state == 1:
            self.accepted.add(claim.event)
            seats = range(len(self.players)) if self.marking == "everyone" else claim.finders
            for seat in seats:
                if not self.left[seat] and claim.event in self.boards[seat]:
                    self.marks[seat] |= 1 << self.boards[seat].index(claim.event)
                    self.marked_at[seat] = list(place)
            self.look(seats, place)

    def complete(self, seat):
        return any(all(self.marks[seat] >> tile & 1 for tile in line)
                   and any(not self.before[seat] >> tile & 1 for tile in line)
                   for line in self.lines)

    def look(self, seats, place):
        for seat in seats:
            if not self.left[seat] and not self.line[seat] and self.complete(seat):
                self.line[seat] = list(place)
                self.closing = self.closing or list(place)

    def deadlines(self):
        if self.outcome:
            return []
        return [("vote", claim.number, claim.place) for claim in self.open()] + (
            [("closing", len(self.ranks), self.closing)] if self.closing else [])

    def passed(self, kind, subject, place):
        if kind == "closing":
            placed = self.placed()
            self.ranks.append([seat for seat, line in enumerate(self.line)
                               if line and seat not in placed])
            self.last = None
            if (len(self.placed()) >= self.places or len(self.unplaced()) < 2 or self.settled()):
                self.end("line", self.ranks[0])
            else:
                self.closing = None
        else:
            claim = self.claims[subject]
            yes = len(claim.confirms)
            good = claim.voting != "unanimous" and yes > max(1, len(claim.denials))
            self.settle(claim, 1 if good else 3, place)

    def unplaced(self):
        return [seat for seat in self.staying() if seat not in self.placed()]

    def end(self, kind, winners):
        for claim in self.open():
            self.close(claim, 4)
        self.outcome, self.winners = kind, winners

    def leave(self, seat, place):
        self.left[seat] = True
        self.settlers = [one for one in self.settlers if one != seat]
        if self.outcome is not None or self.closing is not None:
            return
        staying = self.staying()
        if self.ranks:
            if len(self.unplaced()) < 2:
                self.end("line", self.ranks[0])
        elif len(staying) < 2:
            self.end("lastPlayer" if staying else "unfinished", staying)
        if self.outcome is None and self.settled():
            self.end_settled()

    def hash(self):
        seats = [[left, marks, line, *[True] * away]
                 for left, marks, line, away in zip(self.left, self.marks, self.line, self.away)]
        more = [["places", self.ranks]] if self.ranks and self.places > 1 else []
        if self.settlers:
            more.append(["settling", [self.settlers, self.marked_at]])
        if self.late:
            first = len(self.players) - len(self.late)
            more.append(["late", [
                [self.players[seat], *place, self.before[seat], self.boards[seat]]
                for seat, place in enumerate(self.late, first)]])
        return digest("state", self.deal, self.voting, self.expired, self.closing, seats,
                      [claim.hash() for claim in self.open()], len(self.claims), self.closed,
                      self.outcome, *more)
