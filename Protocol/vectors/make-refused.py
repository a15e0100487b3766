"""Makes refused.json with the second implementation: what must be refused, and with which code.

    .build/venv/bin/python -B Protocol/vectors/make-refused.py > Protocol/vectors/refused.json

Each row has one fault and an id that says which. All signatures but those that are the fault are good, so nothing
is refused for another reason. `zeros` counts zero bytes that follow `hex`.
"""

import copy
import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Conformance"))

from nacl.signing import SigningKey  # noqa: E402

from anonymous import moniker  # noqa: E402
from ledger import Ledger  # noqa: E402
from tabletalk import decode, digest, encode, make_beacon, sign, vectors  # noqa: E402


def key(name):
    return SigningKey(hashlib.blake2b(name.encode(), digest_size=32).digest())


def public(one):
    return bytes(one.verify_key)


def changed(item, path, value):
    """A copy with another value at a path; a function makes it from the one that stood there."""
    item = copy.deepcopy(item)
    *way, last = path
    inner = item
    for step in way:
        inner = inner[step]
    inner[last] = value(inner[last]) if callable(value) else value
    return item


WIRE = {case["name"]: decode(bytes.fromhex(case["hex"])) for case in vectors("wire.json")["messages"]}
BIG, TOO_BIG = 1 << 48, (1 << 48) + 1


def append(row):
    return lambda item: [*item, row]


def swap(item):
    return [item[1], item[0], *item[2:]]


def twice(item):
    return [item[0], *item]


def cut(item):
    return item[:-1]


def none(_):
    return []


def flip(data):
    return data[:-1] + bytes([data[-1] ^ 1])


MESSAGES = [
    # What any message may suffer.
    ("no array", {}, "unexpectedType"),
    ("a number", 7, "unexpectedType"),
    ("nothing in it", [], "wrongCount"),
    ("a kind alone", [0], "wrongCount"),
    ("four parts", [7, bytes(32), 0, 0], "wrongCount"),
    ("a kind between two that are known", [13, None], "unknownKind"),
    ("a kind above all that are known", [19, None], "unknownKind"),
    ("a kind above 255", [256, None], "outOfRange"),
    ("a negative kind", [-1, None], "unexpectedType"),
    ("a kind that is a text", ["vote", None], "unexpectedType"),
]


def bad(name, path, value, code, what=None):
    MESSAGES.append((f"{name}: {what}", changed(WIRE[name], path, value), code))


for name, message in WIRE.items():
    first = message[1]
    if isinstance(first, list):
        bad(name, [1], {}, "unexpectedType", "a map in place of its fields")
        # One field behind the others says that the disk is full.
        may_grow = name == "status"
        if name != "status of a full disk":
            bad(name, [1], cut, "wrongCount", "a field too few")
        bad(name, [1], append(0), "outOfRange" if may_grow else "wrongCount", "a field too many")
    if name not in ("evidence of votes", "evidence of a block"):
        table = [1, 0] if isinstance(first, list) else [1]
        bad(name, table, lambda item: item[:31], "outOfRange", "a table of 31 bytes")
        bad(name, table, "table", "unexpectedType", "a table that is a text")
        # The signature is over the table as well.
        if name not in ("status", "status of a full disk", "get chain", "get block", "wish", "chain"):
            bad(name, table, flip, "badSignature", "another table than was signed")
for name in ("vote notarize", "vote nullify", "vote finalize"):
    bad(name, [1, 2], TOO_BIG, "outOfRange", "a view above 2^48")
    bad(name, [1, 3], 3, "outOfRange", "a kind of vote that nobody knows")
    bad(name, [1, 4], lambda item: bytes([1] * 32) if item == bytes(32) else bytes(32), "outOfRange",
        "a block that does not go with its kind")
    bad(name, [1, 6], flip, "badSignature", "a signature with another last byte")
    bad(name, [1, 6], cut, "outOfRange", "a signature of 63 bytes")
    bad(name, [1, 2], lambda item: item + 1, "badSignature", "another view than was signed")
bad("vote notarize", [1, 3], 2, "badSignature", "a notarize that says it is a finalize")
bad("certificate", [1, 5], none, "unsigned", "signed by nobody")
bad("certificate", [1, 5], swap, "outOfRange", "signatures out of order")
bad("certificate", [1, 5], twice, "outOfRange", "a signature twice")
bad("certificate", [1, 5], lambda rows: rows * 9, "wrongCount", "more than sixteen signatures")
bad("certificate", [1, 5, 0, 1], flip, "badSignature", "one signature that does not hold")
bad("certificate", [1, 5, 0], cut, "wrongCount", "a key without its signature")
bad("proposal", [2, 4], flip, "badSignature", "a vote for another block than was signed")
bad("proposal", [2], {}, "unexpectedType", "no vote")
bad("entry", [1, 2], (1 << 32) + 1, "outOfRange", "a sequence above 2^32")
bad("entry", [1, 4], b"", "outOfRange", "no body")
bad("entry", [1, 4], bytes(4097), "outOfRange", "a body of 4,097 bytes")
bad("entry", [1, 4], "left", "unexpectedType", "a body that is a text")
bad("entry", [1, 4], flip, "badSignature", "another body than was signed")
bad("entry", [1, 2], lambda item: item + 1, "badSignature", "another sequence than was signed")
bad("entry", [1, 6], lambda rows: [[bytes([n] * 32), bytes(64)] for n in range(3)], "wrongCount", "three cosigners")
bad("passed", [1, 2], flip, "badSignature", "another deadline than was signed")
bad("ready", [1, 1], flip, "badSignature", "another epoch than was signed")
bad("status", [1, 2], TOO_BIG, "outOfRange", "an epoch number above 2^48")
bad("status", [1, 7], swap, "outOfRange", "voters out of order")
bad("status", [1, 7], [bytes([n] * 32) for n in range(17)], "wrongCount", "seventeen voters")
bad("status of a full disk", [1, 8], 0, "outOfRange", "a disk that does not refuse, said")
bad("status of a full disk", [1, 8], 2, "outOfRange", "a disk that refuses twice")
bad("status of a full disk", [1, 8], [], "unexpectedType", "a list in place of what the disk does")
bad("get chain", [2], TOO_BIG, "outOfRange", "a height above 2^48")
bad("get block", [2], None, "unexpectedType", "no hash")
bad("chain", [1, 1], [[]] * 257, "wrongCount", "257 blocks")
bad("chain", [1, 2, 0, 5], none, "unsigned", "a certificate that nobody signed")
for name in ("block", "proposal"):
    bad(name, [1, 3], TOO_BIG, "outOfRange", "a height above 2^48")
    bad(name, [1, 8], [0] * 65, "wrongCount", "more than 64 entries")
    bad(name, [1, 9], [0] * 33, "wrongCount", "33 deadlines")
    bad(name, [1, 10], [[], []], "wrongCount", "a change of voters that changes nothing")
    bad(name, [1, 11], cut, "wrongCount", "a just of two parts")
    bad(name, [1, 11, 0], 0, "unexpectedType", "a parent that is a number")
    bad(name, [1, 12], None, "unexpectedType", "no time")
bad("block that evicts", [1, 10, 2], none, "wrongCount", "an empty list of evictions")
bad("block that evicts", [1, 10, 2], swap, "outOfRange", "evictions out of order")
bad("block that evicts", [1, 10, 1], lambda rows: rows[:1], "outOfRange", "an eviction of somebody who stays")
bad("block that evicts", [1, 10, 2], lambda rows: [[2, *row[1:]] for row in rows], "unknownKind",
    "a reason that nobody knows")
bad("evidence of votes", [1, 0], 2, "unknownKind", "a kind that nobody knows")
bad("evidence of votes", [1], lambda item: [0, item[2], item[1]], "outOfRange", "the greater vote first")
bad("evidence of votes", [1], lambda item: [0, item[1], item[1]], "outOfRange", "one vote twice")
bad("evidence of votes", [1, 1, 6], flip, "badSignature", "a vote that was not signed")
bad("evidence of a block", [1, 2, 12], lambda item: item + 1, "outOfRange", "another block than was voted for")
bad("evict", [1, 2], flip, "badSignature", "another target than was signed")
bad("wish", [1, 4], swap, "outOfRange", "voters out of order")
bad("wish", [1, 4], [bytes([n] * 32) for n in range(17)], "wrongCount", "seventeen voters")
bad("recovery", [1, 5], 1, "unknownKind", "a reason that nobody knows")
bad("recovery", [1, 6], none, "wrongCount", "without voters")
bad("recovery", [1, 7], none, "unsigned", "signed by nobody")
bad("recovery", [1, 6], lambda rows: rows[:1], "outOfRange", "signed by who does not go on")
bad("recovery", [1, 3], lambda item: item + 1, "badSignature", "another height than was signed")
bad("assent", [1, 1], flip, "badSignature", "another recovery than was signed")

BEACON = decode(make_beacon(key("cy"), name="Cy", clock=1_800_000_000)[4:])
STATUS = WIRE["status"][1]
FRAMES = [
    ("nothing at all", b"", "truncated"),
    ("a map", {}, "unexpectedType"),
    ("nothing in it", [], "wrongCount"),
    ("five parts", [7, None, None, "wrongCode", 0], "wrongCount"),
    ("a kind that nobody knows", [14, 0], "unknownKind"),
    ("a kind above 255", [256], "outOfRange"),
    ("a kind that is a text", ["ping", 0, []], "unexpectedType"),
    ("a byte behind it", encode([10]) + b"\0", "trailingBytes"),
    ("a count that is not in its shortest form", b"\x98\x01\x0a", "notShortest"),
    ("an array without a length", b"\x9f\x0a\xff", "indefiniteLength"),
    ("seventeen levels", b"\x81" * 17 + b"\x00", "tooDeep"),
    ("a megabyte and a byte", (b"", (1 << 20) + 1), "outOfRange"),
    ("beacon of a field too few", [0, BEACON[:-1]], "wrongCount"),
    ("beacon with another name than was signed", [0, changed(BEACON, [2], "Bo")], "badSignature"),
    ("beacon of another version, not signed", [0, changed(BEACON, [0], 2)], "unknownKind"),
    ("ping without statuses", [1, 0], "wrongCount"),
    ("ping with 33 statuses", [1, 0, [STATUS] * 33], "wrongCount"),
    ("ping with a status that is none", [1, 0, [[]]], "wrongCount"),
    ("pong with a negative number", [2, -1, []], "unexpectedType"),
    ("pong with a number that is true", [2, True, []], "unexpectedType"),
    ("table message that is none", [3, [19, None]], "unknownKind"),
    ("a code of six digits", [4, 100_000], "outOfRange"),
    ("a code that is a text", [4, "00001"], "unexpectedType"),
    ("a table of 33 bytes", [5, bytes(33)], "outOfRange"),
    ("an empty genesis", [6, b""], "outOfRange"),
    ("a genesis that is not packed", [6, []], "unexpectedType"),
    ("a genesis of 160 KiB and a byte", (encode([6, bytes((160 << 10) + 1)])[:7], (160 << 10) + 1), "outOfRange"),
    ("no with a code of 65 bytes", [7, None, None, "a" * 65], "outOfRange"),
    ("no without a code", [7, None, None, None], "unexpectedType"),
    ("no to an entry of 31 bytes", [7, bytes(32), bytes(31), "badJoin"], "outOfRange"),
    ("go on without a table", [8, None], "unexpectedType"),
    ("65 whereabouts", [9, [[bytes([1] * 32), bytes([10, 0, 0, 1]), 1]] * 65], "wrongCount"),
    ("whereabouts at five bytes", [9, [[bytes([1] * 32), bytes(5), 1]]], "outOfRange"),
    ("whereabouts at port 0", [9, [[bytes([1] * 32), bytes([10, 0, 0, 1]), 0]]], "outOfRange"),
    ("whereabouts at IPv4 written as IPv6",
     [9, [[bytes([1] * 32), bytes(10) + b"\xff\xff\x0a\0\0\1", 1]]], "outOfRange"),
    ("goodbye with a word", [10, "bye"], "wrongCount"),
    ("a proof of 31 bytes", [20, bytes(31)], "outOfRange"),
    ("yes to a proof without a genesis", [21, bytes(32)], "wrongCount"),
    ("yes to a proof with an empty genesis", [21, bytes(32), b""], "outOfRange"),
    ("an empty invitation", [22, b""], "outOfRange"),
    ("a list without words", [24, ["Standup", []]], "wrongCount"),
    ("a list of 501 words", [24, ["Standup", [f"word {number}" for number in range(501)]]], "wrongCount"),
    ("a list without a title", [24, ["", ["synergy"]]], "outOfRange"),
    ("a list with one word twice", [24, ["Standup", ["Synergy", "synergy!"]]], "outOfRange"),
    ("a list with a word of 61 letters", [24, ["Standup", ["a" * 61]]], "outOfRange"),
    ("a list with a word that is not clean", [24, ["Standup", ["two  spaces"]]], "outOfRange"),
    ("a list with a number for a word", [24, ["Standup", [7]]], "unexpectedType"),
]

# A table: Ana makes it, Bo joins, both vote from the first seal on.
KEYS = {name: [key(f"{name} {role}") for role in ("identity", "player", "voter")] for name in ("ana", "bo", "cy")}
WORDS = [f"word {number}" for number in range(9)]
FIELDS = [48213, "Refused", "bingo", [[3, 15, "finder", "majority"], WORDS], False, False, [], None, bytes(range(16)),
          [*map(public, KEYS["ana"]), 0, "Ana"]]


def genesis(fields=FIELDS, keys=KEYS["ana"]):
    return [*fields, sorted([public(one), sign(one, "genesis", *fields)] for one in keys)]


def other(place, value):
    fields = changed(FIELDS, [place], value)
    return genesis(fields)


def masked(private, name=None):
    """The fields of an anonymous table, but for the word."""
    creator = FIELDS[9]
    return changed(changed(FIELDS, [5], private), [9, 4], name or moniker(creator[0]))


PRETEND = [public(key("pretend")), "Robo"]
GENESES = [
    ("a map", {}, "unexpectedType"),
    ("ten fields", genesis()[:10], "wrongCount"),
    ("fourteen fields", [*genesis(), 0, 0, 0], "wrongCount"),
    ("fifteen fields", [*genesis(), 0, 0, 0, 0], "wrongCount"),
    ("an anonymous table that everybody may see", genesis([*masked(False), "anonymous"]), "outOfRange"),
    ("an anonymous table whose creator has a name", genesis([*masked(True, "Ana"), "anonymous"]), "outOfRange"),
    ("another word than anonymous", genesis([*masked(True), "masked"]), "outOfRange"),
    ("an anonymous table with an appointment behind it",
     genesis([*masked(True), "anonymous", ["Floor 4", 5]]), "unexpectedType"),
    ("an appointment without place and time", genesis([*FIELDS, [None, None]]), "outOfRange"),
    ("an appointment at a place without a name", genesis([*FIELDS, ["", 5]]), "outOfRange"),
    ("an appointment of three parts", genesis([*FIELDS, ["Floor 4", 5, 5]]), "wrongCount"),
    ("a code of six digits", other(0, 100_000), "outOfRange"),
    ("no title", other(1, ""), "outOfRange"),
    ("a title of 41 letters", other(1, "a" * 41), "outOfRange"),
    ("a title of two lines", other(1, "a\nb"), "outOfRange"),
    ("a game that nobody knows", other(2, "chess"), "unknownKind"),
    ("practice that is a number", other(4, 0), "unexpectedType"),
    ("private practice", genesis(changed(changed(FIELDS, [4], True), [5], True)), "outOfRange"),
    ("strict practice", genesis([*changed(FIELDS, [4], True), True]), "outOfRange"),
    ("strict that is false", genesis([*FIELDS, False]), "outOfRange"),
    ("pretend seats at a table of people", other(6, [PRETEND]), "outOfRange"),
    ("a predecessor of another kind", other(7, [bytes(32), bytes(32), 2, []]), "unknownKind"),
    ("a predecessor with seventeen people", other(7, [bytes(32), bytes(32), 0, [bytes([1] * 32)] * 17]), "wrongCount"),
    ("a nonce of 15 bytes", other(8, bytes(15)), "outOfRange"),
    ("a creator with a name of one letter", other(9, changed(FIELDS[9], [4], "A")), "outOfRange"),
    ("a creator who plays with the voter key", genesis(
        changed(FIELDS, [9, 1], FIELDS[9][2]), [KEYS["ana"][0], KEYS["ana"][2]]), "outOfRange"),
    ("signed by two keys", genesis(keys=KEYS["ana"][:2]), "outOfRange"),
    ("signed by another's keys", genesis(keys=KEYS["bo"]), "outOfRange"),
    ("signatures out of order", changed(genesis(), [10], swap), "outOfRange"),
    ("a signature that does not hold", changed(genesis(), [10, 0, 1], flip), "badSignature"),
    ("another title than was signed", changed(genesis(), [1], "Refuted"), "badSignature"),
    ("a code that was changed later", changed(genesis(), [0], 1), "badSignature"),
]


class Log:
    """Makes blocks that are right, signed by whoever votes."""

    def __init__(self, data):
        self.data, self.ledger, self.rows = data, Ledger(data), []
        self.next = {name: 1 for name in KEYS}
        self.last, self.finals = None, None

    def entry(self, name, *body, sequence=None, cosigners=()):
        if sequence is None:
            sequence = 0 if body[0] == 0 else self.next[name]
            self.next[name] += body[0] != 0
        player = KEYS[name][1]
        fields = [self.ledger.id, public(player), sequence, 0, encode(list(body))]
        pairs = sorted([public(one), sign(one, "entry", *fields)] for one in cosigners)
        return [*fields, sign(player, "entry", *fields), pairs]

    def join(self, name):
        identity, _, voter = KEYS[name]
        return self.entry(name, 0, public(identity), public(voter), 0, name.title(), cosigners=[identity, voter])

    def voters(self):
        keys = {public(rows[2]): rows[2] for rows in KEYS.values()}
        return [keys[name] for name in self.ledger.voters if name in keys]

    def certificate(self, kind, view, name, keys=None):
        fields = [self.ledger.id, self.ledger.epoch, view, kind, name]
        return [*fields, sorted([public(one), sign(one, "vote", *fields)] for one in keys or self.voters())]

    def ready(self, name, epoch=None):
        fields = [self.ledger.id, epoch or self.ledger.epoch, self.ledger.tip]
        one = KEYS[name][2]
        return [*fields, public(one), sign(one, "ready", *fields)]

    def block(self, entries=(), deadlines=(), change=None, **changes):
        ledger = self.ledger
        is_first = ledger.view == 0
        is_empty = not entries and not deadlines and change is None
        fields = {
            "table": ledger.id, "epoch": ledger.epoch, "view": ledger.view + 1,
            "height": ledger.height + (0 if ledger.seal else 1), "parentView": ledger.view, "parent": ledger.tip,
            "state": ledger.table.hash(), "run": ledger.empty_run + 1 if is_empty else 0, "entries": list(entries),
            "deadlines": list(deadlines), "voters": change,
            "just": [None if is_first else self.certificate(0, ledger.view, ledger.tip), None, []],
            "time": 1_800_000_000_000 + ledger.height}
        return list({**fields, **changes}.values())

    def add(self, block, notarization=None, finalization=True):
        """Takes a block without judging it; with its certificates as they are or as given."""
        name = digest("block", *block)
        row = [0, block, notarization, finalization]
        if finalization is True:
            row[3] = self.certificate(2, block[2], name)
        self.rows.append(row)

    def go_on(self, *entries, **more):
        """Adds a right block and stands after it."""
        block = self.block(entries, **more)
        self.add(block)
        self.ledger.put(block)
        if self.ledger.seal:
            self.ledger.enter_next()

    def file(self, end=None, more=()):
        ledger = self.ledger
        last = [2, len(self.rows) + len(more), ledger.height, ledger.log_tip, ledger.table.hash()]
        return [["tabletalk/1 log", self.data], *self.rows, *more, *([end or last] if end != [] else [])]


def begun(seals=False, others=("bo",)):
    log = Log(encode(genesis()))
    log.go_on(log.entry("ana", 2, True))
    log.go_on(*map(log.join, others))
    if seals:
        log.go_on(log.entry("ana", 3))
        log.go_on(change=[sorted(map(log.ready, others), key=lambda ready: ready[3]), []])
    return log


def narrow():
    """Three vote; Cy leaves, and of those who stay only Bo signed for the block before."""
    log = begun(True, ("bo", "cy"))
    log.go_on(log.entry("cy", 5))
    signed = log.certificate(0, log.ledger.view, log.ledger.tip, [KEYS["bo"][2], KEYS["cy"][2]])
    log.add(log.block(change=[[], [public(KEYS["cy"][2])]], just=[signed, None, []]))
    return log.file()


def with_block(make, seals=False):
    log = begun(seals)
    log.add(make(log))
    return log.file()


def proven(make, seals=False):
    """A right block beside certificates as `make` gives them, and the end of the log."""
    log = begun(seals)
    block = log.block([log.entry("ana", 2, False)])
    before = log.ledger.copy()
    rows = make(log, block, digest("block", *block))
    log.add(block, *rows)
    before.put(block)
    log.ledger = before
    return log.file()


def after_seal():
    log = begun()
    log.go_on(log.entry("ana", 3))
    seal = log.block(change=[[log.ready("bo")], []])
    log.add(seal)
    log.ledger.put(seal)
    certificate = [row[3] for row in log.rows][-1]
    block = log.block([log.entry("ana", 2, False)], just=[certificate, None, []])
    log.add(block)
    return log.file()


def empties():
    log = begun()
    for _ in range(3):
        log.go_on()
    log.add(log.block())
    return log.file()


def skipped(log):
    return log.block([log.entry("ana", 2, False)], view=log.ledger.view + 2)


def stranger_votes(log, block, name):
    return [log.certificate(0, block[2], name, [KEYS["cy"][2]])]


GOOD = begun(seals=True)
DEADLINE = digest("deadline", GOOD.ledger.id, "commit", 0, 4, 0)


def deadline(log, keys, name=None):
    fields = [log.ledger.id, log.ledger.epoch, name or next(iter(log.ledger.table.deadlines()))]
    return [fields[2], sorted([public(one), sign(one, "passed", *fields)] for one in keys)]


def lie(log, kinds, names, keys):
    out = [1]
    for kind, name, one in zip(kinds, names, keys):
        fields = [log.ledger.id, log.ledger.epoch, 9, kind, name]
        out.append([*fields, public(one), sign(one, "vote", *fields)])
    return out


ONE, TWO = bytes([1] * 32), bytes([2] * 32)
ANA = KEYS["ana"][2]
RIGHT = GOOD.file()
LOGS = [
    ("an empty file", [], "notALog"),
    ("a first row that is a text", ["tabletalk/1 log"], "notALog"),
    ("another kind of file", [["photo", b""], *RIGHT[1:]], "notALog"),
    ("the next version", [["tabletalk/2 log", RIGHT[0][1]], *RIGHT[1:]], "otherVersion"),
    ("a genesis that was changed", [["tabletalk/1 log", encode(changed(genesis(), [1], "Refuted"))], *RIGHT[1:]],
     "genesisSignature"),
    ("another genesis, rightly signed", [["tabletalk/1 log", encode(other(1, "Refuted"))], *RIGHT[1:]], "otherTable"),
    ("no last row", RIGHT[:-1], "cutShort"),
    ("a row behind the last", [*RIGHT, RIGHT[-1]], "moreAfterEnd"),
    ("a row of a kind that nobody knows", [*RIGHT[:-1], [4, 0], RIGHT[-1]], "unknownKind"),
    ("a row of blocks too few", [*RIGHT[:2], *RIGHT[3:]], "blockParent"),
    ("two blocks in the other order", [RIGHT[0], RIGHT[2], RIGHT[1], *RIGHT[3:]], "blockParent"),
    ("a last row with another height", [*RIGHT[:-1], changed(RIGHT[-1], [2], 5)], "otherEnd"),
    ("a last row with another state", [*RIGHT[:-1], changed(RIGHT[-1], [4], flip)], "otherEnd"),
    ("a last row that counts wrongly", [*RIGHT[:-1], changed(RIGHT[-1], [1], 5)], "otherEnd"),
    ("a signature of an entry that does not hold", changed(RIGHT, [1, 1, 8, 0, 5], flip), "badSignature"),
    ("a finalization that does not hold", changed(RIGHT, [1, 3, 5, 0, 1], flip), "badSignature"),
    ("a finalization that nobody signed", changed(RIGHT, [1, 3, 5], none), "unsigned"),
    ("a block of another table", with_block(lambda log: log.block(
        table=ONE, just=[None, None, []], run=1)), "otherTable"),
    ("a block of an epoch that has not begun", with_block(lambda log: log.block(epoch=ONE)), "blockOtherEpoch"),
    ("a block on another block", with_block(lambda log: log.block(parent=ONE)), "blockParent"),
    ("a block on another view than its parent's", with_block(lambda log: log.block(parentView=1)), "blockParent"),
    ("a block of a view that is over", with_block(lambda log: log.block(view=2)), "blockView"),
    ("a block with another height", with_block(lambda log: log.block(height=7)), "blockHeight"),
    ("a block on another state", with_block(lambda log: log.block(state=ONE)), "blockState"),
    ("an empty block that counts none", with_block(lambda log: log.block(run=0)), "blockEmptyRun"),
    ("a block with an entry that counts as empty", with_block(lambda log: log.block(
        [log.entry("ana", 2, False)], run=1)), "blockEmptyRun"),
    ("a fourth empty block in a row", empties(), "blockTooManyEmpty"),
    ("an entry after a seal", after_seal(), "blockAfterSeal"),
    ("a parent that nobody certified", with_block(lambda log: log.block(
        [log.entry("ana", 2, False)], just=[None, None, []])), "justParent"),
    ("a parent certified by a stranger", with_block(lambda log: log.block(
        [log.entry("ana", 2, False)],
        just=[log.certificate(0, 2, log.ledger.tip, [KEYS["cy"][2]]), None, []])), "justParent"),
    ("an old seal where there is none", with_block(lambda log: log.block(
        [log.entry("ana", 2, False)],
        just=[log.certificate(0, 2, log.ledger.tip), log.certificate(2, 2, log.ledger.tip), []])), "justOldSeal"),
    ("a view left out without a nullification", with_block(skipped), "justNullifications"),
    ("a nullification of another view", with_block(lambda log: log.block(
        [log.entry("ana", 2, False)], view=4,
        just=[log.certificate(0, 2, log.ledger.tip), None, [log.certificate(1, 4, bytes(32))]])),
     "justNullifications"),
    ("an entry before its turn", with_block(lambda log: log.block([log.entry("ana", 2, False, sequence=9)])),
     "entryNotAdmissible"),
    ("an entry that is there already", with_block(lambda log: log.block([log.entry("ana", 2, False, sequence=1)])),
     "entryNotAdmissible"),
    ("an entry of somebody without a seat", with_block(lambda log: log.block([log.entry("cy", 2, True)])),
     "entryNotAdmissible"),
    ("a join with a voter key that is a player's", with_block(lambda log: log.block([log.entry(
        "cy", 0, public(KEYS["cy"][0]), public(KEYS["bo"][1]), 0, "Cy",
        cosigners=[KEYS["cy"][0], KEYS["bo"][1]])])), "entryNotAdmissible"),
    ("seventeen entries of one author", with_block(lambda log: log.block(
        [log.entry("ana", 2, number % 2 == 1) for number in range(17)])), "blockTooManyOfAuthor"),
    ("a deadline that nobody has signed", with_block(lambda log: log.block(
        deadlines=[deadline(log, [])]), seals=True), "deadlineNotQuorum"),
    ("a deadline signed by one of two", with_block(lambda log: log.block(
        deadlines=[deadline(log, [ANA])]), seals=True), "deadlineNotQuorum"),
    ("a deadline that is not open", with_block(lambda log: log.block(
        deadlines=[deadline(log, log.voters(), ONE)]), seals=True), "deadlineNotOpen"),
    ("a seal with somebody who was ready in another epoch", with_block(lambda log: [log.go_on(
        log.entry("ana", 3)), log.block(change=[[log.ready("bo", ONE)], []])][1]), "sealReady"),
    ("a seal that takes out who did not vote", with_block(lambda log: [log.go_on(
        log.entry("ana", 3)), log.block(change=[[log.ready("bo")], [ONE]])][1]), "sealLeaver"),
    ("a seal in the lobby", with_block(lambda log: log.block(change=[[log.ready("bo")], []])), "sealNotEffective"),
    ("a seal for somebody without a seat", with_block(lambda log: [log.go_on(
        log.entry("ana", 3)), log.block(change=[[log.ready("cy")], []])][1]), "sealNotEffective"),
    ("a seal without a quorum of those to come", narrow(), "sealTooNarrow"),
    ("a notarization of another block", proven(lambda log, block, name: [
        log.certificate(0, block[2], ONE)]), "certificateOther"),
    ("a notarization by a stranger", proven(stranger_votes), "certificateNotQuorum"),
    ("a notarization by one of two", proven(lambda log, block, name: [
        log.certificate(0, block[2], name, [ANA])], seals=True), "certificateNotQuorum"),
    ("a last block that is not final", proven(lambda log, block, name: [
        log.certificate(0, block[2], name), None]), "notFinal"),
    ("a lie before a block", [*RIGHT[:2], lie(GOOD, (0, 0), (ONE, TWO), (ANA, ANA)), *RIGHT[2:]], "outOfOrder"),
    ("a lie that is none", GOOD.file(more=[lie(GOOD, (0, 2), (ONE, ONE), (ANA, ANA))]), "evidenceProvesNothing"),
    ("a lie of two people", GOOD.file(more=[lie(GOOD, (0, 0), (ONE, TWO), (ANA, KEYS["bo"][2]))]),
     "evidenceProvesNothing"),
    ("a lie of a stranger", GOOD.file(more=[lie(GOOD, (0, 0), (ONE, TWO), [KEYS["cy"][2]] * 2)]),
     "evidenceProvesNothing"),
]


def packed(rows):
    return [{"id": name, **unpack(what), "code": code} for name, what, code in rows]


def unpack(what):
    data, zeros = what if isinstance(what, tuple) else (what, 0)
    data = data if isinstance(data, bytes) else encode(data)
    return {"hex": data.hex(), **({"zeros": zeros} if zeros else {})}


def main():
    made = {
        "about": "What must be refused, each with the code of its one fault; made by make-refused.py.",
        "messages": packed(MESSAGES), "frames": packed(FRAMES), "geneses": packed(GENESES),
        "logs": [{"id": name, "hex": b"".join(map(encode, rows)).hex(), "code": code} for name, rows, code in LOGS],
        "right": b"".join(map(encode, RIGHT)).hex()}
    for part in ("messages", "frames", "geneses", "logs"):
        names = [row["id"] for row in made[part]]
        assert len(names) == len(set(names)), part
    json.dump(made, sys.stdout, indent=0)
    print()


if __name__ == "__main__":
    main()
