"""Bad input: a sentence with a stable code, and nothing changed."""

import uuid

import pytest

from play import PHRASES, Game, everyone_sees_everyone, refusal


@pytest.fixture
def trio(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    return nodes


def refused_table(node, own, **fields):
    return refusal(node, "createTable", own="\n".join(own),
                   **{"size": 3, "minutes": 15, "marking": "tap", **fields})


def test_lists_that_are_too_short_or_hold_long_words(world):
    ana = world.node("Ana")
    refused_table(ana, PHRASES[:9] + ["x" * 10_000])
    for rule in ({"size": 8}, {"size": 2}, {"places": 4}, {"pattern": "spiral"}, {"voting": "nobody"}):
        refused_table(ana, PHRASES[:9], **rule)
    refused_table(ana, PHRASES[:9], minutes=7)
    refused_table(ana, PHRASES[:9], marking="nobody")
    refused_table(ana, [f"word {number}" for number in range(501)])
    refused_table(ana, [], pack="no-such-pack")
    for field, value in (("size", "3"), ("minutes", True), ("pack", 7), ("without", "x"), ("title", [])):
        assert refused_table(ana, PHRASES[:9], **{field: value}) == "malformed", field
    assert ana.page.get("/api/v1/state")["tables"] == []


def test_a_list_that_is_too_short_says_how_many_words_are_missing(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    game = Game.gather([ana, bo], size=5, words=PHRASES[:23])
    start = game.creator.wait("why it cannot start", lambda table: (
        table["words"]["missing"] == 2 and table["start"]))
    assert not start["possible"] and "2 more words" in start["message"], start
    refusal(ana, "start", table=game.creator.id)
    for word in PHRASES[30:32]:
        game.seats[1].do("suggest", word=word)
    game.start()


def test_names(world):
    world.node("Ana")
    bo = world.node(None)
    for name in ("", "A", "x" * 25, "\u202eana\u202c"):
        refusal(bo, "setName", name=name)
    bo.wait("Ana", lambda state: state["people"], 15)
    assert refusal(bo, "setName", name=" ana ") == "nameTaken"
    assert bo.state["screen"] == "welcome"
    bo.command("setName", name="ana", insist=True)
    bo.wait("home", lambda state: state["screen"] == "home")


def test_a_code_nobody_has_and_lines_that_lead_nowhere(world):
    ana = world.node("Ana")
    for invitation in ("", "4821", "tabletalk join", "48213@", "48213@nowhere", "x" * 5_000):
        refusal(ana, "join", invitation=invitation)
    refusal(ana, "join", timeout=20, invitation="00000")


def test_a_started_table(trio, world):
    game = Game.gather(trio[:2]).start()
    code, line = game.creator.table["code"], game.creator.table["invitation"]
    for invitation in (code, line):
        assert refusal(trio[2], "join", timeout=20, invitation=invitation)
    assert len(game.creator.table["seats"]) == 2


def test_start_says_what_is_missing(trio):
    game = Game.gather(trio[:1])
    start = game.creator.table["start"]
    assert not start["possible"] and start["code"] and start["message"]
    refusal(trio[0], "start", table=game.creator.id)
    game = Game.gather(trio)
    for kind, fields in (("start", {}), ("cancel", {}), ("set", {"size": 4})):
        refusal(trio[1], kind, table=game.creator.id, **fields)
    assert game.creator.table["settings"]["size"] == 3


def test_moves_that_cannot_be(trio):
    game = Game.gather(trio).start()
    ana, bo, cy = game.seats
    def refused(seat, kind, **fields):
        return refusal(seat.node, kind, table=seat.id, **fields)

    for tile in (-1, 9, 10_000, "0", None, 0.5):
        refused(ana, "claim", tile=tile, now=True)
    refused(ana, "undo", tile=0)
    refused(ana, "mark", tile=0)
    word = ana.tiles[0]["word"]
    ana.claim(word)
    claim = bo.open_claim(word)["id"]
    refused(ana, "claim", tile=0, now=True)
    assert refused(ana, "vote", claim=claim, confirm=True) == "ownClaim"
    refused(bo, "vote", claim="999", confirm=True)
    refused(bo, "vote", claim=claim)
    bo.vote(word, True)
    for seat in game.seats:
        seat.decided(word, "confirmed")
    assert refused(cy, "vote", claim=claim, confirm=False) in ("claimClosed", "noSuchClaim")
    refused(cy, "suggest", word="too late")
    refusal(ana.node, "claim", table="0" * 64, tile=0)
    refusal(ana.node, "dance")
    game.agree()


def test_the_same_command_twice_acts_once(trio):
    game = Game.gather(trio).start()
    ana, bo, cy = game.seats
    word = ana.tiles[0]["word"]
    number = str(uuid.uuid4())
    answers = [ana.node.page.command("claim", id=number, table=ana.id, tile=0, now=True)
               for _ in range(3)]
    # Each names the state that was current when it was given; the game goes on meanwhile.
    revisions = [answer.pop("revision") for answer in answers]
    assert revisions == sorted(revisions)
    assert answers[0] == answers[1] == answers[2]
    bo.vote(word, True)
    for seat in game.seats:
        seat.decided(word, "confirmed")
    ana.node.kill()
    ana.node.start()
    ana.wait("the board", lambda table: table["board"])
    ana.node.page.command("claim", id=number, table=ana.id, tile=0, now=True)
    game.agree()
    assert len(ana.moves()) == 1


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
