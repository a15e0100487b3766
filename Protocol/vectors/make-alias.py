"""Makes alias.json with the second implementation: what people are called at anonymous tables.

    .build/venv/bin/python -B Protocol/vectors/make-alias.py > Protocol/vectors/alias.json
"""

import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Conformance"))

from nacl.signing import SigningKey  # noqa: E402

import anonymous  # noqa: E402
from tabletalk import vectors  # noqa: E402


def case(number):
    identity = bytes(SigningKey(hashlib.blake2b(bytes([number]), digest_size=32).digest()).verify_key)
    secret, nonce = (hashlib.blake2b(bytes([number, kind]), digest_size=16).digest() for kind in (1, 2))
    alias = anonymous.alias(secret, nonce, identity)
    return {"identity": identity.hex(), "secret": secret.hex(), "nonce": nonce.hex(),
            "factor": anonymous.factor(secret, nonce, identity).hex(), "alias": alias.hex(),
            "name": anonymous.moniker(alias)}


lists = vectors("alias.json")
json.dump({"about": "What people are called at anonymous tables (table.md); made by make-alias.py.",
           "adjectives": lists["adjectives"], "animals": lists["animals"],
           "cases": [case(number) for number in range(8)]}, sys.stdout, indent=1)
print()
