"""A LAN full of people: everybody is listed as they are, and it costs next to nothing."""

import json
import subprocess
import sys
import time
from pathlib import Path

from meter import Meter
from node import wait_until
from play import Game, everyone_sees_everyone

CROWD = Path(__file__).with_name("crowd.py")


class Crowd:
    """A running crowd.py: many people on one laptop."""

    def __init__(self, laptop, count, period, addresses):
        broadcast = laptop.address.rpartition(".")[0] + ".255"
        self.process = subprocess.Popen(
            laptop.inside(sys.executable, "-B", str(CROWD), broadcast, str(count), str(period),
                          *addresses),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.people = json.loads(self.process.stdout.readline())

    def tell(self, what, numbers):
        self.process.stdin.write(json.dumps([what, *numbers]) + "\n")
        self.process.stdin.flush()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def more_addresses(laptop, count):
    """Gives the first card of a laptop more addresses; returns all of them."""
    out = [laptop.address]
    for number in range(count - 1):
        out.append(laptop.address.rpartition(".")[0] + f".{150 + number}")
        laptop.run("ip", "address", "add", f"{out[-1]}/24", "brd", "+", "dev", laptop.cards[0][1])
    return out


def listed(node):
    return sorted([row["key"], row["name"]] for row in node.state["people"]
                  if row["presence"] != "away")


def test_sixty_people_are_listed_exactly_and_cost_little(world):
    ana = world.node("Ana")
    laptop = world.laptop(world.segments[0])
    meter = world.closing(Meter(ana.process))
    crowd = world.closing(Crowd(laptop, 60, 3_000, more_addresses(laptop, 6)))
    people = dict(enumerate(map(list, crowd.people)))
    begin = time.monotonic()
    wait_until("all sixty", lambda: listed(ana) == sorted(people.values()), 10)
    appeared = time.monotonic() - begin
    # Where each is reached: several addresses, each the one its beacons come from.
    hosts = {row["address"].rpartition(":")[0] for row in ana.state["people"]}
    assert len(hosts) == 6

    crowd.tell("goodbye", range(0, 10))
    for number in range(0, 10):
        del people[number]
    wait_until("ten said goodbye", lambda: listed(ana) == sorted(people.values()), 3)
    crowd.tell("rename", range(10, 20))
    for number in range(10, 20):
        people[number][1] = f"Renamed {number}"
    wait_until("ten other names", lambda: listed(ana) == sorted(people.values()), 3)
    crowd.tell("silence", range(20, 30))
    silent = time.monotonic()
    for number in range(20, 30):
        del people[number]
    wait_until("ten fell silent", lambda: listed(ana) == sorted(people.values()), 14)
    expired = time.monotonic() - silent
    assert expired > 3, "three periods and a second after the last beacon"
    time.sleep(max(0, begin + 20 - time.monotonic()))
    assert listed(ana) == sorted(people.values())

    now = meter.read()
    took = time.monotonic() - begin
    size = len(json.dumps(ana.page.get("/api/v1/state")["people"]))
    share = (now["seconds"] - meter.first["seconds"]) / took
    print(f"60 people appeared within {appeared:.1f} s; silent ones were gone after {expired:.1f} s; "
          f"{meter.worst['megabytes']:.1f} MB (must 50), {share:.3f} of a processor at "
          f"{60 / 3:.0f} beacons a second, {size} bytes of state for {len(people)} people")
    assert meter.worst["megabytes"] < 50
    assert share < 0.2
    assert size < 500 * len(people)


def test_a_laptop_full_of_invented_people_keeps_no_friend_out(world):
    laptop = world.laptop(world.segment())
    ana = world.node("Ana")
    crowd = world.closing(Crowd(laptop, 300, 10_000, [laptop.address]))
    wait_until("a crowd", lambda: len(listed(ana)) >= 16, 15)
    time.sleep(2)  # All of them have been heard.
    bo = world.node("Bo")
    seconds = everyone_sees_everyone([ana, bo], 10)
    strangers = [row for row in ana.state["people"] if [row["key"], row["name"]] in crowd.people]
    print(f"beside {len(strangers)} of 300 invented people of one laptop a friend appeared within "
          f"{seconds:.1f} s")
    game = Game.gather([ana, bo]).start()
    game.confirm(game.creator, game.creator.harmless()[0])
