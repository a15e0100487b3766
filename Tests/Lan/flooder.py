"""A member of a table that floods the others; a program, so that it takes no time from the test.

    flooder.py TABLE SECONDS HOST:PORT...

It sits down at the table, whose creator is at the first address, votes from the start on, and says so.
With a line on its input it begins: certificates that are good, over and over; answers that nobody asked
for; nullifications of all views to come; and by UDP the beacons of ten thousand tables. In the end it
prints what it did as one line of JSON.
"""

import itertools
import json
import os
import socket
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Conformance"))

from nacl.signing import SigningKey  # noqa: E402

from tabletalk import NULLIFY, Link, decode, digest, encode, make_beacon, sign  # noqa: E402

DISCOVERY = 47474
TABLES = 10_000
PER_BEACON = 3
# Kinds of messages of a table: Protocol/wire.md.
VOTE, CERTIFICATE, ENTRY, READY, GET_CHAIN, CHAIN, BLOCK = 0, 1, 3, 5, 7, 8, 10
VIEWS_AHEAD = 64


def public(key):
    return bytes(key.verify_key)


def seen(condition, seconds=30):
    """Waits for what its readers see; ends the program when it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"not seen within {seconds} s")
        time.sleep(0.02)


class Line:
    """A link that is always read: pings are answered, what was said of the table is kept."""

    def __init__(self, member, address):
        self.member, self.address = member, address
        self.lock = threading.Lock()
        self.link = None
        self.dial()

    def dial(self):
        self.link = Link(socket.create_connection(self.address, 5), True, self.member.identity)
        self.link.connection.settimeout(None)
        threading.Thread(target=self.read, args=(self.link,), daemon=True).start()

    def read(self, link):
        try:
            while True:
                self.take(decode(link.receive()))
        except (OSError, ValueError, AssertionError):
            link.close()

    def take(self, message):
        if message[0] in (1, 2):
            for status in message[2]:
                self.member.learn(status)
            if message[0] == 1:
                self.send(encode([2, message[1], []]))
        elif message[0] == 3:
            self.member.keep(message[1])
        elif message[0] == 6:
            self.member.genesis = decode(message[1])

    def send(self, frame):
        with self.lock:
            self.link.send(frame)

    def say(self, *message):
        self.send(encode(message))


class Member:
    """Somebody with the three keys of a member, and what it has heard of its table."""

    def __init__(self, table):
        self.table = table
        self.identity, self.player, self.voter = (SigningKey.generate() for _ in range(3))
        self.genesis = None
        self.status = None
        self.chain = None
        self.certificates = {}

    def learn(self, status):
        if status[0] == self.table and (not self.status or status[2:5] > self.status[2:5]):
            self.status = status

    def keep(self, message):
        if message[0] == CERTIFICATE:
            self.certificates[encode(message[1][:5])] = message
        elif message[0] == CHAIN and message[1][1]:
            self.chain = message

    def join(self):
        fields = [self.table, public(self.player), 0, 0,
                  encode([0, public(self.identity), public(self.voter), 0, "Mallory"])]
        pairs = sorted([public(key), sign(key, "entry", *fields)]
                       for key in (self.identity, self.voter))
        return [ENTRY, [*fields, sign(self.player, "entry", *fields), pairs]]

    def ready(self):
        fields = [self.table, self.status[1], self.status[5]]
        return [READY, [*fields, public(self.voter), sign(self.voter, "ready", *fields)]]

    def nullification(self, view):
        fields = [self.table, self.status[1], view, NULLIFY, bytes(32)]
        return [VOTE, [*fields, public(self.voter), sign(self.voter, "vote", *fields)]]

    def frames(self):
        """What it sends while it floods, in an order that repeats nothing soon, for ever."""
        answers = [encode([3, self.chain]), *(encode([3, [BLOCK, block]])
                                              for block in self.chain[1][1])]
        stale = [encode([3, [CERTIFICATE, certificate]]) for certificate in self.chain[1][2]]
        for block in self.chain[1][1]:
            parent, seal, nullified = block[11]
            stale += [encode([3, [CERTIFICATE, one]]) for one in (parent, seal, *nullified) if one]
        view = 0
        while True:
            if view < self.status[3]:
                view = self.status[3]
            # Some too far ahead to be kept.
            votes = [("nullifications", encode([3, self.nullification(number)]))
                     for number in range(view, view + VIEWS_AHEAD + 16)]
            view += 1
            fresh = [encode([3, message]) for message in list(self.certificates.values())[-64:]]
            certificates = (("certificates", frame) for frame in stale + fresh)
            unasked = (("answers", frame) for frame in answers)
            for several in itertools.zip_longest(certificates, unasked, votes):
                yield from filter(None, several)


def crowd():
    """Beacons of ten thousand tables, of as many people as that takes."""
    out = []
    for number in range(0, TABLES, PER_BEACON):
        tables = [[digest("genesis", number + index), (number + index) % 100_000,
                   f"Table {number + index}", "bingo", 5, 60, 1, 24]
                  for index in range(PER_BEACON)]
        out.append(make_beacon(SigningKey.generate(), name=f"Crowd {number}", tables=tables))
    return out


def announce(beacons, hosts, end, done):
    mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    while time.monotonic() < end:
        for beacon in beacons:
            for host in hosts:
                mouth.sendto(beacon, (host, DISCOVERY))
                done["beacons"] += 1
            if time.monotonic() >= end:
                return
            time.sleep(0.001)


def flood(member, lines, seconds):
    done = {"certificates": 0, "answers": 0, "nullifications": 0, "beacons": 0, "redialled": 0}
    beacons = crowd()
    print("it begins", flush=True)
    end = time.monotonic() + seconds
    threading.Thread(target=announce, daemon=True, args=(
        beacons, [line.address[0] for line in lines], end, done)).start()
    frames = member.frames()
    while time.monotonic() < end:
        kind, frame = next(frames)
        for line in lines:
            try:
                line.send(frame)
                done[kind] += 1
            except OSError:
                try:
                    line.dial()
                    done["redialled"] += 1
                except (OSError, ValueError, AssertionError):
                    time.sleep(0.1)
    return done


def main():
    table, seconds, *addresses = sys.argv[1:]
    member = Member(bytes.fromhex(table))
    places = [(host, int(port)) for host, _, port in (at.rpartition(":") for at in addresses)]
    first = Line(member, places[0])
    first.say(5, member.table)
    seen(lambda: member.genesis)
    first.say(3, member.join())
    first.say(1, 1, [])
    seen(lambda: member.status)
    print("it has sat down", flush=True)
    lines = [first, *(Line(member, place) for place in places[1:])]
    # The seal ends the first epoch; until then it says that it is ready to vote.
    while member.status[2] == 0:
        first.say(3, member.ready())
        time.sleep(0.2)
    print("it votes", flush=True)
    sys.stdin.readline()
    first.say(3, [GET_CHAIN, member.table, 0])
    seen(lambda: member.chain)
    # As another laptop it would have processors of its own.
    os.nice(10)
    print(json.dumps(flood(member, lines, float(seconds))), flush=True)


if __name__ == "__main__":
    main()
