"""Reads a table's final blocks from its genesis on, and believes nothing that they do not prove."""

import copy

from forms import contradict
from table import Table
from tabletalk import (FINALIZE, NOTARIZE, NULLIFY, check_block, check_certificate, check_genesis,
                       check_recovery, digest, expect)


def quorum(voters, strict=False):
    """consensus.md, n and q; Q1."""
    if strict and len(voters) == 3:
        return 3
    return (len(voters) + (len(voters) - 1) // 3) // 2 + 1


def holds(certificate, epoch):
    """Whether a certificate is one of an epoch."""
    keys = {key for key, _ in certificate[5]}
    return (certificate[1] == epoch["id"] and keys <= set(epoch["voters"])
            and len(keys) >= quorum(epoch["voters"], epoch.get("strict", False)))


def is_justified(block, epoch):
    """consensus.md, R2.4, as far as an epoch alone tells."""
    view, parent_view, parent = block[2], block[4], block[5]
    certificate, old_seal, nullifications = block[11]
    if view <= parent_view:
        return False
    if parent_view == 0:
        if certificate is not None or parent != epoch["anchor"]:
            return False
    elif (not certificate or not holds(certificate, epoch) or certificate[3] == NULLIFY
          or (certificate[2], certificate[4]) != (parent_view, parent)):
        return False
    needs_seal = (parent_view == 0 and block[10] is not None and epoch["number"] > 0
                  and not epoch.get("recovered", False))
    return (needs_seal == (old_seal is not None)
            and [(row[2], row[3]) for row in nullifications] == [
                (skipped, NULLIFY) for skipped in range(parent_view + 1, view)]
            and all(holds(row, epoch) for row in nullifications))


def proves(evidence, epoch):
    """consensus.md, V1: whether evidence that was read proves a lie of a voter of an epoch."""
    kind, vote, other = evidence
    if vote[1] != epoch["id"] or vote[5] not in epoch["voters"]:
        return False
    return contradict(vote, other) if kind == 0 else not is_justified(other, epoch)


class Ledger:
    """The log of one table as far as it was read, and the table after it."""

    def __init__(self, genesis):
        fields, self.id = check_genesis(genesis)
        self.table = Table(fields)
        self.strict = len(fields) == 12
        self.outcomes, self.epochs = [], []
        self.height, self.log_tip = 0, self.id
        self._enter(digest("epoch", self.id, fields[9][2], 1), self.id)

    def _enter(self, epoch, anchor, recovered=False):
        self.epoch, self.voters = epoch, sorted(self.table.voters)
        self.tip, self.view, self.seal, self.empty_run = anchor, 0, None, 0
        self.epochs.append({"id": epoch, "number": len(self.epochs), "anchor": anchor,
                            "voters": self.voters, "strict": self.strict,
                            "recovered": recovered})

    def _quorum(self, voters):
        return quorum(voters, self.strict)

    def copy(self):
        """Another ledger that stands where this one does."""
        other = copy.copy(self)
        other.table = copy.deepcopy(self.table)
        other.outcomes, other.epochs = self.outcomes[:], self.epochs[:]
        return other

    def enter_next(self):
        """Begins the epoch that a final seal opens."""
        voters = sorted(self.table.voters)
        self._enter(digest("epoch", self.epoch, self.seal, voters, self._quorum(voters)), self.seal)

    def recover(self, recovery):
        """Goes on with those who went on from the last block read; they vouch for it, nobody else."""
        check_recovery(recovery)
        table, epoch, view, height, block, reason, voters, signatures = recovery
        expect((table, epoch, reason) == (self.id, self.epoch, 0), "of another epoch")
        expect((view, height, block) == (self.view, self.height, self.tip), "of another block")
        expect(set(voters) <= set(self.voters), "not of its voters")
        expect([key for key, _ in signatures] == voters, "not signed by all of them")
        self.table.recover(voters)
        self._enter(digest("epoch", epoch, digest("recovery", *recovery[:7]), voters,
                           self._quorum(voters)), block, recovered=True)

    def take(self, blocks, certificates, is_left=False):
        """Reads the blocks above the last one read; each epoch's last must be proved final, but for
        one that a recovery leaves."""
        for certificate in certificates:
            check_certificate(certificate)
        for block in blocks:
            if block[1] != self.epoch:
                self._demand_final(certificates)
                expect(self.seal, "another epoch without a seal")
                self.enter_next()
            self.put(block)
        if not is_left:
            self._demand_final(certificates)

    def _demand_final(self, certificates):
        expect(any(self._proves(certificate, FINALIZE, self.view, self.tip)
                   for certificate in certificates), "not proved final")

    def _proves(self, certificate, kind, view, block):
        keys = [key for key, _ in certificate[5]]
        return (certificate[:5] == [self.id, self.epoch, view, kind, block]
                and set(keys) <= set(self.voters) and len(keys) >= self._quorum(self.voters))

    def put(self, block, is_checked=False):
        """Judges one block as a voter would (R3) and goes on to the state after it."""
        (table, epoch, view, height, parent_view, parent, state, empty_run, entries, deadlines,
         change, just, _) = block
        if not is_checked:
            check_block(block)
        expect((table, epoch, parent) == (self.id, self.epoch, self.tip), "on another block")
        expect(parent_view == self.view and view > self.view, "views")
        expect(is_justified(block, self.epochs[-1]), "just")
        self._judge(just, view)
        expect(state == self.table.hash(), "another state after the parent")
        expect(height == self.height + (0 if self.seal else 1), "height")
        is_empty = not entries and not deadlines and change is None
        run = 0 if not is_empty else 1 if just[2] else self.empty_run + 1
        expect(empty_run == run and run <= 3, "empty blocks")
        self.empty_run = run
        self.tip, self.view, self.height = digest("block", *block), view, height
        if not self.seal:
            self.log_tip = self.tip
        if self.seal:
            expect(is_empty, "more after a seal")
            return
        for index, entry in enumerate(entries):
            outcome = self.table.entry(entry, (height, index))
            self.outcomes.append((digest("entry", *entry[:5]), outcome))
        for index, (name, pairs) in enumerate(deadlines, len(entries)):
            keys = [key for key, _ in pairs]
            expect(set(keys) <= set(self.voters) and len(keys) >= self._quorum(self.voters), "deadline")
            self.table.deadline(name, (height, index))
        if change is not None:
            expect(all(ready[:2] == [self.id, self.epoch] for ready in change[0]), "ready")
            joiners, leavers, *evictions = change
            evictions = evictions[0] if evictions else []
            expect(self.permits(change, just), "too few of the new voters hold the log")
            for eviction in evictions:
                self._judge_eviction(eviction, leavers)
            self.table.change(joiners, leavers, evictions, (height, len(entries) + len(deadlines)))
            self.seal = self.tip

    def permits(self, change, just):
        """consensus.md, S2: whether a quorum of the voters to come holds the log."""
        joiners, leavers = [ready[3] for ready in change[0]], change[1]
        after = set(self.voters) - set(leavers) | set(joiners)
        proof = just[0] or just[1]
        holders = {key for key, _ in proof[5]} if proof else set(self.voters)
        return len(holders & after | set(joiners)) >= self._quorum(after)

    def _judge_eviction(self, eviction, leavers):
        """consensus.md, S7: a lie in any epoch so far, or a quorum of votes."""
        if eviction[0] == 0:
            expect(any(proves(eviction[1], epoch) for epoch in self.epochs), "no lie")
            expect(eviction[1][1][5] in leavers, "a liar who stays")
        else:
            keys = {key for key, _ in eviction[2]}
            expect(keys <= set(self.voters) and len(keys) >= self._quorum(self.voters), "too few votes")
            expect(eviction[1] in leavers, "an absent voter who stays")

    def _judge(self, just, view):
        parent, _, nullifications = just
        if self.view == 0:
            expect(parent is None, "a parent below the first block of an epoch")
        else:
            expect(parent and any(self._proves(parent, kind, self.view, self.tip)
                                  for kind in (NOTARIZE, FINALIZE)), "parent")
        between = range(self.view + 1, view)
        expect(len(nullifications) == len(between) and all(
            self._proves(certificate, NULLIFY, skipped, bytes(32))
            for certificate, skipped in zip(nullifications, between)), "views left out")
