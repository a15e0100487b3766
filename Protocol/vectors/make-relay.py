"""Makes relay.json with a second implementation of introductions and of what is passed on.

    pip install cbor2 pynacl
    python3 make-relay.py > relay.json

Whole link messages of the kinds 11 to 13: `read` are taken, with what they say; `refused` are not, with
the reason as a code.
"""

import hashlib
import json
import sys

import cbor2
from nacl.signing import SigningKey


def digest(text):
    return hashlib.blake2b(text.encode(), digest_size=32).digest()


def encode(item):
    return cbor2.dumps(item, canonical=True)


KEY = SigningKey(digest("cy"))
IDENTITY = bytes(KEY.verify_key)
FIELDS = [1, IDENTITY, "Cy", 1_700_000_000, 7, 10_000, 47_474, False, [], 1_800_000_000, 0, [], []]
BEACON = [*FIELDS, KEY.sign(encode(["tabletalk/1 beacon", *FIELDS])).signature]
LAN, GLOBAL6 = bytes([192, 168, 1, 7]), bytes.fromhex("20010db8000000000000000000000007")

READ = {
    "introduction with an IPv4 address": [11, [[BEACON, LAN]]],
    "introduction with an IPv6 address": [11, [[BEACON, GLOBAL6]]],
    "introduction without an address": [11, [[BEACON, None]]],
    "eight introductions": [11, [[BEACON, LAN]] * 8],
    "open": [12, IDENTITY, 0, None],
    "opened": [13, IDENTITY, 1, None],
    "one byte": [12, IDENTITY, 2, b"\0"],
    "as many bytes as may be": [13, IDENTITY, 2, bytes(32_768)],
    "the highest number": [12, IDENTITY, 2**48, None],
    **{f"closed, {why}": [13, IDENTITY, 4, why] for why in range(4)},
}

REFUSED = {
    "no introduction": ([11, []], "wrongCount"),
    "nine introductions": ([11, [[BEACON, LAN]] * 9], "wrongCount"),
    "introduction of one part": ([11, [[BEACON]]], "wrongCount"),
    "introduction at a loopback address": ([11, [[BEACON, bytes([127, 0, 0, 1])]]], "outOfRange"),
    "introduction at a broadcast address": ([11, [[BEACON, b"\xff" * 4]]], "outOfRange"),
    "introduction at an address of one link": (
        [11, [[BEACON, bytes.fromhex("fe800000000000000000000000000001")]]], "outOfRange"),
    "introduction at five bytes": ([11, [[BEACON, bytes(5)]]], "outOfRange"),
    "introduction at a text": ([11, [[BEACON, "192.168.1.7"]]], "unexpectedType"),
    "relay without a part": ([12, IDENTITY, 0], "wrongCount"),
    "relay to a short key": ([12, IDENTITY[:31], 0, None], "outOfRange"),
    "relay with a number too high": ([12, IDENTITY, 2**48 + 1, None], "outOfRange"),
    "no bytes": ([12, IDENTITY, 0, b""], "outOfRange"),
    "a byte too many": ([13, IDENTITY, 0, bytes(32_769)], "outOfRange"),
    "closed for an unknown reason": ([13, IDENTITY, 0, 4], "outOfRange"),
    "closed with a text": ([13, IDENTITY, 0, "why"], "unexpectedType"),
    "closed with a negative number": ([13, IDENTITY, 0, -1], "unexpectedType"),
}


def packed(data):
    """Hexadecimal, with long runs of zeros at the end as their number."""
    short = data.rstrip(b"\0")
    zeros = len(data) - len(short)
    return {"hex": short.hex(), "zeros": zeros} if zeros > 64 else {"hex": data.hex()}


json.dump({
    "read": [{"name": name, **packed(encode(item))} for name, item in READ.items()],
    "refused": [{"name": name, "code": code, **packed(encode(item))}
                for name, (item, code) in REFUSED.items()],
}, sys.stdout, indent=1, ensure_ascii=False)
print()
