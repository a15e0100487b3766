"""Quoridor through the page API: a table of two or four, and moves by whoever is to move."""

from play import Game, Seat

# Player 1 walks up while player 2 builds at the edge: the shortest game with walls in it.
WIN = "e2 a8h e3 c8h e4 a7h e5 c7h e6 a6h e7 d9 e8 c9 e9".split()


class Duel(Game):
    """A table of Quoridor with its players; the first is its creator."""

    @classmethod
    def gather(cls, nodes, ways=("list", "code", "line"), **rules):
        answer = nodes[0].command("createTable", game="quoridor", players=len(nodes), **rules)
        return cls.sit_down(nodes, answer["table"], ways)

    @classmethod
    def at(cls, nodes, table):
        """Those who sit at a table already."""
        return cls([Seat(node, table) for node in nodes])

    def start(self, timeout=20):
        for seat in self.seats[1:]:
            seat.do("ready", ready=True)
        self.creator.wait("Start is possible", lambda table: table["start"]["possible"])
        self.creator.do("start")
        self.wait_for_board(timeout)
        return self

    def wait_for_board(self, timeout=20):
        for seat in self.seats:
            seat.wait("the board", lambda table: table["quoridor"]["board"], timeout)

    def board(self, seat=None):
        return (seat or self.seats[0]).table["quoridor"]["board"]

    def side(self, number):
        """Whoever plays that side."""
        player = self.board()["players"][number]
        return next(seat for seat in self.seats if seat.player == player)

    def move(self, text, seats=None):
        """Whoever is to move does; everybody sees it."""
        seats = seats or self.seats
        board = self.board(seats[0])
        mover = self.side(board["toMove"])
        mover.wait(f"my turn to play {text}", lambda table: (
            table["quoridor"]["board"]["toMove"] == table["quoridor"]["board"]["mine"]
            and table["quoridor"]["board"]["turn"] == board["turn"]))
        mover.do("move", move=text, turn=board["turn"])
        for seat in seats:
            seat.wait(f"{text} on the board", lambda table: (
                len(table["quoridor"]["board"]["turns"]) > len(board["turns"])))

    def give_up(self, seat):
        """Gives up, whatever turn it has become meanwhile."""
        side = self.board(seat)["mine"]
        seat.do("giveUp")
        seat.wait("the pawn gone", lambda table: (
            table["phase"] == "over" or table["quoridor"]["board"]["pawns"][side] is None), 20)

    def play(self, moves):
        for text in moves:
            self.move(text)
