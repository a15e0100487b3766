"""A second implementation asks a running node for its table, reads its log, and sits down."""

import subprocess

import pytest
from nacl.signing import SigningKey

import savedlog
from node import PROGRAM, wait_until
from ledger import Ledger
from play import Game, Seat, everyone_sees_everyone, join
from tabletalk import Forged, Link, Refused, check_genesis, digest, encode, sign


def public(key):
    return bytes(key.verify_key)


class Guest:
    """Somebody with the three keys of a member, and a link to the creator's node."""

    def __init__(self, world, node, table):
        self.table = table
        self.identity, self.player, self.voter = (SigningKey.generate() for _ in range(3))
        self.sequence = 0
        self.world, self.laptop = world, world.laptop(world.segments[0])
        self.address = (node.laptop.address, node.state["network"]["linkPort"])
        self.dial()

    def dial(self):
        """A new link, which takes the place of the one before."""
        connection = self.laptop.connect(self.address)
        self.link = self.world.closing(Link(connection, True, self.identity))

    def entry(self, body, cosigners=()):
        fields = [self.table, public(self.player), self.sequence, 0, encode(body)]
        pairs = sorted([public(key), sign(key, "entry", *fields)] for key in cosigners)
        return [*fields, sign(self.player, "entry", *fields), pairs]

    def act(self, *body, cosigners=()):
        """Sends an entry; returns its id."""
        entry = self.entry(list(body), cosigners)
        self.link.say(3, [3, entry])
        if self.sequence:
            self.sequence += 1
        return digest("entry", *entry[:5])

    def join(self, name="Python", cosigners=None):
        identity, voter = public(self.identity), public(self.voter)
        return self.act(0, identity, voter, 0, name,
                        cosigners=[self.identity, self.voter] if cosigners is None else cosigners)

    def genesis(self):
        """Asks for the genesis."""
        self.link.say(5, self.table)
        return self.link.hear(6)[1]

    def chain(self, above=0):
        """Asks for the final blocks above a height, and what proves them."""
        self.link.say(3, [7, self.table, above])
        message = self.link.hear(3, lambda message: message[1][0] == 8)
        table, blocks, certificates = message[1][1]
        assert table == self.table
        return blocks, certificates


@pytest.fixture
def lobby(world):
    ana = world.node("Ana")
    table = ana.command("createTable", size=3, minutes=15, marking="tap", title="Conformance",
                        pack=ana.state["packs"][0]["id"])["table"]
    ana.wait("the lobby", lambda state: state["tables"] and state["tables"][0]["phase"] == "lobby")
    return ana, Guest(world, ana, bytes.fromhex(table))


def test_the_genesis_is_the_one_its_id_names(lobby):
    ana, guest = lobby
    notice = guest.link.hear(0, lambda message: message[1][8])[1][8][0]
    assert notice[0] == guest.table
    data = guest.genesis()
    genesis, table = check_genesis(data)
    assert table == guest.table
    assert genesis[0] == notice[1] == int(ana.state["tables"][0]["code"])
    assert genesis[1:3] == ["Conformance", "bingo"] and genesis[4:8] == [False, False, [], None]
    assert genesis[9][0].hex() == ana.key and genesis[9][3:] == [0, "Ana"]
    guest.link.say(4, genesis[0])
    assert guest.link.hear(6)[1] == data


def test_tables_that_are_not_there_are_refused(lobby):
    _, guest = lobby
    code = guest.link.hear(0, lambda message: message[1][8])[1][8][0][1]
    guest.link.say(4, (code + 1) % 100_000)
    assert guest.link.hear(7)[1:] == [None, None, "wrongCode"]
    nowhere = bytes(31) + b"\1"
    guest.link.say(5, nowhere)
    assert guest.link.hear(7)[1:] == [nowhere, None, "tableGone"]


def test_a_guest_sits_down_and_reads_the_log(lobby):
    ana, guest = lobby
    ledger = Ledger(guest.genesis())
    joined = guest.join()
    seats = ana.wait("Python at the table", lambda state: [
        seat for seat in state["tables"][0]["seats"] if seat["name"] == "Python"])
    assert [(seat["key"], seat["player"], seat["ready"]) for seat in seats] == [
        (public(guest.identity).hex(), public(guest.player).hex(), False)]
    guest.sequence = 1
    ready = guest.act(2, True)
    ana.wait("Python ready", lambda state: any(
        seat["name"] == "Python" and seat["ready"] for seat in state["tables"][0]["seats"]))
    ledger.take(*guest.chain())
    assert ledger.outcomes == [(joined, "done"), (ready, "done")]
    is_what_the_page_shows(ledger, Seat(ana, guest.table.hex()))
    guest.link.say(3, [9, guest.table, ledger.tip])
    block = guest.link.hear(3, lambda message: message[1][0] == 10)[1][1]
    assert digest("block", *block) == ledger.tip
    guest.link.say(1, 1, [])
    status = guest.link.hear(2)[2][0]
    assert [*status[:2], *status[4:7]] == [
        guest.table, ledger.epoch, ledger.height, ledger.tip, ledger.table.hash()]


def is_what_the_page_shows(ledger, seat):
    details = seat.within(seat.node.page.get("/api/v1/state"))["details"]
    assert (details["height"], details["tip"], details["stateHash"]) == (
        ledger.height, ledger.tip.hex(), ledger.table.hash().hex())
    rows = [(row["hash"], row.get("code") or row["outcome"])
            for row in seat.log() if row.get("author")]
    assert rows == [(entry.hex(), outcome) for entry, outcome in ledger.outcomes]


def test_a_game_is_played_along_and_its_whole_log_read(lobby, world):
    ana, guest = lobby
    bo = world.node("Bo")
    everyone_sees_everyone([ana, bo])
    creator = Seat(ana, guest.table.hex())
    join(bo, creator, "list")
    genesis = guest.genesis()
    guest.join()
    game = Game([creator, Seat(bo, creator.id)])
    for seat in game.seats:
        seat.wait("all three", lambda table: len(table["seats"]) == 3)
    guest.sequence = 1
    guest.act(2, True)
    game.start()
    word = creator.harmless()[0]
    creator.claim(word)
    claim = int(creator.open_claim(word)["id"])
    guest.dial()
    guest.act(8, [1, claim, True])
    for seat in game.seats:
        line = seat.decided(word, "confirmed")
        assert line["confirms"] == 2
    guest.dial()
    late = guest.act(8, [1, claim, False])
    game.win(game.seats[1])
    guest.dial()
    ledger = Ledger(genesis)
    blocks, certificates = guest.chain()
    ledger.take(blocks, certificates)
    assert (late, "claimClosed") in ledger.outcomes
    assert len(ledger.voters) == 2 and ledger.table.seals == 1
    for seat in game.seats:
        is_what_the_page_shows(ledger, seat)
    for change in (lambda: blocks[3].__setitem__(6, bytes(32)), lambda: blocks.pop(2),
                   lambda: certificates.pop()):
        blocks, certificates = guest.chain()
        change()
        with pytest.raises(Refused):
            Ledger(genesis).take(blocks, certificates)


def test_those_who_go_on_below_a_quorum_vouch_for_it_and_nobody_else(lobby, world, tmp_path):
    ana, guest = lobby
    nodes = [ana, *(world.node(name) for name in ("Bo", "Cy", "Di"))]
    everyone_sees_everyone(nodes)
    seats = [Seat(node, guest.table.hex()) for node in nodes]
    for node in nodes[1:]:
        join(node, seats[0], "list")
    genesis = guest.genesis()
    guest.join()
    game = Game(seats)
    for seat in seats:
        seat.wait("all five", lambda table: len(table["seats"]) == 5)
    guest.sequence = 1
    guest.act(2, True)
    game.start()
    game.agree()
    for node in nodes[2:]:
        node.kill()
    for seat in seats[:2]:
        seat.wait("that it waits", lambda table: table["waiting"])
        seat.do("goOn")
    for seat in seats[:2]:
        seat.wait("that it goes on", lambda table: not table["waiting"])
    word = seats[0].harmless()[0]
    seats[0].claim(word)
    seats[1].open_claim(word)
    guest.dial()
    recovery = guest.link.hear(3, lambda message: message[1][0] == 17)[1][1]
    ledger = Ledger(genesis)
    ledger.take(*guest.chain())
    for change in (lambda fields: fields[7].pop(), lambda fields: fields[6].pop(),
                   lambda fields: fields.__setitem__(4, bytes(32))):
        forged = [*recovery[:6], list(recovery[6]), list(recovery[7])]
        change(forged)
        with pytest.raises((Refused, Forged)):
            ledger.recover(forged)
    ledger.recover(recovery)
    assert len(ledger.voters) == 2
    ledger.take(*guest.chain(ledger.height))
    assert ledger.table.seals == 2
    for seat in seats[:2]:
        is_what_the_page_shows(ledger, seat)
    saved = tmp_path / "went-on.ttlog"
    done = subprocess.run(ana.laptop.inside(
        str(PROGRAM), "export", seats[0].table["code"], "--data", str(ana.folder), "-o", str(saved)),
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert savedlog.read(saved.read_bytes()).tip == ledger.tip


def test_joins_that_the_rules_or_signatures_forbid(lobby):
    ana, guest = lobby
    for name, cosigners, code in (("A", None, "badName"), ("two\nlines", None, "badName"),
                                  ("Python", [], "badJoin"),
                                  ("Python", [guest.identity], "badJoin")):
        entry = guest.join(name, cosigners)
        assert guest.link.hear(7)[1:] == [guest.table, entry, code]
    forged = guest.entry([0, public(guest.identity), public(guest.voter), 0, "Python"],
                         [guest.identity, guest.voter])
    forged[5] = bytes(64)
    guest.link.say(3, [3, forged])
    ana.wait("the forged one counted", lambda state: state["tables"][0]["details"]["refused"].get(
        "badSignature") == 1)
    assert len(ana.state["tables"][0]["seats"]) == 1
    guest.join()
    ana.wait("Python at the table", lambda state: len(state["tables"][0]["seats"]) == 2)


def test_a_stranger_is_told_nothing_of_a_log(lobby, world):
    ana, guest = lobby
    stranger = Guest(world, ana, guest.table)
    stranger.link.say(3, [9, guest.table, guest.table])
    stranger.link.say(3, [4, [guest.table, bytes(32), bytes(32), public(guest.voter), bytes(64)]])
    wait_until("both counted", lambda: ana.page.get("/api/v1/state")["tables"][0]["details"][
        "refused"].get("notMember") == 2)
