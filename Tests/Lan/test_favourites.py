"""People with a star are found again where no broadcast reaches; what was kept is only a hint."""

import contextlib
import sqlite3
import time

import pytest

from node import wait_until
from play import everyone_sees_everyone, refusal

DISCOVERY = 47474


@pytest.fixture
def parted(world):
    """Ana and Bo in two networks with a router between; Ana met Bo by his address, and put a star on him."""
    near, far = world.segment("10.77.0"), world.segment("10.78.0")
    router = world.laptop(near, far)
    router.run("sysctl", "-q", "-w", "net.ipv4.ip_forward=1")
    laptops = world.laptop(near), world.laptop(far)
    for laptop, gate in zip(laptops, router.addresses):
        laptop.run("ip", "route", "add", "default", "via", gate)
    bo = world.node("Bo", laptops[1])
    ana = world.node("Ana", laptops[0], start=False)
    ana.start("--peer", f"{bo.laptop.address}:{bo.state['network']['linkPort']}")
    everyone_sees_everyone([ana, bo])
    star(ana, bo)
    for node in (ana, bo):
        assert node.stop() == 0
    return ana, bo


def star(node, other, on=True):
    node.command("favourite", person=other.key, on=on)
    node.wait("the star", lambda state: [
        person["favourite"] for person in state["people"] if person["key"] == other.key] == [on])


def alone(capture, address):
    return [packet for packet in capture.sent("udp")
            if packet.target == address and packet.ports[1] == DISCOVERY]


def test_two_with_a_router_between_find_each_other_and_stay(parted):
    ana, bo = parted
    ana.start()
    absent = ana.state["favourites"]
    assert [(one["key"], one["name"]) for one in absent] == [(bo.key, "Bo")]
    bo.start()
    begin = time.monotonic()
    ana.stop()
    ana.start()
    everyone_sees_everyone([ana, bo], 5)
    print(f"found each other {time.monotonic() - begin:.1f} s after a start (must 5)")
    assert ana.state["favourites"] == []
    end = time.monotonic() + 75  # More than two lives of a row.
    while time.monotonic() < end:
        for node in (ana, bo):
            assert len(node.state["people"]) == 1, f"{node.name} lost the other"
        time.sleep(0.2)
    assert ana.state["people"][0]["via"] == "datagram"
    bo.stop()
    ana.wait("Bo not here", lambda state: state["favourites"] and not state["people"], 3)


def test_who_starts_later_is_found_by_the_next_round(parted):
    ana, bo = parted
    capture = ana.laptop.capture()
    try:
        ana.start()
        wait_until("Bo asked for", lambda: alone(capture, bo.laptop.address), 5)
        bo.start()
        everyone_sees_everyone([ana, bo], 40)
        asked = alone(capture, bo.laptop.address)
        assert len(asked) <= 3, "asked for seldom"
    finally:
        capture.close()


def test_the_live_beacon_wins_over_what_was_kept(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    star(ana, bo)
    assert ana.stop() == 0
    assert bo.stop() == 0
    old = bo.laptop.address
    bo.laptop.readdress("10.77.0.99/24")
    capture = world.closing(ana.laptop.capture())
    bo.start()
    ana.start()
    ana.wait("Bo where he is", lambda state: "10.77.0.99" in [
        path["address"].split(":")[0] for person in state["people"] for path in person["paths"]], 15)
    assert old not in str(ana.state["people"])
    # While he is here nothing goes where he was; what was asked for at the start is past.
    before = len(alone(capture, old))
    time.sleep(40)
    assert len(alone(capture, old)) == before
    # What he had last is asked first from now on.
    assert bo.stop() == 0
    assert ana.stop() == 0
    seen = len(alone(capture, "10.77.0.99"))
    ana.start()
    wait_until("Bo asked for where he was last",
               lambda: len(alone(capture, "10.77.0.99")) > seen, 5)
    ana.command("favourite", person=ana.state["favourites"][0]["key"], on=False)
    ana.wait("no favourites", lambda state: state["favourites"] == [])


def test_nobody_is_asked_for_while_all_are_here(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    star(ana, bo)
    star(bo, ana)
    time.sleep(2)
    capture = world.closing(ana.laptop.capture())
    time.sleep(60)
    sent = [packet for packet in capture.sent("udp") if packet.ports[1] == DISCOVERY]
    print(f"{len(sent)} beacons in a minute with a favourite who is here (must 8)")
    assert {packet.target for packet in sent} == {"10.77.0.255"}
    assert len(sent) <= 8
    assert refusal(ana, "favourite", person="00" * 32, on=True) == "notHere"
    assert refusal(ana, "favourite", person=bo.key) == "malformed"


def test_rows_that_are_damaged_or_forged_do_nothing(parted, world):
    ana, bo = parted
    path = ana.folder / "tabletalk.db"
    insert = "insert into records (collection, key, value) values (1, ?, ?)"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as store:
        key = b"favourite" + bytes.fromhex(bo.key)
        [(value,)] = store.execute("select value from records where key = ?", (key,)).fetchall()
        for number in range(40):
            broken = bytearray(value)
            broken[number % len(broken)] ^= 0xff
            store.execute(insert, (b"favourite" + bytes([number]) * 32, bytes(broken)))
        # Forged: a stranger's key with Bo's address, which nobody there answers to.
        store.execute(insert, (b"favourite" + b"\xee" * 32, value))
        store.execute(insert, (b"favourite" + b"\xef" * 31, b""))
    bo.start()
    ana.start()
    everyone_sees_everyone([ana, bo], 5)
    assert [person["key"] for person in ana.state["people"]] == [bo.key]
    absent = [one["key"] for one in ana.state["favourites"]]
    assert "ee" * 32 in absent and len(absent) < 20
    ana.command("favourite", person="ee" * 32, on=False)
    ana.wait("taken off", lambda state: "ee" * 32 not in [one["key"] for one in state["favourites"]])
