"""Makes beacon.json with a second implementation of beacons.

    pip install cbor2 pynacl
    python3 make-beacon.py > beacon.json

The keys are made of the BLAKE2b hashes of their owners' names. `refused` gives the reason as a code:
those of the encoding, of a field's form, and `badSignature`. `otherVersions` are read in part. `heard` are beacons in the order in
which one receiver gets them, each with what it means there.
"""

import hashlib
import json
import sys

import cbor2
from nacl.signing import SigningKey

ORDER = 2**252 + 27742317777372353535851937790883648493
FIELDS = ("version", "identity", "name", "incarnation", "sequence", "period", "linkPort", "atTable",
          "tables", "clock", "hears", "heard", "calls")
NOTICE = ("table", "code", "title", "game", "size", "minutes", "players", "seats")
COUNTER = 2**48


def digest(text):
    return hashlib.blake2b(text.encode(), digest_size=32).digest()


def encode(item):
    return cbor2.dumps(item, canonical=True)


KEYS = {name: SigningKey(digest(name)) for name in ("ana", "bo")}


def notice(**changes):
    fields = {"table": digest("a table"), "code": 48_213, "title": "Monday stand-up",
              "game": "bingo", "size": 5, "minutes": 60, "players": 1, "seats": 16, **changes}
    return [fields[name] for name in NOTICE]


def marks(*numbers):
    return [number.to_bytes(4, "big") for number in numbers]


LARGEST = notice(code=99_999, title="🎲" * 40, game="sixteen-letters!", size=99, minutes=999,
                 players=999, seats=999)


def fields(owner="ana", **changes):
    given = {"version": 1, "identity": bytes(KEYS[owner].verify_key), "name": owner.title(),
             "incarnation": 1_700_000_000, "sequence": 1, "period": 10_000, "linkPort": 47_474,
             "atTable": False, "tables": [], "clock": 1_800_000_000, **changes}
    given.setdefault("heard", [])
    given.setdefault("calls", [])
    given.setdefault("hears", len(given["heard"]))
    return [given[name] for name in FIELDS]


def sign(parts, tag="tabletalk/1 beacon", owner="ana"):
    return KEYS[owner].sign(encode([tag, *parts])).signature


def datagram(owner="ana", **changes):
    parts = fields(owner, **changes)
    return b"TTb1" + encode([*parts, sign(parts, owner=owner)])


def raw(parts, signature=None):
    return b"TTb1" + encode([*parts, sign(parts) if signature is None else signature])


def unreduced(parts):
    signature = sign(parts)
    return signature[:32] + (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(32, "little")


def accepted():
    yield "the usual one", {}
    yield "with one table", {"tables": [notice()]}
    yield "goodbye", {"period": 0}
    yield "at a table", {"atTable": True}
    yield "a name of two letters", {"name": "Bo"}
    yield "a name of 24 characters of four bytes", {"name": "🎲" * 24}
    yield "a name with a joined emoji and a flag of tags", {
        "name": "👩\u200d💻 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"}
    yield "a name that is not in NFC", {"name": "Rene\u0301"}
    yield "a name with eight marks on one letter", {"name": "a" + "\u0301" * 8 + "b"}
    yield "everything at its lowest", {
        "incarnation": 0, "sequence": 0, "period": 1, "linkPort": 1,
        "tables": [notice(code=0, title="x", game="", size=0, minutes=0, players=0, seats=0)],
        "clock": 0}
    yield "everything at its largest", {
        "name": "🎲" * 24, "incarnation": COUNTER, "sequence": COUNTER, "period": 600_000,
        "linkPort": 65_535, "atTable": True, "tables": [LARGEST] * 3,
        "clock": COUNTER, "hears": 999, "heard": marks(*range(2**32 - 16, 2**32)),
        "calls": marks(*range(2**32 - 4, 2**32))}
    yield "hears two people", {"heard": marks(5, 2**31)}
    yield "hears sixteen, all named", {"heard": marks(*range(16))}
    yield "hears seventeen, of whom sixteen are named", {"hears": 17, "heard": marks(*range(16))}
    yield "hears seventeen, a stretch that goes round", {
        "hears": 17, "heard": marks(*range(10, 20), *range(6))}
    yield "calls one", {"calls": marks(7)}
    yield "calls four", {"calls": marks(0, 1, 2**31, 2**32 - 1)}


def refused():
    usual, table = datagram(), datagram(tables=[notice()])
    yield "nothing", "unknownKind", b""
    yield "the magic alone", "truncated", b"TTb1"
    yield "another magic", "unknownKind", b"TTb2" + usual[4:]
    yield "the beacon without the magic", "unknownKind", usual[4:]
    yield "longer than 1,200 bytes", "outOfRange", usual + bytes(1_201 - len(usual))
    yield "cut by its last byte", "truncated", usual[:-1]
    yield "cut in the middle", "truncated", table[:150]
    yield "a byte behind it", "trailingBytes", usual + b"\0"
    yield "twice", "trailingBytes", usual + usual
    yield "an array without a length", "indefiniteLength", b"TTb1\x9f" + usual[5:] + b"\xff"
    at = usual.index(encode(1_700_000_000))
    yield "a number that is not in its shortest form", "notShortest", (
        usual[:at] + b"\x1b" + (1_700_000_000).to_bytes(8, "big") + usual[at + 5:])
    yield "a name that is not UTF-8", "invalidText", usual.replace(b"\x63Ana", b"\x63A\xffa")
    yield "nested too deep", "tooDeep", b"TTb1" + b"\x81" * 17
    yield "a map", "unexpectedType", b"TTb1" + encode({"version": 1})
    yield "a tagged array", "unexpectedType", b"TTb1\xc0" + usual[4:]
    forged = datagram(version=2)
    yield "another version, not signed", "unknownKind", forged[:-64] + bytes(64)
    yield "another version of another form", "unknownKind", b"TTb1" + encode([2, "anything"])
    yield "a field too few", "wrongCount", raw(fields()[:-1])
    yield "a field too many", "wrongCount", raw([*fields(), 0])
    wrong = (
        ("an identity of 31 bytes", "outOfRange", {"identity": bytes(31)}),
        ("a name of bytes", "unexpectedType", {"name": b"Ana"}),
        ("no name", "outOfRange", {"name": ""}),
        ("a name of one letter", "outOfRange", {"name": "A"}),
        ("a name of 25 letters", "outOfRange", {"name": "a" * 25}),
        ("a name of 97 bytes", "outOfRange", {"name": "a\u0301\u0301" * 19 + "ab"}),
        ("a name that begins with a space", "outOfRange", {"name": " Ana"}),
        ("a name with two spaces", "outOfRange", {"name": "Ana  B"}),
        ("a name with a no-break space", "outOfRange", {"name": "Ana\u00a0B"}),
        ("a name of two lines", "outOfRange", {"name": "Ana\nB"}),
        ("a name that turns the direction of writing", "outOfRange", {"name": "Ana\u202e"}),
        ("a name with an invisible character", "outOfRange", {"name": "An\u200ba"}),
        ("a name with a private character", "outOfRange", {"name": "Ana\uf8ff"}),
        ("a name with an unassigned character", "outOfRange", {"name": "Ana\u0378"}),
        ("a name with nine marks in a row", "outOfRange", {"name": "a" + "\u0301" * 9 + "b"}),
        ("a name of marks only", "outOfRange", {"name": "\u0301\u0301\u0301"}),
        ("an incarnation above 2^48", "outOfRange", {"incarnation": COUNTER + 1}),
        ("a sequence above 2^48", "outOfRange", {"sequence": COUNTER + 1}),
        ("a negative sequence", "unexpectedType", {"sequence": -1}),
        ("a period above ten minutes", "outOfRange", {"period": 600_001}),
        ("port 0", "outOfRange", {"linkPort": 0}),
        ("port 65,536", "outOfRange", {"linkPort": 65_536}),
        ("a number for a truth value", "unexpectedType", {"atTable": 0}),
        ("tables that are null", "unexpectedType", {"tables": None}),
        ("four tables", "wrongCount", {"tables": [notice()] * 4}),
        ("a table of seven fields", "wrongCount", {"tables": [notice()[:-1]]}),
        ("a code of six digits", "outOfRange", {"tables": [notice(code=100_000)]}),
        ("a table without a title", "outOfRange", {"tables": [notice(title="")]}),
        ("a title of 41 letters", "outOfRange", {"tables": [notice(title="x" * 41)]}),
        ("a title of two lines", "outOfRange", {"tables": [notice(title="a\nb")]}),
        ("a game of 17 bytes", "outOfRange", {"tables": [notice(game="x" * 17)]}),
        ("a board of a hundred", "outOfRange", {"tables": [notice(size=100)]}),
        ("a thousand minutes", "outOfRange", {"tables": [notice(minutes=1_000)]}),
        ("a thousand players", "outOfRange", {"tables": [notice(players=1_000)]}),
        ("a thousand seats", "outOfRange", {"tables": [notice(seats=1_000)]}),
        ("a clock above 2^48", "outOfRange", {"clock": COUNTER + 1}),
        ("a clock that is null", "unexpectedType", {"clock": None}),
        ("a thousand people heard", "outOfRange", {"hears": 1_000, "heard": marks(*range(16))}),
        ("more people heard than named", "wrongCount", {"hears": 2, "heard": marks(1)}),
        ("fewer people heard than named", "wrongCount", {"hears": 1, "heard": marks(1, 2)}),
        ("seventeen people named", "wrongCount", {"hears": 17, "heard": marks(*range(17))}),
        ("a person named twice", "outOfRange", {"heard": marks(1, 1)}),
        ("people out of order", "outOfRange", {"heard": marks(2, 1)}),
        ("a stretch that falls twice", "outOfRange", {
            "hears": 17, "heard": marks(*range(20, 27), *range(10, 15), *range(4))}),
        ("a stretch that meets its beginning", "outOfRange", {
            "hears": 17, "heard": marks(*range(10, 20), *range(5, 11))}),
        ("a mark of three bytes", "outOfRange", {"heard": [bytes(3)]}),
        ("a mark of five bytes", "outOfRange", {"heard": [bytes(5)]}),
        ("a mark that is a number", "unexpectedType", {"heard": [7]}),
        ("five people called", "wrongCount", {"calls": marks(*range(5))}),
        ("a person called twice", "outOfRange", {"calls": marks(1, 1)}),
        ("calls out of order", "outOfRange", {"calls": marks(2, 1)}),
        ("a call of three bytes", "outOfRange", {"calls": [bytes(3)]}),
        ("calls that are null", "unexpectedType", {"calls": None}),
    )
    for name, code, changes in wrong:
        yield name, code, datagram(**changes)
    parts = fields()
    yield "a signature of 63 bytes", "outOfRange", raw(parts, sign(parts)[:-1])
    yield "signed by somebody else", "badSignature", raw(parts, sign(parts, owner="bo"))
    yield "signed under the tag of links", "badSignature", raw(
        parts, sign(parts, "tabletalk/1 link"))
    yield "signed without a tag", "badSignature", raw(
        parts, KEYS["ana"].sign(encode(parts)).signature)
    yield "another name than was signed", "badSignature", raw(fields(name="Eve"), sign(parts))
    yield "another port than was signed", "badSignature", raw(fields(linkPort=1), sign(parts))
    yield "no signature", "badSignature", raw(parts, bytes(64))
    yield "a signature with an S that is not reduced", "badSignature", raw(parts, unreduced(parts))
    small = fields(identity=b"\1" + bytes(31))
    yield "a key of small order", "badSignature", raw(small, b"\1" + bytes(63))


def other_versions():
    yield "Ana", 2, datagram(version=2)
    yield "Ana", 0, datagram(version=0)
    first = [7, bytes(KEYS["bo"].verify_key), "Bo"]
    yield "Bo", 7, raw(first, sign(first, owner="bo"))
    longer = [*first, [None, [b"what", "ever"]], *range(27)]
    yield "Bo", 7, raw(longer, sign(longer, owner="bo"))


def heard():
    yield "new", datagram()
    yield "duplicate", datagram()
    yield "same", datagram(sequence=2)
    yield "replayed", datagram()
    yield "changed", datagram(sequence=5, atTable=True)
    yield "replayed", datagram(sequence=4, atTable=True)
    yield "new", datagram("bo", incarnation=7)
    yield "gone", datagram(sequence=6, period=0)
    yield "duplicate", datagram(sequence=6, period=0)
    yield "replayed", datagram(sequence=5, atTable=True)
    yield "new", datagram(incarnation=1_700_000_001)
    yield "replayed", datagram(sequence=COUNTER)
    yield "new", datagram("bo", incarnation=8, sequence=0)


def beacon(changes):
    parts = dict(zip(FIELDS, fields(**changes)))
    parts["identity"] = parts["identity"].hex()
    rows = [dict(zip(NOTICE, row)) for row in parts["tables"]]
    parts["tables"] = [{**row, "table": row["table"].hex()} for row in rows]
    for name in ("heard", "calls"):
        parts[name] = [mark.hex() for mark in parts[name]]
    return {name: value for name, value in parts.items() if name != "version"}


document = {
    "about": "Beacons that are read, with what they say, and such as are refused; made by "
             "make-beacon.py.",
    "accepted": [{"name": name, "datagram": datagram(**changes).hex(), "beacon": beacon(changes)}
                 for name, changes in accepted()],
    "refused": [{"name": name, "code": code, "datagram": content.hex()}
                for name, code, content in refused()],
    "otherVersions": [{"name": name, "version": version, "datagram": content.hex(),
                       "identity": bytes(KEYS[name.lower()].verify_key).hex()}
                      for name, version, content in other_versions()],
    "heard": [{"means": means, "datagram": content.hex()} for means, content in heard()],
}
json.dump(document, sys.stdout, indent=1, ensure_ascii=True)
print()
