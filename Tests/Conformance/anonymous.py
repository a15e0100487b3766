"""Who is who at an anonymous table: table.md, Anonymous tables."""

import hashlib

from nacl import bindings

from tabletalk import encode, vectors

LISTS = vectors("alias.json")


def factor(secret, nonce, identity):
    wide = hashlib.blake2b(encode(["tabletalk/1 alias", nonce, identity]), key=secret, digest_size=64)
    return bindings.crypto_core_ed25519_scalar_reduce(wide.digest())


def alias(secret, nonce, identity):
    """The key that stands for an identity in the log."""
    step = bindings.crypto_scalarmult_ed25519_base_noclamp(factor(secret, nonce, identity))
    return bindings.crypto_core_ed25519_add(identity, step)


def moniker(key):
    adjectives, animals = LISTS["adjectives"], LISTS["animals"]
    return f"{adjectives[key[0] % len(adjectives)]} {animals[key[1] % len(animals)]}"
