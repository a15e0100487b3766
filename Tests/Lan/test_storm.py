"""Five laptops, everybody clicks at once, one packet in ten is lost."""

import random
import threading
import time

import pytest

from node import Refused, wait_until
from play import PHRASES, Game, everyone_sees_everyone

CLAIMS, CONFIRMED, DENIED, ACCEPTED = 70, 22, 14, 16
MOVES = 200


def storm(world, seed):
    chance = random.Random(seed)
    nodes = world.people(5)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes, size=5, minutes=60, words=PHRASES[:80]).start()
    for node in nodes:
        node.laptop.lose(10)
    plan = plan_of(chance)
    sent = Counter(MOVES)
    begin = time.monotonic()
    threads = [threading.Thread(target=play, args=(seat, game, plan, sent, chance.random()))
               for seat in game.seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert sent.left == 0, f"{sent.left} of {MOVES} moves could not be made"

    def all_in_log():
        return all(sum(e["kind"] == "move" for e in seat.log()) >= MOVES for seat in game.seats)
    wait_until("all moves in all logs", all_in_log, 60 - (time.monotonic() - begin))
    print(f"{MOVES} moves agreed by five laptops in {time.monotonic() - begin:.1f} s (must 60)")
    assert sum(node.laptop.lost() for node in nodes) > 100, "packets were really lost"
    wait_until("no open claims", lambda: all(not s.table["claims"] for s in game.seats), 60)
    moves = [entry for entry in game.creator.log() if entry["kind"] == "move"]
    assert len(moves) == MOVES and all(e["outcome"] in ("done", "void") for e in moves)
    feed = game.creator.table["feed"]
    outcomes = [line["kind"] for line in feed if line["kind"] in ("confirmed", "denied", "expired")]
    late = [line for line in feed if line["kind"] == "confirmed" and line["confirms"] == 2]
    assert len(outcomes) >= 60, outcomes
    assert set(outcomes) == {"confirmed", "denied", "expired"} and late, "all four outcomes"
    game.agree(30)
    for node in nodes:
        node.laptop.lose(0)
    for seat in game.seats:
        before = len(seat.moves())
        seat.claim(next(iter(seat.harmless())))
        wait_until(f"{seat.name} can act", lambda s=seat, n=before: len(s.moves()) > n, 10)


def plan_of(chance):
    """What shall become of each claim: how many of the others confirm and deny."""
    plan = [(2, 0)] * CONFIRMED + [(0, 3)] * DENIED + [(1, 0)] * ACCEPTED
    plan += [(0, 0)] * (CLAIMS - len(plan))
    chance.shuffle(plan)
    return plan


class Counter:
    """Moves that may still be made, and votes that were taken for a claim."""

    def __init__(self, left):
        self.left = left
        self.claims = CLAIMS
        self.votes = {}
        self.lock = threading.Lock()

    def take(self, what=None, limit=0):
        with self.lock:
            if self.left == 0 or what and self.votes.get(what, 0) >= limit:
                return False
            self.left -= 1
            if what:
                self.votes[what] = self.votes.get(what, 0) + 1
            return True

    def take_claim(self):
        with self.lock:
            if self.claims == 0 or self.left == 0:
                return False
            self.claims -= 1
            self.left -= 1
            return True

    def give_back(self, what=None, claim=False):
        with self.lock:
            self.left += 1
            self.claims += claim
            if what:
                self.votes[what] -= 1


def play(seat, game, plan, sent, seed):
    """Claims and votes as fast as the page answers, until all moves are made."""
    chance = random.Random(seed)
    end = time.monotonic() + 60
    voted = set()
    while sent.left and time.monotonic() < end:
        acted = False
        words = seat.harmless()
        if words and sent.take_claim():
            acted = True
            try:
                seat.claim(chance.choice(words))
            except Refused:
                sent.give_back(claim=True)
        for claim in seat.table["claims"]:
            if not claim["mayVote"] or claim["id"] in voted:
                continue
            confirms, denials = plan[int(claim["id"]) % len(plan)]
            confirm = confirms > 0
            # The last claims are made: what is left over goes into votes that come too late.
            limit = confirms + denials if sent.claims else 4 if confirms + denials > 1 else 1
            if confirms + denials == 0 or not sent.take(claim["id"], limit):
                continue
            voted.add(claim["id"])
            acted = True
            try:
                seat.do("vote", claim=claim["id"], confirm=confirm)
            except Refused:
                sent.give_back(claim["id"])
        if not acted:
            time.sleep(0.01)


def test_two_hundred_moves_at_once_with_one_packet_in_ten_lost(world):
    storm(world, seed=200)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_many_storms(world, seed):
    storm(world, seed=2_000 + seed)
