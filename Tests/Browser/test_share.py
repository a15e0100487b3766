"""The result for others: as text for a chat, as a picture; and what the page lets be heard."""

import struct
import zlib

from playwright.sync_api import expect

from play import Game
from person import SCREENSHOTS


def test_a_result_is_copied_as_text_and_saved_as_a_picture(room):
    nodes = [room.world.node(name) for name in ("Ana", "Bo")]
    game = Game.gather(nodes, ["code"], marking="finder", title="Monday <b>stand-up</b>").start()
    ana = room.person(node=nodes[0], table=game.creator.id, permissions=["clipboard-read", "clipboard-write"])
    expect(ana.grid).to_be_visible()
    # A volume is kept, and the browser is asked for no sound before.
    slider = ana.page.get_by_label("Sounds while this page is in view")
    expect(slider).to_have_attribute("aria-valuetext", "off")
    slider.focus()
    for _ in range(3):
        ana.page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "3 of 10")
    ana.page.reload()
    expect(slider).to_have_attribute("aria-valuetext", "3 of 10")
    game.win(game.creator)
    expect(ana.result).to_contain_text("Bingo!")
    ana.button("Copy as text").click()
    expect(ana.page.locator(".notice")).to_contain_text("Copied.")
    lines = ana.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0] == "Meeting bingo: Monday <b>stand-up</b>"
    assert lines[1].startswith("Bingo! Ana wins.")
    assert sorted(lines[2:]) == sorted(["⭐⭐⭐", "⬜⬜⬜", "⬜⬜⬜"])
    with ana.page.expect_download() as waiting:
        ana.button("Save as picture").click()
    picture = SCREENSHOTS / "shared-result.png"
    waiting.value.save_as(picture)
    assert waiting.value.suggested_filename == f"bingo-{game.creator.table['code']}.png"
    assert shape(picture.read_bytes()) == (1080, 1330)
    assert len(colours(picture.read_bytes())) > 20, "tiles, words and lines were drawn"


def shape(png):
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def colours(png):
    """The different bytes of the picture's rows: a plain area has few."""
    data, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    return set(zlib.decompress(data))
