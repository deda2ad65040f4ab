"""A clock that is set back does not change the order in which things were said."""

import pytest

from hermes_agent import clock
from hermes_agent.config.paths import Home
from tests.conftest import Hermes

MINUTE = 60 * clock.MICROSECONDS
DAY = 24 * 60 * MINUTE


@pytest.fixture(params=[MINUTE, 3 * DAY], ids=["a minute", "three days"])
def set_back(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> "SetBack":
    return SetBack(request.param, monkeypatch)


class SetBack:
    """Sets the clock of this machine back."""

    def __init__(self, microseconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self._microseconds = microseconds
        self._monkeypatch = monkeypatch

    def __call__(self) -> None:
        right = clock.now
        self._monkeypatch.setattr(clock, "now", lambda: right() - self._microseconds)


def known(hermes: Hermes) -> str:
    return hermes("memory", "facts", "list").stdout


def test_a_correction_in_the_same_conversation_stands(hermes: Hermes, own_home: Home, set_back: SetBack) -> None:
    hermes("chat", "-q", "I live in Trondheim.")
    set_back()
    assert "Bodø" in hermes("chat", "-c", "-q", "I live in Bodø now.").stdout
    assert own_home.user_note.read_text() == "Lives in Bodø"
    hermes("jobs", "run")
    assert own_home.user_note.read_text() == "Lives in Bodø"
    assert "Bodø" in known(hermes)
    assert "Trondheim" not in known(hermes)


def test_a_correction_in_another_conversation_stands(hermes: Hermes, own_home: Home, set_back: SetBack) -> None:
    hermes("chat", "-q", "I live in Trondheim.")
    hermes("jobs", "run")
    set_back()
    hermes("chat", "-q", "I live in Bodø now.")
    hermes("jobs", "run")
    assert own_home.user_note.read_text() == "Lives in Bodø"
    assert "Trondheim" not in known(hermes)


def test_what_is_said_after_a_fact_was_added_by_hand_stands(hermes: Hermes, set_back: SetBack) -> None:
    hermes("memory", "fact", "add", "I live in Trondheim.")
    set_back()
    hermes("memory", "fact", "add", "I live in Bodø.")
    assert "Trondheim" not in known(hermes)
    hermes("chat", "-q", "I live in Oslo now.")
    hermes("jobs", "run")
    assert "Oslo" in known(hermes)
    assert "Bodø" not in known(hermes)


def test_a_line_that_its_owner_writes_into_the_note_stands(
    hermes: Hermes, own_home: Home, set_back: SetBack
) -> None:
    hermes("chat", "-q", "I live in Trondheim.")
    hermes("jobs", "run")
    set_back()
    own_home.user_note.write_text("Lives in Bodø")
    hermes("chat", "-q", "Hello there.")
    hermes("jobs", "run")
    assert own_home.user_note.read_text() == "Lives in Bodø"
    assert "Trondheim" not in known(hermes)
