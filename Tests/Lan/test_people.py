"""People who vote words in, come late, look on, are taken off a table and let back, and talk meanwhile."""

from play import PHRASES, Game, Seat, everyone_sees_everyone, refusal


def watchers(table):
    return sorted(one["name"] for one in table["watchers"])


def test_people_come_late_look_on_go_and_come_back_and_the_creator_is_killed(world):
    ana, bo, cy, di, eve = nodes = [world.node(name) for name in ("Ana", "Bo", "Cy", "Di", "Eve")]
    everyone_sees_everyone(nodes, 10)
    for node in (di, eve):
        node.command("witness", on=False)
    game = Game.gather([ana, bo, cy], size=4, words=PHRASES[:30], marking="tap", minutes=30,
                       suggesting="half", latecomers=True, watching="boards")
    table = game.creator.id

    # B23: a list goes to somebody, who keeps it.
    ana.command("makeList", title="Standup", text="synergy\ncircle back")
    ana.command("giveList", list=1, person=bo.key)
    given = bo.wait("a list", lambda state: next(iter(state["wordLists"]["given"]), None))
    assert (given["title"], given["count"], given["fromName"]) == ("Standup", 2, "Ana")
    bo.command("takeGiven", list=given["list"], keep=True)
    bo.wait("it is kept", lambda state: [
        (row["title"], row["count"]) for row in state["wordLists"]["lists"]] == [("Standup", 2)])

    # B22: of three, two must want a word; one who suggests it wants it.
    bo.command("suggest", table=table, word="Circle of trust")
    game.seats[2].wait("the word waits", lambda t: t["words"]["proposals"])
    assert refusal(cy, "suggest", table=table, word="circle  of trust!") == "alreadySuggested"
    cy.command("want", table=table, word="Circle of trust")
    for seat in game.seats:
        seat.wait("31 words", lambda t: t["words"]["count"] == 31 and not t["words"]["proposals"])

    # X34: off and back in the lobby; nobody else can.
    cys = game.seats[2].player
    assert refusal(bo, "takeOff", table=table, player=cys) == "onlyHost"
    ana.command("takeOff", table=table, player=cys)
    game.seats[2].wait("off", lambda t: t["seats"][2]["takenOff"])
    assert refusal(cy, "ready", table=table, ready=True) in ("notSeated", "seatLeft")
    ana.command("letBack", table=table, player=cys)
    game.seats[2].wait("back", lambda t: not t["seats"][2]["takenOff"])
    game.start()

    # X6: looking on by the line of the invitation.
    eve.command("watch", invitation=game.creator.table["invitation"])
    looking = Seat(eve, table)
    looking.wait("the boards", lambda t: len(t["boards"]) == 3, 15)
    for seat in game.seats:
        seat.wait("Eve looks on", lambda t: watchers(t) == ["Eve"])
    assert refusal(eve, "claim", table=table, tile=0, now=True) == "notPlaying"

    # X4: at event 5.
    heard = []
    for word in game.creator.harmless()[:5]:
        game.confirm(game.creator, word)
        heard.append(word)
    di.wait("the table in the list, being played", lambda state: any(
        row["id"] == table and row["playing"] and row["open"] for row in state["openTables"]))
    di.command("joinTable", table=table)
    late = Seat(di, table)
    late.wait("a board", lambda t: t["phase"] == "playing" and t["board"], 15)
    assert [tile["state"] for tile in late.tiles if tile["word"] in heard] == [
        "marked" for tile in late.tiles if tile["word"] in heard]
    assert late.table["seats"][3]["late"]
    best = sorted(seat["best"] for seat in late.table["seats"][:3])
    late.wait("all four vote", lambda t: t["details"]["voters"] == 4, 15)
    assert late.table["seats"][3]["best"] <= max(best)

    # Talk is for those who sit there.
    di.command("say", table=table, text="sorry <b>I am late</b>")
    for seat in game.seats:
        seat.wait("the line", lambda t: [line["text"] for line in t["chat"]] == [
            "sorry <b>I am late</b>"])
    assert looking.table["chat"] == [] and not looking.table["maySay"]

    # X5: the creator is killed, the others go on; what stands in the log is the same for all.
    ana.kill()
    rest = Game([*game.seats[1:], late])
    word = next(word for word in rest.creator.harmless() if word not in heard)
    rest.confirm(rest.creator, word, timeout=20)
    looking.decided(word, "confirmed")
    ana.start()
    Game([*game.seats, late]).agree(30)
    eve.command("leave", table=table)
    rest.creator.wait("Eve is gone", lambda t: t["watchers"] == [])
