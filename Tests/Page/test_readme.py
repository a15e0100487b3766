"""What Tests/README.md promises is there."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_every_test_that_the_readme_names_is_there():
    named = set(re.findall(r"`(test_\w+)`", (TESTS / "README.md").read_text(encoding="utf-8")))
    there = set()
    for path in TESTS.rglob("test_*.py"):
        there |= set(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert len(named) > 20
    assert named <= there, named - there
