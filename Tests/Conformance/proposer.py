"""What a leader makes: consensus.md, R2, S2 to S6, and who is here (R7)."""

import time

from follower import LIES, Follower
from table import DEALING, OVER, PLAYING
from tabletalk import FINALIZE, NOTARIZE, NULLIFY, digest


class Proposer(Follower):
    """A follower that can tell who is here, what there is to do, and what block would do it."""

    # Who is here.

    def voter_of(self, identity):
        seats = self.ledger.table.seats + self.ledger.table.witnesses
        return [key for seat in seats if seat.identity == identity for key in seat.voter_keys()]

    def reached(self):
        """Voters that are linked, and oneself: what a status names."""
        keys = set() if self.amnesiac else {self.own}
        for identity in self.linked:
            epoch, said = self.peers.get(identity, (None, set()))
            for key in self.voter_of(identity):
                if epoch != self.epoch["id"] or key in said:
                    keys.add(key)
        return keys & set(self.ledger.voters)

    def reachable(self):
        """Those, and whom they say that they reach."""
        keys = self.reached()
        for identity in self.linked:
            epoch, said = self.peers.get(identity, (None, set()))
            if epoch == self.epoch["id"]:
                keys |= said
        return keys & set(self.ledger.voters)

    # Work.

    def admissible(self, after, height):
        """R2.1: entries for a block, on a ledger that they change."""
        entries, of, size = [], {}, 0
        for entry in list(self.pool.values()):
            if len(entries) == 64 or of.get(entry[1], 0) == 16 or size + len(entry[4]) > 65_536:
                continue
            try:
                after.table.entry(entry, (height, len(entries)))
            except LIES:
                continue
            entries.append(entry)
            of[entry[1]] = of.get(entry[1], 0) + 1
            size += len(entry[4])
        return entries

    def ripe(self, ledger):
        """Open deadlines with a quorum."""
        return [name for name in sorted(ledger.table.deadlines())
                if len(self.passed.get(name, {})) >= self.q]

    def due_change(self, after):
        """A change of voters that is due: `[[ready...], [key...]]`, or None."""
        if after.table.phase not in (DEALING, PLAYING):
            return None
        wished, _, swaps, gone = after.table.wish()
        come = sorted(key for key in wished if key in self.readies
                      and self.now - self.readies[key][1] < 5
                      and self.readies[key][0][1] == self.epoch["id"])
        leavers = sorted({*gone, *[old for old, new in swaps if new in come]})
        if not come and not leavers:
            return None
        return [[self.readies[key][0] for key in come[:16]], leavers]

    def has_work(self):
        """R2.2."""
        after = self.ledger.copy()
        if self.admissible(after, self.ledger.height + 1) or self.ripe(self.ledger):
            return True
        return self.due_change(self.ledger) is not None or self.is_unsettled()

    def is_unsettled(self):
        """R6.4: a game is over, all are here, and not all have signed that its last block is final."""
        if self.ledger.table.phase != OVER or self.now - self.last_final < 5 or self.ledger.empty_run:
            return False
        last = self.certificates.get((self.ledger.view, FINALIZE))
        everybody = set(self.ledger.voters)
        signers = {key for key, _ in last[5]} if last else set()
        return self.ledger.view > 0 and signers != everybody and self.reachable() == everybody

    # Proposing.

    def base(self):
        """R2: the highest notarized block that the current view may build on, and its certificate."""
        views = sorted({view for view, kind in self.certificates if kind in (NOTARIZE, FINALIZE)
                        and self.ledger.view < view < self.view}, reverse=True)
        for view in views + [self.ledger.view]:
            if all((other, NULLIFY) in self.certificates for other in range(view + 1, self.view)):
                if view == 0:
                    return 0, self.ledger.tip, None
                certificate = (self.certificates.get((view, NOTARIZE))
                               or self.certificates.get((view, FINALIZE)))
                return (view, certificate[4], certificate) if certificate else None
        return None

    def propose(self):
        view = self.view
        if (self.leader(view) != self.own or self.own_vote(view, NOTARIZE)
                or self.own_vote(view, NULLIFY)):
            return
        base = self.base()
        before = self.judge(base[1]) if base else None
        if not before:
            return
        parent_view, parent, certificate = base
        height = before.height + (0 if before.seal else 1)
        just = [certificate, None, [self.certificates[between, NULLIFY]
                                    for between in range(parent_view + 1, view)]]
        after, entries, ripe, change = before.copy(), [], [], None
        if not before.seal:
            entries = self.admissible(after, height)
            ripe = [name for name in self.ripe(before) if name in after.table.deadlines()][:32]
            for index, name in enumerate(ripe, len(entries)):
                if name in after.table.deadlines():
                    after.table.deadline(name, (height, index))
            change = self.due_change(after)
        if change and parent_view == 0 and self.epoch["number"] > 0:
            just[1] = self.finals.get(self.ledger.epochs[-2]["id"])
        is_narrow = change is not None and not before.permits(change, just)
        if is_narrow:
            change, just[1] = None, None
        deadlines = [[name, [[key, self.passed[name][key]] for key in sorted(self.passed[name])][:16]]
                     for name in ripe]
        run = 0
        if not entries and not deadlines and not change:
            run = 1 if just[2] else before.empty_run + 1
            is_flush = parent != self.ledger.tip and self.now - self.entered >= self.delta
            if run > 3 or not (is_flush or is_narrow or self.is_unsettled()):
                return
        block = [self.id, self.epoch["id"], view, height, parent_view, parent, before.table.hash(),
                 run, entries, deadlines, change, just, int(time.time() * 1000)]
        name = digest("block", *block)
        self.blocks[name], self.proposals[view] = block, name
        if not self.judge(name):
            raise AssertionError(f"an own block that cannot be: {self.why}")
        vote = self.cast(view, NOTARIZE, name)
        if vote:
            self.say([2, block, vote], None)
            self.take_vote(vote, None)
