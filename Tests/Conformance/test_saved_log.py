"""Saved logs, the golden ones and one fresh from a node, prove to a second reader what they prove to the project."""

import json
import subprocess
from pathlib import Path

import pytest

import savedlog
from node import PROGRAM
from play import Game, everyone_sees_everyone
from tabletalk import Refused, encode

FOLDER = Path(__file__).resolve().parents[2] / "Protocol/conformance"
FIRST = ("three-one-leaves.ttlog", "four-all-but-one-leave.ttlog")
GOLDEN = json.loads((FOLDER / "logs.json").read_text())


def agrees(ledger, expected):
    assert (ledger.height, ledger.log_tip.hex(), ledger.table.hash().hex()) == (
        expected["height"], expected["tip"], expected["state"])
    assert ledger.id.hex() == expected["table"]
    assert ledger.table.seals + 1 == expected["epochs"]
    outcomes = [outcome for _, outcome in ledger.outcomes]
    assert (len(outcomes), sum(outcome != "done" for outcome in outcomes)) == (
        expected["acts"], expected["refused"])


@pytest.mark.parametrize("expected", GOLDEN, ids=lambda case: case["file"])
def test_golden_logs_are_proven(expected):
    data = (FOLDER / expected["file"]).read_bytes()
    agrees(savedlog.read(data), expected)


@pytest.mark.parametrize("expected", GOLDEN, ids=lambda case: case["file"])
def test_changed_ones_are_not(expected):
    good = savedlog.rows((FOLDER / expected["file"]).read_bytes())
    # Every row of the first two, some of the others: each is read up to its fault.
    for index in range(0, len(good), 1 if expected["file"] in FIRST else 9):
        with pytest.raises((Refused, ValueError, TypeError)):
            savedlog.read(b"".join(encode(row) for row in good[:index] + good[index + 1:]))


def verify(path, *flags):
    done = subprocess.run([PROGRAM, "verify", *flags, path], capture_output=True, text=True)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_a_log_saved_by_a_node_that_runs_and_by_one_that_does_not(world, tmp_path):
    nodes = [world.node(name) for name in ("Ana", "Bo", "Cy")]
    everyone_sees_everyone(nodes)
    game = Game.gather(nodes).start()
    word = game.creator.harmless()[0]
    game.confirm(game.creator, word)
    game.seats[2].do("quit")
    game.creator.wait("two voters", lambda table: table["details"]["voters"] == 2, 30)
    game.seats.pop()
    game.win(game.seats[1])
    code = game.creator.table["code"]
    running = tmp_path / "running.ttlog"

    def export(node, output, name=code):
        command = node.laptop.inside(
            str(PROGRAM), "export", name, "--data", str(node.folder), "-o", str(output))
        return subprocess.run(command, capture_output=True, text=True)

    done = export(nodes[0], running)
    assert (done.returncode, done.stderr) == (0, "") and str(running) in done.stdout
    status, text = verify(running)
    assert status == 0 and "Bo won at" in text and "Ana, Bo and Cy agreed on" in text
    status, text = verify(running, "--json")
    proof = json.loads(text)
    assert status == 0 and proof["proven"] and proof["winners"] == ["Bo"]
    assert proof["epochs"] == 3 and proof["kind"] == "line"
    agrees(savedlog.read(running.read_bytes()), proof)
    missing = export(nodes[0], running, "99999" if code != "99999" else "99998")
    assert missing.returncode == 1 and "not on this laptop" in missing.stderr
    nodes[1].stop()
    stopped = tmp_path / "stopped.ttlog"
    assert export(nodes[1], stopped).returncode == 0
    assert json.loads(verify(stopped, "--json")[1])["tip"] == proof["tip"]
    changed = bytearray(stopped.read_bytes())
    changed[len(changed) // 2] ^= 4
    stopped.write_bytes(changed)
    status, text = verify(stopped, "--json")
    fault = json.loads(text)
    assert status == 1 and not fault["proven"] and fault["code"] and fault["message"].endswith(".")
    assert verify(tmp_path / "nothing.ttlog")[0] == 1
