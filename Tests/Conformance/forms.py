"""What is refused and with which code: wire.md, "Refusals"; the forms of everything that it names.

A form is a function that takes an item and returns it, or raises `Refused` with a code.
"""

import struct

MESSAGE, GENESIS, COUNTER = 1 << 20, 160 << 10, 1 << 48
ITEMS, LEVELS = 100_000, 16


class Refused(Exception):
    """What a reader must not take; its code is the first argument."""

    @property
    def code(self):
        return self.args[0]


class Forged(Refused):
    """A signature that does not hold."""

    @property
    def code(self):
        return "badSignature"


def need(good, code):
    if not good:
        raise Refused(code)


# Encoding.


class Decoder:
    """Reads one item as RFC 8949, section 4.2.1 writes it, and tells the first fault."""

    def __init__(self, data):
        self.data, self.offset, self.items = data, 0, 0

    def take(self, count):
        need(count <= len(self.data) - self.offset, "truncated")
        self.offset += count
        return self.data[self.offset - count:self.offset]

    def argument(self, info):
        if info < 24:
            return info
        need(info != 31, "indefiniteLength")
        need(info < 28, "reserved")
        number = int.from_bytes(self.take(1 << info - 24), "big")
        need(number >= (24, 1 << 8, 1 << 16, 1 << 32)[info - 24], "notShortest")
        return number

    def count(self, info):
        number = self.argument(info)
        need(number <= len(self.data) - self.offset, "truncated")
        need(number <= ITEMS - self.items, "tooManyItems")
        return number

    def simple(self, info):
        if info in (20, 21, 22):
            return {20: False, 21: True, 22: None}[info]
        need(info != 31, "indefiniteLength")
        if info == 24:
            need(self.take(1)[0] >= 32, "reserved")
        else:
            need(info < 24 or info in (25, 26, 27), "reserved")
        if info in (25, 26, 27):
            form = {25: ">e", 26: ">f", 27: ">d"}[info]
            data = self.take(1 << info - 24)
            number = struct.unpack(form, data)[0]
            need(number == number or data == b"\x7e\x00", "notShortest")
            need(number != number or not self.fits_shorter(number, info), "notShortest")
        return ("simple or float", info)

    @staticmethod
    def fits_shorter(number, info):
        for form in [">e", ">f"][:info - 25]:
            try:
                if struct.unpack(form, struct.pack(form, number))[0] == number:
                    return True
            except OverflowError:
                pass
        return False

    def item(self, level=0):
        need(level < LEVELS, "tooDeep")
        self.items += 1
        need(self.items <= ITEMS, "tooManyItems")
        first = self.take(1)[0]
        major, info = first >> 5, first & 31
        if major == 7:
            return self.simple(info)
        if major == 4:
            return [self.item(level + 1) for _ in range(self.count(info))]
        if major == 5:
            return self.map(self.count(info), level + 1)
        number = self.argument(info)
        if major == 0:
            return number
        if major == 1:
            return -1 - number
        if major == 6:
            return ("tag", number, self.item(level + 1))
        data = self.take(number)
        if major == 2:
            return data
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise Refused("invalidText") from error

    def map(self, count, level):
        last, pairs = None, []
        for _ in range(count):
            start = self.offset
            key = self.item(level)
            encoded = self.data[start:self.offset]
            need(encoded != last, "duplicateKey")
            need(last is None or last < encoded, "keysOutOfOrder")
            last = encoded
            pairs.append((key, self.item(level)))
        return ("map", pairs)


def decode(data):
    """The item that is exactly `data`."""
    decoder = Decoder(bytes(data))
    item = decoder.item()
    need(decoder.offset == len(data), "trailingBytes")
    return item


# Forms of single items.


def number(most, least=0):
    def form(item):
        need(type(item) is int and item >= 0, "unexpectedType")
        need(least <= item <= most, "outOfRange")
        return item
    return form


def octets(least, most=None):
    def form(item):
        need(type(item) is bytes, "unexpectedType")
        need(least <= len(item) <= (least if most is None else most), "outOfRange")
        return item
    return form


def text(most, fits=lambda item: True):
    def form(item):
        need(type(item) is str, "unexpectedType")
        need(len(item.encode()) <= most and fits(item), "outOfRange")
        return item
    return form


def truth(item):
    need(type(item) is bool, "unexpectedType")
    return item


def optional(form):
    return lambda item: None if item is None else form(item)


def array(*forms):
    """An array of exactly these."""
    def form(item):
        need(type(item) is list, "unexpectedType")
        need(len(item) == len(forms), "wrongCount")
        return [one(part) for one, part in zip(forms, item)]
    return form


def many(one, most, least=0, key=None):
    """So many of one form; ascending by a key, where there is one."""
    def form(item):
        need(type(item) is list, "unexpectedType")
        need(least <= len(item) <= most, "wrongCount")
        rows = [one(part) for part in item]
        if key:
            keys = [key(row) for row in rows]
            need(all(left < right for left, right in zip(keys, keys[1:])), "outOfRange")
        return rows
    return form


def kinds(forms, ranges=range(256)):
    """`[kind, field...]`, where the kind decides about the rest."""
    most = max(len(fields) for fields in forms.values()) + 1
    least = min(len(fields) for fields in forms.values()) + 1

    def form(item):
        need(type(item) is list, "unexpectedType")
        need(least <= len(item) <= most, "wrongCount")
        kind = number(ranges[-1])(item[0])
        need(kind in forms, "unknownKind")
        need(len(item) == len(forms[kind]) + 1, "wrongCount")
        return [kind, *[one(part) for one, part in zip(forms[kind], item[1:])]]
    return form


def itself(item):
    return item


def first(item):
    return item[0]


# Parts of table messages: wire.md.

HASH = KEY = octets(32)
SIGNATURE = octets(64)
COUNT = number(COUNTER)
KEYSIG = array(KEY, SIGNATURE)
KEYS = many(KEY, 16, key=itself)


def keysigs(most):
    return many(KEYSIG, most, key=first)


def with_block(form, place):
    """A vote or certificate: the block is zeros exactly for nullify."""
    def checked(item):
        item = form(item)
        need((item[3] == 1) == (item[place] == bytes(32)), "outOfRange")
        return item
    return checked


VOTE = with_block(array(HASH, HASH, COUNT, number(2), HASH, KEY, SIGNATURE), 4)
CERTIFICATE = with_block(array(HASH, HASH, COUNT, number(2), HASH, keysigs(16)), 4)
ENTRY = array(HASH, KEY, number(1 << 32), number((1 << 64) - 1), octets(1, 4096), SIGNATURE, keysigs(2))
PASSED = READY = EVICT = array(HASH, HASH, HASH, KEY, SIGNATURE)
DEADLINE = array(HASH, keysigs(16))
JUST = array(optional(CERTIFICATE), optional(CERTIFICATE), many(CERTIFICATE, 256))
WISH = array(HASH, HASH, COUNT, HASH, KEYS)
ASSENT = array(HASH, HASH, KEY, SIGNATURE)


def status(item):
    """One field more says that the disk is full."""
    fields = [HASH, HASH, COUNT, COUNT, COUNT, HASH, HASH, KEYS]
    need(type(item) is list, "unexpectedType")
    if len(item) == len(fields) + 1:
        fields.append(number(1, 1))
    return array(*fields)(item)


def voters(item):
    need(type(item) is list, "unexpectedType")
    need(len(item) in (2, 3), "wrongCount")
    come, go = many(READY, 16, key=lambda ready: ready[3])(item[0]), KEYS(item[1])
    need(come or go, "wrongCount")
    if len(item) == 2:
        return [come, go]
    out = many(EVICTION, 16, 1, key=target)(item[2])
    need(all(target(row) in go for row in out), "outOfRange")
    return [come, go, out]


def target(eviction):
    return eviction[1][1][5] if eviction[0] == 0 else eviction[1]


ENTRIES, DEADLINES = many(ENTRY, 64), many(DEADLINE, 32)


def block(item):
    """Entries and deadlines are looked at first, then all fields in their order."""
    need(type(item) is list, "unexpectedType")
    need(len(item) == 13, "wrongCount")
    need(sum(len(entry[4]) for entry in ENTRIES(item[8])) <= 65_536, "outOfRange")
    DEADLINES(item[9])
    return array(HASH, HASH, COUNT, COUNT, COUNT, HASH, HASH, COUNT, ENTRIES, DEADLINES, optional(voters),
                 JUST, COUNT)(item)


def contradict(one, other):
    """consensus.md, V1: whether no honest voter makes both votes."""
    both = {one[3], other[3]}
    if one[:3] != other[:3] or both in ({1}, {0, 1}):
        return False
    return 1 in both or one[4] != other[4]


def evidence(item):
    from tabletalk import digest
    item = kinds({0: (VOTE, VOTE), 1: (VOTE, block)})(item)
    kind, vote, other = item
    if kind == 0:
        need(vote[5] == other[5] and contradict(vote, other)
             and (vote[3], vote[4]) < (other[3], other[4]), "outOfRange")
    else:
        need(vote[3] != 1 and vote[4] == digest("block", *other) and vote[:3] == other[:3]
             and not (other[10] and len(other[10]) == 3), "outOfRange")
    return item


EVICTION = kinds({0: (evidence,), 1: (KEY, keysigs(16))})


def recovery(item):
    def reason(item):
        need(number(255)(item) == 0, "unknownKind")
        return item

    item = array(HASH, HASH, COUNT, COUNT, HASH, reason, many(KEY, 16, 1, key=itself), keysigs(16))(item)
    need({key for key, _ in item[7]} <= set(item[6]), "outOfRange")
    return item


CHAIN = array(HASH, many(block, 256), many(CERTIFICATE, 256))

TABLE_MESSAGE = kinds({
    0: (VOTE,), 1: (CERTIFICATE,), 2: (block, VOTE), 3: (ENTRY,), 4: (PASSED,), 5: (READY,),
    6: (status,), 7: (HASH, COUNT), 8: (CHAIN,), 9: (HASH, HASH), 10: (block,), 11: (evidence,),
    12: (EVICT,), 16: (WISH,), 17: (recovery,), 18: (ASSENT,)})
