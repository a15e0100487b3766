"""Three laptops play meeting bingo to a win: real broadcast, no server, nothing told by hand."""

import random

import pytest

from play import PHRASES, Game, Seat, everyone_sees_everyone, refusal
from world import World

EXPIRY = 30


def test_thirty_pasted_lines_with_two_duplicates_are_28_words(world):
    ana = world.node("Ana")
    lines = PHRASES[:28] + ["  " + PHRASES[3].upper() + " ", PHRASES[7] + "!"]
    random.Random(30).shuffle(lines)
    answer = ana.command("createTable", size=5, minutes=30, marking="tap", own="\r\n".join(lines))
    words = ana.wait("the lobby", lambda state: next(
        (table["words"] for table in state["tables"] if table["id"] == answer["table"]), None))
    assert (words["count"], words["duplicates"], words["missing"]) == (28, 2, 0)


def test_a_pack_and_own_words_make_one_list_without_what_was_taken_out(world):
    ana = world.node("Ana")
    pack = ana.state["packs"][0]
    assert len(ana.state["packs"]) >= 8 and all(p["count"] >= 60 for p in ana.state["packs"])
    own = ["our own phrase", "another one", pack["words"][1].upper()]
    answer = ana.command("createTable", size=3, minutes=15, marking="tap", pack=pack["id"],
                         own="\n".join(own), without=[pack["words"][0]])
    words = ana.wait("the lobby", lambda state: next(
        (table["words"] for table in state["tables"] if table["id"] == answer["table"]), None))
    texts = [item["text"] for item in words["items"]]
    assert "our own phrase" in texts and pack["words"][0] not in texts
    assert words["count"] == pack["count"] + 2 - 1
    ana.wait("the own list offered next time", lambda state: state["lastWords"])


def test_words_are_suggested_and_struck_in_the_lobby(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes, words=PHRASES[:12])
    ana, bo, cy = game.seats
    bo.do("suggest", word="Circle of trust")
    for seat in game.seats:
        seat.wait("13 words", lambda table: table["words"]["count"] == 13)
    assert refusal(bo.node, "suggest", table=bo.id, word="circle  of trust!") == "alreadyInList"
    for word in PHRASES[:2]:
        cy.do("veto", word=word)
    for seat in game.seats:
        seat.wait("two struck words", lambda table: sum(
            item["struck"] for item in table["words"]["items"]) == 2)
    assert cy.table["words"]["vetoesLeft"] == 0
    assert refusal(cy.node, "veto", table=cy.id, word=PHRASES[2]) == "vetoesUsed"
    game.start()
    for seat in game.seats:
        assert not {PHRASES[0], PHRASES[1]} & {tile["word"] for tile in seat.tiles}


def plain(game):
    """A player completes a row."""
    winner = game.seats[2]
    result = game.win(winner)
    assert result["winners"] == [winner.player]


def denial(game):
    """Two deny, the claimant is told; the game goes on."""
    ana, bo, cy = game.seats
    word = ana.lines()[0][0]
    ana.claim(word)
    bo.vote(word, False)
    cy.vote(word, False)
    for seat in game.seats:
        seat.decided(word, "denied")
    tile = ana.wait("the tile denied", lambda t: ana.tile(word, t)["state"] == "denied"
                    and ana.tile(word, t))
    assert 0 < tile["waitMs"] <= 60_000
    refusal(ana.node, "claim", table=ana.id, tile=tile["index"], now=True)
    assert game.win(ana, line=1)["winners"] == [ana.player]


def undo(game):
    """A claim taken back within its two seconds never reaches anybody."""
    ana, bo, cy = game.seats
    word = ana.lines()[1][1]
    ana.claim(word, now=False)
    ana.wait("the undo", lambda t: ana.tile(word, t)["state"] == "undo"
             and 0 < ana.tile(word, t)["undoMs"] <= 2_000)
    ana.undo(word)
    ana.wait("the tile open", lambda t: ana.tile(word, t)["state"] == "open")
    # Without the undo the claim would have come before this one.
    game.confirm(ana, ana.lines()[0][0])
    assert len(ana.moves()) == 1
    assert game.win(ana)["winners"] == [ana.player]


def expiry(game):
    """Nobody answers for 30 s: expired, without harm; it may be asked again at once."""
    ana, bo, cy = game.seats
    word = bo.lines()[0][0]
    bo.claim(word)
    for seat in game.seats:
        seat.decided(word, "expired", EXPIRY + 10)
    tile = bo.wait("ask again", lambda t: bo.tile(word, t)["askAgain"] and bo.tile(word, t))
    assert tile["state"] == "open"
    assert game.win(bo)["winners"] == [bo.player]


def double_claim(game):
    """Two people hear the same word: one vote, both are its finders."""
    ana, bo, cy = game.seats
    word = next(tile["word"] for tile in ana.tiles if bo.tile(tile["word"]))
    ana.claim(word)
    bo.claim(word)
    for seat in game.seats:
        line = seat.decided(word, "confirmed")
        assert sorted(line["who"]) == sorted([ana.player, bo.player])
    for seat in (ana, bo):
        seat.wait("marked", lambda t, seat=seat: seat.tile(word, t)["state"] == "marked")
    assert game.win(cy)["winners"] == [cy.player]


def co_win(game):
    """One word completes a line of two players: both win."""
    ana, bo, cy = game.seats
    last = ana.tiles[4]["word"]
    mine = [word for word in next(line for line in ana.lines()[:3] if last in line) if word != last]
    yours = [word for word in next(line for line in bo.lines()[:3] if last in line) if word != last]
    for word in mine:
        ana.claim(word)
        if word in yours:
            bo.claim(word)
        else:
            bo.vote(word, True)
        ana.decided(word, "confirmed")
    for word in set(yours) - set(mine):
        game.confirm(bo, word, voters=[cy])
    ana.claim(last)
    bo.claim(last)
    result = game.over()
    assert sorted(result["winners"]) == sorted([ana.player, bo.player])


def reload(game):
    """The page is loaded anew in the middle of a vote: same seat, board, claims and marks."""
    ana, bo, cy = game.seats
    first, second = ana.lines()[0][:2]
    game.confirm(ana, first)
    ana.claim(second)
    bo.open_claim(second)
    shown = bo.table
    fresh = bo.within(bo.node.page.get("/api/v1/state"))
    for key in ("board", "seats", "settings", "phase"):
        assert fresh[key] == shown[key], key
    assert [c["id"] for c in fresh["claims"]] == [c["id"] for c in shown["claims"]]
    bo.vote(second, True)
    # Until Ana's own page knows, she would claim it once more, which is refused.
    ana.decided(second, "confirmed")
    assert game.win(ana)["winners"] == [ana.player]


def restart(game):
    """A node is restarted in the middle of a vote: same seat, board, claims and marks."""
    ana, bo, cy = game.seats
    first, second = ana.lines()[0][:2]
    game.confirm(ana, first)
    ana.claim(second)
    bo.open_claim(second)
    board = [tile["word"] for tile in bo.tiles]
    bo.node.kill()
    bo.node.start()
    bo.wait("the open claim", lambda t: t["board"] and any(
        claim["word"] == second for claim in t["claims"]))
    assert [tile["word"] for tile in bo.tiles] == board
    bo.vote(second, True)
    ana.decided(second, "confirmed")
    assert game.win(ana)["winners"] == [ana.player]


INCIDENTS = [plain, denial, undo, expiry, double_claim, co_win, reload, restart, plain, plain]
WAYS = [("list", "code"), ("code", "line"), ("line", "list")]


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Three laptops that play all ten games one after the other."""
    world = World(tmp_path_factory.mktemp("ten-games"))
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    yield world, nodes
    world.close()


@pytest.mark.xdist_group("ten games")
@pytest.mark.parametrize("number", range(10), ids=lambda n: f"{n}-{INCIDENTS[n].__name__}")
def test_ten_games_are_played_to_a_win(shared, request, number):
    world, nodes = shared
    request.node.world = world
    chance = random.Random(number)
    order = nodes[number % 3:] + nodes[:number % 3]
    words = chance.sample(PHRASES, 9)
    game = Game.gather(order, ways=WAYS[number % 3], words=words).start()
    boards = [[tile["word"] for tile in seat.tiles] for seat in game.seats]
    assert all(sorted(board) == sorted(words) for board in boards)
    INCIDENTS[number](game)
    game.agree()
    for seat in game.seats:
        result = seat.table["result"]
        assert result["kind"] == "line"
        seat.wait("the same result on all three", lambda table: (
            table["result"]["same"]["agreeing"] == table["result"]["same"]["of"] == 3))
        assert result["receipt"]["checked"]


@pytest.mark.parametrize("marking", ["tap", "everyone", "finder"])
def test_marks_follow_the_house_rule(world, marking):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes, marking=marking).start()
    ana, bo, cy = game.seats
    word = ana.tiles[0]["word"]
    game.confirm(ana, word)
    ana.wait("my own tile marked", lambda t: ana.tile(word, t)["state"] == "marked")
    expected = {"tap": "confirmed", "everyone": "marked", "finder": "open"}[marking]
    for seat in (bo, cy):
        seat.wait(f"the tile {expected}", lambda t, seat=seat: (
            seat.tile(word, t)["state"] == expected))
    if marking == "tap":
        bo.mark(word)
    game.agree()


def test_a_rematch_brings_the_same_people_to_a_new_table(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    game.win(game.seats[0])
    for seat in game.seats:
        seat.do("rematch")
    successors = [seat.wait("the successor", lambda t: t["successor"] and t["successor"]["id"])
                  for seat in game.seats]
    assert len(set(successors)) == 1
    again = Game([Seat(seat.node, successors[0]) for seat in game.seats])
    for seat in again.seats:
        seat.wait("all three in the new lobby", lambda t: (
            t["phase"] == "lobby" and len(t["seats"]) == 3), 15)
    creator = next(seat for seat in again.seats if seat.table["mine"])
    again.seats.sort(key=lambda seat: seat is not creator)
    again.start()
    assert again.win(again.seats[1])["winners"] == [again.seats[1].player]


def test_the_creator_cancels_and_everybody_is_told(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes)
    game.creator.do("cancel")
    for seat in game.seats[1:]:
        seat.wait("cancelled", lambda table: table["phase"] == "cancelled", 2)
