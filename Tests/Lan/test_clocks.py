"""Wall clocks that are wrong by ten minutes change nothing."""

import pytest

from preload import shifted_clock
from play import Game, everyone_sees_everyone


@pytest.mark.parametrize("clocks", [(10, 0, -10), (-10, 10, 0), (0, 10, 10)], ids=str)
def test_a_game_is_played_to_its_end_with_wrong_clocks(world, clocks):
    nodes = [world.node(name, environment=shifted_clock(world.folder, minutes))
             for name, minutes in zip(["Ana", "Bo", "Cy"], clocks)]
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo, cy = game.seats
    before = max(seat.table["details"]["view"] for seat in game.seats)
    game.confirm(ana, ana.harmless()[0], timeout=3)
    result = game.win(bo)
    assert result["winners"] == [bo.player]
    after = max(seat.table["details"]["view"] for seat in game.seats)
    blocks = game.creator.table["details"]["height"]
    print(f"clocks {clocks} minutes: views {before}-{after}, height {blocks}")
