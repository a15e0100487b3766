"""Protocol/wire.cddl fits every vector and every saved log, and names what the code names."""

import contextlib
import io
import re

import pytest
from zcbor import DataTranslator

import savedlog
from tabletalk import VECTORS, decode, encode, vectors

ROOT = VECTORS.parents[1]
TEXT = (ROOT / "Protocol/wire.cddl").read_text()
RULES = DataTranslator.from_cddl(TEXT, 1 << 20).my_types
LOGS = sorted((ROOT / "Protocol/conformance").rglob("*.ttlog"))


def fits(rule, data):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            RULES[rule].validate_str(data)
    except Exception:  # zcbor has a kind of its own for every fault.
        return False
    return True


@pytest.mark.parametrize("case", vectors("wire.json")["messages"], ids=lambda case: case["name"])
def test_messages_fit(case):
    data = bytes.fromhex(case["hex"])
    assert fits("table-message", data)
    assert fits("link-message", encode([3, decode(data)]))


def test_beacons_and_what_is_said_on_links_fit():
    for case in vectors("beacon.json")["accepted"]:
        assert fits("beacon", bytes.fromhex(case["datagram"])[4:]), case["name"]
        assert fits("link-beacon", encode([0, decode(bytes.fromhex(case["datagram"])[4:])]))
    for case in vectors("relay.json")["read"]:
        assert fits("link-message", bytes.fromhex(case["hex"]) + bytes(case.get("zeros", 0))), case["name"]


def act_fits(game, body):
    """As `fits("act", body)`, by the rule that the kinds lead to."""
    act = decode(body)
    if act[0] not in (1, 8):
        return fits(rule_of("act", act[0]), body)
    prefix = "change" if act[0] == 1 and game == "bingo" else game
    rule = "setup-change-quoridor" if prefix == "quoridor" and act[0] == 1 else rule_of(prefix, act[1][0])
    return len(act) == 2 and fits(rule, encode(act[1]))


def rule_of(prefix, kind):
    return next(f"{prefix}-{name}" for name, number in kinds_of_rules(prefix) if number == kind)


@pytest.mark.parametrize("name", ["table.json", "table-people.json", "quoridor.json"])
def test_tables_fit(name):
    for story in vectors(name):
        game = decode(bytes.fromhex(story["genesis"]))[2]
        assert fits("genesis", bytes.fromhex(story["genesis"]))
        for step in story["steps"]:
            data = bytes.fromhex(step["bytes"])
            if step["kind"] == "entry":
                assert fits("entry", data), step
                assert step["outcome"] == "malformed" or act_fits(game, decode(data)[4]), step
            elif step["kind"] == "recovery":
                assert fits("stayers", data), step
            elif step["kind"] != "deadline":
                assert fits("voters", data), step


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_saved_logs_fit(path):
    rows = savedlog.rows(path.read_bytes())
    kinds = {0: "log-block", 1: "log-lie", 2: "log-last", 3: "log-recovery"}
    assert fits("log-first", encode(rows[0])) and fits("genesis", rows[0][1])
    for row in rows[1:]:
        assert fits(kinds[row[0]], encode(row))
        for entry in row[1][8] if row[0] == 0 else []:
            assert act_fits(decode(rows[0][1])[2], entry[4])


# Enumerations of the code, and how their rules begin here.
ENUMERATIONS = {
    "Sources/Core/Wire/TableMessage.swift": "table",
    "Sources/Core/Peer/LinkMessage.swift": "link",
    "Sources/Core/Table/Act.swift": "act",
    "Sources/Core/Games/Quoridor/QuoridorMove.swift": "quoridor",
}


def kinds_of_code(path):
    """The number that the code writes for each case of an enumeration."""
    text = (ROOT / path).read_text()
    text = text[max(text.find(begin) for begin in ("var cbor", "var frame", "var encoded", "func encoded")):]
    return {(name, int(number)) for name, number in re.findall(
        r"case \.(\w+)(?:\([^)]*\))?:\s*(?:return )?(?:\.array\()?\[\s*(\d+)", text)}


def kinds_of_rules(prefix):
    return {(name, int(number)) for name, number in re.findall(
        rf"(?m)^{prefix}-(\w+) = \[(\d+)", TEXT)}


@pytest.mark.parametrize(("path", "prefix"), ENUMERATIONS.items(), ids=lambda part: part.split("/")[-1])
def test_code_and_rules_name_the_same(path, prefix):
    named = kinds_of_code(path)
    cases = set(re.findall(r"(?m)^  case (\w+)", (ROOT / path).read_text().partition("switch")[0]))
    assert len(named) > 5 and cases == {name for name, _ in named}
    assert kinds_of_rules(prefix) == named


def test_bingo_names_the_same():
    text = (ROOT / "Sources/Core/Games/Bingo/BingoMove.swift").read_text()
    moves, _, changes = text.partition("enum BingoSetupChange") if "enum BingoSetupChange" in text \
        else text.rpartition("package enum")
    pattern = r"case \.(\w+)(?:\([^)]*\))?:\s*\[(\d+)"
    assert kinds_of_rules("bingo") == {(name, int(kind)) for name, kind in re.findall(pattern, moves)}
    assert kinds_of_rules("change") == {(name, int(kind)) for name, kind in re.findall(pattern, changes)}


def test_every_kind_is_in_the_document_as_well():
    text = (ROOT / "Protocol/wire.md").read_text()
    for title, prefix in (("## Table messages", "table"), ("## Link messages", "link")):
        part = text.partition(title)[2].partition("\n## ")[0]
        kinds = {int(number) for number in re.findall(r"(?m)^\| (\d+) \|", part)}
        assert kinds == {number for _, number in kinds_of_rules(prefix)}


def test_evidence_joins_frames_and_introductions_fit():
    for case in vectors("evidence.json")["cases"]:
        # Which votes belong together is beyond CDDL, so it fits what is refused as well.
        assert fits("evidence", bytes.fromhex(case["hex"])), case["name"]
    for case in vectors("first-steps.json")["joins"]:
        assert fits("entry", bytes.fromhex(case["entry"])) and fits("link-table", bytes.fromhex(case["message"]))
    for path in (VECTORS.parent / "conformance").glob("*.frames"):
        for line in path.read_text().splitlines():
            kind = decode(bytes.fromhex(line))[0]
            assert fits(rule_of("link", kind), bytes.fromhex(line)), line[:40]


def test_what_is_of_another_form_does_not_fit():
    form = ("wrongCount", "unexpectedType", "unknownKind")
    for part, rule in (("messages", "table-message"), ("geneses", "genesis")):
        for case in vectors("refused.json")[part]:
            # That both lists may not be empty is beyond CDDL too.
            if case["code"] in form and not case["id"].endswith("that changes nothing"):
                assert not fits(rule, bytes.fromhex(case["hex"])), case["id"]


@pytest.mark.parametrize("rule", ["link-message", "table-message", "genesis", "beacon", "entry", "act"])
def test_rules_refuse_what_is_something_else(rule):
    for item in ([], [19], [0], {}, None, [0, None], [3, [3, []]], [7, bytes(31), 0]):
        assert not fits(rule, encode(item))
