"""What a voter has signed: never two votes in one slot (consensus.md, R10)."""

import os

import cbor2

from tabletalk import FINALIZE, NOTARIZE, NULLIFY, encode


class Guard:
    """Slots of one voter key, in a file, so that no restart makes one free again."""

    def __init__(self, path):
        self.path = path
        self.slots = {}
        if path.exists():
            with path.open("rb") as rows:
                while rows.peek(1):
                    epoch, view, kind, block = cbor2.load(rows)
                    self.slots[epoch, view, kind] = block

    def block(self, epoch, view, kind):
        """The block of the vote in a slot; None where the slot is free."""
        return self.slots.get((epoch, view, kind))

    def take(self, epoch, view, kind, block):
        """Whether this vote may be signed; it is on the disk when this returns."""
        if self.block(epoch, view, kind) is not None:
            return self.block(epoch, view, kind) == block
        others = {other: self.block(epoch, view, other) for other in (NOTARIZE, NULLIFY, FINALIZE)}
        if kind == NOTARIZE and others[NULLIFY] is not None:
            return False
        if kind == NULLIFY and others[FINALIZE] is not None:
            return False
        if kind == FINALIZE and (others[NULLIFY] is not None or others[NOTARIZE] != block):
            return False
        with self.path.open("ab") as rows:
            rows.write(encode([epoch, view, kind, block]))
            rows.flush()
            os.fsync(rows.fileno())
        self.slots[epoch, view, kind] = block
        return True

    def later_notarized(self, epoch, view):
        """Blocks of later views that were notarized."""
        return [block for (other, later, kind), block in self.slots.items()
                if other == epoch and later > view and kind == NOTARIZE]
