"""A seat that signs two moves for one turn, among nodes of the project; games/quoridor.md, N5."""

from duel import Duel
from livenode import LiveNode
from play import Seat, everyone_sees_everyone, join
from quoridor import name
from table import OVER
from test_live import export, is_equal, sit_down, start, wait


def until_its_turn(python, player, duel):
    """The others step until the Python node is to move; its turn, its side and the squares that it can step to."""
    for _ in range(4):
        wait(python, "the same turn", lambda: player.game.turn == duel.board()["turn"])
        mine, squares = python.call(
            lambda: (player.is_my_turn, [name(code) for code in sorted(player.game.position.targets())]))
        if mine:
            board = duel.board()
            return board["turn"], board["toMove"], squares
        duel.move(squares[0])
    raise AssertionError("four have moved and nobody of them was the Python node")


def test_two_moves_for_one_turn_forfeit_on_every_page(world):
    nodes = [world.node(name) for name in ("Ana", "Bo", "Cy")]
    laptop = world.laptop(world.segments[0])
    python = world.closing(LiveNode(laptop, f"{world.segments[0].prefix}.255", "Pia", world.folder / "pia"))
    everyone_sees_everyone(nodes)
    table = nodes[0].command("createTable", game="quoridor", players=4)["table"]
    duel = Duel.at(nodes, table)
    creator, *others = duel.seats
    creator.wait("its lobby", lambda table: table["phase"] == "lobby")
    player = sit_down(python, creator)
    for node in nodes[1:]:
        join(node, creator, "list")
    start(python, player, duel.seats, voters=4)
    duel.wait_for_board()
    wait(python, "the board", lambda: player.game)

    # Two moves under one sequence number, one of them to Ana alone: one of both stands, and nobody is harmed.
    turn, side, squares = until_its_turn(python, player, duel)
    first, second = squares[:2]
    python.call(lambda: player.act_in_two_ways(
        player.moving(first), player.moving(second), {bytes.fromhex(nodes[0].key)}))
    for seat in duel.seats:
        seat.wait("one of both moves", lambda table: table["quoridor"]["board"]["turn"] == turn + 1)
    wait(python, "one of both moves", lambda: player.game.turn == turn + 1)
    is_equal(python, player, duel.seats)
    pawns = duel.board()["pawns"]
    assert all(pawns) and pawns[side] in (first, second)
    assert all(duel.board(seat)["pawns"] == pawns for seat in duel.seats)

    # Two moves under two numbers for one turn: whoever signed them is out, and the others play on.
    turn, side, squares = until_its_turn(python, player, duel)

    def move_twice():
        for square in squares[:2]:
            player.act(*player.moving(square, turn))

    python.call(move_twice)
    for seat in duel.seats:
        line = seat.wait("that Pia is out", lambda table: next(
            (line for line in table["feed"] if line["kind"] == "forfeited"), None))
        assert player.player.hex() in str(line), line
        seat.wait("three pawns", lambda table: table["quoridor"]["board"]["pawns"][side] is None)
    wait(python, "that it is out", lambda: player.game.position.pawns[side] is None)
    duel.move(python.call(lambda: name(min(player.game.position.targets()))))
    for seat in others:
        duel.give_up(seat)
    wait(python, "the end", lambda: player.table.phase == OVER, 20)
    assert duel.over()["winners"] == [creator.player]
    is_equal(python, player, duel.seats)
    _, proof = export(world, python, player, creator, "forfeited")
    assert (proof["kind"], proof["winners"]) == ("lastPlayer", ["Ana"])
