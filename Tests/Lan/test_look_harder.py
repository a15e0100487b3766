"""Asking every address, because a person said so: where broadcast reaches nobody, and never by itself."""

import pytest

from node import Refused, wait_until
from play import everyone_sees_everyone

DISCOVERY = 47474


@pytest.fixture
def deaf_pair(world):
    """Ana and Bo on one segment that hear no broadcast and no multicast of Tabletalk's; and what Ana sends."""
    segment = world.segment("10.77.5")
    laptops = [world.laptop(segment), world.laptop(segment)]
    for laptop in laptops:
        laptop.run("nft", "add table inet quiet; add chain inet quiet in "
                   "{ type filter hook input priority 0; }; add rule inet quiet in "
                   "meta pkttype { broadcast, multicast } udp dport 47474 drop")
    # Every address is somebody's here, so that what is sent to it is seen on the wire.
    card = laptops[0].cards[0][1]
    for number in range(1, 255):
        if f"10.77.5.{number}" not in (laptops[0].address, laptops[1].address):
            laptops[0].run("ip", "neighbour", "add", f"10.77.5.{number}", "lladdr",
                           f"02:00:00:00:00:{number:02x}", "dev", card, "nud", "permanent")
    capture = world.closing(laptops[0].capture())
    return world.node("Ana", laptops[0]), world.node("Bo", laptops[1]), capture


def attempt(node, *words):
    """What a command answers, or its refusal."""
    try:
        return node.command(*words)
    except Refused as refusal:
        return refusal


def asked(capture):
    return [packet for packet in capture.sent("udp")
            if packet.ports[1] == DISCOVERY and not packet.target.endswith(".255")]


def test_one_click_finds_who_hears_no_broadcast(deaf_pair):
    ana, bo, capture = deaf_pair
    looking = ana.state["network"]["looking"]
    assert looking["subnets"] == ["10.77.5.0/24"] and looking["count"] == 253
    wait_until("beacons by broadcast", lambda: len(
        [packet for packet in capture.sent("udp") if packet.target == "10.77.5.255"]) >= 2, 25)
    assert asked(capture) == [], "nobody is asked by itself"
    assert ana.state["people"] == [] and bo.state["people"] == []

    ana.command("lookHarder")
    state = ana.wait("the end of it", lambda s: not s["network"]["looking"]["running"] and (
        s["network"]["looking"]["asked"]) and s, 15)
    if not state["network"]["looking"]["found"]:
        # Each address is asked once, and a datagram or its answer may be lost: then a person looks again.
        alone = [packet for packet in list(capture.packets)
                 if bo.laptop.address in (packet.source, packet.target)]
        print(f"not found at once; between the two: {alone}")
        wait_until("another look", lambda: not isinstance(attempt(ana, "lookHarder"), Refused), 40)
    everyone_sees_everyone([ana, bo], 15)
    state = ana.wait("the end of it", lambda s: not s["network"]["looking"]["running"] and s, 15)
    assert state["network"]["looking"]["asked"] == 253 and state["network"]["looking"]["found"] == 1
    targets = {packet.target for packet in asked(capture)}
    assert targets <= {f"10.77.5.{number}" for number in range(1, 255)}, "only the own subnet"
    assert bo.laptop.address in targets and ana.laptop.address not in targets
    assert len(targets) >= 253
    times = sorted(packet.time for packet in asked(capture))
    most = max(sum(start <= time < start + 1 for time in times) for start in times)
    print(f"at most {most} asked within a second (must 55)")
    assert most <= 55 + 8, "the few that are answered alone besides"
    with pytest.raises(Refused) as refusal:
        ana.command("lookHarder")
    assert refusal.value.code == "lookedJustNow"


def test_it_can_be_stopped(deaf_pair):
    ana, _, capture = deaf_pair
    ana.command("lookHarder")
    wait_until("somebody asked", lambda: len(asked(capture)) >= 10, 10)
    ana.command("stopLooking")
    looking = ana.wait("it stopped", lambda s: not s["network"]["looking"]["running"]
                       and s["network"]["looking"], 5)
    assert looking["asked"] < looking["count"]


def test_a_laptop_on_no_network_says_so(world):
    ana = world.node("Ana", world.laptop())
    with pytest.raises(Refused) as refusal:
        ana.command("lookHarder")
    assert refusal.value.code == "noSubnet"
