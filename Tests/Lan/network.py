"""Laptops on a LAN, made of network namespaces, veth pairs and bridges.

A laptop is a network namespace; a segment is a bridge. Python itself stays where it is: a socket
belongs to the namespace its thread was in when it made it, so `Laptop.socket` makes one in a
short-lived thread that has entered the laptop, and everybody may use it afterwards.
"""

import ctypes
import itertools
import os
import socket
import subprocess
import threading
import time

from capture import Capture
from node import wait_until

CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)
_numbers = (f"{os.getpid()}-{number}" for number in itertools.count(1))


def sh(*command):
    """Runs a command that must succeed, and returns what it printed."""
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"`{' '.join(command)}`: {done.stderr.strip()}"
    return done.stdout


def enter_own_network():
    """Puts this thread, and all it starts from now on, into a network with nothing but a loopback."""
    if _libc.unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "no network of one's own to be had")
    sh("ip", "link", "set", "lo", "up")


class Segment:
    """A switch: whoever is attached to it hears the broadcasts of the others."""

    def __init__(self, prefix="10.77.0"):
        self.name = f"br{next(_numbers)}"
        self.prefix = prefix
        self.hosts = itertools.count(11)
        self.ports = itertools.count(1)
        sh("ip", "link", "add", self.name, "type", "bridge")
        sh("ip", "link", "set", self.name, "up")

    def drop(self, *rules):
        """Has the switch drop what any of these nft matches fits; what fits none passes."""
        sh("nft", f"add table bridge {self.name}; add chain bridge {self.name} drops "
           "{ type filter hook forward priority 0; }")
        for rule in rules:
            sh("nft", f"add rule bridge {self.name} drops iifname {self.name}p* {rule} counter drop")

    def keep_apart(self, *groups):
        """Has the switch pass nothing between these groups of laptops."""
        self.drop(*(f"iifname {one.cards[0][0]} oifname {other.cards[0][0]}"
                    for group in groups for others in groups if others is not group
                    for one in group for other in others))

    def pass_all(self):
        """Ends every `drop`."""
        subprocess.run(["nft", "delete", "table", "bridge", self.name], capture_output=True)

    def dropped(self):
        """How many packets `drop` has dropped."""
        words = sh("nft", "list", "table", "bridge", self.name).split()
        return sum(int(count) for word, count in zip(words, words[1:]) if word == "packets")

    def close(self):
        self.pass_all()
        subprocess.run(["ip", "link", "del", self.name], capture_output=True)


class ThisMachine:
    """Where the tests themselves run: nodes on it share its loopback, and are told to keep to it."""

    name = "this machine"

    def inside(self, *command):
        """The command that runs a command here."""
        return list(command)

    def connect(self, address, timeout=5):
        """A TCP connection made from here."""
        return socket.create_connection(address, timeout)

    def close(self):
        """There is nothing to put away."""


class Laptop:
    """One machine with a loopback and a network card per segment."""

    def __init__(self, *segments):
        self.name = f"laptop-{next(_numbers)}"
        self.cards = []
        self.addresses = []
        sh("ip", "netns", "add", self.name)
        self.run("ip", "link", "set", "lo", "up")
        for segment in segments:
            self.attach(segment)

    @property
    def address(self):
        return self.addresses[0]

    def attach(self, segment, address=None, mtu=1500, ipv4=True):
        """Plugs a new card in; its address with the length of its mask, or the segment's next.

        Without `ipv4` it has the link-local IPv6 address only.
        """
        port, card = f"{segment.name}p{next(segment.ports)}", f"eth{len(self.cards)}"
        address = address or f"{segment.prefix}.{next(segment.hosts)}/24"
        sh("ip", "link", "add", port, "mtu", str(mtu), "type", "veth", "peer", "name", card,
           "mtu", str(mtu), "netns", self.name)
        sh("ip", "link", "set", port, "master", segment.name, "up")
        if ipv4:
            self.add_address(address, card)
            self.addresses.append(address.split("/")[0])
        self.run("ip", "link", "set", card, "up")
        self.cards.append((port, card))

    def add_address(self, address, card):
        """Gives a card one more address; networks of two have no room for a broadcast address."""
        broadcast = [] if address.endswith(("/31", "/32")) else ["brd", "+"]
        self.run("ip", "address", "add", address, *broadcast, "dev", card)

    def readdress(self, address):
        """Takes the first card's addresses away and gives it this one, as a new lease does."""
        card = self.cards[0][1]
        self.run("ip", "-4", "address", "flush", "dev", card)
        self.add_address(address, card)
        self.addresses[0] = address.split("/")[0]

    def drop(self, hook, *rules):
        """Has the kernel drop what any of these nft matches fits, coming in or going out."""
        self.run("nft", f"add table inet drops; add chain inet drops {hook} "
                 f"{{ type filter hook {hook} priority 0; }}")
        for rule in rules:
            self.run("nft", f"add rule inet drops {hook} {rule} counter drop")

    def pass_all(self):
        """Ends every `drop`."""
        subprocess.run(self.inside("nft", "delete", "table", "inet", "drops"), capture_output=True)

    def link_local(self, card="eth0"):
        """The IPv6 address of a card, once nobody else on the link turned out to have it."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            for word in self.run("ip", "-6", "address", "show", "dev", card, "scope", "link",
                                 "-tentative").split():
                if word.startswith("fe80:"):
                    return word.partition("/")[0]
            time.sleep(0.05)
        raise AssertionError(f"{card} of {self.name} has no IPv6 address")

    def inside(self, *command):
        """The command that runs a command on this laptop."""
        return ["ip", "netns", "exec", self.name, *command]

    def run(self, *command):
        return sh(*self.inside(*command))

    def plug(self, inserted):
        """Pulls the cable of every card, or puts it back."""
        for port, _ in self.cards:
            sh("ip", "link", "set", port, "up" if inserted else "down")

    def lose(self, percent):
        """Drops this share of all packets that arrive from others; 0 ends it."""
        subprocess.run(["ip", "netns", "exec", self.name, "nft", "delete", "table", "inet", "loss"],
                       capture_output=True)
        if percent:
            self.run("nft", "add table inet loss; add chain inet loss in "
                     "{ type filter hook input priority 0; }; add rule inet loss in "
                     f'iifname != "lo" numgen random mod 100 < {percent} counter drop')

    def lost(self):
        """How many packets `lose` has dropped."""
        words = self.run("nft", "list", "table", "inet", "loss").split()
        return int(words[words.index("packets") + 1])

    def make(self, maker):
        """What `maker` returns when it is called on this laptop, such as a descriptor."""
        made = []

        def enter():
            descriptor = os.open(f"/run/netns/{self.name}", os.O_RDONLY)
            try:
                if _libc.setns(descriptor, CLONE_NEWNET) != 0:
                    made.append(OSError(ctypes.get_errno(), f"cannot enter {self.name}"))
                else:
                    made.append(maker())
            except OSError as error:
                made.append(error)
            finally:
                os.close(descriptor)

        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
        if isinstance(made[0], OSError):
            raise made[0]
        return made[0]

    def socket(self, *arguments):
        """A socket of this laptop; the arguments are those of `socket.socket`."""
        return self.make(lambda: socket.socket(*arguments))

    def connect(self, address, timeout=5):
        """A TCP connection made from this laptop."""
        connection = self.socket(socket.AF_INET, socket.SOCK_STREAM)
        connection.settimeout(timeout)
        try:
            connection.connect(address)
        except OSError:
            connection.close()
            raise
        return connection

    def datagrams(self, port=0):
        """A UDP socket of this laptop that may broadcast."""
        made = self.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        made.bind(("0.0.0.0", port))
        return made

    def pour(self, datagrams, address, port, readers):
        """Sends datagrams no faster than the programs at that port of these laptops read them."""
        mouth = self.datagrams()
        for number, datagram in enumerate(datagrams):
            mouth.sendto(datagram, (address, port))
            if number % 50 == 49:
                wait_until("what was sent is read", lambda: not any(
                    reader.unread(port) for reader in readers))
        mouth.close()

    def unread(self, port):
        """How many bytes of datagrams wait at a port of this laptop for its program to read them."""
        rows = [line.split() for line in self.run("cat", "/proc/net/udp").splitlines()[1:]]
        return sum(int(row[4].partition(":")[2], 16) for row in rows
                   if int(row[1].partition(":")[2], 16) == port)

    def capture(self):
        return Capture(self)

    def close(self):
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True)
