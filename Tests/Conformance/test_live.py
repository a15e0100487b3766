"""A node in Python, from Protocol alone, sits with two of the project's at their tables and votes."""

import json
import os
import subprocess

import pytest

import savedlog
from duel import WIN, Duel
from guard import Guard
from livenode import LiveNode
from node import PROGRAM, wait_until
from play import PHRASES, Game, Seat, everyone_sees_everyone, join
from table import OVER, PLAYING
from tabletalk import FINALIZE, NOTARIZE, NULLIFY

GAMES = 10 if os.environ.get("TABLETALK_LONG") == "1" else 2

# Codes of what was never true. News comes in any order, and some of it twice, so what was true when it was sent
# may be refused as too late or too early: that is no fault of who sent it.
FALSE = ("bad", "unsigned", "block", "just", "seal", "proposal", "evidence", "deadline", "chainUnproven",
         "certificate")
LATE = ("blockUnasked", "blockOtherEpoch")


@pytest.fixture
def three(world):
    """Two nodes of the project, and one in Python that both have heard by broadcast."""
    nodes = [world.node(name) for name in ("Ana", "Bo")]
    laptop = world.laptop(world.segments[0])
    python = world.closing(LiveNode(laptop, f"{world.segments[0].prefix}.255", "Pia", world.folder / "pia"))
    everyone_sees_everyone(nodes)
    for node in nodes:
        node.wait("Pia by broadcast", lambda state: any(
            row["key"] == python.own.hex() for row in state["people"]))
    return *nodes, python


def wait(python, what, condition, timeout=10):
    """Waits for something at the Python node, which must not have met anything that it cannot judge."""
    try:
        return wait_until(what, lambda: python.call(condition), timeout)
    except AssertionError as error:
        seats = [(row.voter.view, row.voter.ledger.height, row.voter.halted,
                  getattr(row.voter, "why", None)) for row in python.seats.values()]
        raise AssertionError(f"{error}; {seats} {python.faults} {python.refusals}") from error


def sit_down(python, creator):
    """Takes a seat at the table of a beacon; the Python player."""
    table = bytes.fromhex(creator.id)
    wait(python, "the table in a beacon", lambda: any(
        notice["table"] == table for _, notice in python.notices()))
    python.call(lambda: python.ask(table, bytes.fromhex(creator.node.key)))
    wait(python, "the own seat", lambda: table in python.seats
         and python.seats[table].number is not None)
    return python.seats[table]


def start(python, player, seats, voters=3):
    """All are ready, the creator starts, and all vote."""
    people = len(seats) + (player.number is not None)
    if player.number is not None:
        python.call(lambda: player.act(2, True))
    for seat in seats:
        seat.wait("all seats", lambda table: table["phase"] == "lobby" and len(table["seats"]) == people)
    for seat in seats[1:]:
        seat.do("ready", ready=True)
    seats[0].wait("Start is possible", lambda table: table["start"]["possible"] and all(
        row["ready"] for row in table["seats"][1:]))
    seats[0].do("start")
    for seat in seats:
        seat.wait(f"{voters} voters in a game", lambda table: table["phase"] == "playing"
                  and table["details"]["voters"] == voters, 20)
    wait(python, "the game", lambda: player.table.phase == PLAYING and player.voter.votes_now)


def is_equal(python, player, seats):
    """All three stand at one tip with one state; the Python node has lied to nobody."""
    def same():
        own = python.call(lambda: (player.voter.ledger.height, player.voter.ledger.tip.hex(),
                                   player.table.hash().hex()))
        return all(tuple(seat.table["details"][key] for key in ("height", "tip", "stateHash")) == own
                   for seat in seats)

    wait(python, "equal height, tip and state hash", same, 15)
    for seat in seats:
        told = seat.table["details"]["refused"]
        assert not [code for code in told if code.startswith(FALSE) and code not in LATE], told
        # A beacon by link may be older than one by datagram; who slept has let channels go.
        codes = seat.node.page.get("/api/v1/state")["network"]["refused"]
        assert all(code == "beacon.replayed" or code.startswith("relay.") for code in codes)
    assert python.faults == [] and not player.voter.amnesiac and not player.voter.lies
    assert player.voter.halted is None


def export(world, python, player, seat, number):
    """A log that a node saves, at which the Python reader and the Python node stand at one tip; what `verify` says."""
    path = world.folder / f"{number}.ttlog"
    done = subprocess.run(seat.node.laptop.inside(
        str(PROGRAM), "export", seat.id, "--data", str(seat.node.folder), "-o", str(path)),
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ledger = savedlog.read(path.read_bytes())
    assert (ledger.log_tip, ledger.table.hash()) == python.call(
        lambda: (player.voter.ledger.log_tip, player.table.hash()))
    proof = json.loads(subprocess.run([PROGRAM, "verify", "--json", path], capture_output=True,
                                      text=True).stdout)
    assert proof["proven"]
    return path, proof


def is_proven(world, python, player, seat, number):
    """The log that a node saves has the Python node's votes, and both judges say who won."""
    path, proof = export(world, python, player, seat, number)
    signed = [key for row in savedlog.rows(path.read_bytes()) if row[0] == 0
              for certificate in row[2:] if certificate and certificate[3] in (NOTARIZE, FINALIZE)
              for key, _ in certificate[5]]
    assert signed.count(player.voter.own) > 10
    assert any(row[1][1] == player.voter.epoch["id"] and player.voter.leader(row[1][2]) == player.voter.own
               for row in savedlog.rows(path.read_bytes()) if row[0] == 0), "a block of its own is final"
    return proof


def confirm(python, player, seats, word, by):
    """A claim by one of the three; the others confirm until it is decided."""
    if by is player:
        python.call(lambda: player.claim(word))
        seats[0].vote(word, True)
    else:
        by.claim(word)
        wait(python, f"a claim of '{word}'", lambda: any(
            player.word(claim.event) == word for claim in player.game.open()))
        python.call(lambda: player.vote(word, True))
    for seat in seats:
        seat.decided(word, "confirmed")


def test_a_slot_is_taken_once_and_for_all(tmp_path):
    one, other, nothing = bytes([1]) * 32, bytes([2]) * 32, bytes(32)
    epoch = bytes([9]) * 32
    guard = Guard(tmp_path / "votes")
    assert not guard.take(epoch, 1, FINALIZE, one), "finalizes what it has not notarized"
    assert guard.take(epoch, 1, NOTARIZE, one) and guard.take(epoch, 1, NOTARIZE, one)
    for _ in range(2):
        assert not guard.take(epoch, 1, NOTARIZE, other) and not guard.take(epoch, 1, FINALIZE, other)
        guard = Guard(tmp_path / "votes")
    assert guard.take(epoch, 1, FINALIZE, one) and not guard.take(epoch, 1, NULLIFY, nothing)
    assert guard.take(epoch, 2, NULLIFY, nothing)
    for kind in (NOTARIZE, FINALIZE):
        assert not guard.take(epoch, 2, kind, one)
    assert guard.take(epoch, 3, NOTARIZE, one) and guard.take(epoch, 3, NULLIFY, nothing)
    assert not guard.take(epoch, 3, FINALIZE, one)
    assert guard.later_notarized(epoch, 1) == [one] and guard.later_notarized(epoch, 3) == []


def test_games_of_bingo_with_a_stranger(three, world):
    ana, bo, python = three
    for number in range(GAMES):
        table = ana.command("createTable", size=3, minutes=15, marking="finder",
                            own="\n".join(PHRASES[:9]))["table"]
        creator = Seat(ana, table)
        creator.wait("its lobby", lambda table: table["phase"] == "lobby")
        seats = [creator, Seat(bo, table)]
        player = sit_down(python, creator)
        join(bo, creator, "list")
        start(python, player, seats)
        word = creator.harmless()[number % 3]
        confirm(python, player, seats, word, by=creator)
        line = player.lines()[number % 6]
        if number % 2 == 0:
            for one in line:
                if not player.game.marks[player.dealt] >> player.game.boards[player.dealt].index(
                        player.game.pool.index(one)) & 1:
                    confirm(python, player, seats, one, by=player)
            winner = "Pia"
        else:
            # Whoever stands still is no quorum: Ana and the Python node go on without Bo.
            bo.freeze()
            confirm(python, player, seats[:1], creator.harmless()[number % 3 + 1], by=creator)
            bo.thaw()
            Game(seats).agree(30)
            # Whoever sleeps misses what is agreed meanwhile, and learns it from a chain.
            python.call(python.sleep)
            missed = seats[1].lines()[2][0]
            if seats[1].tile(missed)["state"] == "open":
                seats[1].claim(missed)
                seats[0].vote(missed, True)
                seats[0].decided(missed, "confirmed", 30)
            python.call(lambda: setattr(python, "deaf", False))
            wait(python, "what it missed", lambda: any(
                player.word(claim.event) == missed for claim in player.game.claims), 20)
            # Whoever is started anew keeps to what it has signed.
            slots = python.call(lambda: dict(player.voter.guard.slots))
            python.call(player.restart)
            wait(python, "its own vote again", lambda: player.voter.votes_now, 20)
            assert slots.items() <= player.voter.guard.slots.items()
            for one in seats[1].lines()[0]:
                if seats[1].tile(one)["state"] == "open":
                    confirm(python, player, seats, one, by=seats[1])
            winner = "Bo"
        wait(python, "the end", lambda: player.table.phase == OVER, 20)
        Game(seats).over()
        is_equal(python, player, seats)
        proof = is_proven(world, python, player, creator, number)
        assert (proof["kind"], proof["winners"]) == ("line", [winner])
        for seat in seats:
            seat.do("quit")
        python.call(lambda: player.act(5))
        python.call(lambda: python.seats.pop(player.id))


def test_games_of_quoridor_with_a_stranger(three, world):
    """In every other game it plays and Bo's laptop helps to agree, else it helps where Bo plays."""
    ana, bo, python = three
    for number in range(GAMES):
        plays = number % 2 == 0
        python.call(lambda: setattr(python, "helps", not plays))
        table = ana.command("createTable", game="quoridor", players=2)["table"]
        creator = Seat(ana, table)
        creator.wait("its lobby", lambda table: table["phase"] == "lobby")
        if plays:
            player, seats = sit_down(python, creator), [creator]
            creator.wait("who helps", lambda table: table["witnesses"] == ["Bo"], 20)
        else:
            join(bo, creator, "list")
            seats = [creator, Seat(bo, table)]
            creator.wait("who helps", lambda table: table["witnesses"] == ["Pia"], 20)
            player = wait(python, "that it helps", lambda: python.seats.get(bytes.fromhex(table)))
        start(python, player, seats)
        duel = Duel(seats)
        duel.wait_for_board()
        wait(python, "the board", lambda: player.game)
        for text in WIN:
            board = duel.board()
            if plays and python.call(lambda: player.is_my_turn):
                wait(python, "the turn", lambda: player.game.turn == board["turn"])
                python.call(lambda: player.move(text))
                creator.wait(f"{text} on the board", lambda table: len(
                    table["quoridor"]["board"]["turns"]) > len(board["turns"]))
            else:
                duel.move(text)
            wait(python, f"{text} on the board", lambda: len(player.game.steps) == len(board["turns"]) + 1)
        wait(python, "the end", lambda: player.table.phase == OVER, 20)
        result = duel.over()
        is_equal(python, player, seats)
        proof = is_proven(world, python, player, creator, number)
        first = python.call(lambda: player.table.seats[player.table.dealt[player.game.order[0]]])
        assert (proof["kind"], proof["winners"]) == ("line", [first.member[4]])
        assert [key for key in result["winners"]] == [first.player.hex()]
        for seat in seats:
            seat.do("quit")
        python.call(lambda: player.act(5))
        python.call(lambda: python.seats.pop(player.id))
