"""A second implementation is introduced, passed on and passes on."""

import time

import pytest
from nacl.signing import SigningKey

from forms import Refused
from linkforms import read_frame
from tabletalk import Link, decode, encode, judge_beacon, make_beacon, vectors

CASES = vectors("relay.json")


def unpacked(case):
    return bytes.fromhex(case["hex"]) + bytes(case.get("zeros", 0))


@pytest.mark.parametrize("case", CASES["read"], ids=lambda case: case["name"])
def test_what_is_to_be_read_is_read(case):
    assert encode(read_frame(unpacked(case))) == unpacked(case)


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["name"])
def test_what_is_to_be_refused_is_refused(case):
    with pytest.raises(Refused) as fault:
        read_frame(unpacked(case))
    assert fault.value.code == case["code"]


class Channel:
    """One end of a channel, as if it were a connection.

    The node at the other end of the link passes it on; or is its far end, and the part of who passes
    it on is played here.
    """

    def __init__(self, below, peer, number, passes=False):
        self.below, self.peer, self.number = below, peer, number
        self.says, self.hears = (13, 12) if passes else (12, 13)
        self.data = b""
        self.end = None
        self._pass(None)

    def _pass(self, part):
        self.below.say(self.says, self.peer, self.number, part)

    def settimeout(self, seconds):
        self.below.connection.settimeout(seconds)

    def sendall(self, data):
        # In pieces that end wherever they like.
        for start in range(0, len(data), 50):
            self._pass(data[start:start + 50])

    def recv(self, count):
        while not self.data and self.end is None:
            _, peer, number, part = read_frame(encode(self.below.hear(self.hears)))
            if (peer, number) == (self.peer, self.number):
                if isinstance(part, bytes):
                    self.data += part
                else:
                    self.end = part
        out, self.data = self.data[:count], self.data[count:]
        return out


def first_number(opener, other):
    """The lowest number of a channel that one key may open to another."""
    return 0 if bytes(opener) < bytes(other) else 1


def dial(world, node, key):
    laptop = world.laptop(world.segments[0])
    address = (node.laptop.address, node.state["network"]["linkPort"])
    link = world.closing(Link(laptop.connect(address), initiator=True, identity=key))
    link.say(0, decode(make_beacon(key, name="Python")[4:]))
    return link


@pytest.fixture
def pair(world):
    """Bo, and Ana who has a link to him."""
    bo = world.node("Bo")
    port = bo.state["network"]["linkPort"]
    ana = world.node("Ana", flags=["--peer", f"{bo.laptop.address}:{port}"])
    ana.wait("Bo", lambda state: state["people"])
    return ana, bo


def test_who_hears_nobody_is_introduced_to_who_is_linked(world, pair):
    ana, bo = pair
    key = SigningKey.generate()
    link = dial(world, bo, key)
    # One beacon later than it takes to hear those who are there.
    time.sleep(3)
    link.say(0, decode(make_beacon(key, name="Python", sequence=2)[4:]))
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for row, host in read_frame(encode(link.hear(11)))[1]:
            beacon = judge_beacon(row)
            if beacon["identity"].hex() == ana.key:
                assert beacon["name"] == "Ana"
                assert ".".join(map(str, host)) == ana.laptop.address
                return
    raise AssertionError("Ana was not introduced")


def test_a_link_is_made_through_a_node(world, pair):
    ana, bo = pair
    key = SigningKey.generate()
    below = dial(world, bo, key)
    there = bytes.fromhex(ana.key)
    channel = Channel(below, there, first_number(key.verify_key, there))
    link = Link(channel, initiator=True, identity=key)
    assert link.peer.hex() == ana.key
    assert judge_beacon(link.hear(0)[1])["name"] == "Ana"
    link.say(0, decode(make_beacon(key, name="Python", sequence=2)[4:]))
    row = ana.wait("Python through Bo", lambda state: next(
        (row for row in state["people"] if row["name"] == "Python" and row["through"]), None))
    assert row["through"] == "Bo"
    link.say(1, 4_711, [])
    assert link.hear(2)[1:] == [4_711, []]


def test_who_is_not_there_is_not_reached(world, pair):
    _, bo = pair
    key, nobody = SigningKey.generate(), SigningKey.generate().verify_key
    below = dial(world, bo, key)
    channel = Channel(below, bytes(nobody), first_number(key.verify_key, nobody))
    assert channel.recv(1) == b"" and channel.end == 1


def test_a_node_answers_what_a_second_implementation_passes_on(world, pair):
    ana, _ = pair
    far = SigningKey.generate()
    below = dial(world, ana, SigningKey.generate())
    number = first_number(far.verify_key, bytes.fromhex(ana.key))
    channel = Channel(below, bytes(far.verify_key), number, passes=True)
    link = Link(channel, initiator=True, identity=far)
    assert link.peer.hex() == ana.key
    assert judge_beacon(link.hear(0)[1])["name"] == "Ana"
    # Whoever proves another identity than the one it was opened for gets no link.
    other = Channel(below, bytes(far.verify_key), number + 2, passes=True)
    with pytest.raises(ConnectionError):
        Link(other, initiator=True, identity=SigningKey.generate()).hear(0)
    assert other.end == 0
