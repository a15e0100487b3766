"""Whatever happens to the others, everybody can wait, go, or begin anew (decision 7)."""

import threading
import time

import pytest

from node import GRACE, Refused
from play import PHRASES, Game, Seat, everyone_sees_everyone, join

START = {"size": 3, "minutes": 15, "marking": "finder", "own": "\n".join(PHRASES[:9])}


def playing(world, count):
    nodes = world.people(count)
    everyone_sees_everyone(nodes)
    return Game.gather(nodes).start()


def test_one_of_two_is_gone_and_the_other_reads_why_quits_and_begins_anew(world):
    game = playing(world, 2)
    ana, bo = game.seats
    bo.node.kill()
    waiting = ana.wait("why it stands still", lambda table: table["waiting"], 8)
    assert waiting["message"] == (
        "1 of 2 people are here, the game needs 2. It goes on by itself when Bo is back. "
        "Nothing is lost.")
    assert {"wait", "quit"} <= set(waiting["choices"])
    begin = time.monotonic()
    ana.do("quit")
    ana.node.wait("the table put aside", lambda state: (
        (table := ana.within(state)) is None or any(s["me"] and s["left"] for s in table["seats"])
        or table["phase"] in ("over", "cancelled")), 2)
    answer = ana.node.command("createTable", **START)
    Seat(ana.node, answer["table"]).wait("a new lobby", lambda table: table["phase"] == "lobby", 3)
    assert time.monotonic() - begin < 5 + GRACE
    bo.node.start()
    bo.wait("that Ana has left", lambda table: any(
        seat["name"] == "Ana" and seat["left"] for seat in table["seats"]), 15)
    bo.wait("last player wins", lambda table: (
        table["phase"] == "over" and table["result"]["kind"] == "lastPlayer"), 15)


def test_one_of_two_quits_and_the_other_wins(world):
    game = playing(world, 2)
    ana, bo = game.seats
    bo.do("quit")
    result = ana.wait("the win", lambda table: table["phase"] == "over" and table["result"], 10)
    assert (result["kind"], result["winners"]) == ("lastPlayer", [ana.player])


def test_one_of_three_is_away_and_another_leaves(world):
    game = playing(world, 3)
    ana, bo, cy = game.seats
    cy.node.kill()
    ana.wait("Cy away", lambda table: table["away"] == ["Cy"], 10)
    bo.do("quit")
    ana.wait("Bo has left", lambda table: any(
        seat["name"] == "Bo" and seat["left"] for seat in table["seats"]), 10)
    # Cy's seat is still there: nobody has won, Ana waits for Cy.
    waiting = ana.wait("for whom it waits", lambda table: table["waiting"], 10)
    assert waiting["names"] == ["Cy"]
    assert ana.table["phase"] == "playing"
    cy.node.start()
    ana.wait("that it goes on", lambda table: not table["waiting"] and not table["away"], 15)
    # What it knew last need not have been on its disk.
    cy.wait("its board again", lambda table: table["board"], 10)
    word = cy.harmless()[0]
    cy.claim(word)
    ana.vote(word, True)
    for seat in (ana, cy):
        seat.decided(word, "confirmed", 10)


def test_quitting_asks_nobody_and_the_others_play_on(world):
    game = playing(world, 3)
    ana, bo, cy = game.seats
    ana.do("quit")
    for seat in (bo, cy):
        seat.wait("Ana has left", lambda table: any(
            s["name"] == "Ana" and s["left"] for s in table["seats"]), 5)
    rest = Game([bo, cy])
    assert rest.win(bo)["winners"] == [bo.player]


@pytest.mark.parametrize("phase", ["starting", "dealing"])
def test_frozen_during_the_draw_and_back_after_twenty_seconds(world, phase):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes)
    ana, bo, cy = game.seats
    for seat in game.seats:
        seat.do("ready", ready=True)
    ana.wait("Start is possible", lambda table: table["start"]["possible"])
    ana.do("start")
    bo.wait("the draw", lambda table: table["phase"] in (phase, "dealing", "playing"), 10)
    bo.node.freeze()
    time.sleep(20)  # As the check says.
    bo.node.thaw()
    for seat in game.seats:
        seat.wait("a board", lambda table: table["phase"] == "playing" and table["board"], 30)
    word = bo.harmless()[0]
    bo.claim(word)
    ana.vote(word, True)
    for seat in game.seats:
        seat.decided(word, "confirmed", 10)
    game.agree()


def test_frozen_during_the_draw_of_two(world):
    nodes = world.people(2)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes)
    ana, bo = game.seats
    for seat in game.seats:
        seat.do("ready", ready=True)
    ana.wait("Start is possible", lambda table: table["start"]["possible"])
    ana.do("start")
    ana.wait("the draw", lambda table: table["phase"] in ("starting", "dealing", "playing"), 10)
    bo.node.freeze()
    time.sleep(20)  # As the check says.
    bo.node.thaw()
    for seat in game.seats:
        seat.wait("a board", lambda table: table["phase"] == "playing" and table["board"], 30)
    game.win(bo)


@pytest.mark.parametrize("back", [False, True], ids=["for good", "and comes back"])
def test_the_creator_is_killed_in_the_lobby(world, back):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes)
    ana, bo, cy = game.seats
    ana.node.kill()
    waiting = bo.wait("Ana's laptop is away", lambda table: (
        table["waiting"] and "startAgain" in table["waiting"]["choices"] and table["waiting"]), 25)
    assert "Ana’s laptop is away" in waiting["message"]
    bo.do("startAgain")
    again = bo.wait("the successor", lambda table: table["successor"] and table["successor"]["id"])
    cy.wait("the same successor", lambda table: (
        table["successor"] and table["successor"]["id"] == again))
    cy.do("joinSuccessor")
    for seat in (bo, cy):
        Seat(seat.node, again).wait("the new lobby with both", lambda table: (
            table["phase"] == "lobby" and len(table["seats"]) == 2), 15)
    if not back:
        return
    ana.node.start()
    successor = ana.wait("They went on without you", lambda table: table["successor"], 20)
    assert (successor["id"], successor["kind"]) == (again, "again")
    ana.do("joinSuccessor")
    for seat in (bo, cy, ana):
        Seat(seat.node, again).wait("all three", lambda table: len(table["seats"]) == 3, 15)


@pytest.mark.parametrize("game", ["bingo", "quoridor"])
def test_the_owner_leaves_and_the_others_go_on_by_themselves(world, game):
    """Q14: whoever is next runs it; two leave at once; somebody is about to sit down; the last one ends it."""
    ana, bo, cy, di = nodes = world.people(4)
    everyone_sees_everyone(nodes)
    fields = {"players": 4} if game == "quoridor" else {
        "size": 3, "minutes": 15, "marking": "tap", "own": "\n".join(PHRASES[:9])}
    table = ana.command("createTable", game=game, title="Standup", **fields)["table"]
    gathered = Game.sit_down([ana, bo, cy], table, ("list", "code"))
    code = gathered.creator.table["code"]

    def at_one(who, owner, old, timeout=5):
        """Who sit at the table after the old one, which nobody's page lists any more."""
        heirs = set()
        for node in who:
            heir = node.wait("the next table", lambda state: next(
                (one for one in state["tables"] if one["phase"] == "lobby" and one["previous"]
                 and one["previous"]["id"] == old
                 and sum(not seat["left"] for seat in one["seats"]) == len(who)), None), timeout)
            assert (heir["code"], heir["title"], heir["previous"]["kind"]) == (code, "Standup", "again")
            assert [seat["name"] for seat in heir["seats"] if seat["runs"]] == [owner.name]
            node.wait("one table only", lambda state: [one["id"] for one in state["tables"]] == [heir["id"]], 5)
            heirs.add(heir["id"])
        assert len(heirs) == 1
        return heirs.pop()

    # Di presses Join while Ana leaves.
    di.wait("Ana's table", lambda state: any(one["id"] == table for one in state["openTables"]))
    asking = threading.Thread(target=lambda: refusal_or_table(di, table))
    asking.start()
    ana.command("leave", table=table)
    asking.join()
    if not di.state["tables"]:
        di.wait("Bo's table", lambda state: [
            one["code"] for one in state["openTables"] if one["id"] != table] == [code], 10)
        di.command("join", invitation=code)
    second = at_one([bo, cy, di], bo, table, 20)
    ana.wait("one table with the code", lambda state: [
        one["id"] for one in state["openTables"]] == [second], 10)
    # Bo and the next one leave at the same moment.
    heir = next(node for node in (cy, di) if node.name == Seat(bo, second).table["seats"][1]["name"])
    last = di if heir is cy else cy
    for node in (heir, bo):
        node.command("leave", table=second)
    third = at_one([last], last, second, 15)
    assert not ana.state["tables"] and not bo.state["tables"]
    last.command("leave", table=third)
    for node in nodes:
        node.wait("nothing left", lambda state: not state["openTables"] and not state["tables"], 10)


def refusal_or_table(node, table):
    """Asks for a seat that may be gone by then."""
    try:
        return node.command("joinTable", table=table)
    except Refused as refused:
        return refused


def test_the_creator_is_frozen_in_the_lobby_and_goes_on(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes)
    ana, bo, cy = game.seats
    ana.node.freeze()
    bo.wait("Ana's laptop is away", lambda table: table["waiting"], 25)
    ana.node.thaw()
    bo.wait("Ana is back", lambda table: not table["waiting"], 15)
    game.start()
    game.win(cy)


def test_a_guest_leaves_the_lobby_and_comes_back(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes)
    ana, bo, cy = game.seats
    bo.do("leave")
    ana.wait("Bo gone", lambda table: sum(not seat["left"] for seat in table["seats"]) == 2, 5)
    join(bo.node, ana, "list")
    ana.wait("Bo back", lambda table: sum(not seat["left"] for seat in table["seats"]) == 3, 10)


def test_the_creator_leaves_everybody_waiting_at_start_and_may_cancel(world):
    nodes = world.people(2)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes)
    ana, bo = game.seats
    for seat in game.seats:
        seat.do("ready", ready=True)
    ana.wait("Start is possible", lambda table: table["start"]["possible"])
    bo.node.freeze()
    ana.do("start")
    waiting = ana.wait("for whom it waits", lambda table: table["waiting"], 10)
    assert waiting["names"] == ["Bo"] and "cancel" in waiting["choices"]
    ana.do("cancel")
    ana.wait("cancelled", lambda table: table["phase"] == "cancelled", 5)
    bo.node.thaw()
    bo.wait("cancelled", lambda table: table["phase"] == "cancelled", 15)


def test_several_are_killed_at_once_and_the_rest_go_on_down_to_two(world):
    """N7: nothing is lost; it takes a click of each who is here; who comes back is asked."""
    game = playing(world, 5)
    ana, bo, cy, di, eve = game.seats
    word = ana.harmless()[0]
    game.confirm(ana, word)
    for seat in (di, eve):
        seat.node.kill()
    waiting = ana.wait("for whom it waits", lambda table: table["waiting"], 10)
    assert waiting["code"] == "belowQuorum" and waiting["choices"] == ["wait", "goOn", "quit"]
    assert "the game needs 4" in waiting["message"] and "Nothing is lost." in waiting["message"]
    ana.do("goOn")
    asked = bo.wait("that Ana asks", lambda table: (
        table["waiting"] and table["waiting"]["code"] == "goOnAsked" and table["waiting"]))
    assert asked["message"].startswith("Ana wants to go on without ")
    bo.do("goOn")
    ana.wait("Cy is missing", lambda table: "as soon as Cy agrees" in table["waiting"]["message"])
    cy.do("goOn")
    for seat in (ana, bo, cy):
        seat.wait("that it goes on", lambda table: not table["waiting"] and any(
            line["code"] == "provisional" for line in table["wentOn"]))
        # What was agreed before is still there.
        assert any(line["kind"] == "confirmed" for line in seat.table["feed"])
    eve.node.start()
    offered = eve.wait("They went on without you", lambda table: next(
        (line for line in table["wentOn"] if line["code"] == "offered"), None), 20)
    assert offered["choices"] == ["follow", "quit"]
    eve.do("follow")
    ana.wait("that Eve agrees", lambda table: [
        line["names"] for line in table["wentOn"]] == [[di.name]], 15)
    rest = Game([ana, bo, cy, eve])
    rest.agree()
    eve.node.kill()
    ana.wait("Eve away", lambda table: eve.name in table["away"], 10)
    cy.node.kill()
    # Three of four were needed: two are left, and go on once more.
    bo.wait("for whom it waits", lambda table: table["waiting"], 10)
    for seat in (ana, bo):
        seat.do("goOn")
    ana.wait("that it goes on", lambda table: not table["waiting"], 10)
    words = [word for word in ana.lines()[0] if ana.tile(word)["state"] == "open"]
    for word in words:
        ana.claim(word)
    for word in words:
        bo.vote(word, True)
    pair = Game([ana, bo])
    # Those who are away are still asked: what they do not say takes thirty seconds.
    assert pair.over(60)["winners"] == [ana.player]
