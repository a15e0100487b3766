"""Follows a table's log as it comes about: consensus.md, R1, R6, R8.1 and C1 to C3."""

from forms import contradict
from ledger import Ledger, holds, quorum
from table import NotAdmissible
from tabletalk import FINALIZE, NULLIFY, NOTARIZE, Refused, blake2b, check_message, decode, digest

LIES = (Refused, NotAdmissible, AssertionError, KeyError, ValueError, TypeError, IndexError)


class Follower:
    """Whoever holds the final log of a table and learns what becomes final.

    `say(message, peer)` sends a table message to one peer, or with None to all members.
    """

    def __init__(self, genesis, say):
        self.ledger, self.say = Ledger(genesis), say
        self.id = self.ledger.id
        self.log, self.finals, self.pool = [], {}, {}
        self.peers, self.standing, self.later, self.asked = {}, {}, [], {}
        self.now, self.delta, self.lies, self.halted = 0.0, 0.25, {}, None
        self.begin()

    def begin(self):
        """A new epoch begins at view 1."""
        self.view, self.entered, self.nullified = 1, self.now, 0
        self.blocks, self.verdicts, self.proposals = {}, {}, {}
        self.votes, self.certificates = {}, {}
        self.passed, self.readies, self.final = {}, {}, {self.ledger.tip}
        self.last_final = self.now

    # Epoch.

    @property
    def epoch(self):
        return self.ledger.epochs[-1]

    @property
    def q(self):
        return quorum(self.ledger.voters, self.ledger.strict)

    def leader(self, view):
        voters = self.ledger.voters
        start = int.from_bytes(blake2b(self.epoch["id"])[:8], "big")
        return voters[(start + view) % (1 << 64) % len(voters)]

    def is_known(self, epoch):
        return any(row["id"] == epoch for row in self.ledger.epochs)

    def once(self, what, span):
        """Whether something was not done within the last so many seconds; it is now."""
        if self.now - self.asked.get(what, -1e9) < span:
            return False
        self.asked[what] = self.now
        return True

    # Messages.

    def take(self, message, peer):
        """A table message from a member."""
        check_message(message)
        kind, *parts = message
        if kind in (0, 1, 2, 4, 5, 10):
            epoch = parts[0][1]
            if epoch != self.epoch["id"]:
                return self.elsewhere(message, epoch, peer)
        match kind:
            case 0:
                self.take_vote(parts[0], peer)
            case 1:
                self.take_certificate(parts[0], peer)
            case 2:
                self.take_proposal(*parts, peer)
            case 3:
                self.take_entry(parts[0])
            case 4:
                self.take_passed(parts[0])
            case 5:
                self.readies[parts[0][3]] = parts[0], self.now
            case 6:
                self.take_status(parts[0], peer)
            case 7:
                self.answer_chain(parts[1], peer)
            case 8:
                self.take_chain(parts[0], peer)
            case 9:
                if parts[1] in self.blocks:
                    self.say([10, self.blocks[parts[1]]], peer)
            case 10:
                if ("body", digest("block", *parts[0])) in self.asked:
                    self.hold(parts[0])
                    self.finalize()

    def elsewhere(self, message, epoch, peer):
        """What is of another epoch."""
        if self.is_known(epoch):
            if message[0] in (0, 1) and epoch in self.finals and self.once(("old", peer), self.delta):
                self.say([1, self.finals[epoch]], peer)
        elif message[0] != 10:
            self.later = [*self.later[-63:], (message, peer)]
            self.ask_chain(peer)

    def take_later(self):
        """What came before its epoch began here."""
        messages, self.later = self.later, []
        for message, peer in messages:
            if message[1][1] == self.epoch["id"]:
                self.take(message, peer)
            elif not self.is_known(message[1][1]):
                self.later.append((message, peer))

    def take_vote(self, vote, peer):
        _, _, view, kind, block, voter, signature = vote
        if voter not in self.ledger.voters:
            return
        rows = self.votes.setdefault((view, kind, block), {})
        is_new = voter not in rows
        if is_new:
            rows[voter] = signature
            self.look_for_lies(vote)
            if len(rows) >= self.q:
                self.certify(view, kind, block)
        if kind == NULLIFY and view <= self.ledger.view or not is_new and view < self.view:
            self.help(peer)

    def look_for_lies(self, vote):
        """consensus.md, V1 and V4: the first proof against each voter."""
        for (view, kind, block), rows in self.votes.items():
            other = [*vote[:2], view, kind, block, vote[5], rows.get(vote[5])]
            if other[6] and vote[5] not in self.lies and contradict(vote, other):
                pair = sorted((vote, other), key=lambda row: (row[3], row[4]))
                self.lies[vote[5]] = [0, *pair]
                self.say([11, self.lies[vote[5]]], None)

    def certify(self, view, kind, block):
        rows = self.votes[view, kind, block]
        pairs = [[key, rows[key]] for key in sorted(rows)]
        self.take_certificate([self.id, self.epoch["id"], view, kind, block, pairs], None)

    def take_certificate(self, certificate, peer):
        _, _, view, kind, block, pairs = certificate
        if not holds(certificate, self.epoch):
            return
        rows = self.votes.setdefault((view, kind, block), {})
        rows.update((key, signature) for key, signature in pairs)
        if self.certificates.get((view, kind), certificate)[4] != block:
            return
        wide = [*certificate[:5], [[key, rows[key]] for key in sorted(rows)]]
        self.certificates[view, kind] = wide
        if view >= self.view:
            self.enter(view + 1)
            self.say([1, wide], None)
        elif kind == FINALIZE and view < self.ledger.view:
            self.help(peer)
        if kind == FINALIZE:
            self.finalize()

    def enter(self, view):
        is_nullified = (view - 1, NULLIFY) in self.certificates
        self.nullified = self.nullified + 1 if is_nullified else 0
        self.view, self.entered = view, self.now

    def take_proposal(self, block, vote, peer):
        if vote[5] != self.leader(block[2]) or vote[3] != NOTARIZE or vote[:3] != block[:3]:
            return
        self.hold(block)
        self.proposals.setdefault(block[2], digest("block", *block))
        self.take_vote(vote, peer)
        self.finalize()

    def hold(self, block):
        self.blocks[digest("block", *block)] = block
        parent, _, nullifications = block[11]
        for certificate in [parent, *nullifications]:
            if certificate and certificate[1] == self.epoch["id"]:
                self.take_certificate(certificate, None)

    def take_entry(self, entry):
        """An entry on its way; whether it fits is judged where a block is made or a vote is due."""
        name = digest("entry", *entry[:5])
        if entry[0] == self.id and len(self.pool) < 4_096 and not self.is_used(entry):
            self.pool.setdefault(name, entry)

    def is_used(self, entry):
        table = self.ledger.table
        seat = next((seat for seat in table.seats + table.witnesses if seat.player == entry[1]), None)
        return entry[2] < seat.next if seat else entry[2] == 0 and table.phase > 1

    def take_passed(self, passed):
        _, _, deadline, voter, signature = passed
        if voter in self.ledger.voters:
            self.passed.setdefault(deadline, {})[voter] = signature

    # What is final.

    def judge(self, name):
        """The ledger after a block; False where it is a lie, None where a body is missing."""
        if name == self.ledger.tip:
            return self.ledger
        if name in self.verdicts:
            return self.verdicts[name]
        block = self.blocks.get(name)
        if block is None:
            if self.once(("body", name), 4 * self.delta):
                self.say([9, self.id, name], None)
            return None
        if block[2] <= self.ledger.view:
            return False
        parent = self.judge(block[5])
        if not parent:
            return parent
        after = parent.copy()
        try:
            after.put(block, is_checked=True)
        except LIES as reason:
            self.verdicts[name], self.why = False, repr(reason)
            return False
        self.verdicts[name] = after
        return after

    def finalize(self):
        """R6: what has a finalization is final, and all that it stands on."""
        above = [row for (view, kind), row in self.certificates.items()
                 if kind == FINALIZE and view > self.ledger.view]
        if not above or self.halted:
            return
        best = max(above, key=lambda row: row[2])
        after = self.judge(best[4])
        if after is False:
            self.halted = f"a final block that cannot be: {getattr(self, 'why', 'on another one')}"
        if not after:
            return
        path, name = [], best[4]
        while name != self.ledger.tip:
            path.append(self.blocks[name])
            self.final.add(name)
            name = self.blocks[name][5]
        self.log += path[::-1]
        self.go_on(after, {best[1]: best})

    def go_on(self, ledger, finals):
        """Stands at a later final block."""
        self.ledger = ledger
        self.finals.update(finals)
        self.nullified, self.last_final = 0, self.now
        self.pool = {name: entry for name, entry in self.pool.items() if not self.is_used(entry)}
        if ledger.seal:
            ledger.enter_next()
            self.begin()
            self.take_later()

    # Catching up.

    def status(self, reached):
        ledger = self.ledger
        return [self.id, self.epoch["id"], self.epoch["number"], self.view, ledger.height, ledger.tip,
                ledger.table.hash(), sorted(reached)[:16]]

    def take_status(self, status, peer):
        _, epoch, number, view, height, _, _, keys, *_ = status
        self.peers[peer] = epoch, set(keys)
        self.standing[peer] = number, height
        own = self.epoch["number"], self.ledger.height
        if (number, height) > own:
            self.ask_chain(peer)
        elif (number, height) == own and view < self.view:
            self.help(peer)

    def ask_chain(self, peer):
        if self.once(("chain", peer), 4 * self.delta):
            self.say([7, self.id, self.ledger.height], peer)

    def help(self, peer):
        """The tip's finalization and the certificates above it, once in Δ."""
        if peer and self.once(("help", peer), self.delta):
            for certificate in self.above():
                self.say([1, certificate], peer)

    def above(self):
        """The certificates of the tip and of the views above it."""
        rows = [row for (view, kind), row in sorted(self.certificates.items())
                if view > self.ledger.view or (view == self.ledger.view and kind == FINALIZE)]
        last = self.finals.get(self.ledger.epochs[-2]["id"]) if self.ledger.view == 0 and len(
            self.ledger.epochs) > 1 else None
        return [last, *rows] if last else rows

    def answer_chain(self, above, peer):
        blocks = [block for block in self.log if block[3] > above][:256]
        if blocks and self.once(("answer", peer), 0.1):
            epochs = {block[1] for block in blocks}
            self.say([8, [self.id, blocks, [row for epoch, row in self.finals.items()
                                            if epoch in epochs]]], peer)

    def take_chain(self, chain, peer):
        table, blocks, certificates = chain
        if table != self.id or ("chain", peer) not in self.asked:
            return
        while blocks and blocks[0][5] != self.ledger.tip:
            blocks = blocks[1:]
        if not blocks:
            return
        after, epoch = self.ledger.copy(), self.epoch["id"]
        try:
            after.take(blocks, certificates)
        except LIES as reason:
            self.why = f"a chain that does not prove itself: {reason!r}"
            return
        finals = {}
        for row in sorted(certificates, key=lambda row: row[2]):
            if row[3] == FINALIZE:
                finals[row[1]] = row
        is_same = after.epoch == epoch
        self.log += blocks
        if is_same:
            for block in blocks:
                self.blocks[digest("block", *block)] = block
                self.final.add(digest("block", *block))
            self.go_on(after, finals)
        else:
            self.go_on(after, finals)
            if not after.seal:
                self.begin()
                for block in (block for block in blocks if block[1] == self.epoch["id"]):
                    self.blocks[digest("block", *block)] = block
                    self.final.add(digest("block", *block))
                self.take_later()
        if self.epoch["id"] in finals:
            self.take_certificate(finals[self.epoch["id"]], None)

    def act_of(self, entry):
        try:
            return decode(entry[4])
        except (ValueError, EOFError):
            return [None]
