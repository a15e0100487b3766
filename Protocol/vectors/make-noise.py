"""Makes the "link" vectors of noise.json with a second implementation of Noise.

    pip install noiseprotocol cbor2 pynacl
    python3 make-noise.py < noise.json > new.json

The secrets are the BLAKE2b hashes of their names. The "published" vector is kept as it is.
"""

import hashlib
import json
import sys

import cbor2
from nacl.signing import SigningKey
from noise.connection import Keypair, NoiseConnection

NAME = b"Noise_XX_25519_ChaChaPoly_BLAKE2b"
PROLOGUE = b"tabletalk-link/1"
SIDES = ("initiator", "responder")


def secret(name):
    return hashlib.blake2b(name.encode(), digest_size=32).digest()


def side(name):
    connection = NoiseConnection.from_name(NAME)
    connection.set_prologue(PROLOGUE)
    for kind, pair in (("static", Keypair.STATIC), ("ephemeral", Keypair.EPHEMERAL)):
        connection.set_keypair_from_private_bytes(pair, secret(f"{name} {kind}"))
    getattr(connection, f"set_as_{name}")()
    connection.start_handshake()
    return connection


def payload(name, key):
    identity = SigningKey(secret(f"{name} identity"))
    statement = cbor2.dumps(["tabletalk/1 link", key], canonical=True)
    return cbor2.dumps([1, bytes(identity.verify_key), identity.sign(statement).signature],
                       canonical=True)


def records(connection, frame):
    plain = len(frame).to_bytes(4, "big") + frame
    wire = b""
    for start in range(0, len(plain), 65519):
        record = connection.encrypt(plain[start:start + 65519])
        wire += len(record).to_bytes(2, "big") + record
    return wire


def link():
    ends = {name: side(name) for name in SIDES}
    keys = {name: ends[name].noise_protocol.handshake_state.s.public_bytes for name in SIDES}
    messages = []
    for number in range(3):
        writer, reader = SIDES[number % 2], SIDES[1 - number % 2]
        content = b"" if number == 0 else payload(writer, keys[writer])
        message = bytes(ends[writer].write_message(content))
        assert bytes(ends[reader].read_message(message)) == content
        messages.append({"payload": content.hex(), "message": message.hex()})
    frames = []
    for number, length in enumerate((1, 300, 65515, 65516, 200000)):
        writer = SIDES[number % 2]
        wire = records(ends[writer], bytes(i % 251 for i in range(length)))
        frames.append({
            "from": writer, "length": length,
            "wire_hash": hashlib.blake2b(wire, digest_size=32).hexdigest(),
            **({"wire": wire.hex()} if length <= 300 else {}),
        })
    return {
        "prologue": PROLOGUE.hex(),
        **{f"{name}_{kind}": secret(f"{name} {kind}").hex()
           for name in SIDES for kind in ("static", "ephemeral", "identity")},
        "handshake_hash": ends["initiator"].get_handshake_hash().hex(),
        "messages": messages,
        "frames": frames,
    }


document = json.load(sys.stdin)
document["link"] = link()
json.dump(document, sys.stdout, indent=1)
print()
