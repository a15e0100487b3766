"""Links without IPv4, beside it, and adapters that are odd in other ways."""

import socket
import struct
import time

from network import sh
from node import wait_until
from play import Game, everyone_sees_everyone

DISCOVERY = 47474


def six_only(world, segment):
    laptop = world.laptop()
    laptop.attach(segment, ipv4=False)
    return laptop


def address_of(node, name):
    return next(person["address"] for person in node.state["people"] if person["name"] == name)


def settle(world, nodes):
    """One claim that all agree on."""
    game = Game.gather(nodes).start()
    claimant = game.seats[-1]
    game.confirm(claimant, claimant.harmless()[0])
    game.agree()


class Ears:
    """Counts the beacons that reach a laptop's card, by the kind of address they were sent to."""

    def __init__(self, laptop, card="eth0"):
        self.frames = []
        self._socket = laptop.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self._socket.bind((card, 0x0003))
        self._socket.setblocking(False)

    def hear(self):
        while True:
            try:
                frame = self._socket.recv(65536)
            except BlockingIOError:
                return
            kind, = struct.unpack_from("!H", frame, 12)
            if kind == 0x0800 and frame[23] == 17:
                ports = struct.unpack_from("!HH", frame, 14 + (frame[14] & 15) * 4)
                self.frames.append((4, frame[6:12], socket.inet_ntoa(frame[30:34]), ports[1]))
            elif kind == 0x86dd and frame[20] == 17:
                target = socket.inet_ntop(socket.AF_INET6, frame[38:54])
                self.frames.append((6, frame[6:12], target, *struct.unpack_from("!2xH", frame, 54)))

    def count(self, version):
        self.hear()
        return len([frame for frame in self.frames if frame[0] == version and frame[3] == DISCOVERY])

    def close(self):
        self._socket.close()


def test_two_laptops_without_any_ipv4_play(world):
    """FIELD F21: the group of the link carries the beacons, the link-local addresses the links."""
    segment = world.segment()
    nodes = [world.node(name, six_only(world, segment)) for name in ("Ana", "Bo")]
    seconds = everyone_sees_everyone(nodes, 10)
    print(f"saw one another by IPv6 alone {seconds:.2f} s after the last start")
    ana, bo = nodes
    assert address_of(ana, "Bo") == f"[{bo.laptop.link_local()}%eth0]:47474"
    settle(world, nodes)


def test_an_invitation_by_ipv6_names_no_interface_and_leads_there(world):
    segment = world.segment()
    ana = world.node("Ana", six_only(world, segment))
    ana.laptop.link_local()
    line = f"tabletalk join [{ana.laptop.link_local()}]:47474"
    ana.wait("an invitation by that address", lambda state: state["invitation"] == line)
    # Bo hears no beacon, and has a second card, to another link, that the address could mean.
    laptop = world.laptop(world.segment("10.78.0"))
    laptop.attach(segment, ipv4=False)
    laptop.run("nft", "add table inet deaf; add chain inet deaf in "
               "{ type filter hook input priority 0; }; add rule inet deaf in udp dport "
               f"{DISCOVERY} drop")
    laptop.link_local("eth1")
    bo = world.node("Bo", laptop)
    answer = ana.command("createTable", size=3, minutes=15, marking="tap",
                         pack=ana.state["packs"][0]["id"])
    code = ana.wait("a lobby", lambda state: next(
        (table["code"] for table in state["tables"] if table["phase"] == "lobby"), None))
    bo.command("join", invitation=line.replace("join ", f"join {code}@"))
    bo.wait("the lobby", lambda state: any(
        table["id"] == answer["table"] and table["phase"] == "lobby" for table in state["tables"]))


def test_one_with_both_kinds_and_one_with_ipv6_only(world):
    segment = world.segment()
    ana = world.node("Ana", world.laptop(segment))
    bo = world.node("Bo", six_only(world, segment))
    everyone_sees_everyone([ana, bo], 15)
    # As long as Bo is there, every beacon of Ana's leaves both ways; he does not lose sight of her.
    ears = world.closing(Ears(bo.laptop))
    ana.command("createTable", size=3, minutes=15, marking="tap",
                pack=ana.state["packs"][0]["id"])
    wait_until("beacons of the open table by IPv6", lambda: ears.count(6) >= 5, 20)
    bo.wait("Ana's table", lambda state: state["openTables"])
    settle(world, [ana, bo])


def test_where_ipv4_does_there_is_little_ipv6(world):
    segment = world.segment()
    watcher = world.laptop(segment)
    ears = world.closing(Ears(watcher))
    nodes = [world.node(name) for name in ("Ana", "Bo")]
    everyone_sees_everyone(nodes)
    nodes[0].command("createTable", size=3, minutes=15, marking="tap",
                     pack=nodes[0].state["packs"][0]["id"])
    time.sleep(4)  # What the changes caused is over; a pause between beacons is 2 s at Ana's.
    before = ears.count(4), ears.count(6)
    wait_until("twenty beacons by IPv4", lambda: ears.count(4) - before[0] >= 20, 60)
    four, six = ears.count(4) - before[0], ears.count(6) - before[1]
    print(f"{four} beacons by IPv4, {six} by IPv6 at the same time")
    assert six <= 0.2 * four


def test_laptops_with_networks_that_do_not_meet_find_one_another_by_ipv6(world):
    segment = world.segment()
    ana = world.node("Ana", world.laptop(segment))
    segment.prefix = "10.88.0"
    bo = world.node("Bo", world.laptop(segment))
    everyone_sees_everyone([ana, bo], 15)
    settle(world, [ana, bo])


def test_with_ipv6_turned_off_nothing_is_said_of_it(world):
    segment = world.segment()
    laptop = world.laptop(segment)
    laptop.run("sysctl", "-q", "-w", "net.ipv6.conf.all.disable_ipv6=1")
    ana, bo = world.node("Ana", laptop), world.node("Bo")
    everyone_sees_everyone([ana, bo])
    settle(world, [ana, bo])
    assert "IPv6" not in ana.tail()


def test_a_card_without_a_carrier_is_no_trouble(world):
    segment = world.segment()
    laptop = world.laptop(segment)
    laptop.attach(world.segment("10.78.0"))
    port = laptop.cards[1][0]
    laptop.run("ip", "link", "set", "eth1", "down")
    laptop.run("ip", "link", "set", "eth1", "up")
    sh("ip", "link", "set", port, "down")
    ana, bo = world.node("Ana", laptop), world.node("Bo", world.laptop(segment))
    everyone_sees_everyone([ana, bo])
    row = next(row for row in ana.state["network"]["interfaces"] if row["name"] == "eth1")
    assert (row["sends"], row["lastError"]) == (False, None)
    assert "warning: sending" not in ana.tail()


def test_every_address_of_a_card_is_announced_on(world):
    """FIELD F06: somebody on the second network of one card is found by it."""
    segment = world.segment()
    laptop = world.laptop(segment)
    laptop.run("ip", "address", "add", "10.88.0.5/24", "brd", "+", "dev", "eth0")
    laptop.run("sysctl", "-q", "-w", "net.ipv6.conf.all.disable_ipv6=1")
    segment.prefix = "10.88.0"
    ana, bo = world.node("Ana", laptop), world.node("Bo", world.laptop(segment))
    everyone_sees_everyone([ana, bo])
    assert address_of(bo, "Ana") == "10.88.0.5:47474"
    settle(world, [ana, bo])


def test_a_host_only_adapter_and_an_adapter_that_is_the_default_route(world):
    """FIELD F01 and F05: an adapter for virtual machines has the default route, a TAP is unused."""
    segment = world.segment()
    laptop = world.laptop(segment)
    laptop.run("ip", "link", "add", "vboxnet0", "type", "veth", "peer", "name", "guest0")
    laptop.run("ip", "link", "set", "guest0", "up")
    laptop.run("ip", "tuntap", "add", "tap0", "mode", "tap")
    for name, address in (("vboxnet0", "10.200.0.1"), ("tap0", "10.201.0.1")):
        laptop.run("ip", "address", "add", f"{address}/24", "brd", "+", "dev", name)
        laptop.run("ip", "link", "set", name, "up")
    laptop.run("ip", "route", "add", "default", "dev", "vboxnet0")
    ana, bo = world.node("Ana", laptop), world.node("Bo", world.laptop(segment))
    everyone_sees_everyone([ana, bo])
    assert address_of(bo, "Ana") == f"{laptop.address}:47474"
    wait_until("the invitation names the network where Bo is heard", lambda: ana.page.get(
        "/api/v1/state")["invitation"] == f"tabletalk join {laptop.address}:47474", 15)
    kinds = {row["name"]: row["kind"] for row in ana.state["network"]["interfaces"]}
    assert kinds["vboxnet0"] == kinds["tap0"] == "virtual" and kinds["lo"] == "loopback", kinds
    settle(world, [ana, bo])


def test_what_is_sent_and_heard_is_counted(world):
    segment = world.segment()
    ana, bo = world.node("Ana", world.laptop(segment)), world.node("Bo", world.laptop(segment))
    everyone_sees_everyone([ana, bo])

    def row(node):
        return next(row for row in node.page.get("/api/v1/state")["network"]["interfaces"]
                    if row["name"] == "eth0" and row["address"] == node.laptop.address)

    wait_until("both count", lambda: all(
        row(node)["sent"] > 0 and row(node)["heard"] > 0 and row(node)["hears"]
        for node in (ana, bo)), 15)
    counted = row(ana)
    assert counted["sentBytes"] > 100 * counted["sent"]
    assert counted["heardBytes"] > 100 * counted["heard"]
    assert abs(counted["heardAt"] / 1000 - time.time()) < 60


def test_sending_that_fails_is_logged_once_and_once_when_it_works_again(world):
    segment = world.segment()
    ana, bo = world.node("Ana", world.laptop(segment)), world.node("Bo", world.laptop(segment))
    everyone_sees_everyone([ana, bo])
    ana.laptop.run("nft", "add table inet mute; add chain inet mute out "
                   "{ type filter hook output priority 0; }; add rule inet mute out udp dport "
                   f"{DISCOVERY} drop")
    ana.command("createTable", size=3, minutes=15, marking="tap",
                pack=ana.state["packs"][0]["id"])
    ana.wait("the failure", lambda state: any(
        row["lastError"] for row in state["network"]["interfaces"] if row["name"] == "eth0"), 15)
    time.sleep(7)  # Several beacons fail meanwhile.
    ana.laptop.run("nft", "delete", "table", "inet", "mute")
    ana.wait("it works again", lambda state: all(
        row["lastError"] is None for row in state["network"]["interfaces"]), 15)
    lines = [line for line in ana.tail(400).splitlines() if "sending on eth0 to 10." in line]
    again = [line for line in ana.tail(400).splitlines() if "sending on eth0 works again" in line]
    assert (len(lines), len(again)) == (1, 1), ana.tail(400)


def test_with_loopback_only_no_card_carries_anything(world):
    segment = world.segment()
    laptop = world.laptop(segment)
    ears = world.closing(Ears(world.laptop(segment)))
    capture = world.closing(laptop.capture())
    laptop.link_local()
    nodes = [world.node(name, laptop, flags=["--interface", "lo"]) for name in ("Ana", "Bo")]
    everyone_sees_everyone(nodes)
    settle(world, nodes)
    assert (ears.count(4), ears.count(6)) == (0, 0)
    assert capture.sent("udp") == capture.sent("tcp") == []
    listening = laptop.run("ss", "-Hltun")
    assert "[::]:4747" not in listening, listening
