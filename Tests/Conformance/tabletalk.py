"""Tabletalk's protocol in Python, written from the folder Protocol alone.

It shares no code with the project: a small encoder of its own writes, `forms.py` reads, PyNaCl checks
signatures, noiseprotocol speaks on links.
"""

import hashlib
import json
import struct
import time
import unicodedata
from pathlib import Path

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey
from noise.connection import Keypair, NoiseConnection

from forms import (COUNTER, HASH, KEY, SIGNATURE, Forged, Refused, array, decode, many, need, number,
                   octets, optional, text, truth)

VECTORS = Path(__file__).resolve().parents[2] / "Protocol/vectors"


def vectors(name):
    return json.loads((VECTORS / name).read_text())


# Encoding: RFC 8949 section 4.2.1, for what the protocol uses.


def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    for info, form, limit in ((24, ">B", 1 << 8), (25, ">H", 1 << 16), (26, ">I", 1 << 32),
                              (27, ">Q", 1 << 64)):
        if number < limit:
            return bytes([major << 5 | info]) + struct.pack(form, number)
    raise ValueError(number)


def encode(item):
    if item is None:
        return b"\xf6"
    if isinstance(item, bool):
        return b"\xf5" if item else b"\xf4"
    if isinstance(item, int):
        return head(0, item) if item >= 0 else head(1, -1 - item)
    if isinstance(item, bytes):
        return head(2, len(item)) + item
    if isinstance(item, str):
        return head(3, len(item.encode())) + item.encode()
    if isinstance(item, (list, tuple)):
        return head(4, len(item)) + b"".join(map(encode, item))
    if isinstance(item, dict):
        rows = sorted((encode(key), encode(value)) for key, value in item.items())
        return head(5, len(rows)) + b"".join(key + value for key, value in rows)
    raise TypeError(type(item))


def blake2b(data):
    return hashlib.blake2b(data, digest_size=32).digest()


def digest(tag, *fields):
    return blake2b(encode([f"tabletalk/1 {tag}", *fields]))


# Signatures: wire.md, "What is signed and hashed".


# What reading bytes of somebody else's may raise.
LIES_OF_FORM = (Refused, AssertionError, IndexError, KeyError, TypeError, ValueError)


def expect(good, what):
    if not good:
        raise Refused(what)


def check(key, signature, tag, *fields):
    try:
        VerifyKey(key).verify(encode([f"tabletalk/1 {tag}", *fields]), signature)
    except BadSignatureError as error:
        raise Forged(tag) from error


def sign(key, tag, *fields):
    return key.sign(encode([f"tabletalk/1 {tag}", *fields])).signature


def check_all(pairs, tag, *fields):
    if [key for key, _ in pairs] != sorted({key for key, _ in pairs}):
        raise Forged("keys do not ascend")
    for key, signature in pairs:
        check(key, signature, tag, *fields)


def check_vote(vote):
    check(vote[5], vote[6], "vote", *vote[:5])


def check_certificate(certificate):
    need(certificate[5], "unsigned")
    check_all(certificate[5], "vote", *certificate[:5])


def check_entry(entry):
    check(entry[1], entry[5], "entry", *entry[:5])
    check_all(entry[6], "entry", *entry[:5])


def check_passed(passed):
    check(passed[3], passed[4], "passed", *passed[:3])


def check_ready(ready):
    check(ready[3], ready[4], "ready", *ready[:3])


def check_evict(evict):
    check(evict[3], evict[4], "evict", *evict[:3])


def check_evidence(evidence):
    """Signatures of evidence; that its parts belong together is of its form."""
    kind, vote, other = evidence
    check_vote(vote)
    (check_vote if kind == 0 else check_block)(other)


def check_recovery(recovery):
    need(recovery[7], "unsigned")
    check_all(recovery[7], "recovery", *recovery[:7])
    if recovery[6] != sorted(set(recovery[6])) or not {key for key, _ in recovery[7]} <= set(recovery[6]):
        raise Forged("signed by others than go on")


def check_assent(assent):
    check(assent[2], assent[3], "assent", *assent[:2])


NOTARIZE, NULLIFY, FINALIZE = range(3)


def check_block(block):
    for entry in block[8]:
        check_entry(entry)
    for deadline, pairs in block[9]:
        check_all(pairs, "passed", block[0], block[1], deadline)
    for ready in block[10][0] if block[10] else []:
        check_ready(ready)
    for kind, what, *pairs in block[10][2] if block[10] and len(block[10]) > 2 else []:
        if kind == 0:
            check_evidence(what)
        else:
            check_all(pairs[0], "evict", block[0], block[1], what)
    parent, old_seal, nullifications = block[11]
    for certificate in [parent, old_seal, *nullifications]:
        if certificate:
            check_certificate(certificate)


def check_genesis(data):
    """Checks form and signatures of a genesis; returns its fields and the table's id."""
    genesis = decode(data)
    *signed, signatures = genesis
    more = signed[10:]
    if more and more[0] is True:
        more = more[1:]
    if more and more[-1] == "anonymous":
        more = more[:-1]
    for item in more:
        appointment(item)
    expect(len(more) <= 1, "genesis")
    if [key for key, _ in signatures] != sorted(genesis[9][:3]):
        raise Forged("not the creator's three keys")
    check_all(signatures, "genesis", *signed)
    return genesis, digest("genesis", *signed)


def check_message(message):
    """Checks every signature; returns the hash of the block in it, if there is one."""
    kind, *parts = message
    {0: check_vote, 1: check_certificate, 3: check_entry, 4: check_passed, 5: check_ready,
     2: check_block, 10: check_block, 11: check_evidence, 12: check_evict, 17: check_recovery,
     18: check_assent}.get(kind, lambda part: None)(parts[0])
    if kind == 2:
        check_vote(parts[1])
        if parts[1][4] != digest("block", *parts[0]):
            raise Forged("the leader's vote is for another block")
    if kind == 8:
        for block in parts[0][1]:
            check_block(block)
        for certificate in parts[0][2]:
            check_certificate(certificate)
        return digest("block", *parts[0][1][-1])
    return digest("block", *parts[0]) if kind in (2, 10) else None


# Beacons: discovery.md.


BEACON = ("version", "identity", "name", "incarnation", "sequence", "period", "linkPort", "atTable",
          "tables", "clock", "hears", "heard", "calls")
NOTICE = ("table", "code", "title", "game", "size", "minutes", "players", "seats")


def is_clean(text):
    """wire.md, "Texts"; as far as this Python's Unicode tables go."""
    before, marks = " ", 0
    for letter in text:
        kind = unicodedata.category(letter)
        if kind in ("Cc", "Cn", "Co", "Cs"):
            return False
        if kind == "Cf" and letter not in "\u200c\u200d" and not (
                "\U000e0020" <= letter <= "\U000e007f"):
            return False
        if letter.isspace() and (letter != " " or before == " "):
            return False
        marks = marks + 1 if kind[0] == "M" else 0
        if marks > 8:
            return False
        before = letter
    return not text.endswith(" ")


def has_length(*lengths):
    def fits(item):
        if not is_clean(item):
            return False
        sorts = map(unicodedata.category, item)
        return sum(sort[0] != "M" and sort != "Cf" for sort in sorts) in range(*lengths)
    return fits


TITLE, NAME = text(160, has_length(1, 41)), text(96, has_length(2, 25))
MARK, DATAGRAM = octets(4), 1_200


def version_one(item):
    need(number(9_999)(item) == 1, "unknownKind")
    return item


NOTICE_FIELDS = (HASH, number(99_999), TITLE, text(16, is_clean), number(99), number(999), number(999),
                 number(999))


def appointment(item):
    """Where and when, of which at least one is said."""
    item = array(optional(text(48, has_length(1, 25))), optional(number(COUNTER)))(item)
    need(item != [None, None], "outOfRange")
    return item


def notice(item):
    """Behind it where and when, and flags, where there are any."""
    need(type(item) is list, "unexpectedType")
    need(len(item) in (8, 9, 10), "wrongCount")
    more = [appointment, number(7, 1)][:len(item) - 8]
    if len(item) == 9 and type(item[8]) is int:
        more = [number(7, 1)]
    return array(*NOTICE_FIELDS, *more)(item)


BEACON_FORM = array(
    version_one, KEY, NAME, number(COUNTER), number(COUNTER), number(600_000), number(65_535, 1), truth,
    many(notice, 3), number(COUNTER), number(999), many(MARK, 16),
    many(MARK, 4, key=lambda mark: mark), SIGNATURE)


def judge_beacon(item):
    """The fields of a beacon that is well-formed and signed."""
    if isinstance(item, list) and item:
        version_one(item[0])
    beacon = BEACON_FORM(item)
    marks = beacon[11]
    need(len(marks) == min(beacon[10], 16), "wrongCount")
    falls = sum(left >= right for left, right in zip(marks, marks[1:]))
    need(falls == 0 or falls == 1 and beacon[10] > 16 and marks[-1] < marks[0], "outOfRange")
    check(beacon[1], beacon[13], "beacon", *beacon[:13])
    tables = [dict(zip(NOTICE, row)) for row in beacon[8]]
    return {**dict(zip(BEACON, beacon)), "tables": tables}


def read_other_version(datagram):
    """Version, identity and name in a beacon of another version."""
    expect(len(datagram) <= DATAGRAM and datagram[:4] == b"TTb1", "datagram")
    beacon = decode(datagram[4:])
    expect(isinstance(beacon, list) and 4 <= len(beacon) <= 32, "beacon")
    array(number(9_999), KEY, NAME)(beacon[:3])
    expect(beacon[0] != 1, "version")
    check(beacon[1], SIGNATURE(beacon[-1]), "beacon", *beacon[:-1])
    return beacon[:3]


def tells_hearing(beacon, identity):
    """Whether a beacon's sender hears an identity's datagrams; None where it does not tell."""
    mark, marks = identity[:4], beacon["heard"]
    if mark in marks:
        return True
    if beacon["hears"] == len(marks):
        return False
    first, last = marks[0], marks[-1]
    within = first < mark < last if first < last else mark > first or mark < last
    return False if within else None


def read_beacon(datagram):
    need(len(datagram) <= DATAGRAM, "outOfRange")
    need(datagram[:4] == b"TTb1", "unknownKind")
    return judge_beacon(decode(datagram[4:]))


def make_beacon(key, **changes):
    """A datagram signed by `key`."""
    given = {"version": 1, "identity": bytes(key.verify_key), "name": "Python", "incarnation": 1,
             "sequence": 1, "period": 10_000, "linkPort": 47_474, "atTable": False, "tables": [],
             "clock": int(time.time()), "heard": [], "calls": [], **changes}
    given.setdefault("hears", len(given["heard"]))
    fields = [given[name] for name in BEACON]
    return b"TTb1" + encode([*fields, sign(key, "beacon", *fields)])


def hearing(known, beacon):
    """What a beacon means after those before it; keeps their counters and who is here in `known`."""
    counters = (beacon["incarnation"], beacon["sequence"])
    last, row = known.get(beacon["identity"], ((-1, 0), None))
    if counters <= last:
        return "duplicate" if counters == last else "replayed"
    if beacon["period"] == 0:
        known[beacon["identity"]] = counters, None
        return "gone"
    known[beacon["identity"]] = counters, beacon
    if row is None or row["incarnation"] != beacon["incarnation"]:
        return "new"
    same = all(row[name] == beacon[name] for name in ("name", "linkPort", "atTable", "tables"))
    return "same" if same else "changed"


# Private tables: table.md.


LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"


def read_secret(text):
    """The 16 bytes of a secret as people pass it on."""
    letters = text.lower().translate(str.maketrans("ilo", "110", "- "))
    expect(len(letters) == 26 and set(letters) <= set(LETTERS), "secret")
    number = 0
    for letter in letters:
        number = number << 5 | LETTERS.index(letter)
    expect(number & 3 == 0, "secret")
    return (number >> 2).to_bytes(16, "big")


def prove(step, secret, code, link, prover, verifier):
    message = encode([f"tabletalk/1 private {step}", code, link, prover, verifier])
    return hashlib.blake2b(message, digest_size=32, key=secret).digest()




# Links: link.md.


class Link:
    """One end of a link, over a connected socket."""

    def __init__(self, connection, initiator, identity=None):
        self.connection = connection
        self.connection.settimeout(10)
        self.identity = identity or SigningKey.generate()
        self.noise = NoiseConnection.from_name(b"Noise_XX_25519_ChaChaPoly_BLAKE2b")
        self.noise.set_prologue(b"tabletalk-link/1")
        # X25519 takes any 32 bytes for a private key.
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, bytes(SigningKey.generate()))
        (self.noise.set_as_initiator if initiator else self.noise.set_as_responder)()
        self.noise.start_handshake()
        state = self.noise.noise_protocol.handshake_state
        self.own = state.s.public_bytes
        for step in range(3):
            if (step % 2 == 0) == initiator:
                payload = b"" if step == 0 else self.introduction()
                self._send(bytes(self.noise.write_message(payload)))
            else:
                payload = bytes(self.noise.read_message(self._receive()))
                if step > 0:
                    self.peer = self.judge(payload, state.rs.public_bytes)
        self.name = blake2b(bytes(self.noise.get_handshake_hash()))

    def introduction(self):
        return encode([1, bytes(self.identity.verify_key), sign(self.identity, "link", self.own)])

    @staticmethod
    def judge(payload, static):
        version, key, signature = decode(payload)
        assert version == 1
        check(key, signature, "link", static)
        return key

    def _send(self, message):
        self.connection.sendall(struct.pack(">H", len(message)) + message)

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            chunk = self.connection.recv(count - len(data))
            if not chunk:
                raise ConnectionError("the other end has closed the link")
            data += chunk
        return data

    def _receive(self):
        return self._exactly(struct.unpack(">H", self._exactly(2))[0])

    def send(self, frame):
        plain = struct.pack(">I", len(frame)) + frame
        for start in range(0, len(plain), 65_519):
            self._send(bytes(self.noise.encrypt(plain[start:start + 65_519])))

    def receive(self):
        plain = bytes(self.noise.decrypt(self._receive()))
        length = struct.unpack(">I", plain[:4])[0]
        assert 1 <= length <= 2_097_152
        while len(plain) < 4 + length:
            assert len(plain) % 65_519 == 0, "all records but the last are full"
            plain += bytes(self.noise.decrypt(self._receive()))
        assert len(plain) == 4 + length
        return plain[4:]

    # Link messages: wire.md.

    def proof(self, step, secret, code):
        """What this end sends to ask, or what it must hear as an answer."""
        own = bytes(self.identity.verify_key)
        ends = (own, self.peer) if step == "ask" else (self.peer, own)
        return prove(step, secret, code, self.name, *ends)

    def close(self):
        self.connection.close()

    def say(self, *message):
        self.send(encode(message))

    def hear(self, kind, fits=lambda message: True):
        """The next link message of a kind that fits; others in between are passed over."""
        for _ in range(200):
            message = decode(self.receive())
            if message[0] == kind and fits(message):
                return message
        raise AssertionError(f"200 messages, none of them a {kind} that fits")
