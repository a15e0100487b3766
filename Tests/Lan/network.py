"""Laptops on a LAN, made of network namespaces, veth pairs and bridges.

A laptop is a network namespace; a segment is a bridge. Python itself stays where it is: a socket
belongs to the namespace its thread was in when it made it, so `Laptop.socket` makes one in a
short-lived thread that has entered the laptop, and everybody may use it afterwards.
"""

import ctypes
import itertools
import os
import socket
import struct
import subprocess
import threading
import time

CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)
_numbers = (f"{os.getpid()}-{number}" for number in itertools.count(1))


def sh(*command):
    """Runs a command that must succeed, and returns what it printed."""
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"`{' '.join(command)}`: {done.stderr.strip()}"
    return done.stdout


class Segment:
    """A switch: whoever is attached to it hears the broadcasts of the others."""

    def __init__(self, prefix="10.77.0"):
        self.name = f"br{next(_numbers)}"
        self.prefix = prefix
        self.hosts = itertools.count(11)
        sh("ip", "link", "add", self.name, "type", "bridge")
        sh("ip", "link", "set", self.name, "up")

    def close(self):
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

    def attach(self, segment):
        port, card = f"p{next(_numbers)}", f"eth{len(self.cards)}"
        address = f"{segment.prefix}.{next(segment.hosts)}"
        sh("ip", "link", "add", port, "type", "veth", "peer", "name", card, "netns", self.name)
        sh("ip", "link", "set", port, "master", segment.name, "up")
        self.run("ip", "address", "add", f"{address}/24", "brd", "+", "dev", card)
        self.run("ip", "link", "set", card, "up")
        self.cards.append((port, card))
        self.addresses.append(address)

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

    def socket(self, *arguments):
        """A socket of this laptop; the arguments are those of `socket.socket`."""
        made = []

        def enter():
            descriptor = os.open(f"/run/netns/{self.name}", os.O_RDONLY)
            try:
                if _libc.setns(descriptor, CLONE_NEWNET) != 0:
                    made.append(OSError(ctypes.get_errno(), f"cannot enter {self.name}"))
                else:
                    made.append(socket.socket(*arguments))
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

    def capture(self):
        return Capture(self)

    def close(self):
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True)


class Packet:
    """An IPv4 packet that a network card sent or received."""

    def __init__(self, frame, outgoing):
        self.time = time.monotonic()
        self.outgoing = outgoing
        header = (frame[14] & 15) * 4
        self.protocol = {6: "tcp", 17: "udp"}.get(frame[23], str(frame[23]))
        self.source = socket.inet_ntoa(frame[26:30])
        self.target = socket.inet_ntoa(frame[30:34])
        self.length = struct.unpack_from("!H", frame, 16)[0]
        body = frame[14 + header:14 + self.length]
        self.ports = struct.unpack_from("!HH", body) if len(body) >= 4 else (0, 0)
        skip = 8 if self.protocol == "udp" else (body[12] >> 4) * 4 if len(body) > 12 else 0
        self.payload = bytes(body[skip:])

    def __repr__(self):
        arrow = "->" if self.outgoing else "<-"
        return (f"{self.protocol} {self.source}:{self.ports[0]} {arrow} "
                f"{self.target}:{self.ports[1]} {len(self.payload)} bytes")


class Capture:
    """Everything of IPv4 that a laptop's first card sends and receives, until closed."""

    def __init__(self, laptop):
        self.packets = []
        self._socket = laptop.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0003))
        self._socket.bind((laptop.cards[0][1], 0x0003))
        self._socket.settimeout(0.2)
        self._open = True
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        while self._open:
            try:
                frame, address = self._socket.recvfrom(65536)
            except TimeoutError:
                continue
            except OSError:
                return
            if address[1] == 0x0800 and len(frame) >= 34:
                self.packets.append(Packet(frame, address[2] == socket.PACKET_OUTGOING))

    def sent(self, protocol=None):
        return [packet for packet in list(self.packets)
                if packet.outgoing and protocol in (None, packet.protocol)]

    def close(self):
        self._open = False
        self._thread.join()
        self._socket.close()


class Proxy:
    """Passes TCP between two laptops that cannot reach each other, and may change what it passes."""

    def __init__(self, laptop, target, change=None):
        self.laptop, self.target, self.change = laptop, target, change
        self.connections = 0
        self.changed = 0
        self._listener = laptop.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.bind(("0.0.0.0", 0))
        self._listener.listen(16)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            try:
                far = self.laptop.connect(self.target)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=pair, daemon=True).start()

    def _pass(self, source, sink):
        try:
            while chunk := source.recv(65536):
                if self.change:
                    new = self.change(chunk)
                    self.changed += new != chunk
                    chunk = new
                sink.sendall(chunk)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self._listener.close()
