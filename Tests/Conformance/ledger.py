"""Reads a table's final blocks from its genesis on, and believes nothing that they do not prove."""

import copy

from forms import Refused, contradict, need
from table import NotAdmissible, Table
from tabletalk import (FINALIZE, NULLIFY, check_block, check_certificate, check_genesis,
                       check_recovery, digest)


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


def fault_of_just(block, epoch):
    """consensus.md, R2.4, as far as an epoch alone tells: the code of what is wrong, or None."""
    view, parent_view, parent = block[2], block[4], block[5]
    certificate, old_seal, nullifications = block[11]
    if view <= parent_view:
        return "justParent"
    if parent_view == 0:
        if certificate is not None or parent != epoch["anchor"]:
            return "justParent"
    elif (not certificate or not holds(certificate, epoch) or certificate[3] == NULLIFY
          or (certificate[2], certificate[4]) != (parent_view, parent)):
        return "justParent"
    needs_seal = (parent_view == 0 and block[10] is not None and epoch["number"] > 0
                  and not epoch.get("recovered", False))
    if needs_seal != (old_seal is not None):
        return "justOldSeal"
    good = [(row[2], row[3]) for row in nullifications] == [
        (skipped, NULLIFY) for skipped in range(parent_view + 1, view)]
    return None if good and all(holds(row, epoch) for row in nullifications) else "justNullifications"


def is_justified(block, epoch):
    return fault_of_just(block, epoch) is None


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
        self.strict = any(item is True for item in fields[10:-1])
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
        need((table, epoch, reason) == (self.id, self.epoch, 0), "recoveryOther")
        need((view, height, block) == (self.view, self.height, self.tip), "recoveryOther")
        need(set(voters) <= set(self.voters), "recoveryOther")
        need([key for key, _ in signatures] == voters, "recoveryOther")
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
                need(self.seal, "blockOtherEpoch")
                self.enter_next()
            self.put(block)
        if not is_left:
            self._demand_final(certificates)

    def _demand_final(self, certificates):
        need(any(self._proves(certificate, FINALIZE, self.view, self.tip)
                 for certificate in certificates), "notFinal")

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
        need(table == self.id, "otherTable")
        need(epoch == self.epoch, "blockOtherEpoch")
        need(parent == self.tip, "blockParent")
        need(0 < view > parent_view, "blockView")
        need(parent_view == self.view, "blockParent")
        need(height == self.height + (0 if self.seal else 1), "blockHeight")
        need(state == self.table.hash(), "blockState")
        is_empty = not entries and not deadlines and change is None
        run = 0 if not is_empty else 1 if just[2] else self.empty_run + 1
        need(empty_run == run, "blockEmptyRun")
        need(run <= 3, "blockTooManyEmpty")
        need(is_empty or not self.seal, "blockAfterSeal")
        fault = fault_of_just(block, self.epochs[-1])
        need(fault is None, fault)
        self.tip, self.view, self.height, self.empty_run = digest("block", *block), view, height, run
        if self.seal:
            return
        self.log_tip = self.tip
        authors = [entry[1] for entry in entries]
        for index, entry in enumerate(entries):
            need(authors[:index].count(entry[1]) < 16, "blockTooManyOfAuthor")
            try:
                outcome = self.table.entry(entry, (height, index))
            except NotAdmissible as reason:
                raise Refused("entryNotAdmissible") from reason
            self.outcomes.append((digest("entry", *entry[:5]), outcome))
        for index, (name, pairs) in enumerate(deadlines, len(entries)):
            need(self._are_quorum(pairs), "deadlineNotQuorum")
            need(name in self.table.deadlines(), "deadlineNotOpen")
            self.table.deadline(name, (height, index))
        if change is not None:
            self._change(change, just, (height, len(entries) + len(deadlines)))

    def _are_quorum(self, pairs):
        keys = {key for key, _ in pairs}
        return keys <= set(self.voters) and len(keys) >= self._quorum(self.voters)

    def _change(self, change, just, place):
        joiners, leavers, *evictions = change
        evictions = evictions[0] if evictions else []
        need(self.permits(change, just), "sealTooNarrow")
        for table, epoch, _, voter, _ in joiners:
            need((table, epoch) == (self.id, self.epoch) and voter not in self.voters, "sealReady")
        need(set(leavers) <= set(self.voters), "sealLeaver")
        for eviction in evictions:
            self._judge_eviction(eviction, leavers)
        need(len(set(self.voters) - set(leavers)) + len(joiners) <= 16, "sealTooManyVoters")
        try:
            self.table.change(joiners, leavers, evictions, place)
        except AssertionError as reason:
            raise Refused("sealNotEffective") from reason
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
            need(any(proves(eviction[1], epoch) for epoch in self.epochs), "sealEviction")
            need(eviction[1][1][5] in leavers, "sealEviction")
        else:
            need(self._are_quorum(eviction[2]) and eviction[1] in leavers, "sealEviction")
