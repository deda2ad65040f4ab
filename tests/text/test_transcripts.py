"""Transcripts of turns are taken apart; two texts that say the same are compared as one."""

import pytest

from hermes_agent.text.transcripts import Transcript, compared, read, undated


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("User: I keep bees\n\nAssistant: Noted.", Transcript("I keep bees", "Noted.")),
        ("2026-11-18: User: I keep bees Assistant: Noted.", Transcript("I keep bees", "Noted.")),
        ("user: I keep bees", Transcript("I keep bees", "")),
        ("Assistant: Noted.", Transcript("", "Noted.")),
        ("User: " + "a " * 100_000, Transcript(("a " * 100_000).strip(), "")),
    ],
)
def test_a_turn_is_taken_apart(text: str, turn: Transcript) -> None:
    assert read(text) == turn


@pytest.mark.parametrize("text", ["", "User keeps bees", "The user: a smith", "Tell the assistant: no", "User:"])
def test_what_is_no_turn_is_none(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    "text",
    ["2026-11-18: tea", "2026-11-18 (trust 0.5): tea", "2026-11-18T09:30:00+01:00: tea", "2026-11-18 09:30: tea"],
)
def test_a_day_in_front_is_taken_off(text: str) -> None:
    assert undated(text) == "tea"
    assert undated("On " + text) == "On " + text


def test_case_accents_marks_line_ends_and_a_leading_user_do_not_matter() -> None:
    assert compared("The user likes\nCafé “Rex”.") == compared("likes cafe Rex") == "likes cafe rex"


@pytest.mark.parametrize(("one", "other"), [("C", "C++"), ("10", "10%"), ("-5", "5"), ("user", "")])
def test_what_differs_stays_different(one: str, other: str) -> None:
    assert compared(one) != compared(other)
