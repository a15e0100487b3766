"""Reads a saved log, from Protocol/export.md alone."""

from forms import Decoder, need
from ledger import FINALIZE, NOTARIZE, Ledger
from tabletalk import check_certificate, check_vote, expect


def rows(data):
    """The items of a CBOR sequence; refuses whatever is not the one encoding of its items."""
    offset, out = 0, []
    while offset < len(data):
        decoder = Decoder(data)
        decoder.offset = offset
        out.append(decoder.item())
        offset = decoder.offset
    need(out, "notALog")
    return out


def read(data):
    """The ledger of a file that proves itself; refuses every other."""
    first, *rest, last = rows(data)
    expect(first[0] == "tabletalk/1 log" and len(first) == 2, "form")
    ledger = Ledger(first[1])
    blocks = [row for row in rest if row[0] in (0, 3)]
    expect(rest[:len(blocks)] == blocks, "order")
    finals = []
    spans = [[]]
    for row in blocks:
        if row[0] == 3:
            spans.append(row[1])
            spans.append([])
            continue
        _, block, notarization, finalization = row
        spans[-1].append(block)
        for kind, certificate in ((NOTARIZE, notarization), (FINALIZE, finalization)):
            if certificate:
                expect(certificate[:4] == [*block[:3], kind], "a certificate of another block")
                check_certificate(certificate)
        if finalization:
            finals.append(finalization)
    for number, span in enumerate(spans):
        if number % 2:
            ledger.recover(span)
        else:
            ledger.take(span, finals, is_left=number + 1 < len(spans))
    for _, *votes in rest[len(blocks):]:
        for vote in votes:
            check_vote(vote)
        expect(votes[0][5] == votes[1][5] and votes[0][:3] == votes[1][:3]
               and votes[0][3:5] != votes[1][3:5], "no lie")
    expect(last == [2, len(rest), ledger.height, ledger.log_tip, ledger.table.hash()], "end")
    return ledger
