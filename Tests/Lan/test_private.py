"""Private tables: nobody hears of them, whoever has the line sits down, and whoever guesses waits."""

import re
import time

from node import wait_until
from play import PHRASES, Game, Seat, everyone_sees_everyone, refusal

LINE = re.compile(r"tabletalk join (\d{5})-([0-9a-hjkmnp-tv-z]{26})@([\d.]+:\d+)$")


def private_table(node, words=PHRASES[:9], title="Nobody knows of this"):
    """A table in its lobby that only people with the invitation can find."""
    answer = node.command("createTable", size=3, minutes=15, marking="tap", own="\n".join(words),
                          title=title, private=True)
    seat = Seat(node, answer["table"])
    seat.wait("the lobby", lambda table: table["phase"] == "lobby")
    assert seat.table["private"] is True
    assert LINE.match(seat.table["invitation"]), seat.table["invitation"]
    return seat


def sit(node, seat):
    """Sits down by the line that another's page shows; returns the seat."""
    node.command("join", invitation=seat.table["invitation"])
    mine = Seat(node, seat.id)
    mine.wait("a seat", lambda table: table["phase"] != "joining")
    seat.wait("the guest", lambda table: any(
        row["key"] == node.key and row["presence"] != "left" for row in table["seats"]))
    return mine


def test_the_network_shows_neither_words_nor_name_nor_code(world):
    ana, bo, cy = world.people(3)
    everyone_sees_everyone([ana, bo, cy])
    captures = [world.closing(node.laptop.capture()) for node in (ana, bo)]
    first = private_table(ana)
    code, secret, _ = LINE.match(first.table["invitation"]).groups()
    time.sleep(5)  # Two beacons of a table that was open would have gone out.
    second = sit(bo, first)
    assert second.table["invitation"] == first.table["invitation"]
    game = Game([first, second]).start()
    word = game.seats[0].harmless()[0]
    game.confirm(game.seats[0], word)
    game.win(game.seats[1])
    raw = int("".join(f"{'0123456789abcdefghjkmnpqrstvwxyz'.index(letter):05b}" for letter in secret)
              [:128], 2).to_bytes(16, "big")
    needles = [code.encode(), secret.encode(), raw, b"Nobody knows", *(
        phrase.encode() for phrase in PHRASES[:9])]
    count = 0
    for capture in captures:
        for packet in list(capture.packets):
            count += 1
            for needle in needles:
                assert needle not in packet.payload, f"{needle} in {packet}"
    assert count > 50, "nothing was captured"
    assert cy.state["openTables"] == [] and cy.state["tables"] == []
    for node in (ana, bo, cy):
        log = node.log.read_text(errors="replace")
        assert secret not in log and code not in log


def test_without_the_secret_it_is_as_if_it_did_not_exist(world):
    ana, bo = world.people(2)
    everyone_sees_everyone([ana, bo])
    seat = private_table(ana)
    code, secret, address = LINE.match(seat.table["invitation"]).groups()
    other = ("1" if secret[0] != "1" else "2") * 25 + "0"
    wrong = "11111" if code != "11111" else "22222"

    for invitation, code_of_refusal in (
            (f"{wrong}@{address}", "wrongCode"), (f"{code}@{address}", "wrongCode"),
            (f"{code}-{other}@{address}", "wrongCode"), (f"{wrong}-{secret}@{address}", "wrongCode"),
            (code, "codeUnknown"), (f"{code}-{other}", "privateNotFound"),
            (f"{code}-{secret[:-1]}@{address}", "invitationUnreadable")):
        assert refusal(bo, "join", 30, invitation=invitation) == code_of_refusal, invitation
    assert refusal(bo, "joinTable", table=seat.id) == "tableGone"
    assert bo.page.get("/api/v1/state")["tables"] == []
    assert len(seat.table["seats"]) == 1


def test_code_and_secret_alone_find_it_among_the_people_here(world):
    nodes = world.people(3)
    everyone_sees_everyone(nodes)
    seat = private_table(nodes[2])
    bare = seat.table["invitation"].partition("@")[0]
    nodes[0].command("join", invitation=bare.upper().replace("TABLETALK JOIN ", ""))
    mine = Seat(nodes[0], seat.id)
    mine.wait("a seat", lambda table: table["phase"] == "lobby", 20)


def test_the_command_line_takes_the_line(world):
    ana, bo = world.people(2)
    seat = private_table(ana)
    line = seat.table["invitation"].removeprefix("tabletalk ")
    done = bo.run_beside(*line.split())
    assert done.returncode == 0, done.stderr
    address = re.search(r"http://\S+", done.stdout).group()
    assert "go=join/" in address


def test_all_are_started_anew_and_the_game_goes_on_and_so_does_a_rematch(world):
    ana, bo, cy = world.people(3)
    everyone_sees_everyone([ana, bo, cy])
    first = private_table(ana)
    second = sit(bo, first)
    line = first.table["invitation"]
    for node in (ana, bo):
        node.kill()
    for node in (ana, bo):
        node.start()
    for seat in (first, second):
        seat.wait("the same invitation", lambda table: table["invitation"] == line)
        seat.wait("the other", lambda table: table["agreement"]["here"] == 2, 20)
    game = Game([first, second]).start()
    ana.kill()
    ana.start()
    first.wait("Bo and the board", lambda table: (
        table["agreement"]["here"] == 2 and table["board"]), 20)
    game.agree()
    game.confirm(first, first.harmless()[0], timeout=20)
    bo.kill()
    bo.start()
    second.wait("Ana and the board", lambda table: (
        table["agreement"]["here"] == 2 and table["board"]), 20)
    # What was decided before the kill is on the board again.
    game.agree()
    game.win(second)
    for seat in game.seats:
        seat.do("rematch")
    both = wait_until("both at the next table", lambda: [
        table for node in (ana, bo) for table in node.state["tables"]
        if table["phase"] == "lobby" and table["private"] and len(table["seats"]) == 2][1:], 20)
    assert both[0]["invitation"].partition("-")[2].partition("@")[0] == LINE.match(line)[2]
    assert cy.state["openTables"] == []
    # Somebody who was not there comes with the new line.
    third = sit(cy, Seat(ana, both[0]["id"]))
    assert third.table["private"]
