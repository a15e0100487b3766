"""One laptop that strains the links of another; a program, so that it takes no time from the test.

    mallory.py ATTACK HOST PORT SECONDS

It prints a line when it begins, attacks for so long, and prints what it did as one line of JSON.
"""

import json
import random
import socket
import struct
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Conformance"))

from nacl.signing import SigningKey  # noqa: E402

from tabletalk import Link, decode, encode, make_beacon  # noqa: E402

DISCOVERY = 47474
ATTACKS = {}


def attack(function):
    ATTACKS[function.__name__] = function
    return function


class Target:
    """Whom it attacks, and for how long."""

    def __init__(self, host, port, seconds):
        self.address = (host, port)
        self.seconds = seconds
        self.end = None
        self.done = {"connections": 0}
        self.chance = random.Random(7)

    @property
    def goes_on(self):
        """Whether there is time left; the first time that it is asked is the beginning."""
        if self.end is None:
            self.end = time.monotonic() + self.seconds
            print("it begins", flush=True)
        return time.monotonic() < self.end

    def count(self, what, number=1):
        self.done[what] = self.done.get(what, 0) + number

    def connect(self, timeout=5):
        self.count("connections")
        return socket.create_connection(self.address, timeout)

    def link(self, kind=Link, identity=None):
        return kind(self.connect(), initiator=True, identity=identity)

    def pause(self, seconds):
        time.sleep(max(0, min(seconds, self.end - time.monotonic())))


def is_over(connection):
    """Whether the other end has hung up; reads what there is."""
    connection.setblocking(False)
    try:
        while connection.recv(65_536):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def keep(held):
    """Those of some connections that are still up; the others are closed."""
    left = []
    for connection in held:
        if is_over(connection):
            connection.close()
        else:
            left.append(connection)
    return left


# Without a finished handshake.


@attack
def silent(target):
    """A thousand connections that say nothing, made again whenever they are hung up on."""
    held = []
    while target.goes_on:
        for _ in range(100):
            if len(held) < 200 and (target.done["connections"] < 1_000 or target.goes_on):
                held.append(target.connect())
        held = keep(held)
        target.done["held"] = len(held)
        target.pause(0.02)


@attack
def garbage(target):
    """Wrong first bytes: another protocol's, the wrong length, a right length and noise."""
    firsts = [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"SSH-2.0-x\r\n", b"\0\0",
              b"\xff\xff" + bytes(100), b"\0\x20" + bytes(32)]
    while target.goes_on:
        connection = target.connect()
        try:
            connection.sendall(target.chance.choice(
                [*firsts, target.chance.randbytes(target.chance.randrange(1, 3_000))]))
            while connection.recv(4_096):
                pass
        except OSError:
            target.count("reset")
        connection.close()


@attack
def resets(target):
    """Connections reset after the first message, after half of it, and at once."""
    while target.goes_on:
        connection = target.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        first = b"\0\x20" + bytes(SigningKey.generate().verify_key)
        connection.sendall(first[:target.chance.choice([0, 1, 2, 17, 34, 34])])
        connection.close()


@attack
def drips(target):
    """Slow-loris: a byte of the first message now and then, on as many connections as are taken."""
    held = []
    while target.goes_on:
        while len(held) < 64 and target.goes_on:
            held.append(target.connect())
        for connection in held:
            try:
                connection.send(b"\0")
            except OSError:
                pass
        target.pause(0.5)
        held = keep(held)


class Recorder(Link):
    """Remembers what it sent in the handshake."""

    def _send(self, message):
        self.said = [*getattr(self, "said", []), message]
        super()._send(message)


@attack
def replays(target):
    """The messages of a handshake that was good, once more."""
    first, third = target.link(Recorder).said[:2]
    while target.goes_on:
        connection = target.connect()
        try:
            connection.sendall(struct.pack(">H", len(first)) + first)
            answer = connection.recv(2)
            while len(answer) < 200:
                answer += connection.recv(200 - len(answer))
            connection.sendall(struct.pack(">H", len(third)) + third)
            if connection.recv(1):
                target.count("accepted")
        except OSError:
            target.count("reset")
        connection.close()


# With an identity that was proven.


@attack
def identities(target):
    """A thousand identities, each with a link that stays up as long as it may."""
    held = []
    while target.goes_on:
        if target.done.get("links", 0) < 1_000 or len(held) < 20:
            try:
                held.append(target.link().connection)
                target.count("links")
            except (OSError, ValueError):
                target.count("refused")
        held = keep(held)
        target.done["held"] = len(held)


@attack
def deaf(target):
    """Asks and asks for the longest answer there is, an open table, and never reads one."""
    links = []
    first = target.link()
    notices = first.hear(0)[1][8]
    question = encode([5, notices[0][0]])
    first.say(5, notices[0][0])
    target.done["bytes an answer"] = len(first.hear(6)[1])
    first.close()
    while target.goes_on:
        while len(links) < 16 and target.goes_on:
            try:
                links.append(target.link())
                # Little room here, so that what is not read waits there.
                links[-1].connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
                links[-1].connection.settimeout(0.05)
            except (OSError, ValueError):
                target.count("refused")
        for link in list(links):
            try:
                for _ in range(50):
                    link.send(question)
                    target.count("asked")
            except TimeoutError:
                # Half a record was sent: nothing more can be, but the link is held.
                target.count("full")
            except OSError:
                links.remove(link)
                target.count("closed")


@attack
def floods(target):
    """Four identities that send frames as fast as they can: beacons of their own, each another."""
    keys = [SigningKey.generate() for _ in range(4)]
    beacons = [[encode([0, decode(make_beacon(key, sequence=number, name=f"Flood {number % 7}")[4:])])
                for number in range(1, 1_001)] for key in keys]
    links = []
    while target.goes_on:
        links = links or [target.link(identity=key) for key in keys]
        for number in range(1_000):
            for index, link in enumerate(links):
                try:
                    link.send(beacons[index][number])
                    target.count("frames")
                    is_over(link.connection)
                    link.connection.setblocking(True)
                except OSError:
                    links = []
                    target.count("closed")
                    break
            if not links or not target.goes_on:
                break


@attack
def lengths(target):
    """Lengths of four gigabytes, and frames of two megabytes of which the last record never comes."""
    for length in (0, 2_097_153, 1 << 31, (1 << 32) - 1):
        link = target.link()
        link._send(bytes(link.noise.encrypt(struct.pack(">I", length) + bytes(65_515))))
        begin = time.monotonic()
        while not is_over(link.connection):
            assert time.monotonic() < begin + 15, f"length {length}"
            time.sleep(0.01)
        target.count("hung up on")
    held = []
    while target.goes_on:
        try:
            link = target.link()
            held.append(link.connection)
            link.connection.settimeout(1)
            link._send(bytes(link.noise.encrypt(struct.pack(">I", 2_097_152) + bytes(65_515))))
            for _ in range(30):
                link._send(bytes(link.noise.encrypt(bytes(65_519))))
            target.count("half frames")
        except (OSError, ValueError):
            target.count("refused")
        held = keep(held)
        target.done["held"] = max(target.done.get("held", 0), len(held))


@attack
def mute(target):
    """A link on which nothing is ever said, not even to a ping."""
    links = [target.link() for _ in range(8)]
    begin = time.monotonic()
    while target.goes_on:
        for link in list(links):
            if is_over(link.connection):
                links.remove(link)
                target.done["closed after"] = round(time.monotonic() - begin, 1)
        target.pause(0.1)
    target.done["left"] = len(links)


@attack
def beacons(target):
    """Signed beacons of many people as fast as the network takes them, each with something new."""
    mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    keys = [SigningKey.generate() for _ in range(300)]
    said = [[make_beacon(key, sequence=round, name=f"Crowd {round} {index}")
             for index, key in enumerate(keys)] for round in range(1, 11)]
    incarnation = 0
    while target.goes_on:
        for number, round in enumerate(said):
            for datagram in round:
                mouth.sendto(datagram, (target.address[0], DISCOVERY))
                target.count("datagrams")
            if not target.goes_on:
                break
        incarnation += 1


def main():
    name, host, port, seconds = sys.argv[1:]
    target = Target(host, int(port), float(seconds))
    ATTACKS[name](target)
    print(json.dumps(target.done), flush=True)


if __name__ == "__main__":
    main()
