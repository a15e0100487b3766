"""A second implementation on a link with a running node, dialled from either side."""

import socket

import pytest
from nacl.signing import SigningKey

from node import wait_until
from tabletalk import Link, blake2b, decode, encode, judge_beacon, make_beacon, sign


def dial(world, node, kind=Link, identity=None):
    laptop = world.laptop(world.segments[0])
    address = (node.laptop.address, node.state["network"]["linkPort"])
    return world.closing(kind(laptop.connect(address), initiator=True, identity=identity))


def is_hung_up(link):
    try:
        while link.connection.recv(65_536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


def test_a_link_dialled_from_here_takes_beacons_and_pings(world):
    ana = world.node("Ana")
    key = SigningKey.generate()
    link = dial(world, ana, identity=key)
    assert link.peer.hex() == ana.key
    beacon = judge_beacon(link.hear(0)[1])
    assert (beacon["identity"].hex(), beacon["name"]) == (ana.key, "Ana")
    link.say(0, decode(make_beacon(key, name="Met by link")[4:]))
    row = ana.wait("who was met by link", lambda state: next(iter(state["people"]), None))
    assert (row["key"], row["name"]) == (bytes(key.verify_key).hex(), "Met by link")
    link.say(24, ["Standup", ["synergy", "circle back"]])
    given = ana.wait("a list", lambda state: next(iter(state["wordLists"]["given"]), None))
    assert (given["title"], given["fromName"]) == ("Standup", "Met by link")
    assert given["name"] == blake2b(encode(["Standup", ["synergy", "circle back"]])).hex()
    assert ana.page.get(f"/api/v1/words/{given['list']}")["words"] == ["synergy", "circle back"]
    link.say(1, 4_711, [])
    assert link.hear(2)[1:] == [4_711, []]
    number = link.hear(1)[1]
    link.say(2, number, [])


def test_what_cannot_be_read_is_counted_and_the_link_stays(world):
    ana = world.node("Ana")
    link = dial(world, ana)
    stranger = decode(make_beacon(SigningKey.generate())[4:])
    frames = {
        "frame.unknownKind": encode([19]),
        "frame.wrongCount": encode([10, 0]),
        "frame.unexpectedType": encode(["ping"]),
        "frame.truncated": encode([1, 1, []])[:-1],
        "frame.trailingBytes": encode([1, 1, []]) + b"\0",
        "frame.notShortest": b"\x82\x04\x18\x05",
        "frame.outOfRange": bytes(1_048_577),
        "frame.foreignBeacon": encode([0, stranger]),
        "table.unknown": encode([3, [7, bytes(32), 0]]),
        "genesis.refused": encode([6, b"\0"]),
    }
    for frame in frames.values():
        link.send(frame)
    link.say(1, 7, [])
    assert link.hear(2)[1] == 7
    assert ana.page.get("/api/v1/state")["network"]["refused"] == dict.fromkeys(frames, 1)
    assert ana.page.get("/api/v1/state")["people"] == []


def test_a_link_dialled_from_there(world):
    segment = world.segment()
    laptop = world.laptop(segment)
    listener = world.closing(laptop.socket(socket.AF_INET, socket.SOCK_STREAM))
    listener.bind((laptop.address, 5_000))
    listener.listen()
    listener.settimeout(15)
    ana = world.node("Ana", flags=["--peer", f"{laptop.address}:5000"])
    connection, _ = listener.accept()
    link = world.closing(Link(connection, initiator=False))
    assert link.peer.hex() == ana.key
    assert judge_beacon(link.hear(0)[1])["identity"].hex() == ana.key
    link.say(1, 1, [])
    assert link.hear(2)[1] == 1


def test_goodbye_and_silence_end_a_link(world):
    ana = world.node("Ana")
    key = SigningKey.generate()
    link = dial(world, ana, identity=key)
    link.say(0, decode(make_beacon(key)[4:]))
    ana.wait("Python", lambda state: state["people"])
    link.say(10)
    assert is_hung_up(link)
    ana.wait("Python gone", lambda state: all(
        row["presence"] == "away" for row in state["people"]))
    silent = dial(world, ana)
    silent.connection.settimeout(25)
    assert is_hung_up(silent)


def test_a_node_that_stops_says_goodbye_on_its_links(world):
    ana = world.node("Ana")
    link = dial(world, ana)
    link.hear(0)
    ana.stop()
    link.hear(10)


class Liar(Link):
    """Says that it is somebody else, with its own signature."""

    def introduction(self):
        stranger = bytes(SigningKey.generate().verify_key)
        return encode([1, stranger, sign(self.identity, "link", self.own)])


class Untagged(Link):
    """Signs its link key without saying what for."""

    def introduction(self):
        return encode([1, bytes(self.identity.verify_key), self.identity.sign(self.own).signature])


class Copier(Link):
    """Shows a signature over another link key, as if it had been recorded."""

    def introduction(self):
        return encode([1, bytes(self.identity.verify_key), sign(self.identity, "link", bytes(32))])


class Later(Link):
    """Speaks the next version."""

    def introduction(self):
        return encode([2, bytes(self.identity.verify_key), sign(self.identity, "link", self.own)])


@pytest.mark.parametrize("kind", [Liar, Untagged, Copier, Later])
def test_whoever_cannot_prove_who_he_is_is_hung_up_on(world, kind):
    ana = world.node("Ana")
    assert is_hung_up(dial(world, ana, kind))


def test_a_changed_record_ends_the_link(world):
    ana = world.node("Ana")
    link = dial(world, ana)
    record = bytearray(link.noise.encrypt(b"\0\0\0\1\xf6"))
    record[3] ^= 1
    link._send(bytes(record))
    wait_until("the end of the link", lambda: is_hung_up(link), 5)
