"""Three nodes on one machine, over its loopback."""

from play import Game, everyone_sees_everyone


def test_three_nodes_on_one_machine_play_to_a_win(world):
    laptop = world.laptop()
    nodes = [world.node(name, laptop, flags=["--interface", "lo"]) for name in ("Ana", "Bo", "Cy")]
    everyone_sees_everyone(nodes)
    assert len({node.page.port for node in nodes}) == 3
    assert len({node.state["network"]["linkPort"] for node in nodes}) == 3
    game = Game.gather(nodes).start()
    game.win(game.seats[1])
