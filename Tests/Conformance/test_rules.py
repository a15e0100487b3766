"""A second implementation comes to the same words, boards, outcomes and state hashes."""

import pytest

from bingo import deal, key, read_list
from table import Table
from tabletalk import VECTORS, decode, vectors


@pytest.mark.parametrize("case", vectors("words.json"), ids=lambda case: case["file"])
def test_lists_come_to_the_same_words(case):
    data = (VECTORS / "bingo" / case["file"]).read_bytes().decode()
    words, duplicates, faults = read_list(data)
    assert (len(words), duplicates, faults) == (case["words"], case["duplicates"], case["faults"])


@pytest.mark.parametrize("one, other", [
    ("Circle back", "circle  back!"), ("Straße", "STRASSE"), ("Café", "CAFE\u0301"),
    ("ﬁnal", "FINAL"), ("ΣΊΣΥΦΟΣ", "Σίσυφος"), ("❤\ufe0f", "❤"), ("(on mute)", "On mute")])
def test_words_that_are_one(one, other):
    assert key(one.replace("  ", " ")) == key(other.replace("  ", " "))


@pytest.mark.parametrize("case", vectors("deal.json"), ids=lambda case: str(case["size"]))
def test_the_deal_is_the_same(case):
    players = [bytes.fromhex(player) for player in case["players"]]
    words = [f"Phrase number {number}" for number in range(case["words"])]
    settings = [case["size"], 60, "tap", "majority"]
    if "freeTile" in case:
        assert case["freeTile"] == case["size"] ** 2 // 2
        settings += ["lines", True, 1]
    pool, boards = deal(words, case["poolSize"], settings, players, bytes.fromhex(case["seed"]))
    assert (pool, boards) == (case["pool"], case["boards"])


STORIES = [(name, number) for name in ("table.json", "table-people.json", "quoridor.json")
           for number in range(len(vectors(name)))]


@pytest.mark.parametrize(("name", "number"), STORIES)
def test_a_whole_table_is_played_to_the_same_states(name, number):
    story = vectors(name)[number]
    table = Table(decode(bytes.fromhex(story["genesis"])))
    assert table.hash().hex() == story["state"]
    for step in story["steps"]:
        data, place = bytes.fromhex(step["bytes"]), (step["height"], step["index"])
        if step["kind"] == "entry":
            assert table.entry(decode(data), place) == step["outcome"], step
        elif step["kind"] == "deadline":
            table.deadline(data, place)
        elif step["kind"] == "recovery":
            table.recover(decode(data))
        else:
            joiners, leavers, *evictions = decode(data)
            table.change(joiners, leavers, evictions[0] if evictions else [], place)
        assert table.hash().hex() == step["state"], step
