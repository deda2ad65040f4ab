"""New users talk with the embedded model: what they told is there later, and nothing is made up."""

import re

import pytest

from tests.agent.embedded.dialogue import MADE_UP, Dialogue
from tests.agent.embedded.dialogues import DIALOGUES, MORE
from tests.agent.embedded.house import House

QUOTED = re.compile(r"“([^”]*)”")


def test_there_are_forty_dialogues() -> None:
    assert len(DIALOGUES) >= 40
    assert len({dialogue.name for dialogue in DIALOGUES}) == len(DIALOGUES)


@pytest.mark.parametrize("dialogue", [*DIALOGUES, *MORE], ids=lambda dialogue: dialogue.name)
def test_what_was_told_is_answered_and_nothing_else(dialogue: Dialogue, house: House) -> None:
    for session in dialogue.sessions:
        said = [line.said for line in session.lines]
        if session.days_ago:
            house.said_before(session.days_ago, *said)
            continue
        for line, answer in zip(session.lines, house.talk(*said), strict=True):
            for part in line.has:
                assert part in answer, f"{line.said!r} was answered {answer!r}"
            for part in (*line.lacks, *MADE_UP):
                assert part not in answer, f"{line.said!r} was answered {answer!r}"
