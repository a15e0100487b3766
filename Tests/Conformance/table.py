"""A table in Python, written from Protocol/table.md alone."""

import bingo
import quoridor
from anonymous import moniker
from bingo import Void, clean, length, need
from forms import COUNT, HASH, KEY, Refused, kinds, text, truth
from tabletalk import decode, digest

GAMES = {"bingo": bingo, "quoridor": quoridor}
LOBBY, STARTING, DEALING, PLAYING, OVER, CANCELLED = range(6)


JOIN = (KEY, KEY, COUNT, text(96))
GAMES_OWN = (lambda item: item,)
ACT = kinds({0: JOIN, 1: GAMES_OWN, 2: (truth,), 3: (), 4: (), 5: (), 6: (COUNT, HASH), 7: (COUNT, HASH),
             8: GAMES_OWN, 9: (), 10: (), 11: JOIN, 12: (KEY, COUNT), 13: (truth,), 14: (KEY,), 15: (KEY,),
             16: JOIN, 17: (KEY, text(96))})
NO_ACT = [None]


def read_act(body):
    """A body's act; `NO_ACT` where it is none."""
    try:
        return ACT(decode(body))
    except Refused:
        return NO_ACT


def well_formed(apply, item, *more):
    """What a game takes; `malformed` where an item is not in its language."""
    try:
        return apply(item, *more)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise Void("malformed") from error


class NotAdmissible(Exception):
    pass


class Seat:
    def __init__(self, member, pretend=False):
        self.member = member
        self.identity, self.player, self.voter = (
            (None, member[0], None) if pretend else member[:3])
        self.next, self.ready, self.left, self.early = 1, pretend, False, False
        self.lied = self.away = self.off = False
        self.shown = None
        self.digest = digest("state", member)
        self.generation, self.retired = 0 if pretend else member[3], []

    def voter_keys(self):
        return [*self.retired, *[self.voter] * (self.voter is not None)]

    def keys(self):
        return [key for key in (self.identity, self.player) if key] + self.voter_keys()

    def item(self):
        """For the state hash."""
        shown = [["shown", *self.shown]] if self.shown else []
        rekeyed = [[self.generation, *self.voter_keys()]] if self.retired else []
        return [self.digest, self.next, self.ready, self.left, self.early, *[True] * self.lied,
                *["away"] * self.away, *["takenOff"] * self.off, *rekeyed, *shown]


class Draw:
    def __init__(self, awaited, least, place):
        self.number, self.stage, self.opened = 0, 0, place
        self.awaited, self.silent, self.least, self.parts = awaited, [], least, {}

    def close(self, place):
        if self.stage == 0 and not self.awaited and len(self.parts) >= self.least:
            self.stage, self.opened = 1, place

    def again(self, voting, place):
        self.number, self.stage, self.opened, self.parts = self.number + 1, 0, place, {}
        self.awaited = [seat for seat in voting if seat not in self.silent]

    def drop(self, seat):
        self.awaited = [other for other in self.awaited if other != seat]

    def item(self):
        return [self.number, self.stage, *self.opened, self.awaited, sorted(self.silent),
                self.least, [[seat, *part] for seat, part in sorted(self.parts.items())]]


class Table:
    def __init__(self, genesis):
        self.id = digest("genesis", *genesis[:-1])
        self.practice = genesis[4]
        self.kind = genesis[2]
        self.setup = self.rules.Setup(genesis[3])
        self.seats = [Seat(genesis[9])] + [Seat(row, True) for row in genesis[6]]
        self.voters, self.seals, self.phase = [genesis[9][2]], 0, LOBBY
        self.draw = self.game = self.early = None
        self.dealt, self.rematches, self.witnesses = [], [], []
        self.locked, self.watchers = False, []
        self.anonymous = genesis[-2] == "anonymous"
        self.has_witnesses = not (genesis[4] or genesis[5] or True in genesis[10:-1])

    @property
    def rules(self):
        return GAMES[self.kind]

    def members(self):
        return [number for number, seat in enumerate(self.seats) if not seat.left]

    def voting(self):
        return [number for number in self.members()
                if self.seats[number].voter in self.voters
                or (self.practice and self.seats[number].voter is None)]

    def wanted(self):
        """The witnesses that are to vote."""
        sitting = [self.seats[number].identity for number in self.members()]
        able = [one for one in self.witnesses
                if not one.left and not one.lied and one.identity not in sitting]
        return able[:max(0, 4 - len(sitting))]

    # Entries.

    def entry(self, entry, place):
        """Judges and applies an entry; its outcome."""
        table, author, sequence, turn, body, _, cosigners = entry
        if table != self.id:
            raise NotAdmissible("foreignTable")
        act = read_act(body)
        number = next((n for n, seat in enumerate(self.seats) if seat.player == author), None)
        watcher = next((one for one in self.watchers if one.player == author), None)
        if watcher:
            if sequence != watcher.next or watcher.left:
                raise NotAdmissible("watcher")
            watcher.next += 1
            watcher.left = turn == 0 and act == [5]
            return "done" if watcher.left else "notMember"
        witness = next((one for one in self.witnesses if one.player == author), None)
        if witness:
            if sequence != witness.next or witness.left:
                raise NotAdmissible("witness")
            witness.next += 1
            if turn == 0 and act[0] == 12:
                try:
                    self.rekey(witness, act, [key for key, _ in cosigners])
                except Void as void:
                    return str(void)
                return "done"
            if turn != 0 or act != [5]:
                return "notMember"
            witness.left = True
            return "done"
        if number is None:
            self.join(act, author, sequence, turn, [key for key, _ in cosigners], place)
            return "done"
        seat = self.seats[number]
        if sequence != seat.next:
            raise NotAdmissible("sequence")
        if seat.left and act != [9] and not (act[0] == 17 and self.anonymous):
            raise NotAdmissible("seatLeft")
        seat.next += 1
        was_away = seat.away
        if was_away:
            self.set_away(number, False)
        try:
            need(turn == 0 and act is not NO_ACT, "malformed")
            if was_away and act == [10]:
                return "done"
            if act[0] == 12:
                self.rekey(seat, act, [key for key, _ in cosigners])
                return "done"
            need(self.phase != CANCELLED or act[0] == 5, "tableCancelled")
            if act[0] == 17:
                self.show(seat, act, [key for key, _ in cosigners])
                return "done"
            self.act(act, number, place)
        except Void as void:
            return str(void)
        if self.game and self.game.outcome:
            self.phase = OVER
        return "done"

    def rekey(self, seat, act, cosigners):
        _, voter, generation = act
        need(self.phase != OVER, "tableOver")
        need(self.phase != CANCELLED, "tableCancelled")
        need(cosigners == [voter] and seat.voter and not seat.lied
             and generation == seat.generation + 1 and len(seat.retired) < 16
             and not any(voter in other.keys()
                         for other in self.seats + self.witnesses + self.watchers), "badKey")
        seat.retired.append(seat.voter)
        seat.voter, seat.generation = voter, generation

    def show(self, seat, act, cosigners):
        _, identity, name = act
        need(self.phase == OVER, "notOver")
        need(self.anonymous and cosigners == [identity] and name == clean(name) and 2 <= length(name) <= 24
             and not any(identity in one.keys() for one in self.seats + self.watchers), "badShow")
        need(seat.shown is None, "alreadyShown")
        seat.shown = [identity, name]

    def is_name(self, identity, name):
        if self.anonymous:
            return name == moniker(identity)
        return name == clean(name) and 2 <= length(name) <= 24

    def takes_latecomers(self):
        return self.phase == PLAYING and self.setup.latecomers and self.game.outcome is None

    def watching(self):
        sitting = [self.seats[number].identity for number in self.members()]
        return [one for one in self.watchers if not one.left and one.identity not in sitting]

    def watch(self, identity, author, voter, generation, name):
        def demand(good, code):
            if not good:
                raise NotAdmissible(code)

        others = self.seats + self.witnesses + self.watchers
        demand(self.phase not in (OVER, CANCELLED), "tableOver")
        demand(self.setup.watched, "notWatched")
        demand(self.is_name(identity, name), "badName")
        for one in others:
            if one.identity == identity:
                demand(not one.off, "takenOff")
                demand(one.left, "alreadySeated")
            else:
                demand(identity not in one.keys(), "keyUsed")
            demand(author not in one.keys() and voter not in one.keys(), "keyUsed")
        demand(not self.locked, "tableLocked")
        demand(len(self.watching()) < 16 and len(self.watchers) < 64, "watchersFull")
        self.watchers.append(Seat([identity, author, voter, generation, name]))

    def join(self, act, author, sequence, turn, cosigners, place):
        def demand(good, code):
            if not good:
                raise NotAdmissible(code)

        demand(sequence == 0 and turn == 0 and act[0] in (0, 11, 16), "badJoin")
        kind, identity, voter, generation, name = act
        demand(cosigners == sorted([identity, voter]) and len({identity, voter, author}) == 3,
               "badJoin")
        demand(not self.practice, "practice")
        if kind == 16:
            self.watch(identity, author, voter, generation, name)
            return
        demand(self.phase in ((LOBBY,) if kind == 0 else (LOBBY, STARTING))
               or kind == 0 and self.takes_latecomers(), "closed")
        demand(self.is_name(identity, name) if kind == 0
               else name == clean(name) and 2 <= length(name) <= 24, "badName")
        for seat in self.seats + self.witnesses + self.watchers:
            if seat.identity == identity:
                demand(not (seat.off and kind == 0 and seat in self.seats), "takenOff")
                demand(seat.left or (kind == 0 and seat not in self.seats), "alreadySeated")
            else:
                demand(identity not in seat.keys(), "keyUsed")
            demand(author not in seat.keys() and voter not in seat.keys(), "keyUsed")
        if kind == 11:
            sitting = [self.seats[number].identity for number in self.members()]
            named = [one for one in self.witnesses
                     if not one.left and not one.lied and one.identity not in sitting]
            demand(self.has_witnesses, "noWitnesses")
            demand(len(self.witnesses) < 16 and len(sitting) + len(named) < 4, "witnessesFull")
            self.witnesses.append(Seat([identity, author, voter, generation, name]))
            return
        demand(not self.locked or any(seat.identity == identity for seat in self.seats),
               "tableLocked")
        demand(len(self.members()) < self.setup.seats and len(self.seats) < 64, "tableFull")
        self.seats.append(Seat([identity, author, voter, generation, name]))
        if self.phase == PLAYING:
            self.deal_in(len(self.seats) - 1, place)

    def deal_in(self, number, place):
        self.dealt.append(number)
        self.game.join(self.seats[number].player, place)

    def runner(self):
        """The seat that runs the table."""
        if self.phase in (LOBBY, STARTING) or self.practice:
            return 0
        here = [number for number in self.members() if not self.seats[number].away]
        return (here or self.members() or [0])[0]

    def run(self, act, seat, place):
        need(seat == self.runner(), "onlyHost")
        need(not self.practice, "practice")
        need(self.phase != OVER, "tableOver")
        kind, field = act
        if kind == 13:
            need(self.locked != field, "sameLock")
            self.locked = field
            return
        watcher = next((one for one in self.watchers if one.player == field and not one.left), None)
        if kind == 14 and watcher:
            watcher.left = watcher.off = True
            return
        number = next((n for n, one in enumerate(self.seats) if one.player == field), None)
        if kind == 14:
            need(number is not None and not self.seats[number].left, "noSuchSeat")
            need(number != seat, "ownSeat")
            need(self.phase in (LOBBY, STARTING) or len(self.members()) > 2, "tooFewWouldStay")
            self.seats[number].off = True
            if self.seats[number].away:
                self.set_away(number, False)
            self.leave(number, place)
            return
        need(number is not None and self.seats[number].off, "notTakenOff")
        need(len(self.members()) < self.setup.seats, "tableFull")
        dealt = number in self.dealt
        if self.phase == PLAYING:
            need(self.game.outcome is None and self.rules is bingo if dealt
                 else self.takes_latecomers(), "noReturn")
        one = self.seats[number]
        one.off = one.left = one.early = False
        if self.phase == PLAYING and dealt:
            self.game.back(self.dealt.index(number), place)
        elif self.phase == PLAYING:
            self.deal_in(number, place)

    def act(self, act, seat, place):
        kind, *fields = act
        need(kind not in (0, 11, 16), "alreadySeated")
        need(kind != 10, "notAway")
        if kind in (1, 2):
            need(self.phase == LOBBY, "lobbyClosed")
            if kind == 1:
                return well_formed(self.setup.apply, fields[0], seat, self.members())
            need(self.seats[seat].ready != fields[0], "sameReady")
            self.seats[seat].ready = fields[0]
        elif kind == 3:
            need(seat == 0, "onlyCreator")
            need(self.phase == LOBBY, "alreadyStarted")
            self.setup.check_start(len(self.members()))
            need(self.practice or len(self.members()) > 1, "playersMissing")
            need(not self.setup.waits_for_ready
                 or all(self.seats[number].ready for number in self.members() if number), "notReady")
            self.phase = STARTING
            if self.practice:
                self.open_draw(place)
        elif kind == 4:
            need(seat == 0, "onlyCreator")
            need(self.phase in (LOBBY, STARTING), "alreadyStarted")
            self.phase = CANCELLED
        elif kind == 5:
            self.leave(seat, place)
        elif kind in (13, 14, 15):
            self.run(act, seat, place)
        elif kind in (6, 7):
            need(self.phase == DEALING, "notDrawing")
            need(fields[0] == self.draw.number, "otherDraw")
            need(seat not in self.draw.silent, "lostSay")
            (self.commit if kind == 6 else self.reveal)(fields[1], seat, place)
        elif kind == 8:
            need(self.phase in (PLAYING, OVER) and seat in self.dealt, "notPlaying")
            need(self.early is None, "gameOver")
            well_formed(self.game.apply, fields[0], self.dealt.index(seat), place)
        else:
            need(self.phase == OVER, "notOver")
            need(seat not in self.rematches, "alreadyAsked")
            self.rematches.append(seat)
        return None

    def leave(self, seat, place):
        self.seats[seat].left = True
        staying = self.members()
        if self.phase in (LOBBY, STARTING):
            self.seats[seat].early, self.seats[seat].ready = True, False
            if self.phase == LOBBY:
                self.setup.changed(staying)
            if seat == 0:
                self.phase = CANCELLED
            elif self.phase == STARTING and not self.can_be_played(staying):
                self.phase = LOBBY
        elif self.phase in (DEALING, PLAYING) and seat == 0 and self.practice:
            self.end("unfinished", [])
        elif self.phase == DEALING:
            if len(staying) < 2:
                self.end("lastPlayer" if staying else "unfinished",
                         [self.seats[other].player for other in staying])
                return
            if not self.can_be_played(staying):
                self.end("unfinished", [])
                return
            self.draw.drop(seat)
            if self.draw.stage == 0:
                self.draw.parts.pop(seat, None)
                self.draw.close(place)
            elif self.draw.parts.get(seat, (None, b""))[1] is None:
                self.draw.again(self.voting(), place)
        elif self.phase == PLAYING and seat in self.dealt:
            self.game.leave(self.dealt.index(seat), place)

    def can_be_played(self, staying):
        """Whether so many can play what was set up."""
        try:
            self.setup.check_start(len(staying))
        except Void:
            return False
        return len(staying) > 1

    def end(self, kind, winners):
        self.early, self.phase = [kind, winners], OVER

    # Draw.

    def open_draw(self, place):
        self.phase = DEALING
        self.draw = Draw(self.voting(), min(2, len(self.members())), place)

    def commit(self, commitment, seat, place):
        need(seat not in self.draw.parts, "alreadyCommitted")
        need(self.draw.stage == 0, "notInDraw")
        self.draw.parts[seat] = [commitment, None]
        self.draw.drop(seat)
        self.draw.close(place)

    def reveal(self, secret, seat, place):
        part = self.draw.parts.get(seat)
        need(part and self.draw.stage == 1, "notInDraw")
        need(part[1] is None, "alreadyRevealed")
        player = self.seats[seat].player
        need(digest("commit", self.id, self.draw.number, player, secret) == part[0],
             "revealMismatch")
        part[1] = secret
        if all(opened for _, opened in self.draw.parts.values()):
            shares = [self.id, self.draw.number]
            for other, (_, opened) in sorted(self.draw.parts.items()):
                shares += [self.seats[other].player, opened]
            self.dealt = self.members()
            self.game = self.rules.Game(
                self.setup, [self.seats[other].player for other in self.dealt],
                digest("draw", shares))
            self.phase = PLAYING

    # Time and voters.

    def deadlines(self):
        """The open ones: id to kind and subject."""
        rows = []
        if self.phase == DEALING:
            draw = self.draw
            able = [seat for seat in self.members() if seat not in draw.silent]
            rows = [("commit", seat, draw.opened) for seat in draw.awaited]
            if draw.stage == 1 and len(able) - 1 >= draw.least:
                rows = [("reveal", seat, draw.opened)
                        for seat, part in draw.parts.items() if part[1] is None]
        elif self.phase == PLAYING:
            rows = self.game.deadlines() + [
                ("away", number, (self.seats[number].next, 0)) for number in self.dealt
                if self.seats[number].identity and not self.practice
                and not self.seats[number].left and not self.seats[number].away]
        return {digest("deadline", self.id, kind, subject, *place): (kind, subject)
                for kind, subject, place in rows}

    def deadline(self, name, place):
        kind, subject = self.deadlines()[name]
        if kind == "commit":
            self.draw.drop(subject)
            self.draw.close(place)
        elif kind == "reveal":
            self.draw.silent.append(subject)
            self.draw.again(self.voting(), place)
        elif kind == "away":
            self.set_away(subject, True)
        else:
            self.game.passed(kind, subject, place)
            if self.game.outcome:
                self.phase = OVER

    def set_away(self, number, away):
        self.seats[number].away = away
        if number in self.dealt:
            self.game.away[self.dealt.index(number)] = away

    def wish(self):
        """Voter keys that may come, those of them with a seat, pairs of keys to swap, and who may go."""
        gone = [key for seat in self.seats + self.witnesses if seat.left
                for key in seat.voter_keys() if key in self.voters]
        room = len(self.voters) - len(gone) < 16
        wished = [seat.voter for seat in self.seats if room and not seat.left and not seat.lied
                  and seat.voter and seat.voter not in self.voters]
        seated = set(wished)
        wished += [one.voter for one in self.wanted() if room and one.voter not in self.voters]
        swaps = [(key, seat.voter) for seat in self.seats + self.witnesses if not seat.left
                 for key in seat.retired if key in self.voters]
        if not room:
            wished = [new for _, new in swaps]
        return wished, seated, swaps, gone

    def change(self, joiners, leavers, evictions, place):
        wished, seated, swaps, gone = self.wish()
        coming = [ready[3] for ready in joiners]
        assert all(old in leavers for old, new in swaps if new in coming)
        gone += [old for old, new in swaps if new in coming]
        liars = [evidence[1][5] for kind, evidence, *_ in evictions if kind == 0]
        evicted = liars + [key for kind, key, *_ in evictions if kind == 1]
        assert not evicted or self.phase != STARTING and set(evicted) <= set(self.voters)
        gone += evicted
        for seat in self.seats + self.witnesses:
            seat.lied = seat.lied or any(key in liars for key in seat.voter_keys())
        assert self.phase in (STARTING, DEALING, PLAYING)
        assert set(coming) <= set(wished) and set(leavers) <= set(gone)
        assert seated & set(coming) if self.phase == STARTING else coming or leavers
        self.voters = sorted(set(self.voters) - set(leavers) | set(coming))
        assert 1 <= len(self.voters) <= 16
        self.seals += 1
        if self.phase == STARTING:
            self.open_draw(place)

    def recover(self, voters):
        """Those who are here go on without the others."""
        self.voters = sorted(voters)
        self.seals += 1

    def hash(self):
        seats = [seat.item() for seat in self.seats]
        return digest(
            "state", self.id, self.phase, self.setup.hash(), seats, self.voters, self.seals,
            self.draw and self.draw.item(), self.game and self.game.hash(), self.early,
            self.rematches, *[[one.item() for one in self.witnesses]] * bool(self.witnesses),
            *[["locked"]] * self.locked,
            *[["watchers", [one.item() for one in self.watchers]]] * bool(self.watchers))
