"""One person, whatever the ways to it; ways that break; ways that go one way only; one key twice."""

import shutil
import time

import pytest

from node import wait_until
from play import Game, everyone_sees_everyone


def person(node, other):
    """Somebody's row on another's page, or None."""
    return next((row for row in node.state["people"] if row["key"] == other.key), None)


def test_two_cards_are_one_person_and_the_other_takes_over_when_one_is_pulled(world):
    near, far = world.segment("10.77.0"), world.segment("10.78.0")
    ana = world.node("Ana", world.laptop(near, far))
    bo = world.node("Bo", world.laptop(near, far))
    for one, other in ((ana, bo), (bo, ana)):
        row = one.wait("both ways", lambda state: next((
            row for row in state["people"]
            if {path["interface"] for path in row["paths"]} == {"eth0", "eth1"}), None), 15)
        assert len(one.state["people"]) == 1 and row["key"] == other.key
        assert [path["address"] for path in row["paths"] if path["inUse"]] == [row["address"]]
    game = Game.gather([ana, bo]).start()

    def card():
        return next((path["interface"] for path in person(ana, bo)["paths"] if path["inUse"]), None)
    used = card()
    for node in (ana, bo):
        node.laptop.run("ip", "link", "set", used, "down")
    wait_until("the other card", lambda: person(ana, bo) and card() not in (None, used), 20)
    game.confirm(game.seats[0], game.seats[0].harmless()[0])


def block_datagrams(laptop, source):
    laptop.run("nft", "add table inet oneway; add chain inet oneway in "
               "{ type filter hook input priority 0; }; add rule inet oneway in "
               f"ip saddr {source} udp dport 47474 drop; add rule inet oneway in "
               f"ip saddr {source} udp sport != 1 drop")


def test_one_way_hearing_is_said_and_a_table_is_joined_all_the_same(world):
    ana, bo = world.node("Ana", start=False), world.node("Bo", start=False)
    block_datagrams(bo.laptop, ana.laptop.address)
    ana.start()
    bo.start()
    warning = ana.wait("the warning", lambda state: state["network"]["warning"], 75)
    assert warning["code"] == "oneWay"
    assert warning["message"].startswith("I hear Bo, Bo does not hear me.")
    assert person(ana, bo)["hearsMe"] == "no"
    assert bo.state["people"] == []
    bo.command("createTable", size=3, minutes=15, marking="tap", title="Open",
               pack=bo.state["packs"][0]["id"])
    table = ana.wait("the table", lambda state: next(iter(state["openTables"]), None), 15)
    ana.command("joinTable", table=table["id"])
    bo.wait("Ana by the link", lambda state: [
        (row["name"], row["via"]) for row in state["people"]] == [("Ana", "link")])
    ana.wait("no warning while linked", lambda state: state["network"]["warning"] is None)


def test_a_copied_folder_is_said_on_both_pages(world):
    ana = world.node("Ana")
    cy = world.node("Cy")
    everyone_sees_everyone([ana, cy])
    ana.stop()
    copy = world.node("Ana", start=False)
    shutil.copytree(ana.folder, copy.folder)
    ana.start()
    copy.start()
    for node in (ana, copy):
        trouble = node.wait("the trouble", lambda state: state["trouble"], 40)
        assert trouble["code"] == "sameKeyTwice"
        assert "its folder was copied" in trouble["message"]
    cy.wait("two with one key", lambda state: [row["twice"] for row in state["people"]] == [True], 60)
    copy.stop()
    ana.wait("all is well", lambda state: state["trouble"] is None, 75)
    for node in (ana, copy):
        lines = [line for line in node.log.read_text().splitlines() if "same key" in line]
        assert len(lines) == 1, lines


def test_a_laptop_that_is_killed_and_started_again_is_nobody_else(world):
    ana, bo = world.people(2)
    for _ in range(6):
        everyone_sees_everyone([ana, bo], 15)
        ana.kill()
        ana.start()
        assert ana.state["trouble"] is None
    time.sleep(12)  # What must not come cannot be waited for.
    assert ana.state["trouble"] is None and bo.state["trouble"] is None
    assert not person(bo, ana)["twice"]
    assert "same key" not in ana.log.read_text()


def test_a_killed_laptop_is_missed_within_twelve_seconds_while_linked(world):
    ana = world.node("Ana")
    bo = world.node("Bo", flags=["--peer", f"{ana.laptop.address}:{ana.state['network']['linkPort']}"])
    ana.wait("a link", lambda state: [row["paths"] for row in state["people"]])
    wait_until("the link", lambda: "10.77.0" in bo.laptop.run("ss", "-Htn", "state", "established"))
    bo.kill()
    begin = time.monotonic()
    ana.wait("Bo gone", lambda state: not state["people"], 12)
    print(f"a killed laptop was gone {time.monotonic() - begin:.1f} s after (must 12)")


def test_a_killed_laptop_is_missed_within_36_seconds_without_a_link(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    bo.kill()
    ana.wait("Bo gone", lambda state: not state["people"], 36)


@pytest.mark.parametrize("seconds", [20, pytest.param(120, marks=pytest.mark.long)])
def test_a_laptop_that_slept_is_back_at_its_table_within_five_seconds(world, seconds):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo, cy = game.seats
    bo.node.freeze()
    ana.wait("Bo away", lambda table: table["away"] == ["Bo"], 60)
    time.sleep(seconds)
    bo.node.thaw()
    begin = time.monotonic()
    for seat in (ana, cy):
        seat.wait("Bo back", lambda table: table["away"] == [], 5)
    bo.wait("the same log", lambda table: table["agreement"]["agreeing"] == 3,
            max(0.1, 5 - (time.monotonic() - begin)))
    print(f"back at the table {time.monotonic() - begin:.1f} s after {seconds} s asleep (must 5)")
    game.confirm(bo, bo.harmless()[0])
