"""Scenarios of walls: what a switch, a router or a firewall does not let through."""

import threading

from node import wait_until
from scenes import Scene, ipv4_laptop, link_address, route_by, router

BROADCASTS = ("meta protocol ip pkttype { broadcast, multicast }",
              "meta protocol ip6 meta l4proto udp pkttype multicast")
NEW_LINKS = "tcp flags & (syn | ack) == syn"


def limited_broadcast_dropped(world):
    """F17: the switch drops 255.255.255.255 and nothing else."""
    lan = world.segment()
    lan.drop("ip daddr 255.255.255.255")
    return Scene([world.node(name, ipv4_laptop(world, lan)) for name in ("Ana", "Bo")])


def behind_a_router(world):
    """F18: Bo's network is hidden behind one address; nobody outside can call him."""
    office, home = world.segment("10.77.0"), world.segment("192.168.1")
    gate = router(world, office, home)
    gate.run("nft", "add table ip nat; add chain ip nat out { type nat hook postrouting priority "
             f"100; }}; add rule ip nat out oifname {gate.cards[0][1]} masquerade")
    laptop = world.laptop(home)
    route_by(laptop, gate.addresses[1])
    ana = world.node("Ana", world.laptop(office))
    return Scene([ana, world.node("Bo", laptop)], way="line", strangers=True)


def private_behind_a_router(world):
    """F18, and nobody is to know of the table: the line alone leads to it."""
    scene = behind_a_router(world)
    scene.table = {"private": True}
    return scene


def no_broadcast(world):
    """F19: an access point that passes no broadcast but what is addressed to one."""
    lan = world.segment()
    lan.drop(*BROADCASTS)
    nodes = world.people(2)
    return Scene(nodes, way="line", strangers=True)


def different_views(world):
    """A hears B on the first network only, and B hears A on the second only."""
    first, second = world.segment("10.77.0"), world.segment("10.78.0")
    ana, bo = ipv4_laptop(world, first, second), ipv4_laptop(world, first, second)
    first.drop(f"iifname {ana.cards[0][0]} meta l4proto udp")
    second.drop(f"iifname {bo.cards[1][0]} meta l4proto udp")
    # The answer to Bo's first beacon takes the way that is shut: he hears her next one.
    return Scene([world.node("Ana", ana), world.node("Bo", bo)], meet=14)


def there_by_one_back_by_the_other(world):
    """Two routers between two networks: questions take one, answers the other."""
    near, far = world.segment("10.77.0"), world.segment("10.78.0")
    there, back = router(world, near, far), router(world, near, far)
    ana, bo = world.laptop(near), world.laptop(far)
    route_by(ana, there.addresses[0])
    route_by(bo, back.addresses[1])
    ana = world.node("Ana", ana)
    return Scene([ana, world.node("Bo", bo, flags=["--peer", link_address(ana)])])


def narrow_way_between(world):
    """The way between two networks carries 576 bytes at a time and says so."""
    near, middle, far = (world.segment(f"10.{net}.0") for net in (77, 79, 78))
    gates = [world.laptop(near), world.laptop(far)]
    for gate in gates:
        gate.attach(middle, mtu=576)
        gate.run("sysctl", "-q", "-w", "net.ipv4.ip_forward=1")
    for gate, other in (gates, gates[::-1]):
        route_by(gate, other.addresses[1])
    ana, bo = world.laptop(near), world.laptop(far)
    route_by(ana, gates[0].addresses[0])
    route_by(bo, gates[1].addresses[0])
    ana = world.node("Ana", ana)
    return Scene([ana, world.node("Bo", bo, flags=["--peer", link_address(ana)])])


def only_answers_get_in(world):
    """A firewall as distributions switch it on: nothing gets in but answers; the line is enough."""
    ana, bo = world.people(2)
    bo.laptop.drop("input", 'iifname "eth0" ct state new')
    return Scene([ana, bo], way="line", strangers=True)


def joiner_takes_no_calls(world):
    """The firewall of who joins lets no connection in; he can make one himself."""
    ana, bo = world.people(2)
    bo.laptop.drop("input", f'iifname "eth0" {NEW_LINKS}')
    return Scene([ana, bo])


def host_takes_no_calls(world):
    """The firewall of who has the table lets no connection in; Bo asks her to make one."""
    ana, bo = world.people(2)
    ana.laptop.drop("input", f'iifname "eth0" {NEW_LINKS}')
    return Scene([ana, bo])


def found_by_looking_harder(world):
    """F19: no broadcast passes; one click asks every address of the network once."""
    lan = world.segment()
    lan.drop(*BROADCASTS)
    nodes = world.people(2)
    nodes[0].command("lookHarder")
    return Scene(nodes, meet=20)


def way_between_shut(segment, one, other):
    """The switch passes nothing from one laptop to another one and back."""
    segment.keep_apart([one], [other])


def through(node, name):
    """Who passes on to somebody, or None."""
    return next((row["through"] for row in node.state["people"] if row["name"] == name), None)


def a_third_reaches_both(world, at_table=True):
    """F19: Ana and Bo are kept apart, and Cy, by cable, reaches both."""
    ana, bo, cy = world.people(3)
    way_between_shut(world.segments[0], ana.laptop, bo.laptop)
    # What was heard before counts for nothing.
    for node in (ana, bo):
        node.kill()
        node.start()

    def by_cy():
        assert (through(ana, "Bo"), through(bo, "Ana")) == ("Cy", "Cy")
    nodes = [ana, bo, cy] if at_table else [ana, bo]
    return Scene(nodes, meet=30, patience=30, checks=[by_cy])


def a_third_passes_on(world):
    """The same, and Cy does not even play."""
    return a_third_reaches_both(world, at_table=False)


def between_two_networks(world):
    """Ana is on one network and Bo on another; Cy is on both, and introduces them."""
    office, lab = world.segment("10.77.0"), world.segment("10.78.0")
    ana, bo = world.node("Ana", world.laptop(office)), world.node("Bo", world.laptop(lab))
    cy = world.node("Cy", world.laptop(office, lab))
    return Scene([ana, bo, cy], meet=30, patience=30)


def neither_takes_calls(world):
    """Ana and Bo take no connections, and Cy takes both."""
    ana, bo, cy = world.people(3)
    for node in (ana, bo):
        node.laptop.drop("input", f'iifname "eth0" {NEW_LINKS}')
    return Scene([ana, bo, cy], meet=10, patience=30)


def way_shut_in_the_middle(world):
    """Two lose their way to each other in the middle of a game of three."""
    nodes = world.people(3)
    ana, bo, cy = nodes

    def shut(game):
        way_between_shut(world.segments[0], ana.laptop, bo.laptop)
        for node, name in ((ana, "Bo"), (bo, "Ana")):
            node.wait(f"{name} through Cy", lambda state: through(node, name) == "Cy", 30)
    return Scene(nodes, during=shut, patience=30)


def loss(percent):
    """Every laptop loses this share of the packets that come to it."""
    def build(world):
        laptops = [world.laptop(world.segments[0] if world.segments else world.segment())
                   for _ in range(3)]
        for laptop in laptops:
            laptop.lose(percent)
        nodes = [world.node(name, laptop) for name, laptop in zip(("Ana", "Bo", "Cy"), laptops)]
        return Scene(nodes, meet=35, patience=30)
    return build


class Storm:
    """Another program that fills the discovery port of everybody, until it is closed."""

    def __init__(self, laptop, target, pause=0.0005):
        self.sent = 0
        self._mouth = laptop.datagrams()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(target, pause), daemon=True)
        self._thread.start()

    def _run(self, target, pause):
        while not self._ending.wait(pause):
            try:
                self._mouth.sendto(b"{\"announce\": true}" * 40, (target, 47474))
                self.sent += 1
            except OSError:
                pass

    def close(self):
        self._ending.set()
        self._thread.join()
        self._mouth.close()


def storm_on_the_port(world):
    """A program of somebody else's broadcasts to the same port, many hundred times a second."""
    lan = world.segment()
    storm = world.closing(Storm(world.laptop(lan), "10.77.0.255"))
    nodes = world.people(2)

    def until_the_storm_was_felt(game):
        wait_until("thousands of datagrams sent", lambda: storm.sent > 2_000, 30)
        for node in nodes:
            node.wait("a thousand of them refused", lambda state: (
                sum(state["network"]["refused"].values()) > 1_000))
    return Scene(nodes, meet=15, during=until_the_storm_was_felt)


def slow_way(world):
    """Sixteen kilobytes a second either way."""
    nodes = world.people(2)
    for node in nodes:
        node.laptop.run("tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", "128kbit",
                        "burst", "4kb", "latency", "400ms")
    return Scene(nodes, patience=20)
