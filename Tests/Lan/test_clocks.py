"""Wall clocks that are wrong by ten minutes change nothing."""

import pathlib
import time

import pytest

from play import Game, everyone_sees_everyone


def shifted(minutes):
    """Makes a program's wall clock, and only that, wrong."""
    library = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    return {"LD_PRELOAD": str(library), "FAKETIME": f"{minutes:+d}m", "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DONT_RESET": "1"}


@pytest.mark.parametrize("clocks", [(10, 0, -10), (-10, 10, 0), (0, 10, 10)], ids=str)
def test_a_game_is_played_to_its_end_with_wrong_clocks(world, clocks):
    names = ["Ana", "Bo", "Cy"]
    nodes = [world.node(name, environment=shifted(minutes) if minutes else None)
             for name, minutes in zip(names, clocks)]
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo, cy = game.seats
    word = ana.harmless()[0]
    begin = time.monotonic()
    game.confirm(ana, word)
    assert time.monotonic() - begin < 3
    result = game.win(bo)
    assert result["winners"] == [bo.player]
    views = [seat.table["details"]["view"] for seat in game.seats]
    print(f"clocks {clocks}: won in view {max(views)}")
