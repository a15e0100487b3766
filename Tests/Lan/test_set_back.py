"""A data folder that is set back, and two nodes on copies of one: nobody votes twice, all agree."""

import shutil
import time

import pytest

from play import PHRASES, Game, everyone_sees_everyone


def gather(world, people):
    nodes = world.people(people)
    everyone_sees_everyone(nodes)
    return Game.gather(nodes, size=5, minutes=60, words=PHRASES[:60]).start()


def nobody_is_blamed(game):
    for seat in game.seats:
        assert seat.table["proofs"] == [], seat.table["proofs"]


def all_settled(game):
    """Agrees on words until all three are here and have voted for the last one: nothing is under way then.

    Who learns that it is final before his turn to vote for it never does, so one word may not be enough.
    """
    ana = game.seats[0]
    for _ in range(8):
        game.confirm(ana, ana.harmless()[0])
        game.agree()
        end = time.monotonic() + 2
        while time.monotonic() < end:
            tables = [seat.table for seat in game.seats]
            if all(not table["away"] and table["details"]["voters"] == 3
                   and table["details"]["finalVotes"] == 3 for table in tables):
                return
            time.sleep(0.1)
    raise AssertionError("eight words, and none of them has the votes of all three")


def counts_again(game, seat):
    """Where two of three must agree, a word is agreed with this one while the third stands still."""
    claimant, third = [one for one in game.seats if one is not seat]
    all_settled(game)
    third.node.freeze()
    word = claimant.harmless()[0]
    claimant.claim(word)
    # Whose turn it is to lead may be frozen, as nobody knows yet.
    seat.vote(word, True, 30)
    for one in (claimant, seat):
        one.decided(word, "confirmed", 30)
    third.node.thaw()
    third.decided(word, "confirmed", 30)


def rekeys(seat):
    return [entry for entry in seat.log() if entry["kind"] == "rekey" and entry["outcome"] == "done"]


def test_a_folder_set_back_by_ten_entries_is_let_in_again(world):
    game = gather(world, 3)
    ana, bo, _ = game.seats
    game.confirm(ana, ana.harmless()[0])
    assert bo.node.stop() == 0
    copy = bo.node.folder.with_name("copy")
    shutil.copytree(bo.node.folder, copy)
    bo.node.start()
    before = len(ana.log())
    while len(ana.log()) < before + 10:
        game.confirm(ana, ana.harmless()[0])
    game.agree()
    assert bo.node.stop() == 0
    shutil.rmtree(bo.node.folder)
    shutil.copytree(copy, bo.node.folder)
    bo.node.start()
    bo.wait("another key for Bo", lambda table: rekeys(bo), 30)
    ana.wait("all three agree again", lambda table: table["details"]["epoch"] >= 2
             and table["details"]["voters"] == 3 and table["waiting"] is None, 30)
    game.agree()
    counts_again(game, bo)
    nobody_is_blamed(game)
    assert len(rekeys(ana)) == 1


@pytest.mark.parametrize("people", [3])
def test_two_nodes_on_copies_of_one_folder_vote_for_nothing_until_one_is_stopped(world, people):
    game = gather(world, people)
    ana, bo, cy = game.seats
    game.confirm(ana, ana.harmless()[0])
    # Of what is under way both would vote before they have heard each other.
    all_settled(game)
    assert bo.node.stop() == 0
    twin = world.node("Bo", start=False)
    shutil.copytree(bo.node.folder, twin.folder)
    bo.node.start()
    twin.start()
    for node in (bo.node, twin):
        trouble = node.wait("the trouble", lambda state: state["trouble"], 60)
        assert trouble["code"] == "sameKeyTwice"
    # The other two are enough, and go on.
    word = ana.harmless()[0]
    ana.claim(word)
    cy.vote(word, True)
    for seat in (ana, cy):
        seat.decided(word, "confirmed", 40)
    twin.stop()
    bo.node.wait("that there is one again", lambda state: state["trouble"] is None, 90)
    bo.decided(word, "confirmed", 30)
    game.agree()
    counts_again(game, bo)
    nobody_is_blamed(game)
