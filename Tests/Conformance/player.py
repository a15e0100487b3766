"""A seat at a table: what a player's laptop says of its own accord, and what the player does."""

import os

from nacl.signing import SigningKey

from guard import Guard
from table import CANCELLED, DEALING, OVER, PLAYING
from tabletalk import decode, digest, encode, sign
from voter import Voter


class Player:
    """Three keys, a voter, and the acts of one seat; table.md."""

    def __init__(self, genesis, node, guard):
        self.genesis, self.node = genesis, node
        self.key, voter = SigningKey.generate(), SigningKey.generate()
        self.player, self.voter_key = bytes(self.key.verify_key), voter
        self.begin(guard)
        self.id, self.code = self.voter.id, decode(genesis)[0]
        self.creator = decode(genesis)[9][0]
        self.next, self.secrets = 0, {}
        self.note_links()

    def begin(self, guard):
        self.voter = Voter(self.genesis, self.say, self.voter_key, guard)

    def restart(self):
        """Everything is forgotten but keys, and what the guard has written."""
        self.begin(Guard(self.voter.guard.path))
        self.note_links()
        for key in self.voter.linked:
            self.say([6, self.status()], key)

    def note_links(self):
        self.voter.linked |= {key for key, peer in self.node.peers.items() if peer.link}

    @property
    def table(self):
        return self.voter.ledger.table

    @property
    def number(self):
        """The own seat in the final log, or None."""
        return next((number for number, seat in enumerate(self.table.seats)
                     if seat.player == self.player), None)

    @property
    def is_playing(self):
        return self.table.phase in (DEALING, PLAYING)

    def members(self):
        people = {seat.identity for seat in self.table.seats + self.table.witnesses if seat.identity}
        return people | {self.creator}

    # What the node hands over.

    def say(self, message, peer):
        for key in [peer] if peer else self.members() - {self.node.own}:
            self.node.send(key, [3, message])

    def take(self, message, peer):
        if peer in self.members():
            self.voter.take(message, peer)
            if message[0] == 6:
                for word in self.voter.words():
                    self.say(word, peer)
            self.voter.act()

    def tick(self, seconds):
        self.voter.tick(seconds)
        self.draw()

    def status(self):
        return self.voter.status(self.voter.reached())

    def link_up(self, peer):
        """consensus.md, C1."""
        if peer in self.members():
            self.voter.linked.add(peer)
            self.say([6, self.status()], peer)
            for message in self.voter.all_above():
                self.say(message, peer)

    def link_down(self, peer):
        self.voter.linked.discard(peer)
        self.voter.peers.pop(peer, None)

    # Acts.

    def entry(self, body, cosigners=()):
        """Signs an entry with the next sequence, which the next one has too as long as none is sent."""
        fields = [self.id, self.player, self.next, 0, encode(list(body))]
        pairs = sorted([bytes(key.verify_key), sign(key, "entry", *fields)] for key in cosigners)
        return [*fields, sign(self.key, "entry", *fields), pairs]

    def act(self, *body, cosigners=()):
        """Signs an entry and sends it to all; its name."""
        entry = self.entry(body, cosigners)
        self.next += 1
        self.voter.take_entry(entry)
        self.say([3, entry], None)
        return digest("entry", *entry[:5])

    def act_in_two_ways(self, body, other, who):
        """Signs two entries with one sequence: some are told of the other one, everybody else of the first."""
        one, second = self.entry(body), self.entry(other)
        self.next += 1
        self.voter.take_entry(one)
        for key in self.members() - {self.node.own}:
            self.say([3, second if key in who else one], key)

    def join(self, kind=0):
        self.act(kind, self.node.own, bytes(self.voter_key.verify_key), 0, self.node.name,
                 cosigners=[self.node.identity, self.voter_key])

    def witness(self):
        """A laptop without a seat, which votes only."""
        self.join(11)

    def draw(self):
        """The own part of a draw, and *back* when the table took its player for away."""
        number, draw = self.number, self.table.draw
        if number is None or self.table.phase in (OVER, CANCELLED) or self.has_waiting():
            return
        if self.table.phase == DEALING and number not in draw.silent:
            part = draw.parts.get(number)
            if draw.stage == 0 and part is None:
                secret = self.secrets.setdefault(draw.number, os.urandom(32))
                self.act(6, draw.number, digest("commit", self.id, draw.number, self.player, secret))
            elif draw.stage == 1 and part and part[1] is None:
                self.act(7, draw.number, self.secrets[draw.number])
        elif self.table.phase == PLAYING and self.table.seats[number].away:
            self.act(10)

    def has_waiting(self):
        return any(entry[1] == self.player for entry in self.voter.pool.values())

    # Bingo.

    @property
    def game(self):
        return self.table.game

    @property
    def dealt(self):
        return self.table.dealt.index(self.number)

    def word(self, event):
        return self.game.pool[event]

    def claim(self, word):
        self.act(8, [0, self.game.pool.index(word)])

    def vote(self, word, confirms):
        claim = next(claim for claim in self.game.open() if self.word(claim.event) == word)
        self.act(8, [1, claim.number, confirms])

    def lines(self):
        """The words of every row and column that wins."""
        board = self.game.boards[self.dealt]
        return [[self.word(board[tile]) for tile in line] for line in self.game.lines]

    # Quoridor.

    @property
    def is_my_turn(self):
        return self.game.order[self.game.position.turn] == self.dealt

    def moving(self, text, turn=None):
        """The act of a move, for the turn of now where none is named."""
        return 8, [0, self.game.turn if turn is None else turn, code_of(text)]

    def move(self, text):
        self.act(*self.moving(text))


def code_of(text):
    """games/quoridor.md, Notation."""
    column, row = "abcdefghi".index(text[0]), int(text[1]) - 1
    if len(text) == 2:
        return row * 9 + column
    return (81 if text[2] == "h" else 145) + row * 8 + column
