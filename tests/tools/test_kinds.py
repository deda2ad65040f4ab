"""Making the list of kinds from WordNet's files."""

from pathlib import Path

import pytest

from hermes_agent.text import kinds as reading
from tools import kinds
from tools.kinds import Kind

NOUNS = """\
  1 a licence stands before the first line
00000001 03 n 02 instrument 0 musical_instrument 0 001 ~ 00000002 n 0000 | made to be played
00000002 03 n 01 guitar 0 002 @ 00000001 n 0000 ~ 00000003 n 0000 | with strings
00000003 03 n 02 uke 0 Hawaiian_guitar 0 001 @ 00000002 n 0000 | small
00000004 03 n 01 triangle 0 001 @ 00000001 n 0000 | rings when struck
00000005 03 n 01 triangle 0 000 | three corners
00000006 03 n 01 about 0 001 @ 00000001 n 0000 | a stop word
00000007 03 n 01 Stradivarius 0 001 @i 00000001 n 0000 | a famous one
"""
SENSES = """\
about%1:06:00:: 00000006 1 5
guitar%1:06:00:: 00000002 1 3
hawaiian_guitar%1:06:00:: 00000003 1 0
instrument%1:06:00:: 00000001 2 0
instrument%1:06:01:: 00000009 1 4
stradivarius%1:06:00:: 00000007 1 0
triangle%1:06:00:: 00000004 2 0
triangle%1:25:00:: 00000005 1 9
uke%1:06:00:: 00000003 1 0
uke%2:30:00:: 00000008 1 0
"""


@pytest.fixture
def wordnet(tmp_path: Path) -> kinds.WordNet:
    """A few nouns, in two files."""
    lines = NOUNS.splitlines(keepends=True)
    (tmp_path / "data.noun1").write_text("".join(lines[:4]))
    (tmp_path / "data.noun2").write_text("".join(lines[4:]))
    (tmp_path / "index.sense").write_text(SENSES)
    return kinds.read(tmp_path)


def test_things_are_the_single_words_below_a_root_that_mostly_mean_it(wordnet: kinds.WordNet) -> None:
    kind = Kind("instrument", "instrument.2", further="theremin")
    assert kinds.things(kind, wordnet) == ["guitar", "stradivarius", "theremin", "uke"]


def test_a_root_that_is_not_there_is_refused(wordnet: kinds.WordNet) -> None:
    with pytest.raises(ValueError, match="not enough values"):
        kinds.things(Kind("instrument", "instrument.7"), wordnet)


def test_what_is_written_begins_with_the_licence(wordnet: kinds.WordNet) -> None:
    kind = Kind("instrument", "instrument.2", verbs="play")
    text = kinds.written([kind], wordnet, "Free.\n\nKeep this.")
    assert text.splitlines()[2:] == [
        "# Free.",
        "#",
        "# Keep this.",
        "instrument; play",
        " guitar stradivarius uke",
    ]


def test_the_list_that_is_read_has_the_kinds_that_are_written() -> None:
    written = [(tuple(kind.names.split()), tuple(kind.verbs.split())) for kind in kinds.KINDS]
    assert [(kind.names, kind.verbs) for kind in reading.listed()] == written
    assert "Princeton University" in kinds.LIST.read_text(encoding="utf-8")
