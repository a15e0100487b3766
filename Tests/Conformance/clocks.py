"""What runs out: consensus.md, D1 to D4, and the asking for a vote (S4)."""

from follower import LIES
from proposer import Proposer
from table import DEALING, PLAYING, STARTING
from tabletalk import sign

SECONDS = {"commit": 10, "reveal": 10, "away": 60, "vote": 30, "closing": 2, "turn": 40}


class Clocks(Proposer):
    """Clocks of open deadlines, which run while a quorum is reachable."""

    # Deadlines.

    def limit(self, kind, subject):
        game = self.ledger.table.game
        if kind == "turn" and game.strikes[game.order[game.position.turn]]:
            return 8
        return SECONDS[kind]

    def run_clocks(self, seconds):
        """D1, D2 and D4."""
        if not self.votes_now or len(self.reachable()) < self.q:
            return
        table = self.ledger.table
        is_open = table.deadlines()
        self.clocks = {name: self.clocks.get(name, 0) + seconds for name in is_open}
        for name, (kind, subject) in is_open.items():
            if kind == "away" and self.is_heard(table.seats[subject]):
                self.clocks[name] = 0
            if self.clocks[name] < self.limit(kind, subject) or name in self.passed_by_me:
                continue
            if self.is_met(kind, subject):
                continue
            self.passed_by_me.add(name)
            fields = [self.id, self.epoch["id"], name]
            passed = [*fields, self.own, sign(self.key, "passed", *fields)]
            self.take_passed(passed)
            self.say([4, passed], None)

    def is_heard(self, seat):
        return seat.identity in self.linked or self.own in seat.voter_keys()

    def is_met(self, kind, subject):
        """Whether an entry that may come next is what a deadline waits for."""
        table = self.ledger.table
        for entry in self.pool.values():
            act, after = self.act_of(entry), self.ledger.copy().table
            try:
                if after.entry(entry, (self.ledger.height + 1, 0)) != "done" and kind != "away":
                    continue
            except LIES:
                continue
            seat = next((number for number, seat in enumerate(after.seats)
                         if seat.player == entry[1]), None)
            meets = {"commit": act[0] == 6 and seat == subject,
                     "reveal": act[0] == 7 and seat == subject,
                     "away": seat == subject, "closing": False,
                     "turn": act[0] == 8 and act[1][0] == 0}
            if kind == "vote":
                move = act[1] if act[0] == 8 else [None]
                if move[0] == 1 and move[1] == subject or (
                        move[0] == 0 and move[1] == table.game.claims[subject].event):
                    return True
            elif meets[kind]:
                return True
        return False

    def ask_for_a_vote(self):
        """S4."""
        wished = self.ledger.table.wish()[0]
        if self.ledger.table.phase not in (STARTING, DEALING, PLAYING) or self.own not in wished:
            return
        if self.reachable() and self.now - self.readied >= 4:
            self.readied = self.now
            fields = [self.id, self.epoch["id"], self.ledger.tip]
            self.say([5, [*fields, self.own, sign(self.key, "ready", *fields)]], None)
