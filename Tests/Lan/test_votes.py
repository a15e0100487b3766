"""Four people vote: the four outcomes of decision 4, the same on all laptops."""

from play import Game, everyone_sees_everyone


def test_the_four_outcomes_with_four_people(world):
    nodes = world.people(4)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes, size=4).start()
    ana, bo, cy, di = game.seats
    confirmed, denied, accepted, expired = ana.harmless()[:4]
    ana.claim(accepted)
    bo.vote(accepted, True)
    ana.claim(expired)
    ana.claim(confirmed)
    ana.claim(denied)
    for seat in (bo, cy):
        seat.vote(confirmed, True)
        seat.vote(denied, False)
    for seat in game.seats:
        # More than half of four is three: the claimant and two others. Half of four deny: two.
        line = seat.decided(confirmed, "confirmed", 3)
        assert (line["confirms"], line["denials"]) == (3, 0)
        line = seat.decided(denied, "denied", 3)
        assert (line["confirms"], line["denials"]) == (1, 2)
        claims = {claim["word"]: claim for claim in seat.table["claims"]}
        assert set(claims) == {accepted, expired}
        assert 0 < claims[accepted]["leftMs"] <= claims[accepted]["ofMs"] == 30_000
    for seat in game.seats:
        seat.decided(accepted, "confirmed", 40)
        seat.decided(expired, "expired", 10)
    states = {word: ana.tile(word)["state"] for word in (confirmed, denied, accepted, expired)}
    assert states == {confirmed: "marked", denied: "denied", accepted: "marked", expired: "open"}
    assert bo.tile(expired) is None or bo.tile(expired)["state"] == "open"
    game.agree()


def test_two_people_need_each_other(world):
    nodes = world.people(2)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo = game.seats
    assert ana.table["promise"], "a table of two says what it cannot promise"
    first, second = ana.harmless()[:2]
    ana.claim(first)
    bo.vote(first, True)
    ana.claim(second)
    bo.vote(second, False)
    for seat in game.seats:
        seat.decided(first, "confirmed")
        seat.decided(second, "denied")


def test_after_three_expiries_another_way_of_voting_is_offered(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana = game.seats[0]
    for word in ana.harmless()[:3]:
        ana.claim(word)
    ana.wait("the offer", lambda table: table["voteHelp"] == "offer", 45)
    ana.do("voting", voting="anyone")
    for seat in game.seats:
        seat.wait("any one", lambda table: table["voting"] == "anyone")
    word = ana.harmless()[-1]
    ana.claim(word)
    game.seats[2].vote(word, True)
    for seat in game.seats:
        seat.decided(word, "confirmed", 5)
    game.agree()
