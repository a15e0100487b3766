"""Makes first-steps.json with the second implementation: what a node that is being written can compare itself with first.

    .build/venv/bin/python -B Protocol/vectors/make-first-steps.py > Protocol/vectors/first-steps.json
"""

import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Conformance"))

from nacl.signing import SigningKey  # noqa: E402

from ledger import quorum  # noqa: E402
from tabletalk import blake2b, digest, encode, sign  # noqa: E402


def seed(name):
    return hashlib.blake2b(name.encode(), digest_size=32).digest()


def public(key):
    return bytes(key.verify_key)


def join(number, name):
    seeds = {role: seed(f"{number} {role}") for role in ("identity", "player", "voter")}
    identity, player, voter = (SigningKey(one) for one in seeds.values())
    table = seed(f"table {number}")
    body = encode([0, public(identity), public(voter), 0, name])
    fields = [table, public(player), 0, 0, body]
    pairs = sorted([public(key), sign(key, "entry", *fields)] for key in (identity, voter))
    entry = [*fields, sign(player, "entry", *fields), pairs]
    return {"name": name, "table": table.hex(), **{role: one.hex() for role, one in seeds.items()},
            "signed": encode(["tabletalk/1 entry", *fields]).hex(), "id": digest("entry", *fields).hex(),
            "entry": encode(entry).hex(), "message": encode([3, [3, entry]]).hex()}


def leaders(epoch, voters):
    start = int.from_bytes(blake2b(epoch)[:8], "big")
    return [voters[(start + view) % (1 << 64) % len(voters)].hex() for view in range(1, 9)]


def epochs(count):
    table = seed("table of epochs")
    creator = public(SigningKey(seed("voter 0")))
    first = digest("epoch", table, creator, 1)
    voters = sorted(public(SigningKey(seed(f"voter {number}"))) for number in range(count))
    recovery = digest("recovery", table, first, 3, 4, seed("block"), 0, voters)
    second = digest("epoch", first, recovery, voters, quorum(voters))
    return {"table": table.hex(), "creator": creator.hex(), "first": first.hex(), "view": 3, "height": 4,
            "block": seed("block").hex(), "recovery": recovery.hex(), "voters": [voter.hex() for voter in voters], "quorum": quorum(voters), "id": second.hex(),
            "leaders": leaders(second, voters)}


def draw():
    table = seed("table of the draw")
    players = [public(SigningKey(seed(f"player {number}"))) for number in range(3)]
    secrets = [seed(f"secret {number}") for number in range(3)]
    shares = [part for pair in zip(players, secrets) for part in pair]
    return {"table": table.hex(), "draw": 0, "players": [player.hex() for player in players],
            "secrets": [secret.hex() for secret in secrets],
            "commitments": [digest("commit", table, 0, player, secret).hex()
                            for player, secret in zip(players, secrets)],
            "seed": digest("draw", [table, 0, *shares]).hex()}


json.dump({"about": "A join by its seeds; epochs after a recovery with their leaders of views 1 to 8 (after a seal its hash stands for the recovery's); a draw. Made by make-first-steps.py.",
           "joins": [join(1, "Ana"), join(2, "Zoë 🎲")], "epochs": [epochs(count) for count in (1, 2, 3, 4, 7, 16)],
           "draw": draw()}, sys.stdout, indent=1, ensure_ascii=False)
print()
