"""Bad input: a sentence with a stable code, and nothing changed."""

import uuid

import pytest

from node import Refused
from play import PHRASES, Game, everyone_sees_everyone


@pytest.fixture
def trio(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    return nodes


def refused(call, *arguments, **fields):
    with pytest.raises(Refused) as caught:
        call(*arguments, **fields)
    assert caught.value.status in (400, 409), caught.value
    assert caught.value.code and caught.value.message.endswith((".", "?", "!")), caught.value
    return caught.value.code


def create(node, own, **fields):
    return node.command("createTable", **{"size": 3, "minutes": 15, "marking": "tap", **fields},
                        own="\n".join(own))


def test_lists_that_are_too_short_or_hold_long_words(world):
    ana = world.node("Ana")
    refused(create, ana, [])
    refused(create, ana, PHRASES[:8])
    refused(create, ana, PHRASES[:24], size=5)
    refused(create, ana, PHRASES[:9] + ["x" * 10_000])
    refused(create, ana, PHRASES[:9], size=6)
    refused(create, ana, PHRASES[:9], minutes=7)
    refused(create, ana, PHRASES[:9], marking="nobody")
    refused(create, ana, [f"word {number}" for number in range(501)])
    refused(ana.command, "createTable", size=3, minutes=15, marking="tap", pack="no-such-pack")
    assert ana.page.get("/api/v1/state")["tables"] == []


def test_names(world):
    ana, bo = world.node("Ana"), world.node(None)
    for name in ("", "A", "x" * 25, "\u202eana\u202c", "a\nb"):
        refused(bo.command, "setName", name=name)
    bo.wait("Ana", lambda state: state["people"], 15)
    with pytest.raises(Refused) as taken:
        bo.command("setName", name=" ana ")
    assert taken.value.code == "nameTaken"
    assert bo.state["screen"] == "welcome"
    bo.command("setName", name="ana", insist=True)
    bo.wait("home", lambda state: state["screen"] == "home")


def test_a_code_nobody_has_and_lines_that_lead_nowhere(world):
    ana = world.node("Ana")
    for invitation in ("", "4821", "tabletalk join", "48213@", "48213@nowhere", "x" * 5_000):
        refused(ana.command, "join", invitation=invitation)
    answer = None
    try:
        answer = ana.command("join", invitation="00000")
    except Refused as refusal:
        assert refusal.code and refusal.message
    if answer is not None:
        ana.wait("why joining failed", lambda state: any(
            table["phase"] == "refused" and table["refusal"]["message"] for table in state["tables"]
        ) or state["refusals"], 15)


def test_a_started_table(trio, world):
    game = Game.gather(trio[:2]).start()
    code, line = game.creator.table["code"], game.creator.table["invitation"]
    for invitation in (code, line):
        try:
            trio[2].command("join", invitation=invitation)
        except Refused as refusal:
            assert refusal.code
            continue
        trio[2].wait("why joining failed", lambda state: any(
            table["phase"] == "refused" and table["refusal"]["message"]
            for table in state["tables"]) or state["refusals"], 15)
    assert len(game.creator.table["seats"]) == 2


def test_start_says_what_is_missing(trio):
    game = Game.gather(trio[:1])
    start = game.creator.table["start"]
    assert not start["possible"] and start["code"] and start["message"]
    refused(game.creator.do, "start")
    game = Game.gather(trio)
    refused(game.seats[1].do, "start")
    refused(game.seats[1].do, "cancel")
    refused(game.seats[1].do, "set", size=4)
    assert game.creator.table["settings"]["size"] == 3


def test_moves_that_cannot_be(trio):
    game = Game.gather(trio).start()
    ana, bo, cy = game.seats
    for tile in (-1, 9, 10_000):
        refused(ana.do, "claim", tile=tile, now=True)
    refused(ana.do, "claim", tile="0", now=True)
    refused(ana.do, "undo", tile=0)
    refused(ana.do, "mark", tile=0)
    word = ana.tiles[0]["word"]
    ana.claim(word)
    claim = bo.open_claim(word)["id"]
    refused(ana.do, "claim", tile=0, now=True)
    refused(ana.do, "vote", claim=claim, confirm=True)
    refused(bo.do, "vote", claim="0" * len(claim), confirm=True)
    bo.vote(word, True)
    for seat in game.seats:
        seat.decided(word, "confirmed")
    refused(cy.do, "vote", claim=claim, confirm=False)
    refused(cy.do, "suggest", word="too late")
    refused(ana.do, "vote", claim=claim)
    refused(ana.node.command, "claim", table="0" * 64, tile=0)
    refused(ana.node.command, "dance")
    game.agree()


def test_the_same_command_twice_acts_once(trio):
    game = Game.gather(trio).start()
    ana, bo, cy = game.seats
    word = ana.tiles[0]["word"]
    number = str(uuid.uuid4())
    answers = [ana.node.page.command("claim", id=number, table=ana.id, tile=0, now=True)
               for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    bo.vote(word, True)
    for seat in game.seats:
        seat.decided(word, "confirmed")
    ana.node.kill()
    ana.node.start()
    ana.wait("the board", lambda table: table["board"])
    ana.node.page.command("claim", id=number, table=ana.id, tile=0, now=True)
    game.agree()
    claims = [entry for entry in ana.log() if entry["kind"] == "claim"]
    assert len(claims) == 1


def test_hostile_words_are_shown_as_they_are(trio):
    words = ["<script>alert(1)</script>", "\u202eright to left", "👩‍👩‍👧‍👦 family", "a" * 60,
             "𝔲𝔫𝔦𝔠𝔬𝔡𝔢", "zero\u200bwidth", "'; drop table", "&lt;b&gt;", "%00%0a"]
    game = Game.gather(trio, words=words).start()
    for seat in game.seats:
        assert len(seat.tiles) == 9
    game.win(game.seats[1])


def test_requests_that_are_no_commands(world):
    ana = world.node("Ana")
    for body in (None, [], {}, {"id": "a"}, {"id": 7, "kind": "leave"},
                 {"id": "x" * 65, "kind": "tryItNow"}, {"id": "a b", "kind": "tryItNow"},
                 {"id": "a", "kind": "x" * 100_000}):
        connection, response = ana.page.request("POST", "/api/v1/commands", body)
        content = response.read()
        connection.close()
        assert 400 <= response.status < 500, (body, content[:200])
    for path in ("/api/v1/nothing", "/../etc/passwd", "/%2e%2e/node.json", "/api/v1/tables/x/log"):
        connection, response = ana.page.request("GET", path)
        assert 400 <= response.status < 500, path
        connection.close()
    assert ana.page.get("/api/v1/state")["me"]["name"] == "Ana"
