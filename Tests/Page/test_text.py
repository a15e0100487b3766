"""The sentences of the page: every key is there and used, and none says more than a player wants to know."""

import json
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "Sources/Edge/WebFace/Page"
PARTS = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((PAGE / "locales").glob("en*.json"))]
ENGLISH = {key: message for part in PARTS for key, message in part.items()}
GROUPS = {key.split(".")[0] for key in ENGLISH}
BANNED = re.compile(r"\b(node|voter|quorum|epoch|seal|hash|entry|entries)s?\b", re.IGNORECASE)
LITERAL = re.compile(r'"([a-z]+\.[A-Za-z0-9]+)"')


def scripts():
    return sorted(PAGE.rglob("*.js"))


def used_keys():
    found = set()
    for script in scripts():
        for key in LITERAL.findall(script.read_text(encoding="utf-8")):
            if key.split(".")[0] in GROUPS and not key.endswith(".js"):
                found.add(key)
    return found


def forms(message):
    return list(message.values()) if isinstance(message, dict) else [message]


def test_every_key_that_is_used_has_a_sentence():
    assert sorted(used_keys() - set(ENGLISH)) == []


def test_no_sentence_is_unused():
    assert sorted(set(ENGLISH) - used_keys()) == []


def test_no_game_says_the_sentences_of_another_anew():
    assert len(ENGLISH) == sum(len(part) for part in PARTS)


def test_keys_are_written_out_and_not_put_together():
    for script in scripts():
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"\btx?\(\s*`", text), script
        assert not re.search(r'\btx?\(\s*"[^"]*"\s*\+', text), script


@pytest.mark.parametrize("key", sorted(ENGLISH))
def test_plural_forms_agree_in_their_places(key):
    places = [sorted(set(re.findall(r"\{(\w+)\}", form)) - {"n"}) for form in forms(ENGLISH[key])]
    assert all(each == places[0] for each in places)
    if isinstance(ENGLISH[key], dict):
        assert "other" in ENGLISH[key] and "one" in ENGLISH[key]


@pytest.mark.parametrize("key", sorted(key for key in ENGLISH if not key.startswith("details.")))
def test_sentences_outside_details_have_no_technical_words(key):
    for form in forms(ENGLISH[key]):
        assert BANNED.search(form) is None, form


def test_what_is_copied_may_be_pasted_anywhere():
    """First the line that a terminal runs; behind it one of words that no shell takes for quotes or orders."""
    line, how = ENGLISH["invite.text"].split("\n")
    assert line == "{line}"
    assert re.fullmatch(r"[A-Za-z ,.?]+", how)
