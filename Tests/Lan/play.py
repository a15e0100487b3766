"""Playing at a table through the page API, by words instead of numbers."""

import time
import uuid

from node import Refused, wait_until

PHRASES = """
circle back|low-hanging fruit|touch base|deep dive|synergy|bandwidth|move the needle|take it offline
you are on mute|can everybody see my screen|next slide|quick win|action item|alignment|ballpark figure
best practice|boil the ocean|core competency|deliverable|double-click on that|drill down|ecosystem
elevator pitch|game changer|going forward|granular|hard stop|holistic|ideate|key takeaway|leverage
mission critical|north star|on the same page|paradigm shift|parking lot|ping me|pivot|pain point
push the envelope|reach out|roadmap|scalable|sanity check|seamless|stakeholder|state of the art|swim lane
table this|take-away|thought leader|touchpoint|value add|win-win|wheelhouse|workflow|zoom out|agile
blue-sky thinking|buy-in|cadence|customer journey|data-driven|disruptive|end of day|fast track
gap analysis|helicopter view|in the loop|just to clarify|kick-off|lessons learned|low touch|milestone
net-net|out of pocket|peel the onion|quarterly goals|robust|runway|silo|single source of truth|sprint|sunset
sync up|tee up|think outside the box|traction|unpack|upskill|use case|visibility|vertical|war room
white paper|work-life balance|zero-sum|back of the envelope|bleeding edge|bottom line
""".strip().replace("\n", "|").split("|")


class Seat:
    """A player at one table."""

    def __init__(self, node, table):
        self.node, self.id = node, table

    @property
    def name(self):
        return self.node.name

    @property
    def table(self):
        """The table as this player's page shows it, or None."""
        return self.within(self.node.state)

    def within(self, state):
        """This table in a state, or None."""
        return next((table for table in state["tables"] if table["id"] == self.id), None)

    @property
    def player(self):
        """My key at this table."""
        return next(seat["player"] for seat in self.table["seats"] if seat["me"])

    def wait(self, what, condition, timeout=10):
        def check(state):
            table = self.within(state)
            return table is not None and condition(table)
        return self.node.wait(f"{what} at table {self.id[:8]}", check, timeout)

    def do(self, kind, **fields):
        return self.node.command(kind, table=self.id, **fields)

    # The board.

    @property
    def tiles(self):
        return self.table["board"]["tiles"]

    def tile(self, word, table=None):
        board = (table or self.table)["board"]
        return next((tile for tile in board["tiles"] if tile["word"] == word), None)

    def lines(self):
        """The words of every row, then of every column."""
        size, words = self.table["board"]["size"], [tile["word"] for tile in self.tiles]
        rows = [words[row * size:(row + 1) * size] for row in range(size)]
        return rows + [list(column) for column in zip(*rows)]

    def harmless(self):
        """Open words that complete no line even if all of them are marked: none of a diagonal."""
        size = self.table["board"]["size"]
        return [tile["word"] for tile in self.tiles
                if tile["state"] == "open" and tile["index"] // size != tile["index"] % size]

    def claim(self, word, now=True):
        return self.do("claim", tile=self.tile(word)["index"], now=now)

    def undo(self, word):
        return self.do("undo", tile=self.tile(word)["index"])

    def mark(self, word):
        self.wait(f"'{word}' may be tapped", lambda t: self.tile(word, t)["state"] == "confirmed")
        self.do("mark", tile=self.tile(word)["index"])
        self.wait(f"'{word}' marked", lambda t: self.tile(word, t)["state"] == "marked")

    def open_claim(self, word, timeout=10):
        """The claim of a word that waits for votes, once this player sees it."""
        return self.wait(f"a claim of '{word}'", lambda table: next(
            (claim for claim in table["claims"] if claim["word"] == word), None), timeout)

    def vote(self, word, confirm, timeout=10):
        claim = self.open_claim(word, timeout)
        return self.do("vote", claim=claim["id"], confirm=confirm)

    def decided(self, word, kind, timeout=10, by=None):
        """Waits for the outcome of a claim in the feed: confirmed, denied or expired.

        Two may claim one word, one after the other: `by` says whose claim is meant.
        """
        return self.wait(f"'{word}' {kind}", lambda table: next(
            (line for line in table["feed"] if line["kind"] == kind and line["word"] == word
             and (by is None or by.player in line["who"])),
            None), timeout)

    def log(self):
        return self.node.page.get(f"/api/v1/tables/{self.id}/log")

    def moves(self):
        """What this player has done at the board, as the log keeps it."""
        return [entry for entry in self.log()
                if entry["kind"] == "move" and entry["author"] == self.player]


class Game:
    """A table with its players; the first is its creator."""

    def __init__(self, seats):
        self.seats = seats

    @property
    def creator(self):
        return self.seats[0]

    @classmethod
    def gather(cls, nodes, ways=("list", "code", "line"), *, size=3, marking="finder", words=None,
               minutes=15, **fields):
        """Creates a table on the first node; the others join by list, by code or by invitation line."""
        words = PHRASES[:size * size] if words is None else words
        answer = nodes[0].command("createTable", size=size, minutes=minutes, marking=marking,
                                  own="\n".join(words), **fields)
        return cls.sit_down(nodes, answer["table"], ways)

    @classmethod
    def sit_down(cls, nodes, table, ways):
        """The first of the nodes has just made a table; the others join it."""
        creator = Seat(nodes[0], table)
        creator.wait("its lobby", lambda table: table["phase"] == "lobby")
        seats = [creator]
        for index, node in enumerate(nodes[1:]):
            join(node, creator, ways[index % len(ways)])
            seats.append(Seat(node, creator.id))
            seats[-1].wait("the lobby after joining", lambda table: table["phase"] == "lobby")
        for seat in seats:
            seat.wait("everybody", lambda table: len(table["seats"]) == len(nodes))
        return cls(seats)

    def start(self, timeout=20):
        """Everybody is ready, the creator starts, everybody gets a board."""
        for seat in self.seats:
            seat.do("ready", ready=True)
        self.creator.wait("Start is possible", lambda table: table["start"]["possible"])
        self.creator.do("start")
        for seat in self.seats:
            seat.wait("a board", lambda table: table["phase"] == "playing" and table["board"],
                      timeout)
        return self

    def confirm(self, claimant, word, voters=None, timeout=10):
        """A claim that others confirm until it is decided; everybody sees it."""
        claimant.claim(word)
        for voter in voters or [seat for seat in self.seats if seat is not claimant]:
            claim = voter.wait(f"a claim of '{word}', or its end", lambda table: next(
                (claim for claim in table["claims"] if claim["word"] == word), None) or any(
                line["kind"] == "confirmed" and line["word"] == word
                and line["who"] == [claimant.player] for line in table["feed"]))
            if claim is True:
                break
            try:
                voter.do("vote", claim=claim["id"], confirm=True)
            except Refused as refusal:
                # The others' votes have decided it in the meantime.
                assert refusal.code in ("claimClosed", "noSuchClaim"), refusal
        for seat in self.seats:
            seat.decided(word, "confirmed", timeout, claimant)

    def win(self, winner, line=0):
        """Lets one player complete a line."""
        for word in winner.lines()[line]:
            if winner.tile(word)["state"] == "open":
                self.confirm(winner, word, voters=[self.other(winner)])
            elif winner.tile(word)["state"] == "confirmed":
                winner.mark(word)
        return self.over()

    def other(self, seat):
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def over(self, timeout=15):
        """Waits until everybody sees the same result, and returns it."""
        for seat in self.seats:
            seat.wait("the result", lambda table: table["phase"] == "over" and table["result"],
                      timeout)
        self.agree()
        results = [seat.table["result"] for seat in self.seats]
        for result in results:
            assert result["kind"] == results[0]["kind"]
            assert result["winners"] == results[0]["winners"]
        return results[0]

    def agree(self, timeout=15):
        """Waits until all nodes stand at one height with one tip and one state."""
        def same():
            standing = [tuple(seat.table["details"][key] for key in ("height", "tip", "stateHash"))
                        for seat in self.seats]
            return len(set(standing)) == 1
        wait_until("equal height, tip and state hash on all nodes", same, timeout)

        # What the pages were told last may be old already, so the logs may still grow.
        def equal_logs():
            logs = [[(entry["index"], entry["hash"], entry["outcome"]) for entry in seat.log()]
                    for seat in self.seats]
            common = min(len(log) for log in logs)
            assert all(log[:common] == logs[0][:common] for log in logs), "the logs differ"
            return all(len(log) == common for log in logs)
        wait_until("logs of equal length on all nodes", equal_logs, timeout)


def join(node, creator, way):
    """Sits down at the creator's table by one of the ways a player has."""
    table = creator.table
    if way == "list":
        row = node.wait("the table in the list", lambda state: next(
            (row for row in state["openTables"] if row["id"] == creator.id), None))
        node.command("joinTable", table=row["id"])
    elif way == "code":
        node.command("join", invitation=table["code"])
    elif way == "line":
        assert table["invitation"].startswith(f"tabletalk join {table['code']}")
        node.command("join", invitation=table["invitation"])
    else:
        raise ValueError(way)


def refusal(node, kind, timeout=10, **fields):
    """Why a command is refused: at once, or later by the table. Fails if it is not."""
    number = str(uuid.uuid4())
    try:
        answer = node.page.command(kind, id=number, **fields)
    except Refused as refused:
        assert refused.status in (400, 409), refused
        code, message = refused.code, refused.message
    else:
        def late(state):
            row = next((row for row in state["refusals"] if row["command"] == number), None)
            table = next((table for table in state["tables"] if table["phase"] == "refused"
                          and table["id"] == answer.get("table", table["id"])), None)
            return row or (table and table["refusal"])
        row = node.wait(f"why {kind} {fields} was refused", late, timeout)
        code, message = row["code"], row["message"]
    assert code and message.rstrip().endswith((".", "?", "!")), (code, message)
    return code


def everyone_sees_everyone(nodes, timeout=5):
    """Waits until each node lists all others; returns the seconds it took."""
    begin = time.monotonic()
    for node in nodes:
        names = {other.name for other in nodes if other is not node}
        node.wait(f"people {sorted(names)}", lambda state: names <= {
            person["name"] for person in state["people"] if person["presence"] != "away"},
            timeout - (time.monotonic() - begin))
    return time.monotonic() - begin
