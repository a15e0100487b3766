"""A member who floods the others of a running game: they play on, and hold little for its sake."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from meter import Meter
from node import Refused
from play import Game, everyone_sees_everyone

FLOODER = Path(__file__).with_name("flooder.py")
LONG = os.environ.get("TABLETALK_LONG") == "1"
SECONDS = 60 if LONG else 10
QUIET = 20 if LONG else 5
WORDS = [f"word {number}" for number in range(1, 26)]
MEGABYTES = 100


def moves(seat):
    return sum(entry["kind"] == "move" for entry in list(seat.node.watcher.agreed))


def commit(seats, act):
    """The seconds from a command until its entry is final at all; None if it was too late."""
    wanted = [moves(seat) + 1 for seat in seats]
    begin = time.monotonic()
    try:
        act()
    except Refused as refusal:
        assert refusal.code in ("claimClosed", "noSuchClaim"), refusal
        return None
    for seat, count in zip(seats, wanted):
        seat.node.wait("an entry that is final", lambda _: moves(seat) >= count, 20)
    return time.monotonic() - begin


def play(seats, seconds, claims):
    """Claims and votes for so long; returns how long each took to be final."""
    end = time.monotonic() + seconds
    pause = seconds / claims
    times = []
    for number in range(claims):
        begin = time.monotonic()
        claimant = seats[number % len(seats)]
        words = claimant.harmless()
        if not words or begin >= end:
            break
        times.append(commit(seats, lambda: claimant.claim(words[0])))
        for voter in seats:
            if voter is not claimant:
                times.append(commit(seats, lambda: voter.vote(words[0], True)))
        time.sleep(max(0, min(begin + pause, end) - time.monotonic()))
    return sorted(one for one in times if one is not None)


def listed(times):
    return " ".join(f"{1000 * one:.0f}" for one in times)


def test_three_play_on_while_the_fourth_floods_them(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes, size=5, words=WORDS)
    laptop = world.laptop(world.segments[0])
    places = [f"{node.laptop.address}:{node.state['network']['linkPort']}" for node in nodes]
    flooder = subprocess.Popen(
        laptop.inside(sys.executable, "-B", str(FLOODER), game.creator.id, str(SECONDS), *places),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert flooder.stdout.readline() == "it has sat down\n", flooder.communicate()[1]
        for seat in game.seats:
            seat.wait("Mallory", lambda table: len(table["seats"]) == 4)
        game.start()
        assert flooder.stdout.readline() == "it votes\n", flooder.communicate()[1]
        for seat in game.seats:
            seat.wait("four voters", lambda table: table["details"]["voters"] == 4)
        play(game.seats, 1, 2)
        quiet = play(game.seats, QUIET, 10)
        meters = [world.closing(Meter(node.process)) for node in nodes]
        flooder.stdin.write("go\n")
        flooder.stdin.flush()
        assert flooder.stdout.readline() == "it begins\n", flooder.communicate()[1]
        begin = time.monotonic()
        times = play(game.seats, SECONDS, 16)
        output, errors = flooder.communicate(timeout=60)
    finally:
        flooder.kill()
        flooder.wait()
    took = time.monotonic() - begin
    assert flooder.returncode == 0, errors
    did = json.loads(output)
    usual, flooded = quiet[len(quiet) // 2], times[len(times) // 2]
    print(f"in {took:.0f} s: {did}")
    print(f"quiet, ms from command to final at all, p50 {1000 * usual:.1f}: {listed(quiet)}")
    print(f"flooded, p50 {1000 * flooded:.1f} (must {3000 * usual:.1f}): {listed(times)}")
    for node, meter in zip(nodes, meters):
        used = (meter.worst["seconds"] - meter.first["seconds"]) / took
        details = node.state["tables"][0]["details"]
        print(f"{node.name}: {meter.first['megabytes']:.1f} -> {meter.worst['megabytes']:.1f} MB "
              f"(must {MEGABYTES}), {used:.2f} of a processor, refused {details['refused']}")
    game.agree()
    assert min(did[name] for name in ("certificates", "answers", "nullifications", "beacons")) > 100
    assert flooded < 3 * usual
    for meter in meters:
        assert meter.worst["megabytes"] < MEGABYTES
    for seat in game.seats:
        assert seat.table["details"]["refused"].get("chainUnasked")
