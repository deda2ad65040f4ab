"""The notes as the embedded model writes and reads them: its own lines, and those of other hands."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.agent.embedded.notes import Notes, read_notes, updated
from hermes_agent.learn.entries import is_ours, line_of, read_entry, target_of
from hermes_agent.learn.statements import read_statements
from hermes_agent.records.statements import Statement
from hermes_agent.records.talk import AssistantLine, Line, ToolCall, ToolLine, UserLine
from tests.agent.embedded.requests import prompt
from tests.learn.stated import SAID

LASTING = [
    one
    for said in SAID
    for one in read_statements(said)
    if one.is_lasting and one.attribute and one.polarity in ("is", "is not")
]


@pytest.mark.parametrize("statement", LASTING, ids=lambda one: f"{one.attribute}={one.value}")
def test_what_is_written_reads_back_as_the_same_statement(statement: Statement) -> None:
    line = line_of(statement)
    back = read_entry(line, target_of(statement))
    assert [
        one
        for one in back
        if (one.who, one.attribute, one.value.casefold(), one.polarity)
        == (statement.who, statement.attribute, statement.value.casefold(), statement.polarity)
    ], f"{line!r} was read as {back}"
    assert "\n" not in line


@pytest.mark.parametrize(
    ("entry", "attribute", "value"),
    [
        ("User prefers dark mode", "prefers", "dark mode"),
        ("The user's name is Ada.", "name", "Ada"),
        ("User lives in Graz", "home", "Graz"),
        ("Prefers short answers", "prefers", "short answers"),
        ("Timezone: Europe/Vienna", "timezone", "Europe/Vienna"),
        ("Name: Ada", "name", "Ada"),
        ("Job: nurse", "role", "nurse"),
        ("My name is Ada", "name", "Ada"),
        ("Vegetarian", "is", "Vegetarian"),
        ("Allergic to nuts.", "allergy", "nuts"),
    ],
)
def test_entries_of_other_hands_are_understood(entry: str, attribute: str, value: str) -> None:
    assert [(one.attribute, one.value.lower()) for one in read_entry(entry, "user")] == [
        (attribute, value.lower())
    ]


def test_an_entry_nobody_can_take_apart_says_its_own_words() -> None:
    entry = "34, nurse; two kids (Lena & Max)"
    assert [(one.attribute, one.value) for one in read_entry(entry, "user")] == [("note", entry)]
    assert not is_ours("Works at Siemens as a nurse", "user")
    assert is_ours("Sister: Mia; lives in Oslo", "user")


def test_notes_are_found_in_the_prompt() -> None:
    notes = read_notes(prompt(["Name: Ada", "Likes tea"], ["We use vim"], "# Rules\nBe nice."))
    assert notes == Notes(("Name: Ada", "Likes tea"), ("We use vim",), ("# Rules\nBe nice.",))
    assert read_notes("You are Hermes.") == Notes()


def test_entries_of_several_lines_and_blocked_ones() -> None:
    notes = read_notes(prompt(["Address:\nHigh Street 5\n\nGraz", "[BLOCKED: x]", "a § b"]))
    assert notes.user == ("Address:\nHigh Street 5\n\nGraz", "a § b")


def test_what_memory_did_in_the_conversation_is_applied() -> None:
    changes = [
        {"action": "add", "content": "B"},
        {"action": "replace", "old_text": "Likes tea", "content": "Likes rum"},
        {"action": "remove", "old_text": "Name"},
    ]
    operations = json.dumps({"target": "user", "operations": changes})
    single = '{"action": "add", "target": "memory", "content": "C"}'
    talk: list[Line] = [
        *(
            UserLine("x"),
            AssistantLine("", [ToolCall("1", "memory", operations), ToolCall("2", "memory", single)]),
        ),
        *(ToolLine("1", "memory", '{"success": true}'), ToolLine("2", "memory", '{"success": true}')),
    ]
    notes = updated(Notes(("Name: Ada", "Likes tea, cake", "Likes tea")), talk)
    assert notes == Notes(("Likes tea, cake", "Likes rum", "B"), ("C",))


@given(st.text(max_size=80), st.sampled_from(["user", "memory"]))
def test_any_entry_can_be_read(entry: str, target: str) -> None:
    for statement in read_entry(entry, target):
        assert line_of(statement) or not entry.strip()
