"""Quoridor between laptops: to a win, by giving up, and with a laptop that dies."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from duel import WIN, Duel
from node import Refused
from play import Seat, everyone_sees_everyone, refusal


def test_two_play_to_a_win_and_change_sides_for_the_rematch(world):
    nodes = world.people(2)
    everyone_sees_everyone(nodes)
    duel = Duel.gather(nodes)
    assert [row["seats"] for row in nodes[1].state["openTables"]] == [2]
    ana, bo = duel.seats
    assert refusal(ana.node, "start", table=ana.id) == "notReady"
    duel.start()
    first, second = duel.side(0), duel.side(1)
    turn = duel.board()["turn"]
    assert refusal(second.node, "move", table=ana.id, move="e8", turn=turn) == "notYourTurn"
    assert refusal(first.node, "move", table=ana.id, move="e5", turn=turn) == "pawnCannotGoThere"
    assert refusal(first.node, "move", table=ana.id, move="z9", turn=turn) == "notAMove"
    duel.move(WIN[0])
    assert refusal(first.node, "move", table=ana.id, move="e3", turn=turn) == "turnIsOver"
    duel.play(WIN[1:])
    result = duel.over()
    assert (result["kind"], result["winners"]) == ("line", [first.player])
    assert [turn["move"] for turn in duel.board(bo)["turns"]] == WIN

    for seat in duel.seats:
        seat.do("rematch")
    names = [first.name, second.name]
    again = [seat.node.wait("the next lobby", lambda state: next(
        (table["id"] for table in state["tables"] if table["phase"] == "lobby"
         and len(table["seats"]) == 2), None), 15) for seat in duel.seats]
    assert len(set(again)) == 1
    creator = next(seat.node for seat in duel.seats
                   if Seat(seat.node, again[0]).table["mine"])
    nodes.sort(key=lambda node: node is not creator)
    more = Duel([Seat(node, again[0]) for node in nodes]).start()
    assert [more.side(0).name, more.side(1).name] == names[::-1]


def test_four_play_one_gives_up_another_one_dies_and_the_clock_goes_on(world):
    nodes = world.people(4)
    everyone_sees_everyone(nodes)
    duel = Duel.gather(nodes).start()
    duel.play(["e2", "b5", "e8"])
    fourth = duel.side(3)
    fourth.do("giveUp")
    for seat in duel.seats:
        seat.wait("one pawn fewer", lambda table: (
            table["quoridor"]["board"]["pawns"][3] is None
            and table["quoridor"]["board"]["toMove"] == 0))
    duel.move("e3")
    gone = duel.side(1)
    gone.node.kill()
    here = [seat for seat in duel.seats if seat is not gone]
    for seat in here:
        seat.wait("the turn of the dead laptop over", lambda table: (
            table["quoridor"]["board"]["turns"][-1]["ranOut"]
            and table["quoridor"]["board"]["toMove"] == 2), 60)
    duel.move("e7", here)
    duel.move("e4", here)
    # It has eight seconds now, whether it is there or not.
    for seat in here:
        seat.wait("eight seconds", lambda table: table["quoridor"]["board"]["clock"]["ofMs"] == 8_000)
    gone.node.start()
    for seat in duel.seats:
        seat.wait("all four at the board again", lambda table: (
            table["quoridor"]["board"]["walls"] == []
            and all(one["presence"] == "here" for one in table["seats"])), 30)
    for seat in (duel.side(1), duel.side(2)):
        duel.give_up(seat)
    result = duel.over()
    assert (result["kind"], result["winners"]) == ("lastPlayer", [duel.side(0).player])


def test_two_alone_cannot_win_on_time_against_a_closed_lid(world):
    nodes = world.people(2)
    everyone_sees_everyone(nodes)
    duel = Duel.gather(nodes).start()
    duel.move("e2")
    gone = duel.side(1)
    here = duel.side(0)
    gone.node.kill()
    here.wait("the game waiting", lambda table: table["waiting"] is not None, 15)
    assert here.table["waiting"]["choices"] == ["wait", "later", "end", "quit"]
    board = duel.board(here)
    assert (board["toMove"], board["turns"][-1]["move"]) == (1, "e2")
    gone.node.start()
    for seat in duel.seats:
        seat.wait("the game going on with e2 on the board", lambda table: (
            table["waiting"] is None and table["quoridor"]["board"]["turns"]
            and table["quoridor"]["board"]["turns"][0]["move"] == "e2"), 20)
    duel.move("e8")
    # Ends it the next time, and nobody is asked when the lid opens again.
    gone.node.kill()
    here.wait("the game waiting", lambda table: table["waiting"] is not None, 15)
    here.do("askEnd")
    here.wait("the end on its way", lambda table: table["waiting"]["code"] == "ending")
    assert refusal(here.node, "askEnd", table=here.id) == "askedAlready"
    gone.node.start()
    result = duel.over()
    assert (result["kind"], result["winners"]) == ("unfinished", [])


def test_a_whole_game_is_watched_and_its_owner_dies_and_comes_back(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    cy = nodes[2]
    cy.command("witness", on=False)
    duel = Duel.gather(nodes[:2])
    # Cy said no; asked once more by the player, who has changed Cy's mind, Cy helps.
    duel.creator.wait("Cy's no", lambda table: (
        table["inviting"] == {"possible": True, "asked": [], "refused": ["Cy"]}), 15)
    cy.command("witness", on=True)
    duel.creator.do("inviteWitness")
    duel.creator.wait("Cy helping", lambda table: table["witnesses"] == ["Cy"], 15)
    duel.start()
    cy = Seat(cy, duel.creator.id)
    cy.node.wait("the game to watch", lambda state: cy.id in state["witnessing"]["watched"], 15)
    duel.move(WIN[0])
    cy.wait("e2 on the watched board", lambda table: (
        table["quoridor"]["board"]["mine"] is None
        and [turn["move"] for turn in table["quoridor"]["board"]["turns"]] == ["e2"]))
    assert refusal(cy.node, "move", table=cy.id, move="a8h") == "notPlaying"
    duel.play(WIN[1:6])
    owner, other = duel.creator, duel.seats[1]
    owner.node.kill()
    here = [other, cy]
    if duel.board(other)["toMove"] == duel.board(other)["mine"]:
        duel.move(WIN[6], here)
    other.wait("the owner away", lambda table: table["away"] == [owner.name], 15)
    assert other.table["waiting"] is None, "two of three are here"
    owner.node.start()
    owner.wait("the board again", lambda table: (
        table["quoridor"]["board"] is not None
        and len(table["quoridor"]["board"]["turns"]) == len(duel.board(other)["turns"])), 20)
    other.wait("the owner here", lambda table: table["away"] == [], 20)
    duel.play(WIN[len(duel.board(other)["turns"]):])
    result = duel.over()
    assert (result["kind"], result["winners"]) == ("line", [duel.side(0).player])
    cy.wait("the result", lambda table: (
        table["result"] is not None and table["result"]["winners"] == result["winners"]))
    assert [turn["move"] for turn in duel.board(cy)["turns"]] == WIN


def left(seat):
    """Milliseconds that are left of the turn, told at this moment."""
    table = seat.within(seat.node.page.get("/api/v1/state"))
    return table["quoridor"]["board"]["clock"]["leftMs"]


def race(duel, offset):
    """Moves so many milliseconds after the time is over; whether the turn ran out, on both laptops."""
    duel.agree()
    board = duel.board()
    mover = duel.side(board["toMove"])
    # Nobody is to lose by it.
    if board["strikes"][board["toMove"]] < 3:
        time.sleep(max(0, left(mover) / 1000 - 1.5))
        # What is told is of the last look at the clock: it is exact when it has just changed.
        told = left(mover)
        while (now := left(mover)) == told:
            time.sleep(0.005)
        time.sleep((now + offset) / 1000)
    try:
        mover.do("move", move=board["squares"][0], turn=board["turn"])
    except Refused as refused:
        assert refused.code == "turnIsOver", refused
    for seat in duel.seats:
        seat.wait("the turn over", lambda table: (
            table["quoridor"]["board"]["turn"] > board["turn"]), 15)
    duel.agree()
    turns = [duel.board(seat)["turns"] for seat in duel.seats]
    assert turns[0] == turns[1] and len(turns[0]) == len(board["turns"]) + 1
    return turns[0][-1]["ranOut"]


@pytest.mark.long
def test_a_move_and_its_time_out_at_one_instant_have_one_result_everywhere(world):
    nodes = world.people(2)
    everyone_sees_everyone(nodes)
    duels = [Duel.gather(nodes).start() for _ in range(5)]
    with ThreadPoolExecutor(5) as pool:
        rows = list(pool.map(
            lambda duel: [race(duel, offset) for offset in range(-40, 20, 6)], duels))
    ran_out = sum(map(sum, rows))
    print(f"{ran_out} of {sum(map(len, rows))} turns ran out")
    assert 0 < ran_out < 50 == sum(map(len, rows))


@pytest.mark.long
def test_with_a_witness_five_turns_behind_a_closed_lid_lose(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    duel = Duel.gather(nodes[:2])
    duel.creator.wait("Cy helping", lambda table: table["witnesses"] == ["Cy"], 15)
    duel.start()
    gone, here = duel.side(0), duel.side(1)
    gone.node.kill()
    for round_ in range(5):
        here.wait("my turn or the end", lambda table: table["phase"] == "over" or (
            table["quoridor"]["board"]["toMove"] == 1), 60)
        if here.table["phase"] == "over":
            break
        turn = duel.board(here)["turn"]
        here.do("move", move="e8" if round_ % 2 == 0 else "e9", turn=turn)
        here.wait("my turn over", lambda table: table["quoridor"]["board"]["turn"] > turn)
    here.wait("the end", lambda table: table["phase"] == "over", 60)
    assert here.table["result"]["winners"] == [here.player]
