"""A laptop without a seat helps two people to agree: the one goes on when the other vanishes."""

from play import Game, everyone_sees_everyone


def test_two_play_on_with_one_who_helps_when_the_other_vanishes(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    cy = nodes[2]
    game = Game.gather(nodes[:2])
    ana, bo = game.seats
    for seat in game.seats:
        seat.wait("who helps", lambda table: table["witnesses"] == ["Cy"], 20)
    game.start()
    ana.wait("three who agree", lambda table: table["details"]["voters"] == 3)
    state = cy.wait("that it helps", lambda state: state["witnessing"]["titles"])
    assert cy.state["myTables"] == [] and cy.state["tables"] == [], state
    game.confirm(ana, ana.harmless()[0])
    bo.node.kill()
    ana.wait("Bo is away", lambda table: table["away"] == ["Bo"], 20)
    assert ana.table["waiting"] is None, "two of three are here, and the game goes on"
    # Nobody else can confirm it, but time runs: it is decided without Bo.
    word = ana.harmless()[0]
    ana.claim(word)
    ana.decided(word, "expired", 45)
    ana.wait("all agree that Bo is away", lambda table: "away" in [
        line["kind"] for line in table["feed"]], 60)
    bo.node.start()
    for seat in game.seats:
        seat.wait("Bo is back", lambda table: "back" in [
            line["kind"] for line in table["feed"]], 20)
    game.confirm(bo, bo.harmless()[0])
    game.agree()


def test_who_does_not_want_to_help_is_left_alone(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    cy = nodes[2]
    cy.command("witness", on=False)
    game = Game.gather(nodes[:2]).start()
    game.confirm(game.seats[0], game.seats[0].harmless()[0])
    assert game.creator.table["witnesses"] == [] and game.creator.table["promise"]
    assert cy.state["witnessing"]["allowed"] is False and cy.state["witnessing"]["titles"] == []
