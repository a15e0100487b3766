"""Scenarios of people: several on one laptop, equal and long names, strangers who send rubbish."""

import random

from preload import shifted_clock
from node import wait_until
from play import everyone_sees_everyone
from scenes import Scene, rows

DISCOVERY = 47474
# As long as names and titles can be, at four bytes a letter.
LONGEST_NAME = "\U0001f3b2" * 23
LONGEST_TITLE = "\U0001f3b2" * 40


def on_one_laptop(count, others=1):
    """F14, F15: so many on one laptop, and others on laptops of their own."""
    def build(world):
        lan = world.segment()
        laptop = world.laptop(lan)
        names = ["Ana", "Bo", "Cy", "Di"]
        nodes = [world.node(name, laptop) for name in names[:count]]
        nodes += [world.node(name, world.laptop(lan)) for name in names[count:count + others]]

        def each_has_an_identity():
            assert len({node.key for node in nodes}) == len(nodes)
            for node in nodes:
                keys = {person["key"] for person in node.state["people"]}
                assert keys == {other.key for other in nodes if other is not node}
        return Scene(nodes, checks=[each_has_an_identity])
    return build


def only_loopback(world):
    """F16: no card at all; who is on the same laptop is met."""
    laptop = world.laptop()
    return Scene([world.node(name, laptop) for name in ("Ana", "Bo")])


def longest_names(world):
    """F24: the longest names and tables that can be; every beacon stays one small datagram."""
    lan = world.segment()
    ana, bo = (world.node(LONGEST_NAME + ending, world.laptop(lan)) for ending in "ab")
    capture = world.closing(ana.laptop.capture())
    for _ in range(2):
        ana.command("createTable", size=3, minutes=15, marking="tap", title=LONGEST_TITLE,
                    pack=ana.state["packs"][0]["id"])
    bo.wait("two tables", lambda state: len(state["openTables"]) == 2)

    def beacons_are_small():
        sent = [p for p in capture.sent("udp") if p.ports[1] == DISCOVERY]
        assert sent and max(len(packet.payload) for packet in sent) <= 1_200
        print(f"the longest beacon has {max(len(packet.payload) for packet in sent)} bytes")
    return Scene([ana, bo], checks=[beacons_are_small])


def rubbish(make):
    """A stranger sends everybody what `make(beacon, chance)` returns while they play."""
    def build(world):
        nodes = world.people(2)
        capture = world.closing(nodes[0].laptop.capture())
        stranger = world.laptop(world.segments[0])
        everyone_sees_everyone(nodes)

        def spit(game):
            beacon = wait_until("a beacon", lambda: next(
                (p.payload for p in capture.sent("udp") if p.ports[1] == DISCOVERY), None), 15)
            before = [sum(node.state["network"]["refused"].values()) for node in nodes]
            evil = make(beacon, random.Random(25))
            stranger.pour(evil, "10.77.0.255", DISCOVERY, [node.laptop for node in nodes])
            for node, count in zip(nodes, before):
                node.wait("refused datagrams counted", lambda state: (
                    sum(state["network"]["refused"].values()) - count > len(evil) * 0.8), 30)
                assert len(node.state["people"]) == 1
        return Scene(nodes, during=spit)
    return build


def cut_and_random(beacon, chance):
    """F25: a beacon cut at every length, and ten thousand datagrams of chance."""
    cuts = [beacon[:length] for length in range(len(beacon))]
    return cuts + [chance.randbytes(chance.randrange(1, 1_200)) for _ in range(10_000)]


def nested(beacon, chance):
    """F26: arrays in arrays, maps in maps, tags on tags, lengths that nothing follows."""
    magic = beacon[:4]
    deep = [bytes([head]) * depth for head in (0x81, 0x9f, 0xa1, 0xbf, 0xc1, 0xd8, 0x5f, 0x7f)
            for depth in (1, 15, 16, 17, 64, 255, 1_100)]
    huge = [bytes([head]) + b"\xff" * 8 for head in (0x5b, 0x7b, 0x9b, 0xbb, 0xdb)]
    return [start + body for start in (magic, b"") for body in deep + huge] * 10


def two_of_one_name(world):
    """F27: two are called Alex; neither is renamed, and key tags tell them apart."""
    first, second = world.node("Alex"), world.node("Alex")
    third = world.node("Cy")

    def told_apart():
        found = rows(third, "Alex")
        assert {row["key"] for row in found} == {first.key, second.key}
        assert all(row["showTag"] for row in found) and found[0]["tag"] != found[1]["tag"]
        for node in (first, second):
            assert node.state["me"]["name"] == "Alex"
    return Scene([first, second, third], checks=[told_apart])


def wrong_clocks(world):
    """F29: clocks ten minutes slow and ten minutes fast."""
    nodes = [world.node(name, environment=shifted_clock(world.folder, minutes))
             for name, minutes in (("Ana", 10), ("Bo", -10), ("Cy", 0))]
    return Scene(nodes)
