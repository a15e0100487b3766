"""Many people on one laptop, or on a few, as their beacons: a program that speaks the real format.

    crowd.py BROADCAST COUNT PERIOD ADDRESS...

It invents COUNT people, spread over the addresses of the laptop, and beacons for each of them. It prints
one line of JSON with the keys and names of all; what it reads from its input, one JSON list a line, makes
the people with those numbers say goodbye (["goodbye", 1, 2]), fall silent (["silence", 3]) or change their
names (["rename", 4]). It ends with its input.
"""

import itertools
import json
import random
import socket
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Conformance"))

from nacl.signing import SigningKey  # noqa: E402

from tabletalk import make_beacon  # noqa: E402

DISCOVERY = 47474


class Person:
    """One invented person and what its beacon says."""

    def __init__(self, number, mouth, target, period):
        self.key, self.mouth, self.target, self.period = SigningKey.generate(), mouth, target, period
        self.name = f"Guest {number}"
        self.port = 40_000 + number
        self.sequences = itertools.count(1)
        self.is_silent = False

    def say(self, **changes):
        self.mouth.sendto(make_beacon(self.key, **{
            "name": self.name, "sequence": next(self.sequences), "period": self.period,
            "linkPort": self.port, **changes}), self.target)


def mouth(address):
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    made.bind((address, 0))
    return made


def talk(people, period):
    """Every period each person who is not silent says something, at a moment of its own."""
    chance = random.Random(1)
    due = [(0, person) for person in people]
    while True:
        now = time.monotonic()
        for index, (at, person) in enumerate(due):
            if at <= now and not person.is_silent:
                person.say()
                due[index] = now + period / 1000 * chance.uniform(0.8, 1.2), person
        time.sleep(0.05)


def main():
    broadcast, count, period, *addresses = sys.argv[1:]
    mouths = itertools.cycle([mouth(address) for address in addresses])
    people = [Person(number, next(mouths), (broadcast, DISCOVERY), int(period))
              for number in range(int(count))]
    print(json.dumps([[bytes(person.key.verify_key).hex(), person.name] for person in people]),
          flush=True)
    threading.Thread(target=talk, args=(people, int(period)), daemon=True).start()
    for line in sys.stdin:
        what, *numbers = json.loads(line)
        for number in numbers:
            person = people[number]
            if what == "rename":
                person.name = f"Renamed {number}"
                person.say()
            else:
                person.is_silent = True
            if what == "goodbye":
                person.say(period=0)


if __name__ == "__main__":
    main()
