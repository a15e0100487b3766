"""Makes private.json with a second implementation: secrets as text, and what proves them on a link.

    python3 make-private.py > private.json

Needs nothing but Python's own keyed BLAKE2b. Keys and hashes are the BLAKE2b hashes of their names.
"""

import hashlib
import json

LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"


def named(name, size=32):
    return hashlib.blake2b(name.encode(), digest_size=size).digest()


def text(secret):
    number = int.from_bytes(secret, "big") << 2
    return "".join(LETTERS[number >> shift & 31] for shift in range(125, -1, -5))


def head(major, value):
    if value < 24:
        return bytes([major << 5 | value])
    size = 1 if value < 1 << 8 else 2 if value < 1 << 16 else 4
    return bytes([major << 5 | 23 + size.bit_length()]) + value.to_bytes(size, "big")


def proof(step, secret, code, handshake, prover, verifier):
    tag = f"tabletalk/1 private {step}".encode()
    message = head(4, 5) + head(3, len(tag)) + tag + head(0, code)
    message += b"".join(head(2, 32) + data for data in (handshake, prover, verifier))
    return hashlib.blake2b(message, digest_size=32, key=secret).digest()


SECRETS = [bytes(16), b"\xff" * 16, bytes(range(16)), *(named(f"secret {n}", 16) for n in range(4))]
PROOFS = []
for count, code in enumerate((0, 23, 24, 255, 256, 48_213, 65_536, 99_999)):
    secret = SECRETS[count % len(SECRETS)]
    link = hashlib.blake2b(named(f"handshake {count}", 64), digest_size=32).digest()
    asker, answerer = named(f"asker {count}"), named(f"answerer {count}")
    PROOFS.append({
        "secret": secret.hex(), "code": code, "handshake_hash": named(f"handshake {count}", 64).hex(),
        "link": link.hex(), "asker": asker.hex(), "answerer": answerer.hex(),
        "ask": proof("ask", secret, code, link, asker, answerer).hex(),
        "answer": proof("answer", secret, code, link, answerer, asker).hex(),
    })

print(json.dumps({
    "about": "Made by make-private.py. `link` is BLAKE2b-256 of the handshake hash.",
    "texts": [{"secret": secret.hex(), "text": text(secret)} for secret in SECRETS],
    "proofs": PROOFS,
}, indent=1))
