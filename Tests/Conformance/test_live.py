"""A second implementation meets a running node: on the air, and on a link from either side."""

import socket

import pytest
from nacl.signing import SigningKey

from node import wait_until
from tabletalk import Link, decode, encode, read_beacon

DISCOVERY = 47474


def test_beacons_are_read_and_verified(world):
    segment = world.segment()
    laptop = world.laptop(segment)
    ear = world.closing(world.laptop(segment).datagrams(DISCOVERY))
    ear.settimeout(15)
    ana = world.node("Ana", laptop)
    datagram, source = ear.recvfrom(2_000)
    beacon = read_beacon(datagram)
    assert beacon["identity"].hex() == ana.key
    assert (beacon["name"], source[0]) == ("Ana", laptop.address)
    assert beacon["linkPort"] == ana.state["network"]["linkPort"]
    later = read_beacon(ear.recv(2_000))
    assert later["sequence"] > beacon["sequence"]
    ana.stop()
    while later["period"]:
        later = read_beacon(ear.recv(2_000))
    ana.start()
    assert read_beacon(ear.recv(2_000))["incarnation"] > later["incarnation"]


def test_a_beacon_made_here_is_a_person_there(world):
    ana = world.node("Ana")
    mouth = world.closing(world.laptop(world.segments[0]).datagrams())
    key = SigningKey.generate()

    def say(name, sequence, period=10_000, sign=True):
        fields = [1, bytes(key.verify_key), name, 1, sequence, period, 47_474, False, []]
        signature = key.sign(encode(["tabletalk/1 beacon", *fields])).signature
        datagram = b"TTb1" + encode([*fields, signature if sign else bytes(64)])
        mouth.sendto(datagram, (ana.laptop.address, DISCOVERY))

    say("Mallory", 1, sign=False)
    say("Python", 2)
    rows = ana.wait("Python", lambda state: state["people"])
    assert [(row["key"], row["name"]) for row in rows] == [(bytes(key.verify_key).hex(), "Python")]
    say("Python", 3, period=0)
    ana.wait("Python gone", lambda state: all(
        row["presence"] == "away" for row in state["people"]))


def test_a_link_dialled_from_here(world):
    ana = world.node("Ana")
    laptop = world.laptop(world.segments[0])
    address = (ana.laptop.address, ana.state["network"]["linkPort"])
    link = Link(laptop.connect(address), initiator=True)
    assert link.peer.hex() == ana.key
    kind, beacon, *_ = decode(link.receive())
    assert kind == 0 and beacon[1].hex() == ana.key
    link.connection.close()


def test_a_link_dialled_from_there(world):
    segment = world.segment()
    laptop = world.laptop(segment)
    listener = world.closing(laptop.socket(socket.AF_INET, socket.SOCK_STREAM))
    listener.bind((laptop.address, 5_000))
    listener.listen()
    listener.settimeout(15)
    ana = world.node("Ana", flags=["--peer", f"{laptop.address}:5000"])
    connection, _ = listener.accept()
    link = Link(connection, initiator=False)
    assert link.peer.hex() == ana.key
    kind, beacon, *_ = decode(link.receive())
    assert kind == 0 and beacon[1].hex() == ana.key


def test_whoever_cannot_prove_who_he_is_is_hung_up_on(world):
    ana = world.node("Ana")
    laptop = world.laptop(world.segments[0])
    address = (ana.laptop.address, ana.state["network"]["linkPort"])

    class Liar(Link):
        def introduction(self):
            stranger = bytes(SigningKey.generate().verify_key)
            signature = self.identity.sign(encode(["tabletalk/1 link", self.own])).signature
            return encode([1, stranger, signature])

    link = Liar(laptop.connect(address), initiator=True)
    with pytest.raises((ConnectionError, TimeoutError)):
        link.receive()


def test_a_changed_record_ends_the_link(world):
    ana = world.node("Ana")
    laptop = world.laptop(world.segments[0])
    address = (ana.laptop.address, ana.state["network"]["linkPort"])
    link = Link(laptop.connect(address), initiator=True)
    record = bytearray(link.noise.encrypt(b"\0\0\0\1\xf6"))
    record[3] ^= 1
    link._send(bytes(record))

    def is_over():
        try:
            return not link.connection.recv(65_536)
        except ConnectionError:
            return True

    wait_until("the end of the link", is_over, 5)
