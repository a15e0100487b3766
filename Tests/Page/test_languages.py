"""Every language says all that English says. Whoever adds a sentence adds it in each: a test that fails names what is missing."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCALES = ROOT / "Sources/Edge/WebFace/Page/locales"
LANGUAGES = ["zh-Hant"]
PARTS = sorted(path.name[2:] for path in LOCALES.glob("en*.json"))
# Names and abbreviations that are the same everywhere.
SAME = re.compile(r"[\s\d{}n/×·:,.]*(\{\w+\}[\s/×]*)*|Tabletalk|Wi-Fi|VPN")


def read(name):
    return json.loads((LOCALES / name).read_text(encoding="utf-8"))


def places(message):
    text = message["other"] if isinstance(message, dict) else message
    return set(re.findall(r"\{(\w+)\}", text))


def swift():
    """The texts of the node: each literal, with those that + joins to it, {} where something is put in."""
    put_in = r'\\\((?:[^()"]|"[^"\n]*"|\((?:[^()"]|"[^"\n]*"|\([^()]*\))*\))*\)'
    literal = rf'"((?:[^"\\\n]|\\[^(]|{put_in})*)"'
    folders = ["Core/Peer", "Core/Table", "Core/Games", "Core/Discovery", "Core/Quoridor", "Edge/Shell", "Edge/WebFace"]
    for path in [path for folder in folders for path in sorted((ROOT / "Sources" / folder).rglob("*.swift"))]:
        text = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for match in re.finditer(rf"{literal}(?:\s*\+\s*{literal})*", text):
            whole = "".join(re.findall(literal, match[0]))
            yield re.sub(put_in, "{}", whole).replace('\\"', '"')


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", PARTS)
def test_every_language_has_every_sentence(language, part):
    english, other = read(f"en{part}"), read(f"{language}{part}")
    missing = [f"{key}: {english[key]}" for key in english if key not in other]
    assert not missing, f"locales/{language}{part} lacks:\n" + "\n".join(missing)
    assert [key for key in other if key not in english] == [], f"locales/{language}{part} says what nobody asks for"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_is_in_every_language(language):
    wrong = []
    for part in PARTS:
        english, other = read(f"en{part}"), read(f"{language}{part}")
        wrong += [f"{key}: {places(english[key])} in English, {places(other[key])} in {language}"
                  for key in english if key in other and places(english[key]) != places(other[key])]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_those_of_the_language(language):
    forms = {"zh-Hant": {"other"}}[language]
    for part in PARTS:
        for key, message in read(f"{language}{part}").items():
            assert isinstance(message, str) or set(message) == forms, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_in_english(language):
    left = []
    for part in PARTS:
        english, other = read(f"en{part}"), read(f"{language}{part}")
        left += [f"{key}: {english[key]}" for key in english if other.get(key) == english[key]
                 and not SAME.fullmatch(str(english[key]))]
    assert not left, f"the same in {language} as in English:\n" + "\n".join(left)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_the_node_are_those_that_it_says(language):
    """They are named by their English text: it must stand in the sources, and each refusal must be there."""
    node = read(f"{language}-node.json")
    said = list(swift())
    everything = "\n".join(said)
    stale = [key for key in node for piece in re.split(r"\{\w+\}", key) if len(piece) > 14 and piece.strip(" .") not in everything]
    assert not stale, "the node does not say any more:\n" + "\n".join(stale)
    for key, text in node.items():
        assert set(re.findall(r"\{(\w+)\}", text)) <= set(re.findall(r"\{(\w+)\}", key)), key
    refusals = set()
    for path in [*(ROOT / "Sources/Core/Games").rglob("*.swift"), *(ROOT / "Sources/Core/Table").rglob("*.swift")]:
        text = path.read_text(encoding="utf-8")
        refusals |= set(re.findall(r'IllegalMove\(\s*"\w+",\s*"([A-Z][^"\\]+\.)"', text))
    missing = sorted(refusals - set(node))
    assert not missing, f"locales/{language}-node.json lacks:\n" + "\n".join(missing)
