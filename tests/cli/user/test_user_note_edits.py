"""What the owner does to the lines of USER.md, and what it corrects."""

import json
from pathlib import Path

import pytest

from hermes_agent.memory.memory import Memory
from tests.cli.user.talking import LINES, SAID, entries, known, learned, say, texts
from tests.conftest import Hermes


def test_a_deleted_line_is_taken_back_and_not_written_again(memory: Memory, hermes: Hermes, note: Path) -> None:
    say(memory, hermes, *SAID, day=1)
    note.write_text("\n§\n".join(line for line in LINES if line not in (LINES[1], LINES[5])))
    learned(hermes)
    assert not {"User lives in Lyon", "User uses Firefox", "User uses Helix"} & set(texts(hermes))
    shown = json.loads(hermes("memory", "log", "--kind", "fact.deleted", "--json").stdout)
    (edit,) = json.loads(hermes("memory", "log", "--kind", "note.edited", "--json").stdout)
    assert [(one["subject"], one["actor"], one["cause"]) for one in reversed(shown)] == [
        (f"fact:{number:03}", "owner", edit["uid"]) for number in (2, 5, 6)
    ]
    say(memory, hermes, "I live in Lyon.", day=3)
    assert LINES[1] not in entries(note), "it is known again, but not written again"


def test_undoing_the_deletion_of_a_line_brings_back_what_stood_behind_it(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = note.read_bytes(), texts(hermes)
    note.write_text("\n§\n".join(["Lives in Nice" if line == LINES[1] else line for line in LINES[:-1]]))
    learned(hermes)
    assert "User lives in Nice" in texts(hermes)
    for _ in range(2):
        assert hermes("memory", "undo").exit_code == 0
        learned(hermes)
        assert (note.read_bytes(), texts(hermes)) == before
        undone = json.loads(hermes("memory", "history", "-t", "user", "--json").stdout)[0]["entry_uid"]
        assert hermes("memory", "undo", undone).exit_code == 0
        learned(hermes)
        assert "User lives in Nice" in texts(hermes)
        assert "User's sister Mia lives in Oslo" not in texts(hermes)


def test_undoing_what_was_written_of_a_changed_fact_is_the_owners_word(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    facts = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    lived = next(one for one in facts if one["text"] == "User lives in Lyon")
    assert hermes("memory", "fact", "edit", str(lived["id"]), "I live in Nice").exit_code == 0
    learned(hermes)
    assert entries(note) == ["Lives in Nice" if line == LINES[1] else line for line in LINES]
    for line, there in ((LINES[1], "User lives in Lyon"), ("Lives in Nice", "I live in Nice")):
        (changed, *_) = json.loads(hermes("memory", "history", "-t", "user", "--json").stdout)
        assert hermes("memory", "undo", changed["entry_uid"]).exit_code == 0
        for _ in range(2):
            learned(hermes)
            assert entries(note) == [line if one == LINES[1] else one for one in LINES]
            assert [one for one in texts(hermes) if one.endswith(("Lyon", "Nice"))] == [there]


EDITS = [
    # a line, what the owner makes of it, the facts there are then and the facts there are no longer
    ("Lives in Lyon", "Lives in Nice", ["User lives in Nice"], ["User lives in Lyon"]),
    (
        "Uses Firefox and Helix",
        "Uses Vivaldi, Helix and fish",
        ["User uses Vivaldi", "User uses Helix", "User uses fish"],
        ["User uses Firefox"],
    ),
    (
        "Sister: Mia; lives in Oslo",
        "Sister: Mia; lives in Bergen",
        ["User's sister Mia lives in Bergen"],
        ["User's sister Mia lives in Oslo"],
    ),
]


@pytest.mark.parametrize(("line", "now", "there", "gone"), EDITS)
def test_an_edited_line_is_the_owners_word(
    memory: Memory, hermes: Hermes, note: Path, line: str, now: str, there: list[str], gone: list[str]
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = texts(hermes)
    edited = [now if one == line else one for one in LINES]
    note.write_text("\n§\n".join(edited))
    learned(hermes)
    held = texts(hermes)
    assert set(there) <= set(held) and not set(gone) & set(held)
    assert len(held) == len(before) + len(there) - len(gone) - len(set(there) & set(before)), "nothing twice"
    assert entries(note) == edited, "the owner's line stands as it was typed, and nothing says it twice"
    say(memory, hermes, "I like figs.", day=2)
    assert entries(note) == [*edited, "Likes figs"]


def test_a_line_the_owner_adds_becomes_the_fact_and_is_not_written_twice(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    mine = [
        "Lives in Bergen",
        "Prefers tea",
        "Brother: Tom; works as a baker",
        "TODO: buy milk",
        "Coffee, please",
    ]
    note.write_text("\n§\n".join([*LINES, *mine]))
    learned(hermes)
    held = texts(hermes)
    assert {"User lives in Bergen", "User prefers tea", "User's brother Tom works as a baker"} <= set(held)
    assert "User lives in Lyon" not in held and not any("milk" in text for text in held)
    kept = [line for line in LINES if line != "Lives in Lyon"]
    assert entries(note) == [*kept, *mine]
    shown = json.loads(hermes("memory", "log", "--kind", "fact.edited", "--json").stdout)
    (edit,) = json.loads(hermes("memory", "log", "--kind", "note.edited", "--json").stdout)
    assert [one["cause"] for one in shown] == [edit["uid"]]
    learned(hermes)
    assert (texts(hermes), entries(note)) == (held, [*kept, *mine]), "it is taken up once"
    note.write_text("\n§\n".join([*kept, "Lives in Nice"]))
    learned(hermes)
    held = texts(hermes)
    assert "User lives in Nice" in held
    assert "User lives in Bergen" not in held and not any("tea" in text or "Tom" in text for text in held)
    assert entries(note) == [*kept, "Lives in Nice"], "what the owner deleted is not written again"


def test_undoing_a_line_by_hand_undoes_its_fact_and_makes_it_again(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = note.read_bytes(), texts(hermes)
    note.write_text(note.read_text() + "\n§\nPrefers tea")
    learned(hermes)
    after = note.read_bytes(), texts(hermes)
    assert after[1] == [*before[1], "User prefers tea"]
    undone = json.loads(hermes("memory", "undo", "--json").stdout)
    learned(hermes)
    assert (note.read_bytes(), texts(hermes)) == before
    assert hermes("memory", "undo", undone["uid"]).exit_code == 0
    learned(hermes)
    assert (note.read_bytes(), texts(hermes)) == after


def test_an_old_line_by_hand_does_not_replace_what_was_said_since(
    memory: Memory, hermes: Hermes, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_CURATE_USER_NOTE", "false")
    note.write_text("Mine")
    hermes("notes", "show")
    note.write_text("Mine\n§\nLives in Bergen")
    hermes("notes", "show")
    hermes("chat", "-q", "I moved to Oslo.")
    hermes("sessions", "end", "--all")
    learned(hermes)
    monkeypatch.setenv("HERMES_MEMORY_CURATE_USER_NOTE", "true")
    learned(hermes)
    assert texts(hermes) == ["User lives in Oslo"]


@pytest.mark.parametrize("between", [". ", "; ", "\n"])
def test_lines_that_are_put_together_are_no_correction(
    memory: Memory, hermes: Hermes, note: Path, between: str
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = texts(hermes)
    joined = [between.join(LINES[1:4]), LINES[0], between.join(LINES[4:])]
    note.write_text("\n§\n".join(joined))
    learned(hermes)
    assert (texts(hermes), entries(note)) == (before, joined)


def test_a_line_that_is_too_long_for_a_fact_is_told_and_keeps_no_other(
    memory: Memory, hermes: Hermes, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_USER_CHAR_LIMIT", "5000")
    say(memory, hermes, *SAID, day=1)
    long = "Lives in Lyon" + " and so on" * 300
    note.write_text("\n§\n".join([long if line == "Lives in Lyon" else line for line in LINES[:-1]]))
    learned(hermes)
    held = texts(hermes)
    assert "User lives in Lyon" in held and "User's sister Mia lives in Oslo" not in held
    (told,) = json.loads(hermes("memory", "log", "--kind", "note.unheeded", "--json").stdout)
    assert "could not be learned: A fact has at most 2,000 characters" in told["text"]
    learned(hermes)
    assert len(json.loads(hermes("memory", "log", "--kind", "note.unheeded", "--json").stdout)) == 1


def test_lines_that_moved_or_stand_in_a_text_of_the_owner_are_not_taken_back(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    say(memory, hermes, *SAID, day=1)
    before = texts(hermes)
    note.write_text("\n§\n".join(reversed(LINES)))
    learned(hermes)
    assert entries(note) == LINES[::-1]
    about = "# About me\n\n" + "".join(f"- {line}\n" for line in LINES)
    note.write_text(about)
    learned(hermes)
    assert (note.read_text(), texts(hermes)) == (about, before)


def test_a_concluded_line_that_was_deleted_leaves_its_facts_alone(
    memory: Memory, hermes: Hermes, note: Path
) -> None:
    said = ["Please keep your answers short.", "From now on be more concise.", "Never write long essays."]
    say(memory, hermes, *said, "Always be brief in summaries.", "Be terse when you explain code.", day=1)
    assert "Prefers short answers" in entries(note)
    assert "Prefers short answers  (concluded)" in hermes("notes", "show", "-t", "user").stdout
    before = texts(hermes)
    hermes("notes", "remove", "-t", "user", "Prefers short answers")
    learned(hermes)
    assert texts(hermes) == before
    assert "Prefers short answers" not in entries(note)
    assert "concluded" not in {one["basis"] for one in known(hermes)}
