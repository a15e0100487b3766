"""How soon somebody appears, disappears, and is back."""

import os
import time

import pytest

from play import Game, everyone_sees_everyone

IS_LONG = os.environ.get("TABLETALK_LONG") == "1"
FROZEN = 120 if IS_LONG else 20


def is_here(node, other):
    return any(row["key"] == other and row["presence"] != "away" for row in node.state["people"])


def appearances(world, starts):
    """Starts a node again and again, and takes the time until another lists it, and it the other.

    The time counts from when the node serves its page, which is when it begins to speak; on a machine that
    is busy with other tests the start of a program alone may take seconds.
    """
    ana = world.node("Ana")
    bo = world.node("Bo")
    everyone_sees_everyone([ana, bo])
    key, times, starting = bo.key, [], []
    for _ in range(starts):
        assert bo.stop() == 0
        ana.wait("Bo gone", lambda _: not is_here(ana, key), 5)
        starting.append(bo.start(timeout=30))
        begin = time.monotonic()
        ana.wait("Bo here", lambda _: is_here(ana, key))
        bo.wait("Ana here", lambda _: is_here(bo, ana.key))
        times.append(time.monotonic() - begin)
    times.sort()
    p50, p95 = times[len(times) // 2], times[min(len(times) - 1, int(len(times) * 0.95))]
    print(f"{starts} starts: each listed the other {p50:.2f} s (p50), {p95:.2f} s (p95, must 3), "
          f"{times[-1]:.2f} s (worst) after it served its page, which took {sorted(starting)[starts // 2]:.2f} s")
    # The slowest of ten starts tells how busy the machine was; a hundred have a quiet one.
    assert (p95 if IS_LONG else p50) < 3


def test_a_node_appears_soon_after_its_start(world):
    appearances(world, 10)


@pytest.mark.long
def test_a_node_appears_soon_after_each_of_a_hundred_starts(world):
    appearances(world, 100)


def gone_after(ana, bo, most):
    key = bo.key
    begin = time.monotonic()
    bo.kill()
    ana.wait("Bo gone from the list", lambda _: not is_here(ana, key), most)
    return time.monotonic() - begin


def test_a_killed_node_is_gone_within_twelve_seconds_while_linked(world):
    ana, bo = nodes = world.people(2)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana_seat, key = game.seats[0], bo.key
    begin = time.monotonic()
    bo.kill()
    ana_seat.wait("Bo away at the table", lambda table: any(
        seat["presence"] == "away" for seat in table["seats"]), 12)
    at_table = time.monotonic() - begin
    ana.wait("Bo gone from the list", lambda _: not is_here(ana, key), 36)
    print(f"a killed laptop was away at the table after {at_table:.1f} s (must 12), and gone from the list of "
          f"people after {time.monotonic() - begin:.1f} s (must 36)")


def test_a_killed_node_with_an_open_table_is_gone_within_twelve_seconds(world):
    ana, bo = nodes = world.people(2)
    everyone_sees_everyone(nodes)
    bo.command("createTable", size=3, minutes=15, marking="tap", pack=bo.state["packs"][0]["id"])
    ana.wait("Bo's table", lambda state: state["openTables"])
    seconds = gone_after(ana, bo, 12)
    ana.wait("its table gone", lambda state: not state["openTables"], 1)
    print(f"a killed laptop with an open table was gone after {seconds:.1f} s (must 12)")


def test_a_killed_node_is_gone_within_thirty_six_seconds_otherwise(world):
    ana, bo = nodes = world.people(2)
    everyone_sees_everyone(nodes)
    seconds = gone_after(ana, bo, 36)
    print(f"a killed laptop without a table was gone after {seconds:.1f} s (must 36)")


def test_a_frozen_node_is_back_at_its_table_within_five_seconds(world):
    ana, bo, cy = nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    first, second = game.creator.harmless()[:2]
    bo.freeze()
    game.seats[0].wait("Bo away", lambda table: any(
        seat["presence"] == "away" for seat in table["seats"]), 12)
    begin = time.monotonic()
    # Two of three go on meanwhile.
    game.creator.claim(first)
    game.seats[2].vote(first, True)
    for seat in (game.seats[0], game.seats[2]):
        seat.decided(first, "confirmed")
    time.sleep(max(0, FROZEN - (time.monotonic() - begin)))
    thawed = time.monotonic()
    bo.thaw()
    bo_seat = game.seats[1]
    bo_seat.decided(first, "confirmed", 5)
    for seat in game.seats:
        seat.wait("everybody at the table", lambda table: all(
            row["me"] or row["presence"] == "here" for row in table["seats"]),
            5 - (time.monotonic() - thawed))
    seconds = time.monotonic() - thawed
    print(f"frozen for {FROZEN} s, it was back at its table after {seconds:.2f} s (must 5)")
    game.confirm(bo_seat, bo_seat.harmless()[0])
