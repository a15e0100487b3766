"""Forms of what is said on links, of a genesis and of who is at the other end: wire.md, link.md."""

import ipaddress

from anonymous import moniker
from bingo import is_word, key
from forms import (COUNTER, GENESIS, HASH, KEY, KEYSIG, MESSAGE, SIGNATURE, TABLE_MESSAGE, array,
                   decode, first, kinds, many, need, number, octets, optional, status, text, truth)
from tabletalk import (NAME, TITLE, appointment, has_length, check, check_all, check_assent, check_block,
                       check_certificate,
                       check_entry, check_evict, check_evidence, check_passed, check_ready,
                       check_recovery, check_vote, judge_beacon)

BEYOND = number((1 << 64) - 1)
STATUSES = many(status, 32)
PACKED = octets(1, GENESIS)


def is_host(item):
    """An address that means the same to others: not this laptop, one link, many or nobody."""
    address = ipaddress.ip_address(item)
    mapped = getattr(address, "ipv4_mapped", None)
    return not (mapped or address.is_loopback or address.is_multicast or address.is_unspecified
                or address.version == 6 and address.is_link_local
                or address.version == 4 and (item[0] == 0 or item == b"\xff" * 4))


def host(item):
    octets(4, 16)(item)
    need(len(item) in (4, 16) and is_host(item), "outOfRange")
    return item


def reachable(item):
    """The address of a whereabouts: told ones that mean nothing elsewhere are passed over, not refused."""
    octets(4, 16)(item)
    need(len(item) in (4, 16) and not getattr(ipaddress.ip_address(item), "ipv4_mapped", None),
         "outOfRange")
    return item


def beacon(item):
    judge_beacon(item)
    return item


def part(item):
    if item is None or type(item) is bytes:
        return optional(octets(1, 32_768))(item)
    return number(3)(item)


LINE = text(800, has_length(1, 201))


def word(item):
    need(is_word(text(240)(item)), "outOfRange")
    return item


def given(item):
    item = array(TITLE, many(word, 500, 1))(item)
    need(len({key(one) for one in item[1]}) == len(item[1]), "outOfRange")
    return item


RELAY = (KEY, number(COUNTER), part)

LINK_MESSAGE = kinds({
    0: (beacon,), 1: (BEYOND, STATUSES), 2: (BEYOND, STATUSES), 3: (TABLE_MESSAGE,),
    4: (number(99_999),), 5: (HASH,), 6: (PACKED,), 7: (optional(HASH), optional(HASH), text(64)),
    8: (HASH,), 9: (many(array(KEY, reachable, number(65_535, 1)), 64),), 10: (),
    11: (many(array(beacon, optional(host)), 8, 1),), 12: RELAY, 13: RELAY, 20: (HASH,),
    21: (HASH, PACKED), 22: (PACKED,), 23: (HASH, LINE), 24: (given,),
    30: (PACKED, optional(octets(16))), 31: (HASH,)})


def read_frame(data):
    """A frame of a link, without the signatures of table messages."""
    need(len(data) <= MESSAGE, "outOfRange")
    return LINK_MESSAGE(decode(data))


CHECKS = {0: check_vote, 1: check_certificate, 3: check_entry, 4: check_passed, 5: check_ready,
          10: check_block, 11: check_evidence, 12: check_evict, 17: check_recovery, 18: check_assent}


def read_table_message(data):
    """A table message with all its signatures."""
    message = TABLE_MESSAGE(decode(data))
    kind, *parts = message
    if kind in CHECKS:
        CHECKS[kind](parts[0])
    elif kind == 2:
        check_block(parts[0])
        check_vote(parts[1])
    elif kind == 8:
        for block in parts[0][1]:
            check_block(block)
        for certificate in parts[0][2]:
            check_certificate(certificate)
    return message


def member(item):
    item = array(KEY, KEY, KEY, number(COUNTER), NAME)(item)
    need(len(set(item[:3])) == 3, "outOfRange")
    return item


def read_genesis(data):
    """A genesis with its signatures; its setup is the game's to judge."""
    need(len(data) <= GENESIS, "outOfRange")
    item = decode(data)
    need(type(item) is list, "unexpectedType")
    need(len(item) in (11, 12, 13, 14), "wrongCount")
    need(text(16)(item[2]) in ("bingo", "quoridor"), "unknownKind")

    def previous_kind(item):
        need(number(255)(item) < 2, "unknownKind")
        return item

    previous = array(HASH, HASH, previous_kind, many(KEY, 16))
    forms = [number(99_999), TITLE, text(16), lambda item: item, truth, truth,
             many(array(KEY, NAME), 16), optional(previous), octets(16), member]
    more = item[10:-1]
    anonymous = bool(more) and type(more[-1]) is str
    more = more[:-1] if anonymous else more
    said = len(more) == 2 or bool(more) and type(more[-1]) is list
    strict = len(more) == (2 if said else 1)
    if strict:
        forms.append(lambda item: need(truth(item), "outOfRange"))
    if said:
        forms.append(appointment)
    if anonymous:
        forms.append(lambda item: need(text(16)(item) == "anonymous", "outOfRange"))
    array(*forms, many(KEYSIG, 3, key=first))(item)
    need(not (item[4] and (item[5] or strict)), "outOfRange")
    need(not anonymous or item[5] and item[9][4] == moniker(item[9][0]), "outOfRange")
    need((item[4] or not item[6]) and len(item[6]) < 16, "outOfRange")
    players = [*item[9][:3], *[key for key, _ in item[6]]]
    need(len(players) == len(set(players)), "outOfRange")
    need([key for key, _ in item[-1]] == sorted(item[9][:3]), "outOfRange")
    check_all(item[-1], "genesis", *item[:-1])
    return item


def read_introduction(payload, static):
    """Who is at the other end of a link: the payload of a handshake, and the key that it vouches for."""
    need(len(payload) <= 256, "outOfRange")
    item = decode(payload)
    need(type(item) is list, "unexpectedType")
    version, key, signature = array(number(255), KEY, SIGNATURE)(item)
    need(version == 1, "unknownKind")
    check(key, signature, "link", static)
    return key
