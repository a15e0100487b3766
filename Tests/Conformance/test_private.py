"""A second implementation at a running node's private table: with its secret, and without."""

import os
import time

import pytest
from nacl.signing import SigningKey

from node import wait_until
from tabletalk import check_genesis, decode, encode, prove, read_secret, sign
from test_table import Guest, public

NO = [7, None, None, "wrongCode"]


@pytest.fixture
def private(world):
    """A node with a private table, the table's id, code and secret, and somebody with a link to it."""
    ana = world.node("Ana")
    table = ana.command("createTable", size=3, minutes=15, marking="tap", title="Behind closed doors",
                        pack=ana.state["packs"][0]["id"], private=True)["table"]
    ana.wait("the lobby", lambda state: state["tables"] and state["tables"][0]["phase"] == "lobby")
    code, text = ana.state["tables"][0]["invitation"].split()[-1].split("@")[0].split("-")
    return ana, int(code), read_secret(text), Guest(world, ana, bytes.fromhex(table))


def said(link, *message):
    """Everything but beacons and pings that comes back before the answer to a ping."""
    link.say(*message)
    number = int.from_bytes(os.urandom(4))
    link.say(1, number, [])
    out = []
    while (heard := decode(link.receive())) != [2, number, []]:
        if heard[0] not in (0, 1):
            out.append(heard)
    return out


def test_whoever_proves_the_secret_is_shown_the_table_and_sits_down(private):
    ana, code, secret, guest = private
    link = guest.link
    answer = said(link, 20, link.proof("ask", secret, code))
    assert len(answer) == 1 and answer[0][0] == 21
    assert answer[0][1] == link.proof("answer", secret, code)
    genesis, table = check_genesis(answer[0][2])
    assert table == guest.table and genesis[0] == code and genesis[5] is True
    assert guest.genesis() == answer[0][2]
    guest.join()
    ana.wait("Python at the table", lambda state: len(state["tables"][0]["seats"]) == 2)


def test_to_anybody_else_it_does_not_exist(private):
    ana, code, secret, guest = private
    nowhere, link = bytes(31) + b"\1", guest.link
    beacon = link.hear(0)[1]
    assert beacon[8] == []
    key = SigningKey.generate()
    own, other = public(guest.identity), public(key)
    wrong = (code + 1) % 100_000

    def entry(table):
        fields = [table, public(guest.player), 0, 0,
                  encode([0, own, public(guest.voter), 0, "Python"])]
        pairs = sorted([public(signer), sign(signer, "entry", *fields)]
                       for signer in (guest.identity, guest.voter))
        return [*fields, sign(guest.player, "entry", *fields), pairs]

    def everything(table, number):
        """What is said to everything that can be said of a table."""
        status = [table, bytes(32), 0, 1, 0, bytes(32), bytes(32), []]
        for message in ([4, number], [5, table], [3, [3, entry(table)]], [3, [6, status]],
                        [3, [7, table, 0]], [3, [9, table, bytes(32)]], [8, table],
                        [3, [3, entry(table)]]):
            yield [[part if part != table else "table" for part in answer]
                   for answer in said(link, *message)]
        yield said(link, 1, 5, [status])

    there = list(everything(guest.table, code))
    assert there == list(everything(nowhere, wrong))
    assert there[0] == [NO] and there[1] == [[7, "table", None, "tableGone"]]
    assert there[2:8] == [[]] * 6
    proofs = [
        link.proof("ask", secret, wrong), link.proof("answer", secret, code),
        prove("ask", secret, code, link.name, link.peer, own),
        prove("ask", secret, code, bytes(32), own, link.peer),
    ]
    for proof in proofs:
        assert said(link, 20, proof) == [NO]
    assert other not in (own, link.peer)
    assert len(ana.state["tables"][0]["seats"]) == 1


def test_a_proof_kept_from_one_link_is_nothing_on_the_next(private):
    _, code, secret, guest = private
    kept = guest.link.proof("ask", secret, code)
    assert said(guest.link, 20, kept)[0][0] == 21
    guest.dial()
    assert said(guest.link, 20, kept) == [NO]


def test_a_thousand_guesses_are_answered_slowly_and_logged_once(private, world):
    ana, code, secret, guest = private
    begin, answers = time.monotonic(), 0
    for _ in range(1_000):
        guest.link.say(20, os.urandom(32))
    guest.link.say(1, 99, [])
    # Those that are answered at once come before the answer to the ping.
    while (heard := decode(guest.link.receive())) != [2, 99, []]:
        answers += heard == NO
    at_once, took = answers, time.monotonic() - begin
    waits = []
    for _ in range(2):
        asked = time.monotonic()
        guest.link.say(20, os.urandom(32))
        guest.link.hear(7)
        waits.append(time.monotonic() - asked)
    print(f"1,000 wrong secrets: {at_once} answered at once, all taken in {took:.2f} s; "
          f"the next waited {waits[-1]:.1f} s")
    # Four, and those whose time came while the thousand were on their way.
    assert 4 <= at_once <= 6
    assert waits[-1] > 7
    # Another identity at the same address waits too, and who has the secret does not.
    other = Guest(world, ana, guest.table)
    other.laptop = guest.laptop
    other.dial()
    asked = time.monotonic()
    other.link.say(20, os.urandom(32))
    other.link.hear(7)
    assert time.monotonic() - asked > 7
    asked = time.monotonic()
    assert said(other.link, 20, other.link.proof("ask", secret, code))[0][0] == 21
    assert time.monotonic() - asked < 1
    lines = [line for line in ana.log.read_text().splitlines() if "private tables" in line]
    assert len(lines) == 1 and guest.laptop.address in lines[0], lines
    wait_until("all counted", lambda: ana.page.get("/api/v1/state")["network"]["refused"].get(
        "findPrivate.wrongSecret") == 1_003)
