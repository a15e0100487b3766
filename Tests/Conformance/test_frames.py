"""Frames of games of long ago are read for ever: Protocol/conformance."""

import pytest

from linkforms import read_frame, read_table_message
from tabletalk import VECTORS, encode

TRANSCRIPTS = sorted((VECTORS.parent / "conformance").glob("*.frames"))


def test_there_are_two_games():
    assert [path.stem for path in TRANSCRIPTS] == ["bingo", "quoridor"]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_frames_are_read_and_written_as_they_were(path):
    kinds = set()
    for line in path.read_text().splitlines():
        frame = bytes.fromhex(line)
        message = read_frame(frame)
        assert encode(message) == frame
        if message[0] == 3:
            read_table_message(encode(message[1]))
        kinds.add((message[0], message[1][0] if message[0] == 3 else None))
    assert len(kinds) > 10
