"""An owner puts a summary right, on both engines: it is found by the new words, and can be taken back."""

import json
from pathlib import Path

import pytest

from hermes_agent.errors import ChangedMeanwhile, NotFound, UsageError
from hermes_agent.memory import compressing, forget_all
from hermes_agent.memory.forget_asked import Asked, find
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.summary_changes import edit
from hermes_agent.memory.undo_choice import Named
from hermes_agent.memory.undoing import undo
from hermes_agent.ops import doctor
from hermes_agent.records.changes import Undone
from hermes_agent.records.notes import Refused
from hermes_agent.records.summaries import Summary
from hermes_agent.store import journal
from tests.memory.old_talk import compress, embed, learn, notebook, search, states

RIGHT = "Our cello teacher is called Sigrid Holm."


def made(old: Memory, *, is_discarding: bool = False) -> Summary:
    learn(old)
    (one,) = compress(old, is_discarding=is_discarding)
    return one.summary


def retell(old: Memory, one: Summary, words: str, new: str, topic: str | None = None) -> Summary:
    """Let the line that has some words say something else."""
    lines = [new if words in line["text"] else line["text"] for line in one.lines]
    return edit(old.store, one.name, topic=topic or one.topic, lines=lines)


def now(old: Memory) -> Summary:
    (one,) = compressing.recent(old.store, 9)
    return one


def journalled(old: Memory) -> str:
    with old.store.read() as connection:
        return json.dumps([[one.text, one.before, one.after] for one in journal.recent(connection, 999)])


def last_edit(old: Memory) -> str:
    with old.store.read() as connection:
        return journal.recent(connection, 1, kind="summary.edited")[0].uid


@pytest.mark.parametrize("is_discarding", (False, True))
def test_a_line_says_what_is_right_until_that_is_taken_back(
    old: Memory, tmp_path: Path, is_discarding: bool
) -> None:
    before = made(old, is_discarding=is_discarding)
    changed = retell(old, before, "Ingrid", RIGHT, topic="cello teacher")
    embed(old.store)
    assert changed == now(old)
    assert (changed.topic, changed.written_by) == ("cello teacher", "owner")
    assert [one["session"] for one in changed.lines] == [one["session"] for one in before.lines]
    if is_discarding:
        best = search(old, "Who is our cello teacher Sigrid?")[0]
        assert (best.kind, best.id) == ("summary", 1) and RIGHT in best.text
    assert doctor.check(old.store).problems == ()
    taken = undo(notebook(old, tmp_path), Named(last_edit(old)))
    assert isinstance(taken, Undone) and now(old) == before
    embed(old.store)
    if is_discarding:
        assert "Ingrid" in search(old, "Who is our violin teacher Ingrid?")[0].text
    again = undo(notebook(old, tmp_path), Named(taken.entry_uid))
    assert isinstance(again, Undone) and now(old) == changed


def test_a_line_that_is_left_empty_goes(old: Memory) -> None:
    before = made(old)
    changed = retell(old, before, "Ingrid", "  ")
    assert [*changed.lines] == [one for one in before.lines if "Ingrid" not in one["text"]]


def test_what_says_nothing_or_too_much_is_refused(old: Memory) -> None:
    before = made(old)
    lines = [one["text"] for one in before.lines]
    for topic, wrong in (
        (before.topic, lines[1:]),
        (before.topic, [""] * len(lines)),
        (before.topic, ["x" * 5_000, *lines[1:]]),
        (" ", lines),
        ("x" * 999, lines),
    ):
        with pytest.raises(UsageError):
            edit(old.store, before.name, topic=topic, lines=wrong)
    with pytest.raises(NotFound):
        edit(old.store, "summary:99", topic="x", lines=[])
    assert now(old) == before


def test_saving_what_stands_there_changes_nothing(old: Memory) -> None:
    before = made(old)
    assert edit(old.store, "1", topic=before.topic, lines=[one["text"] for one in before.lines]) == before
    assert "summary.edited" not in journalled(old)


def test_who_saw_another_one_changes_nothing(old: Memory) -> None:
    before = made(old)
    retell(old, before, "Ingrid", RIGHT)
    with pytest.raises(ChangedMeanwhile):
        edit(old.store, "1", topic="x", lines=[one["text"] for one in before.lines], seen=before)
    assert RIGHT in now(old).text


def test_a_compaction_is_taken_back_whatever_its_summary_was_made_to_say(old: Memory, tmp_path: Path) -> None:
    retell(old, made(old), "Ingrid", RIGHT)
    assert isinstance(undo(notebook(old, tmp_path), Named("summary:001")), Undone)
    assert states(old) == {"raw": 13}
    assert compressing.recent(old.store, 9) == []


@pytest.mark.parametrize("is_rewound", (False, True))
def test_what_was_said_in_a_conversation_that_is_gone_is_in_no_edit(
    old: Memory, tmp_path: Path, is_rewound: bool
) -> None:
    before = made(old)
    line = next(one for one in before.lines if "Ingrid" in one["text"])
    uid = last_edit_of(old, before, tmp_path)
    if is_rewound:
        old.rewind(line["session"], next(iter(old.messages(line["session"]))).id)
    else:
        old.delete([line["session"]], "test")
    told = journalled(old)
    assert "Ingrid" not in told and "Sigrid" not in told and "cello" not in told
    assert "Ingrid" not in now(old).text
    assert isinstance(undo(notebook(old, tmp_path), Named(uid)), Refused)
    assert isinstance(undo(notebook(old, tmp_path), Named("summary:001")), Undone)
    assert doctor.check(old.store).problems == ()


def last_edit_of(old: Memory, before: Summary, folder: Path) -> str:
    """Change a topic and a line, take it back, and make it again."""
    edit(old.store, "1", topic="cello", lines=[one["text"] for one in before.lines])
    uid = last_edit(old)
    undo(notebook(old, folder), Named(uid))
    retell(old, before, "Ingrid", RIGHT)
    return last_edit(old)


def test_a_summary_that_is_all_there_is_is_forgotten_for_good(old: Memory) -> None:
    retell(old, made(old, is_discarding=True), "Ingrid", RIGHT)
    embed(old.store)
    with old.store.write() as connection:
        forgotten = forget_all.forget(connection, old.store.engine, find(connection, Asked("summary:1")))
    assert forgotten.counts["summaries"] == 1
    assert compressing.recent(old.store, 9) == []
    assert "Sigrid" not in journalled(old) and "Ingrid" not in journalled(old)
    assert all("Sigrid" not in one.text for one in search(old, "Who is our cello teacher Sigrid?"))
    with old.store.read() as connection, pytest.raises(NotFound):
        find(connection, Asked("summary:1"))
    assert states(old) == {"raw": 1}
    assert doctor.check(old.store).problems == ()
