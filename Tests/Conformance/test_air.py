"""A second implementation on the air: what a running node hears, and what it says."""

import time

from nacl.signing import SigningKey

from node import wait_until
from play import refusal
from tabletalk import digest, encode, make_beacon, read_beacon, sign, tells_hearing, vectors

DISCOVERY = 47474
VECTORS = vectors("beacon.json")


def refused(node):
    return node.page.get("/api/v1/state")["network"]["refused"]


def people(node):
    state = node.page.get("/api/v1/state")
    return [(row["key"], row["name"], row["address"]) for row in state["people"]
            if row["presence"] != "away"]


class Mouth:
    """A laptop that sends what it likes to a node's discovery port."""

    def __init__(self, world, node):
        self.laptop = world.laptop(world.segments[0])
        self.socket = world.closing(self.laptop.datagrams())
        self.socket.settimeout(5)
        self.target = (node.laptop.address, DISCOVERY)

    def say(self, datagram):
        self.socket.sendto(datagram, self.target)


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
    title = "🎲" * 40
    table = ana.command("createTable", size=3, minutes=15, marking="tap", title=title,
                        pack=ana.state["packs"][0]["id"])["table"]
    while not later["tables"]:
        later = read_beacon(ear.recv(2_000))
    assert later["period"] == 2_000
    notice = later["tables"][0]
    assert (notice["table"].hex(), notice["title"], notice["players"]) == (table, title, 1)
    ana.stop()
    while later["period"]:
        later = read_beacon(ear.recv(2_000))
    ana.start()
    assert read_beacon(ear.recv(2_000))["incarnation"] > later["incarnation"]


def test_a_beacon_made_here_is_a_person_there_and_is_answered(world):
    ana = world.node("Ana")
    mouth = Mouth(world, ana)
    key = SigningKey.generate()
    mouth.say(make_beacon(key, linkPort=4_711))
    answer, source = mouth.socket.recvfrom(2_000)
    assert source[0] == ana.laptop.address
    heard = read_beacon(answer)
    assert heard["identity"].hex() == ana.key
    assert tells_hearing(heard, bytes(key.verify_key)), "the answer says that it was heard"
    assert abs(heard["clock"] - time.time()) < 5
    row = ana.wait("Python", lambda state: next(iter(state["people"]), None))
    assert (row["key"], row["name"], row["address"]) == (
        bytes(key.verify_key).hex(), "Python", f"{mouth.laptop.address}:4711")
    mouth.say(make_beacon(key, sequence=2, period=0))
    ana.wait("Python gone", lambda state: all(
        row["presence"] == "away" for row in state["people"]))


def test_everybody_who_is_heard_is_named_in_turn(world):
    ana = world.node("Ana")
    # No more than sixteen are known at one address.
    mouths = [Mouth(world, ana) for _ in range(3)]
    keys = [SigningKey.generate() for _ in range(40)]
    told, answers = set(), 0
    for number, key in enumerate(keys, 1):
        mouth = mouths[number % 3]
        mouth.say(make_beacon(key, name=f"Python {number}"))
        answer = read_beacon(mouth.socket.recv(2_000))
        assert answer["hears"] == number
        assert tells_hearing(answer, bytes(key.verify_key))
    for turn in range(3):
        ana.command("createTable", size=3, minutes=15, marking="tap", title=f"Table {turn}",
                    pack=ana.state["packs"][0]["id"])
    ear = world.closing(mouth.laptop.datagrams(DISCOVERY))
    ear.settimeout(15)
    silent = bytes(SigningKey.generate().verify_key)
    judged = []
    while len(told) < len(keys):
        beacon = read_beacon(ear.recv(2_000))
        told |= {key for key in keys if tells_hearing(beacon, bytes(key.verify_key))}
        judged.append(tells_hearing(beacon, silent))
        answers += 1
        assert answers < 12
    assert True not in judged


def test_people_with_other_versions_are_listed_with_what_they_need(world):
    ana = world.node("Ana")
    mouth = Mouth(world, ana)
    newer, older = SigningKey.generate(), SigningKey.generate()
    fields = [2, bytes(newer.verify_key), "Bo", "whatever version two has", [1, None]]
    mouth.say(b"TTb1" + encode([*fields, sign(newer, "beacon", *fields)]))
    mouth.say(make_beacon(older, version=0, name="Cy"))
    mouth.say(make_beacon(SigningKey.generate(), version=2, name="Eve")[:-64] + bytes(64))
    rows = ana.wait("both", lambda state: len(state["otherVersions"]) == 2 and state["otherVersions"])
    assert [(row["name"], row["version"], row["message"]) for row in rows] == [
        ("Bo", 2, "Bo has a newer Tabletalk. Update yours to play together."),
        ("Cy", 0, "Cy has an older Tabletalk. Cy must update it before you can play together.")]
    assert people(ana) == []
    mouth.say(make_beacon(older, name="Cy"))
    ana.wait("Cy has updated", lambda state: [row["name"] for row in state["otherVersions"]]
             == ["Bo"] and [row["name"] for row in state["people"]] == ["Cy"])


def test_older_beacons_come_too_late(world):
    ana = world.node("Ana")
    mouth = Mouth(world, ana)
    key = SigningKey.generate()
    mouth.say(make_beacon(key, sequence=5, name="Fifth"))
    ana.wait("Fifth", lambda state: any(row["name"] == "Fifth" for row in state["people"]))
    for changes in ({"sequence": 4}, {"sequence": 4, "period": 0}, {"incarnation": 0, "sequence": 9}):
        mouth.say(make_beacon(key, **changes))
    wait_until("three replays counted", lambda: refused(ana).get("beacon.replayed") == 3)
    assert [name for _, name, _ in people(ana)] == ["Fifth"]
    mouth.say(make_beacon(key, incarnation=2, name="Second start"))
    ana.wait("Second start", lambda state: [row["name"] for row in state["people"]]
             == ["Second start"])


def test_the_vectors_mean_to_a_node_what_they_say(world):
    ana = world.node("Ana")
    mouth = Mouth(world, ana)
    expected = {}
    for case in VECTORS["refused"]:
        datagram = bytes.fromhex(case["datagram"])
        if len(datagram) > 1_200:
            continue  # Dropped before it is read.
        expected[f"datagram.{case['code']}"] = expected.get(f"datagram.{case['code']}", 0) + 1
        mouth.say(datagram)
    wait_until("every refusal counted under its code", lambda: refused(ana) == expected)
    assert people(ana) == []
    for row in VECTORS["heard"]:
        mouth.say(bytes.fromhex(row["datagram"]))
    replays = sum(row["means"] == "replayed" for row in VECTORS["heard"])
    wait_until("the replays counted", lambda: refused(ana).get("beacon.replayed") == replays)
    wait_until("both are here", lambda: sorted(name for _, name, _ in people(ana)) == ["Ana", "Bo"])


def test_both_see_the_same_six_words(world):
    words = vectors("phrase.json")["words"]

    def phrase(one, other):
        value = digest("phrase", *sorted((one, other)))
        for _ in range(1023):
            value = digest("phrase", value)
        bits = int.from_bytes(value[:8], "big") >> 4
        return [words[bits >> shift & 1023] for shift in range(50, -1, -10)]

    for row in vectors("phrase.json")["phrases"]:
        assert phrase(bytes.fromhex(row["one"]), bytes.fromhex(row["other"])) == row["words"]
    ana, bo = world.people(2)
    for node, other in ((ana, bo), (bo, ana)):
        node.wait("the other", lambda state: state["people"])
        node.command("compare", person=other.key)
        shown = node.wait("the words", lambda state: state["people"][0]["phrase"], 5)
        assert shown == phrase(bytes.fromhex(ana.key), bytes.fromhex(bo.key))
    assert refusal(ana, "compare", person="00" * 32) == "notHere"
