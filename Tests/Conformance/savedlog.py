"""Reads a saved log, from Protocol/export.md alone."""

from forms import (CERTIFICATE, COUNT, HASH, VOTE, Decoder, Forged, Refused, block, contradict, kinds, need,
                   optional, recovery)
from ledger import Ledger
from linkforms import read_genesis
from tabletalk import FINALIZE, NOTARIZE, check_block, check_certificate, check_vote

ROW = kinds({0: (block, optional(CERTIFICATE), optional(CERTIFICATE)), 1: (VOTE, VOTE),
             2: (COUNT, COUNT, HASH, HASH), 3: (recovery,)}, ranges=range(1 << 64))


def rows(data):
    """The items of a CBOR sequence; refuses whatever is not the one encoding of its items."""
    offset, out = 0, []
    while offset < len(data):
        decoder = Decoder(data)
        decoder.offset = offset
        try:
            out.append(decoder.item())
        except Refused as fault:
            raise Refused("cutShort" if fault.code == "truncated" else fault.code) from fault
        offset = decoder.offset
    return out


def begin(items):
    """The ledger of the first row."""
    need(items and type(items[0]) is list and len(items[0]) == 2 and type(items[0][0]) is str, "notALog")
    name, genesis = items[0]
    need(name.startswith("tabletalk/") and name.endswith(" log"), "notALog")
    need(name == "tabletalk/1 log", "otherVersion")
    try:
        read_genesis(genesis)
    except Forged as fault:
        raise Refused("genesisSignature") from fault
    return Ledger(genesis)


def proves_lie(ledger, votes):
    """Whether two votes prove a lie of a voter of the log."""
    for vote in votes:
        check_vote(vote)
    one, other = votes
    return one[0] == ledger.id and one[5] == other[5] and contradict(one, other) and any(
        epoch["id"] == one[1] and one[5] in epoch["voters"] for epoch in ledger.epochs)


def read(data):
    """The ledger of a file that proves itself; refuses every other with the code of its first fault."""
    first, *rest = rows(data) or [None]
    ledger = begin([first] if first is not None else [])
    lies, finals, is_over = [], [], False
    for number, row in enumerate(rest):
        kind, *parts = ROW(row)
        if kind == 2:
            is_over = True
            need(number + 1 == len(rest), "moreAfterEnd")
            need(not ledger.height or final(ledger, finals), "notFinal")
            need(all(proves_or_not(ledger, votes) for votes in lies), "evidenceProvesNothing")
            need(parts == [number, ledger.height, ledger.log_tip, ledger.table.hash()], "otherEnd")
        elif kind == 1:
            need(len(lies) < 16, "evidenceProvesNothing")
            lies.append(parts)
        else:
            need(not lies, "outOfOrder")
            if kind == 3:
                ledger.recover(parts[0])
            else:
                take(ledger, parts, finals)
    need(is_over, "cutShort")
    return ledger


def proves_or_not(ledger, votes):
    try:
        return proves_lie(ledger, votes)
    except Forged:
        return False


def final(ledger, finals):
    """Whether the last block, or what the last recovery went on from, is proved final."""
    if ledger.epochs[-1]["recovered"] and ledger.view == 0:
        return True
    return any(certificate[:5] == [ledger.id, ledger.epoch, ledger.view, FINALIZE, ledger.tip]
               for certificate in finals)


def take(ledger, parts, finals):
    one, notarization, finalization = parts
    check_block(one)
    for certificate in (notarization, finalization):
        if certificate:
            check_certificate(certificate)
    need(one[0] == ledger.id, "otherTable")
    if one[1] != ledger.epoch:
        need(ledger.seal, "blockOtherEpoch")
        need(final(ledger, finals), "blockOtherEpoch")
        ledger.enter_next()
    ledger.put(one, is_checked=True)
    for kind, certificate in ((NOTARIZE, notarization), (FINALIZE, finalization)):
        if certificate:
            need(certificate[2:5] == [one[2], kind, ledger.tip], "certificateOther")
            need(certificate[:2] == one[:2] and ledger._are_quorum(certificate[5]), "certificateNotQuorum")
    if finalization:
        finals.append(finalization)
