"""Nodes are killed in a running game: the others go on, they come back, nothing is taken back."""

import random
import time

import pytest

from node import median
from play import PHRASES, Game, everyone_sees_everyone


def crash(world, kills, seed):
    chance = random.Random(seed)
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes, size=5, minutes=60, words=PHRASES[:60]).start()
    boards = {seat: [tile["word"] for tile in seat.tiles] for seat in game.seats}
    confirm_times, return_times = [], []
    for number in range(kills):
        victim = game.seats[number % 3] if number < 3 else chance.choice(game.seats)
        others = [seat for seat in game.seats if seat is not victim]
        chance.shuffle(others)
        claimant, voter = others
        # Something of the victim's own is under way when it dies.
        own = chance.choice(words) if (words := victim.harmless()) else None
        if own:
            victim.claim(own)
        time.sleep(chance.uniform(0, 0.3))  # The random moment.
        victim.node.kill()
        begin = time.monotonic()
        # Who claims the victim's word shares that claim, and nobody is asked.
        taken = {own} | {claim["word"] for seat in others for claim in seat.table["claims"]}
        word = chance.choice([word for word in claimant.harmless() if word not in taken])
        claimant.claim(word)
        voter.vote(word, True, timeout=3)
        for seat in others:
            seat.decided(word, "confirmed", 3)
        confirm_times.append(time.monotonic() - begin)
        begin = time.monotonic()
        victim.node.start()
        victim.decided(word, "confirmed", 5)
        victim.wait("the same state as the others", lambda table: (
            table["details"]["stateHash"] == claimant.table["details"]["stateHash"]), 5)
        return_times.append(time.monotonic() - begin)
        assert [tile["word"] for tile in victim.tiles] == boards[victim]
    print(f"{kills} kills: further claim agreed in {max(confirm_times):.2f} s at most, "
          f"back in {max(return_times):.2f} s at most (must 3 and 5)")
    assert median(confirm_times) < 3 and median(return_times) < 5, (confirm_times, return_times)
    game.agree()
    nothing_taken_back(game)
    return game


def nothing_taken_back(game):
    """Every entry that any node ever showed as agreed is in every node's log, at its place."""
    for seat in game.seats:
        log = {entry["index"]: entry["hash"] for entry in seat.log()}
        for other in game.seats:
            shown = [entry for entry in other.node.watcher.agreed if entry["table"] == seat.id]
            assert shown, other.name
            for entry in shown:
                assert log.get(entry["index"]) == entry["hash"], (seat.name, other.name, entry)


def test_twenty_crashes_at_random_moments(world):
    crash(world, 20, seed=20)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_many_crashes(world, seed):
    crash(world, 20, seed=1_000 + seed)


def test_all_crash_at_once_and_go_on(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo, cy = game.seats
    game.confirm(ana, ana.harmless()[0])
    boards = [[tile["word"] for tile in seat.tiles] for seat in game.seats]
    for node in nodes:
        node.kill()
    for node in reversed(nodes):
        node.start()
    for seat, board in zip(game.seats, boards):
        seat.wait("the board", lambda table: table["board"])
        assert [tile["word"] for tile in seat.tiles] == board
    game.win(bo)
    nothing_taken_back(game)


def test_a_frozen_laptop_catches_up(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo, cy = game.seats
    cy.node.freeze()
    words = ana.harmless()[:3]
    for word in words:
        ana.claim(word)
        bo.vote(word, True)
        for seat in (ana, bo):
            seat.decided(word, "confirmed", 5)
    cy.node.thaw()
    for word in words:
        cy.decided(word, "confirmed", 5)
    game.win(cy)


def test_a_pulled_cable_catches_up(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo, cy = game.seats
    cy.node.laptop.plug(False)
    word = ana.harmless()[0]
    ana.claim(word)
    bo.vote(word, True)
    for seat in (ana, bo):
        seat.decided(word, "confirmed", 5)
    ana.wait("Cy away", lambda table: table["away"] == ["Cy"], 10)
    cy.node.laptop.plug(True)
    cy.decided(word, "confirmed", 15)
    game.win(cy)
