"""Who finds whom, and what is sent."""

import time

from node import wait_until
from play import everyone_sees_everyone

DISCOVERY = 47474


def test_three_laptops_see_one_another_within_five_seconds(world):
    nodes = world.people(3)
    seconds = everyone_sees_everyone(nodes, 5)
    print(f"all three saw one another {seconds:.2f} s after the last start (must 5)")
    for node in nodes:
        keys = [person["key"] for person in node.state["people"]]
        assert len(keys) == len(set(keys)) == 2, "one row a person"


def test_nothing_is_sent_before_the_player_has_a_name(world):
    ana = world.node("Ana")
    laptop = world.laptop(world.segments[0])
    capture = world.closing(laptop.capture())
    bo = world.node(None, laptop)
    assert bo.state["screen"] == "welcome"
    bo.wait("Ana's beacon", lambda state: state["people"], 15)
    time.sleep(2)  # What must not come cannot be waited for.
    assert capture.sent("udp") == [] and capture.sent("tcp") == []
    bo.command("setName", name="Bo")
    ana.wait("Bo", lambda state: any(person["name"] == "Bo" for person in state["people"]), 5)


def test_beacons_go_to_the_subnet_and_stay_small(world):
    segment = world.segment()
    laptop = world.laptop(segment)
    capture = world.closing(laptop.capture())
    nodes = [world.node("Ana", laptop), world.node("Bo")]
    everyone_sees_everyone(nodes)
    beacons = wait_until("a beacon", lambda: [
        packet for packet in capture.sent("udp") if packet.ports[1] == DISCOVERY])
    assert {packet.target for packet in beacons} == {"10.77.0.255"}
    assert all(packet.ports[0] != DISCOVERY for packet in beacons), "sent from a port of its own"
    assert all(len(packet.payload) <= 1200 for packet in capture.sent("udp"))


def test_an_open_table_is_announced_and_gone_soon_after_its_laptop(world):
    ana, bo = world.people(2)
    ana.command("createTable", size=3, minutes=15, marking="tap", pack=ana.state["packs"][0]["id"],
                title="Monday sync")
    row = bo.wait("the table", lambda state: next(iter(state["openTables"]), None))
    assert (row["title"], row["hostName"], row["players"]) == ("Monday sync", "Ana", 1)
    ana.kill()
    bo.wait("the table gone", lambda state: not state["openTables"], 12)


def test_a_clean_exit_says_goodbye(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    assert ana.stop() == 0
    bo.wait("Ana gone", lambda state: all(
        person["presence"] == "away" for person in state["people"]), 3)


def test_a_node_that_comes_back_with_another_address_is_the_same_person(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    card = bo.laptop.cards[0][1]
    bo.laptop.run("ip", "address", "add", "10.77.0.99/24", "brd", "+", "dev", card)
    bo.laptop.run("ip", "address", "del", f"{bo.laptop.address}/24", "dev", card)
    # Without its first address the kernel drops the second as well, unless it was promoted.
    bo.laptop.run("ip", "address", "replace", "10.77.0.99/24", "brd", "+", "dev", card)
    ana.wait("Bo's new address", lambda state: [
        person["address"].split(":")[0] for person in state["people"]] == ["10.77.0.99"], 40)


def test_two_people_with_one_name_are_told_apart(world):
    first, second = world.node("Ana"), world.node("ana")
    third = world.node("Cy")
    rows = third.wait("both", lambda state: [
        person for person in state["people"] if person["name"].lower() == "ana"
    ] if len(state["people"]) == 2 else None)
    assert {row["key"] for row in rows} == {first.key, second.key}
    assert all(row["showTag"] for row in rows)
    assert rows[0]["tag"] != rows[1]["tag"]


def test_a_named_peer_is_reached_where_broadcast_is_not(world):
    near, far = world.segment("10.77.0"), world.segment("10.78.0")
    router = world.laptop(near, far)
    router.run("sysctl", "-q", "-w", "net.ipv4.ip_forward=1")
    ana = world.node("Ana", world.laptop(near), start=False)
    bo_laptop = world.laptop(far)
    for laptop, gate in ((ana.laptop, router.addresses[0]), (bo_laptop, router.addresses[1])):
        laptop.run("ip", "route", "add", "default", "via", gate)
    ana.start()
    port = ana.state["network"]["linkPort"]
    bo = world.node("Bo", bo_laptop, flags=["--peer", f"{ana.laptop.address}:{port}"])
    everyone_sees_everyone([ana, bo])


def test_a_card_plugged_in_later_is_used(world):
    segment = world.segment()
    ana = world.node("Ana", world.laptop(segment))
    laptop = world.laptop()
    bo = world.node("Bo", laptop)
    laptop.attach(segment)
    everyone_sees_everyone([ana, bo], 15)


def test_every_card_sends_whatever_the_default_route_is(world):
    office, vpn = world.segment("10.77.0"), world.segment("10.99.0")
    laptop = world.laptop(vpn, office)
    laptop.run("ip", "route", "add", "default", "dev", laptop.cards[0][1])
    ana, bo = world.node("Ana", laptop), world.node("Bo", world.laptop(office))
    everyone_sees_everyone([ana, bo])
