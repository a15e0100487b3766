"""The files of the page keep the promises that its security rests on."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "Sources/Edge/WebFace/Page"
HTML = (PAGE / "index.html").read_text(encoding="utf-8")
SVG_NAMESPACE = "http://www.w3.org/2000/svg"


def texts(*patterns):
    for pattern in patterns:
        for path in sorted(PAGE.rglob(pattern)):
            yield path, path.read_text(encoding="utf-8")


def test_no_script_writes_markup_or_makes_code_from_text():
    banned = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function"
    for path, text in texts("*.js"):
        assert not re.search(banned, text), path


def test_no_inline_script_style_or_handler():
    assert not re.search(r"<script(?![^>]*\bsrc=)", HTML)
    assert not re.search(r"<style|\bstyle=|\bon[a-z]+=", HTML)
    for path, text in texts("*.js"):
        assert not re.search(r"""\bstyle:\s|setAttribute\("style|createElement\("(style|script)""", text), path


def test_nothing_names_another_origin():
    for path, text in texts("*.js", "*.css", "*.html", "*.svg", "*.json"):
        others = [address for address in re.findall(r"https?://[^\s\"')]+", text) if address != SVG_NAMESPACE]
        assert others == [], path
        assert "url(" not in text or path.suffix != ".css", path


def test_index_names_every_sheet_and_every_symbol_that_is_used():
    linked = set(re.findall(r'href="style/([^"]+)"', HTML))
    assert linked == {path.name for path in (PAGE / "style").iterdir()}
    symbols = set(re.findall(r'<symbol id="([^"]+)"', HTML))
    used = set()
    for _, text in texts("*.js"):
        used |= {word for word in re.findall(r'"([a-z]+)"', text) if word in symbols}
    assert used == symbols


def test_imports_lead_to_files_that_are_there():
    for path, text in texts("*.js"):
        for target in re.findall(r'(?:from|import) "(\.[^"]+)"', text):
            assert (path.parent / target).is_file(), f"{path}: {target}"
