"""Scenarios that no program can mend by itself: doctor says what is wrong and what to do."""

import os
import shutil
import socket
import sys
import time
from pathlib import Path

from devices import Vpn
from node import wait_until
from preload import preload, shifted_clock
from scenes import Scene, ipv4_laptop, link_address, route_by
from scenes_walls import way_between_shut

HOST_UNREACHABLE = "113"


def kept_apart(world):
    """F19: the access point passes nothing at all from one client to another; it answers itself."""
    lan = world.segment()
    gate = world.laptop(lan)
    ana, bo = world.people(2)
    way_between_shut(lan, ana.laptop, bo.laptop)
    for node in (ana, bo):
        route_by(node.laptop, gate.address)
    return Scene([ana, bo], asked=bo, words=[link_address(ana)])


def no_network(world):
    """Cable out, Wi-Fi off."""
    ana = world.node("Ana", world.laptop())
    return Scene([ana])


def only_a_tunnel_down(world):
    """F04: loopback and a tunnel, and no friend named."""
    laptop = world.laptop()
    world.closing(Vpn(laptop))
    return Scene([world.node("Ana", laptop)])


def sends_refused(world):
    """F22: the system refuses every datagram, as macOS does until its owner allows them."""
    laptop = world.laptop(world.segment())
    return Scene([world.node("Ana", laptop, environment=preload(
        world.folder, "refused_send.c", SEND_ERROR=HOST_UNREACHABLE))])


def sends_filtered(world):
    """F22: a filter on the way out, which Linux reports as not permitted."""
    laptop = world.laptop(world.segment())
    laptop.drop("output", 'oifname "eth0"')
    return Scene([world.node("Ana", laptop)])


def kill_switch(world):
    """A VPN has the default route and lets nothing else in."""
    lan = world.segment()
    laptop = world.laptop(lan)
    world.closing(Vpn(laptop))
    laptop.drop("input", 'iifname "eth0" meta l4proto { udp, tcp }')
    world.node("Bo", world.laptop(lan))
    return Scene([world.node("Ana", laptop)])


def deaf(world):
    """F23: what is sent to Ana's port by datagram is dropped on her laptop."""
    lan = world.segment()
    laptop = world.laptop(lan)
    laptop.drop("input", 'iifname "eth0" udp dport 47474', 'iifname "eth0" meta l4proto udp')
    ana, bo = world.node("Ana", laptop), world.node("Bo", world.laptop(lan))
    # Beacons come faster while there is a table, so that it is sure sooner.
    for node in (ana, bo):
        node.command("createTable", size=3, minutes=15, marking="tap",
                     pack=node.state["packs"][0]["id"])
    return ana, bo


def heard_not_hearing(world):
    """F23 as Bo sees it."""
    ana, bo = deaf(world)
    return Scene([ana, bo], asked=bo, patience=30)


def hearing_dropped(world):
    """F23 as Ana's own laptop sees it."""
    ana, bo = deaf(world)
    return Scene([ana, bo], asked=ana)


def nothing_gets_in(world):
    """A firewall as distributions switch it on."""
    ana, bo = world.people(2)
    ana.laptop.run("nft", "add table inet filter; add chain inet filter input "
                   "{ type filter hook input priority 0; policy drop; }; "
                   'add rule inet filter input iifname "lo" accept; '
                   "add rule inet filter input ct state established,related accept")
    return Scene([ana, bo], asked=ana)


def port_held(world):
    """Another program has the discovery port for itself alone."""
    laptop = world.laptop(world.segment())
    holder = laptop.socket(socket.AF_INET, socket.SOCK_DGRAM)
    holder.bind(("0.0.0.0", 47474))
    world.closing(holder)
    program = Path("/proc/self/comm").read_text().strip()
    return Scene([world.node("Ana", laptop)], told={"holder": f"{program} (process {os.getpid()})"})


def takes_no_calls(world):
    """Ana, who has the table, takes no connection, and nothing is in between that could help."""
    ana, bo = world.people(2)
    for node in (ana, bo):
        node.laptop.drop("input", 'iifname "eth0" tcp flags & (syn | ack) == syn')
    ana.command("createTable", size=3, minutes=15, marking="tap", pack=ana.state["packs"][0]["id"])
    row = bo.wait("the table", lambda state: next(iter(state["openTables"]), None))
    bo.command("joinTable", table=row["id"])
    return Scene([ana, bo], asked=bo, patience=30)


def wrong_clock(world):
    """Bo's clock is ten minutes fast: said, and nothing to be mended."""
    ana = world.node("Ana")
    bo = world.node("Bo", environment=shifted_clock(world.folder, 10))
    return Scene([ana, bo])


def nobody_at_the_address(world):
    """An invitation from a laptop that has gone; the gate answers."""
    bo = world.node("Bo", world.laptop(world.segment()))
    return Scene([bo], words=["tabletalk", "join", "10.77.0.250:47474"])


def no_way_to_the_address(world):
    """An invitation from another network, and no way there."""
    bo = world.node("Bo", world.laptop(world.segment()))
    return Scene([bo], words=["192.168.77.5:47474"])


def nothing_listens(world):
    """An invitation with a port on which nothing listens any more."""
    ana, bo = world.people(2)
    return Scene([ana, bo], asked=bo, words=[f"{ana.laptop.address}:50000"])


def one_address(world):
    """Two laptops were given the same address."""
    lan = world.segment()
    ana = world.node("Ana", ipv4_laptop(world, lan))
    for name in ("Bo", "Cy"):
        laptop = ipv4_laptop(world)
        laptop.attach(lan, "10.77.0.12/24")
        node = world.node(name, laptop)
        node.command("createTable", size=3, minutes=15, marking="tap",
                     pack=node.state["packs"][0]["id"])
    return Scene([ana])


def copied_folder(world):
    """One data folder on two laptops: two who are one person."""
    lan = world.segment()
    ana = world.node("Ana", world.laptop(lan))
    assert ana.stop() == 0
    twin = world.node("Ana", world.laptop(lan), start=False)
    shutil.copytree(ana.folder, twin.folder)
    ana.start()
    twin.start()
    return Scene([ana, twin], patience=30)


def newer_version(world):
    """Somebody has a Tabletalk of tomorrow."""
    from nacl.signing import SigningKey
    sys.path.append(str(Path(__file__).parents[1] / "Conformance"))
    from tabletalk import make_beacon
    ana = world.node("Ana")
    mouth = world.laptop(world.segments[0]).datagrams()
    world.closing(mouth)

    def is_listed():
        mouth.sendto(make_beacon(SigningKey(bytes(32)), version=2, name="Zoe"), ("10.77.0.255", 47474))
        time.sleep(0.5)
        return ana.state["otherVersions"]
    wait_until("the newer one is listed", is_listed, 20)
    return Scene([ana])
