"""Wall clocks that are wrong by ten minutes change nothing."""

import subprocess
import time
from pathlib import Path

import pytest

from network import sh
from play import Game, everyone_sees_everyone

SOURCE = Path(__file__).with_name("shifted_clock.c")


@pytest.fixture(scope="module")
def shifted(tmp_path_factory):
    """Makes the environment of a program whose wall clock, and only that, is wrong."""
    library = tmp_path_factory.mktemp("clock") / "shifted_clock.so"
    sh("clang", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE))

    def environment(minutes):
        return {"LD_PRELOAD": str(library), "CLOCK_SHIFT": str(minutes * 60)} if minutes else {}

    seen = subprocess.run(["date", "+%s"], capture_output=True, text=True, env=environment(10))
    assert 590 < int(seen.stdout) - time.time() < 610
    return environment


@pytest.mark.parametrize("clocks", [(10, 0, -10), (-10, 10, 0), (0, 10, 10)], ids=str)
def test_a_game_is_played_to_its_end_with_wrong_clocks(world, shifted, clocks):
    nodes = [world.node(name, environment=shifted(minutes))
             for name, minutes in zip(["Ana", "Bo", "Cy"], clocks)]
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    ana, bo, cy = game.seats
    before = max(seat.table["details"]["view"] for seat in game.seats)
    begin = time.monotonic()
    game.confirm(ana, ana.harmless()[0])
    assert time.monotonic() - begin < 3
    result = game.win(bo)
    assert result["winners"] == [bo.player]
    after = max(seat.table["details"]["view"] for seat in game.seats)
    blocks = game.creator.table["details"]["height"]
    print(f"clocks {clocks} minutes: views {before}-{after}, height {blocks}")
