"""What a node of today does with what a later one may say: Protocol/README.md, Versions."""

import socket

from nacl.signing import SigningKey

from play import Seat, everyone_sees_everyone
from tabletalk import Link, decode, digest, encode, make_beacon, sign
from test_table import Guest, public

CHESS = [48213, "Chess", "chess", [["blitz"]], False, False, [], None, bytes(16)]


def test_a_table_of_a_game_that_nobody_knows_yet(world):
    ana = world.node("Ana")
    laptop = world.laptop(world.segments[0])
    listener = world.closing(laptop.socket(socket.AF_INET, socket.SOCK_STREAM))
    listener.bind((laptop.address, 5_000))
    listener.listen()
    listener.settimeout(15)
    identity, player, voter = (SigningKey.generate() for _ in range(3))
    fields = [*CHESS, [public(identity), public(player), public(voter), 0, "Later"]]
    genesis = [*fields, sorted([public(key), sign(key, "genesis", *fields)] for key in (identity, player, voter))]
    table = digest("genesis", *fields)
    mouth = world.closing(laptop.datagrams())
    beacon = make_beacon(identity, name="Later", linkPort=5_000, tables=[
        [table, 48213, "Chess", "chess", 8, 5, 1, 2]])
    mouth.sendto(beacon, (ana.laptop.address, 47474))
    ana.wait("the person", lambda state: any(row["name"] == "Later" for row in state["people"]))
    assert [row["game"] for row in ana.state["openTables"]] == ["chess"]
    ana.command("joinTable", table=table.hex())
    connection, _ = listener.accept()
    link = world.closing(Link(connection, False, identity))
    link.say(0, decode(beacon[4:]))
    assert link.hear(5)[1] == table
    link.say(6, encode(genesis))
    refusal = ana.wait("why not", lambda state: next(iter(state["refusals"]), None))
    assert refusal["code"] == "unknownGame" and "Update it" in refusal["message"]
    assert ana.page.get("/api/v1/state")["network"]["refused"] == {"genesis.refused": 1}
    link.say(1, 5, [])
    assert link.hear(2)[1] == 5


def test_messages_acts_and_moves_of_later(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    table = ana.command("createTable", size=3, minutes=15, marking="tap", title="Later",
                        pack=ana.state["packs"][0]["id"])["table"]
    ana.wait("the lobby", lambda state: state["tables"] and state["tables"][0]["phase"] == "lobby")
    guest = Guest(world, ana, bytes.fromhex(table))
    guest.genesis()
    guest.join()
    creator = Seat(ana, table)
    creator.wait("both", lambda table: len(table["seats"]) == 2)
    guest.sequence = 1
    acts = {guest.act(13, "later"): "malformed", guest.act(2, True, "more"): "malformed",
            guest.act(1, [9, "later"]): "malformed", guest.act(8, [9, 0]): "notPlaying",
            guest.act(2, True): "done"}
    creator.wait("ready", lambda table: any(seat["ready"] for seat in table["seats"] if seat["name"] == "Python"))
    rows = {row["hash"]: row.get("code") or row["outcome"] for row in creator.log() if row.get("author")}
    assert {entry.hex(): outcome for entry, outcome in acts.items()}.items() <= rows.items()
    for frame in ([14, 0], [1, 1, [], "more"], [3, [13, None]], [3, [9, guest.table, bytes(32), 0]]):
        guest.link.say(*frame)
    guest.link.say(1, 9, [])
    assert guest.link.hear(2)[1] == 9
    counted = ana.page.get("/api/v1/state")["network"]["refused"]
    assert {code: count for code, count in counted.items() if code.startswith("frame.")} == {
        "frame.unknownKind": 2, "frame.wrongCount": 2}
