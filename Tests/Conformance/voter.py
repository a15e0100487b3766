"""Votes at a table: consensus.md, R3 to R10, as far as a quorum is there.

Nobody is voted out from here (S8), nothing is done below a quorum (L1 to L9), and a key that was once
lost is not replaced (S11): all that is a voter's to do or to leave.
"""

import random

from clocks import Clocks
from ledger import is_justified
from tabletalk import FINALIZE, NOTARIZE, NULLIFY, sign


class Voter(Clocks):
    """Holds a voter key, and votes once a seal names it."""

    def __init__(self, genesis, say, key, guard):
        self.key, self.own, self.guard = key, bytes(key.verify_key), guard
        self.amnesiac, self.active_since, self.standstill = False, None, None
        self.was_here = bool(guard.slots)
        self.clocks, self.passed_by_me, self.linked, self.returned = {}, set(), set(), {}
        super().__init__(genesis, say)

    def begin(self):
        super().begin()
        self.active_since = self.standstill = None
        self.passed_by_me, self.readied = set(), -1e9

    @property
    def votes_now(self):
        return (self.own in self.ledger.voters and not self.amnesiac and not self.halted
                and not self.is_cautious())

    def is_cautious(self):
        """R10.4: who was started anew looks first where the others stand."""
        if not self.was_here or self.now >= 3:
            return False
        own = self.epoch["number"], self.ledger.height
        return any(self.standing.get(peer, (1 << 48, 0)) > own for peer in self.linked if self.voter_of(peer))

    def sign_again(self):
        """R10.2: votes above the tip that were written before a restart."""
        if not self.was_here or self.now > 10:
            return
        for (epoch, view, kind), block in list(self.guard.slots.items()):
            if epoch == self.epoch["id"] and view > self.ledger.view and self.own not in self.votes.get(
                    (view, kind, block), {}) and (kind == NULLIFY or self.judge(block)):
                self.send_vote(view, kind, block)

    # Votes.

    def cast(self, view, kind, block):
        """R10: the slot is on the disk before the vote is signed; None where it is taken."""
        epoch = self.epoch["id"]
        if not self.guard.take(epoch, view, kind, block):
            return None
        fields = [self.id, epoch, view, kind, block]
        return [*fields, self.own, sign(self.key, "vote", *fields)]

    def send_vote(self, view, kind, block):
        vote = self.cast(view, kind, block)
        if vote:
            self.say([0, vote], None)
            self.take_vote(vote, None)

    def take_vote(self, vote, peer):
        if vote[5] == self.own and self.guard.block(*vote[1:4]) != vote[4]:
            self.amnesiac = True
        super().take_vote(vote, peer)

    def own_vote(self, view, kind):
        return self.guard.block(self.epoch["id"], view, kind)

    def stands_on(self, upper, lower):
        """Whether one block of this epoch stands on another, as far as bodies are held."""
        while upper != lower:
            if upper not in self.blocks:
                return False
            upper = self.blocks[upper][5]
        return True

    def conflicts(self, view, name):
        """R3, its last clause; that a block stands on the tip is told by `judge`."""
        return any(not self.stands_on(later, name)
                   for later in self.guard.later_notarized(self.epoch["id"], view))

    def may_notarize(self, view, name):
        if self.own_vote(view, NOTARIZE) or self.own_vote(view, NULLIFY):
            return False
        if name in self.final:
            block = self.blocks.get(name)
            return bool(block) and is_justified(block, self.epoch)
        return bool(self.judge(name)) and not self.conflicts(view, name)

    def may_finalize(self, view, name):
        if self.own_vote(view, NOTARIZE) != name or self.own_vote(view, NULLIFY):
            return False
        if self.own_vote(view, FINALIZE):
            return False
        return name in self.final or bool(self.judge(name)) and not self.conflicts(view, name)

    def vote(self):
        """R3, R4 and R6.1."""
        epoch = self.epoch["id"]
        for view in range(max(1, self.ledger.view - 2), self.view + 1):
            proven = [self.certificates[view, kind][4] for kind in (NOTARIZE, FINALIZE)
                      if (view, kind) in self.certificates]
            shown = [self.proposals[view]] if view in self.proposals else []
            for name in proven + shown:
                if self.may_notarize(view, name):
                    self.send_vote(view, NOTARIZE, name)
                if epoch != self.epoch["id"]:
                    return
            for name in proven:
                if self.may_finalize(view, name):
                    self.send_vote(view, FINALIZE, name)
                if epoch != self.epoch["id"]:
                    return

    # Time.

    def is_active(self):
        """R7: whether timers run."""
        if len(self.ledger.voters) < 2 or len(self.reachable()) < self.q:
            return False
        fewer = (len(self.ledger.voters) - 1) // 3
        return (self.view in self.proposals
                or any(view > self.ledger.view for view, kind in self.certificates
                       if kind == NOTARIZE)
                or len(self.votes.get((self.view, NULLIFY, bytes(32)), ())) > fewer
                or self.has_work())

    def nullify(self):
        """R5."""
        view, leader = self.view, self.leader(self.view)
        if self.own_vote(view, NULLIFY) or self.own_vote(view, FINALIZE):
            return
        grown = 1.5 ** self.nullified
        waited = self.now - max(self.entered, self.active_since)
        more = 0 if self.has_work() else 1
        proposal = min(8, (2 + more) * self.delta * grown)
        certificate = min(8, (3 + more) * self.delta * grown)
        name = self.proposals.get(view)
        at_once = (name is not None and self.judge(name) is False
                   or leader in self.votes.get((view, NULLIFY, bytes(32)), ())
                   or leader not in self.reachable()
                   or leader == self.own and self.base() is None and waited > self.delta)
        if self.nullified >= len(self.ledger.voters):
            at_once = at_once and waited >= min(8, self.delta * grown)
        if at_once or waited > certificate or name is None and waited > proposal:
            self.send_vote(view, NULLIFY, bytes(32))

    def tick(self, seconds):
        """So much time has passed; of a longer pause only a second counts."""
        seconds = min(seconds, 1)
        self.now += seconds
        self.run_clocks(seconds)
        self.ask_for_a_vote()
        if self.votes_now:
            if not self.is_active():
                self.active_since = self.standstill = None
            elif self.active_since is None:
                self.active_since = self.now
            self.act()
        self.stand_still()

    def act(self):
        """Whatever may be said now."""
        for _ in range(4):
            before = (self.view, self.epoch["id"], len(self.guard.slots))
            if not self.votes_now:
                return
            self.sign_again()
            self.vote()
            self.propose()
            if self.active_since is not None:
                self.nullify()
            if before == (self.view, self.epoch["id"], len(self.guard.slots)):
                return

    def stand_still(self):
        """R8."""
        if self.votes_now and self.active_since is None:
            return
        if not self.votes_now and not self.pool:
            return
        since = max(self.last_final, self.active_since or 0)
        due, span = self.standstill or (since + 4 * self.delta, 4 * self.delta)
        if due < self.now:
            for message in self.all_above():
                self.say(message, None)
            span = min(5, 2 * span)
            due = self.now + span * random.uniform(0.8, 1.2)
        self.standstill = due, span

    def all_above(self):
        """C1 and R8: everything that whoever stands where this node does may lack."""
        rows = [[3, entry] for entry in list(self.pool.values())[:64]]
        if not self.votes_now:
            return rows
        rows += [[1, certificate] for certificate in self.above()]
        for (view, kind, block), votes in self.votes.items():
            if view > self.ledger.view and (view, kind) not in self.certificates:
                rows += [[0, [self.id, self.epoch["id"], view, kind, block, key, signature]]
                         for key, signature in votes.items()]
        name = self.proposals.get(self.view)
        leader = self.leader(self.view)
        signature = self.votes.get((self.view, NOTARIZE, name), {}).get(leader)
        if name and signature:
            rows.append([2, self.blocks[name], [self.id, self.epoch["id"], self.view, NOTARIZE, name,
                                                leader, signature]])
        return rows + self.words()

    def words(self):
        """Own `passed`, sent again on every status and link."""
        return [[4, [self.id, self.epoch["id"], name, key, signature]]
                for name, rows in self.passed.items() for key, signature in rows.items()
                if key == self.own]
