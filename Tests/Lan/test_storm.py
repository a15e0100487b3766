"""Five laptops, everybody clicks at once, one packet in ten is lost."""

import collections
import random
import threading
import time

import pytest

from node import GRACE, Refused, wait_until
from play import Game, everyone_sees_everyone

MOVES, CLAIMS = 200, 74
# What shall become of the claims: how many of the four others may confirm and deny each.
PLANS = [(4, 0)] * 28 + [(0, 4)] * 20 + [(1, 0)] * 15 + [(0, 0)] * 11


def storm(world, seed):
    chance = random.Random(seed)
    nodes = world.people(5)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes, size=7, minutes=60, words=[f"phrase {n}" for n in range(120)]).start()
    for node in nodes:
        node.laptop.lose(10)
    plans = chance.sample(PLANS, CLAIMS)
    budget = Budget(plans)
    words = share_out(game.seats, chance)
    begin = time.monotonic()
    threads = [threading.Thread(target=play, args=(seat, budget, own, chance.random()))
               for seat, own in zip(game.seats, words)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made = MOVES - budget.left
    assert made == MOVES, f"only {made} moves could be made, {budget.claims} claims were left"

    def all_in_log():
        return all(sum(e["kind"] == "move" for e in seat.log()) >= MOVES for seat in game.seats)
    wait_until("all moves in all logs", all_in_log, max(0, 60 - (time.monotonic() - begin)))
    print(f"{MOVES} moves agreed by five laptops in {time.monotonic() - begin:.1f} s (must 60)")
    assert sum(node.laptop.lost() for node in nodes) > 100, "packets were really lost"
    wait_until("no open claims", lambda: all(not s.table["claims"] for s in game.seats), 60)
    moves = [entry for entry in game.creator.log() if entry["kind"] == "move"]
    assert len(moves) == MOVES and all(e["outcome"] in ("done", "void") for e in moves)
    feed = game.creator.table["feed"]
    outcomes = [line["kind"] for line in feed if line["kind"] in ("confirmed", "denied", "expired")]
    late = [line for line in feed if line["kind"] == "confirmed" and line["confirms"] == 2]
    print(f"{len(outcomes)} claims decided (must 60)")
    assert len(outcomes) >= 60, outcomes
    assert set(outcomes) == {"confirmed", "denied", "expired"} and late, "all four outcomes"
    game.agree(30)
    for node in nodes:
        node.laptop.lose(0)
    for seat in game.seats:
        before = len(seat.moves())
        seat.claim(next(iter(seat.harmless())))
        wait_until(f"{seat.name} can act", lambda s=seat, n=before: len(s.moves()) > n, 10)


def share_out(seats, chance):
    """Whose it is to claim each word that stands on some board.

    Who claims what another one has just claimed shares that claim, and fewer would be decided.
    """
    words = [[] for _ in seats]
    on_boards = [seat.harmless() for seat in seats]
    for word in sorted({word for board in on_boards for word in board}):
        owner = chance.choice([i for i, board in enumerate(on_boards) if word in board])
        words[owner].append(word)
    return words


class Budget:
    """Moves that may still be made: the planned claims, votes on them, and when all that can be voted
    on has its votes, further claims."""

    def __init__(self, plans):
        self.plans = plans
        self.left, self.claims = MOVES, CLAIMS
        self.votes = collections.Counter()
        self.lock = threading.Lock()

    def plan(self, claim):
        """How many may confirm and deny a claim."""
        return self.plans[int(claim) % CLAIMS]

    def take_claim(self, open_claims):
        with self.lock:
            may_be_voted_on = any(self.votes[claim] < sum(self.plan(claim)) for claim in open_claims)
            if not self.left or (not self.claims and may_be_voted_on):
                return False
            self.left, self.claims = self.left - 1, max(0, self.claims - 1)
            return True

    def take_vote(self, claim):
        with self.lock:
            if self.left <= self.claims or self.votes[claim] >= sum(self.plan(claim)):
                return False
            self.left -= 1
            self.votes[claim] += 1
            return True

    def give_back(self, is_claim):
        with self.lock:
            self.left += 1
            self.claims += is_claim


def play(seat, budget, own, seed):
    """Claims and votes as fast as the page answers, until all moves are made."""
    chance = random.Random(seed)
    end = time.monotonic() + 60 + GRACE
    voted = set()
    while budget.left and time.monotonic() < end:
        acted = False
        table = seat.table
        taken = {claim["word"] for claim in table["claims"]}
        words = [word for word in seat.harmless() if word not in taken]
        # Others' words when there are no own ones any more; three stay for after the storm.
        words = [word for word in words if word in own] or words[3:]
        if words and budget.take_claim([claim["id"] for claim in table["claims"]]):
            acted = True
            try:
                seat.claim(chance.choice(words))
            except Refused:
                budget.give_back(True)
        for claim in table["claims"]:
            if not claim["mayVote"] or claim["id"] in voted or not budget.take_vote(claim["id"]):
                continue
            voted.add(claim["id"])
            acted = True
            confirms, _ = budget.plan(claim["id"])
            try:
                seat.do("vote", claim=claim["id"], confirm=confirms > 0)
            except Refused:
                # It was decided in the meantime, so nobody else's vote would be taken.
                budget.give_back(False)
        if not acted:
            time.sleep(0.01)


def test_two_hundred_moves_at_once_with_one_packet_in_ten_lost(world):
    storm(world, seed=200)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_many_storms(world, seed):
    storm(world, seed=2_000 + seed)
