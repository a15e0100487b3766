"""Tabletalk's protocol in Python, written from the folder Protocol alone.

It shares no code with the project: cbor2 reads, a small encoder of its own writes, PyNaCl checks
signatures, noiseprotocol speaks on links.
"""

import hashlib
import json
import struct
from pathlib import Path

import cbor2
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey
from noise.connection import Keypair, NoiseConnection

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


def decode(data):
    """The item that is exactly `data`; refuses whatever is not its one encoding."""
    item = cbor2.loads(data)
    if encode(item) != data:
        raise ValueError("not the deterministic encoding")
    return item


def blake2b(data):
    return hashlib.blake2b(data, digest_size=32).digest()


def digest(tag, *fields):
    return blake2b(encode([f"tabletalk/1 {tag}", *fields]))


# Signatures: wire.md, "What is signed and hashed".


class Forged(Exception):
    pass


def check(key, signature, tag, *fields):
    try:
        VerifyKey(key).verify(encode([f"tabletalk/1 {tag}", *fields]), signature)
    except BadSignatureError as error:
        raise Forged(tag) from error


def check_all(pairs, tag, *fields):
    if [key for key, _ in pairs] != sorted({key for key, _ in pairs}):
        raise Forged("keys do not ascend")
    for key, signature in pairs:
        check(key, signature, tag, *fields)


def check_vote(vote):
    check(vote[5], vote[6], "vote", *vote[:5])


def check_certificate(certificate):
    check_all(certificate[5], "vote", *certificate[:5])


def check_entry(entry):
    check(entry[1], entry[5], "entry", *entry[:5])
    check_all(entry[6], "entry", *entry[:5])


def check_passed(passed):
    check(passed[3], passed[4], "passed", *passed[:3])


def check_ready(ready):
    check(ready[3], ready[4], "ready", *ready[:3])


def check_block(block):
    for entry in block[8]:
        check_entry(entry)
    for deadline, pairs in block[9]:
        check_all(pairs, "passed", block[0], block[1], deadline)
    for ready in block[10][0] if block[10] else []:
        check_ready(ready)
    parent, old_seal, nullifications = block[11]
    for certificate in [parent, old_seal, *nullifications]:
        if certificate:
            check_certificate(certificate)


def check_message(message):
    """Checks every signature; returns the hash of the block in it, if there is one."""
    kind, *parts = message
    {0: check_vote, 1: check_certificate, 3: check_entry, 4: check_passed, 5: check_ready,
     2: check_block, 10: check_block}.get(kind, lambda part: None)(parts[0])
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


def read_beacon(datagram):
    assert len(datagram) <= 1200 and datagram[:4] == b"TTb1"
    beacon = decode(datagram[4:])
    assert len(beacon) == 10 and beacon[0] == 1
    check(beacon[1], beacon[9], "beacon", *beacon[:9])
    names = ("version", "identity", "name", "incarnation", "sequence", "period", "linkPort",
             "atTable", "tables")
    return dict(zip(names, beacon))


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
        for number in range(3):
            if (number % 2 == 0) == initiator:
                payload = b"" if number == 0 else self.introduction()
                self._send(bytes(self.noise.write_message(payload)))
            else:
                payload = bytes(self.noise.read_message(self._receive()))
                if number > 0:
                    self.peer = self.judge(payload, state.rs.public_bytes)

    def introduction(self):
        signature = self.identity.sign(encode(["tabletalk/1 link", self.own])).signature
        return encode([1, bytes(self.identity.verify_key), signature])

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
