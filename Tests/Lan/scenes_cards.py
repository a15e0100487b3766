"""Scenarios of network cards: which there are, which addresses they have, which one is right."""

from devices import Adapter, BadTunnel, Tunnel, Vpn
from network import sh
from node import wait_until
from play import everyone_sees_everyone
from scenes import Scene, ipv4_laptop, link_address, route_by, router, rows, seen_at


def adapter_has_default_route(world):
    """F01: a virtual machine's card is where the system would send by itself."""
    lan = world.segment()
    laptop = ipv4_laptop(world)
    world.closing(Adapter(laptop, "vmnet8", "172.16.99.1/24"))
    laptop.run("ip", "route", "add", "default", "dev", "vmnet8")
    laptop.attach(lan)
    return Scene([world.node("Ana", laptop), world.node("Bo", world.laptop(lan))])


def two_networks(world):
    """F02: a beacon counts for the address it came from, whichever card it left by."""
    office, lab = world.segment("10.77.0"), world.segment("10.78.0")
    ana = world.node("Ana", world.laptop(office, lab))
    bo, cy = world.node("Bo", world.laptop(office)), world.node("Cy", world.laptop(lab))

    def each_by_its_own_network():
        cy.wait("Ana", lambda state: rows(cy, "Ana"))
        assert seen_at(bo, "Ana") == [ana.laptop.addresses[0]]
        assert seen_at(cy, "Ana") == [ana.laptop.addresses[1]]
        assert seen_at(ana, "Bo") == [bo.laptop.address]
        assert seen_at(ana, "Cy") == [cy.laptop.address]
    return Scene([ana, bo], checks=[each_by_its_own_network])


def only_a_tunnel(world):
    """F04: nothing that broadcasts; who is named by --peer is met all the same."""
    ana, bo = world.laptop(), world.laptop()
    world.closing(Tunnel([ana, bo], ["10.88.0.1", "10.88.0.2"]))
    ana.addresses, bo.addresses = ["10.88.0.1"], ["10.88.0.2"]
    ana = world.node("Ana", ana)
    bo = world.node("Bo", bo, flags=["--peer", link_address(ana)])
    return Scene([ana, bo])


def a_bad_tunnel(world):
    """A tenth of a second each way, packets that pass one another, and some that come twice."""
    ana, bo = world.laptop(), world.laptop()
    tunnel = world.closing(BadTunnel([ana, bo], ["10.88.0.1", "10.88.0.2"]))
    ana.addresses, bo.addresses = ["10.88.0.1"], ["10.88.0.2"]
    ana = world.node("Ana", ana)
    bo = world.node("Bo", bo, flags=["--peer", link_address(ana)])

    def packets_came_twice():
        assert tunnel.twice > 5
    return Scene([ana, bo], meet=12, patience=30, checks=[packets_came_twice])


def a_network_across_routers(world):
    """Two networks far apart, and one made of packets between them (VXLAN) that carries beacons."""
    near, far = world.segment("10.77.0"), world.segment("10.78.0")
    gate = router(world, near, far)
    laptops = [world.laptop(near), world.laptop(far)]
    for number, laptop in enumerate(laptops):
        route_by(laptop, gate.addresses[number])
        laptop.run("ip", "link", "add", "vx0", "type", "vxlan", "id", "7", "dstport", "4789",
                   "local", laptop.address, "remote", laptops[1 - number].address)
        laptop.add_address(f"10.99.0.{number + 1}/24", "vx0")
        laptop.run("ip", "link", "set", "vx0", "up")
    nodes = [world.node(name, laptop) for name, laptop in zip(("Ana", "Bo"), laptops)]

    def across():
        assert seen_at(nodes[0], "Bo") == ["10.99.0.2"]
    return Scene(nodes, checks=[across])


def hotspot(world):
    """Ana's laptop is itself the access point of the others."""
    laptop = world.laptop()
    laptop.run("ip", "link", "add", "ap0", "type", "bridge")
    laptop.add_address("192.168.12.1/24", "ap0")
    laptop.run("ip", "link", "set", "ap0", "up")
    guests = [world.laptop(), world.laptop()]
    for number, guest in enumerate(guests):
        laptop.run("ip", "link", "add", f"wl{number}", "master", "ap0", "type", "veth", "peer",
                   "name", "eth0", "netns", guest.name)
        laptop.run("ip", "link", "set", f"wl{number}", "up")
        guest.add_address(f"192.168.12.{number + 50}/24", "eth0")
        guest.run("ip", "link", "set", "eth0", "up")
    return Scene([world.node("Ana", laptop), world.node("Bo", guests[0]), world.node("Cy", guests[1])])


def host_only_adapter(world, flags=()):
    """F05: an adapter on which nobody can be comes first in the system's list."""
    lan = world.segment()
    laptop = ipv4_laptop(world)
    world.closing(Adapter(laptop, "vboxnet0", "192.168.56.1/24"))
    laptop.attach(lan)
    return Scene([world.node("Ana", laptop, flags=flags), world.node("Bo", world.laptop(lan))])


def host_only_adapter_shown(world):
    """F05: both are shown, and the invitation soon names the one on which friends are."""
    scene = host_only_adapter(world)
    scene.way = "line"
    ana, bo = scene.nodes
    everyone_sees_everyone([ana, bo])
    ana.wait("the right address", lambda state: (
        (state["network"]["address"] or "").startswith(ana.laptop.address)), 15)

    def both_are_shown():
        cards = {row["address"] for row in scene.nodes[0].state["network"]["interfaces"]}
        assert {"192.168.56.1", scene.nodes[0].laptop.address} <= cards
    scene.checks.append(both_are_shown)
    return scene


def host_only_adapter_left_out(world):
    """F05: --interface keeps to the right one, before anybody else is there too."""
    scene = host_only_adapter(world, flags=["--interface", "eth0"])
    scene.way = "line"
    return scene


def second_address(world):
    """F06: a friend is on the network of a card's second address."""
    lan = world.segment()
    ana, bo = ipv4_laptop(world, lan), ipv4_laptop(world)
    ana.add_address("192.168.9.11/24", ana.cards[0][1])
    bo.attach(lan, "192.168.9.12/24")
    return Scene([world.node("Ana", ana), world.node("Bo", bo)])


def two_networks_in_common(world):
    """F08: cable and Wi-Fi at once; everybody is one row all the time."""
    cable, wifi = world.segment("10.77.0"), world.segment("10.78.0")
    nodes = [world.node(name, world.laptop(cable, wifi)) for name in ("Ana", "Bo")]

    def one_row():
        for node in nodes:
            assert len(node.state["people"]) == 1, node.state["people"]
    return Scene(nodes, during=lambda game: one_row(), checks=[one_row])


def masks(first, second):
    """Two laptops whose addresses are given with the length of their masks."""
    def build(world):
        lan = world.segment()
        laptops = [ipv4_laptop(world), ipv4_laptop(world)]
        for laptop, address in zip(laptops, (first, second)):
            laptop.attach(lan, address)
        return Scene([world.node(name, laptop) for name, laptop in zip(("Ana", "Bo"), laptops)])
    return build


def no_ipv4(first=False):
    """F21: a link on which there are no IPv4 addresses, or only at one end."""
    def build(world):
        lan = world.segment()
        laptops = [world.laptop(), world.laptop()]
        laptops[0].attach(lan, ipv4=first)
        laptops[1].attach(lan, ipv4=False)
        return Scene([world.node(name, laptop) for name, laptop in zip(("Ana", "Bo"), laptops)],
                     meet=14)
    return build


def vpn_has_default_route(world):
    """A VPN takes the default route; the LAN is still there beside it."""
    lan = world.segment()
    laptop = ipv4_laptop(world, lan)
    world.closing(Vpn(laptop))
    return Scene([world.node("Ana", laptop), world.node("Bo", world.laptop(lan))])


def card_without_carrier(world):
    """A card without a cable comes first and has an address all the same."""
    lan = world.segment()
    laptop = ipv4_laptop(world)
    laptop.run("ip", "link", "add", "cable", "type", "veth", "peer", "name", "nobody")
    laptop.add_address("10.66.0.1/24", "cable")
    laptop.run("ip", "link", "set", "cable", "up")
    laptop.attach(lan)
    return Scene([world.node("Ana", laptop), world.node("Bo", world.laptop(lan))])


def card_appears(world):
    """Both start on no network at all and get a card afterwards."""
    lan = world.segment()
    laptops = [world.laptop(), world.laptop()]
    nodes = [world.node(name, laptop) for name, laptop in zip(("Ana", "Bo"), laptops)]
    for laptop in laptops:
        laptop.attach(lan)
    return Scene(nodes, meet=13)


def switches_joined_later(world):
    """Two switches are connected only after everybody has looked around in vain."""
    upstairs, downstairs = world.segment("10.77.0"), world.segment("10.77.0")
    downstairs.hosts = iter(range(31, 99))
    ana, bo = world.node("Ana", world.laptop(upstairs)), world.node("Bo", world.laptop(downstairs))
    wait_until("first beacons sent", lambda: all(
        node.state["network"]["interfaces"] for node in (ana, bo)))
    assert not ana.state["people"] and not bo.state["people"]
    end = f"{upstairs.name}x"
    sh("ip", "link", "add", end, "type", "veth", "peer", "name", f"{downstairs.name}x")
    for segment in (upstairs, downstairs):
        sh("ip", "link", "set", f"{segment.name}x", "master", segment.name, "up")
    return Scene([ana, bo], meet=13)


def small_packets(mtu):
    """Every card carries packets of this many bytes at most, so that beacons are cut in pieces."""
    def build(world):
        lan = world.segment()
        nodes = []
        for name in ("Ana", "Bo"):
            laptop = world.laptop()
            laptop.attach(lan, mtu=mtu)
            nodes.append(world.node(name, laptop))
        return Scene(nodes)
    return build


def self_given_addresses(world):
    """No router at all: addresses are those that systems give themselves."""
    return masks("169.254.7.11/16", "169.254.200.12/16")(world)


def container_bridge_beside(world):
    """A container bridge has the LAN's own network, with a worse route."""
    lan = world.segment()
    laptop = ipv4_laptop(world, lan)
    laptop.run("ip", "link", "add", "docker0", "type", "bridge")
    world.closing(Adapter(laptop, "veth0", "10.99.0.1/24"))
    laptop.run("ip", "link", "set", "veth0", "master", "docker0")
    laptop.run("ip", "address", "add", "10.77.0.1/24", "brd", "+", "noprefixroute", "dev", "docker0")
    laptop.run("ip", "link", "set", "docker0", "up")
    laptop.run("ip", "route", "add", "10.77.0.0/24", "dev", "docker0", "metric", "500")
    return Scene([world.node("Ana", laptop), world.node("Bo", world.laptop(lan))])
