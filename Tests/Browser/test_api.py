"""What the interface of the page answers stands in Protocol/local-api.yaml, whatever is asked."""

import json
import random
import re
import subprocess
import sys

import pytest

from node import ROOT
from person import WORDS
from play import Game

STATE = ROOT / "Protocol/local-api-state.md"
ODD = [None, True, False, -1, 0, 1, 7, 2**53, "", "a", "x" * 300, "\u202e\u0000", "00000", "f" * 64, [], ["a", "b"], {}, 1.5]


def kinds():
    """Every command and its fields, from the table of the document."""
    text = STATE.read_text(encoding="utf-8").partition("\n## commands")[2]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.*?) \|", text, re.MULTILINE)
    return {kind: re.findall(r"`(\w+)\??`", fields) for names, fields in rows for kind in re.findall(r"`(\w+)`", names)}


def test_every_command_with_any_field_is_answered_as_documented(world):
    ana, bo = world.node("Ana"), world.node("Bo")
    table = Game.gather([ana, bo], ["code"]).start().creator.id
    chance, seen = random.Random(5), set()
    named = kinds()
    assert len(named) > 40
    for kind, fields in sorted(named.items()):
        if kind in ("quit", "leave", "cancel"):
            continue   # there would be no table left to ask about
        for _ in range(5):
            body = {"id": f"{kind}-{chance.getrandbits(60)}", "kind": kind}
            for field in fields:
                if chance.random() < 0.8:
                    body[field] = table if field == "table" and chance.random() < 0.8 else chance.choice(ODD)
            connection, response = ana.page.request("POST", "/api/v1/commands", body)
            answer = json.loads(response.read())
            connection.close()
            assert response.status in (200, 400, 409), (body, response.status, answer)
            if response.status == 200:
                assert answer["ok"] is True
            else:
                assert re.fullmatch(r"[a-z][A-Za-z0-9]*", answer["code"]), (body, answer)
                assert answer["message"].rstrip().endswith((".", "?", "!")), (body, answer)
            seen.add(response.status)
    assert seen == {200, 400, 409}
    assert ana.running and ana.page.get("/api/v1/state")["screen"] == "home"


@pytest.mark.long
def test_schemathesis_finds_no_undocumented_answer(world):
    ana = world.node("Ana")
    ana.command("makeList", title="Words", text="\n".join(WORDS))
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", str(ROOT / "Protocol/local-api.yaml"),
        "--url", f"http://127.0.0.1:{ana.page.port}", "-H", f"X-Tabletalk-Token: {ana.page.token}",
        "--exclude-path", "/api/v1/events", "--phases", "examples,coverage,fuzzing", "--max-examples", "60", "--seed", "1",
        "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,"
                    "response_headers_conformance,response_schema_conformance"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=world.folder)
    print(done.stdout.strip().splitlines()[-1])
    assert done.returncode == 0, done.stdout[-6000:]
