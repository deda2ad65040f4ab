"""Let the owner put a summary right, line by line; the messages behind it stay what they are.

A line keeps the conversation it tells of and whose words it holds: that decides how far it is trusted, and with
which conversation it goes. An entry of the journal holds every line there was, so that it can be undone; it is
silent once one of their conversations is gone (`forgetting.py`).
"""

from collections.abc import Sequence

from hermes_agent.errors import UsageError
from hermes_agent.memory import blocked, compressing, numbers
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.forgetting import SUMMARY_EDITED, TOLD
from hermes_agent.memory.seen import require_same
from hermes_agent.records.changes import between, described, whole
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.summaries import OWNER, Line, Summary
from hermes_agent.store import jobs, journal, summaries
from hermes_agent.store.store import Store

_LONGEST_TOPIC, _LONGEST_LINE = 200, 2_000


def edit(
    store: Store,
    typed: str,
    *,
    topic: str,
    lines: Sequence[str],
    cause: str | None = None,
    seen: Summary | None = None,
) -> Summary:
    """Say in the owner's words what a summary is about and what each of its lines tells; an empty line goes."""
    number = numbers.read(typed, "summary")
    with store.write() as connection:
        summaries.lock(connection)
        found = compressing.require(connection, number)
        require_same(found, seen)
        if not found.lines:
            # A subject alone would stay when the conversations behind it are forgotten: it is found by its lines.
            raise UsageError(f"{found.name} has no line to put right.", hint="To be rid of it, take it apart.")
        if len(lines) != len(found.lines):
            raise UsageError(f"{found.name} has {len(found.lines)} lines; as many must be given, empty ones too.")
        new_topic, new_lines = _topic(topic), _reworded(found.lines, lines)
        if not new_lines:
            raise UsageError("A summary says at least one thing.", hint="To be rid of it, take it apart.")
        if (new_topic, new_lines) == (found.topic, list(found.lines)):
            return found
        for text in (new_topic, *(line["text"] for line in new_lines)):
            blocked.refuse(connection, text)
        new = {"topic": new_topic, "lines": new_lines, "written_by": OWNER}
        changed = summaries.reword(connection, store.engine, found.id, new)
        jobs.add(connection, EMBED, EMBED)
        told = {TOLD: sorted({line["session"] for line in found.lines})}
        entry = NewEntry(SUMMARY_EDITED, found.name, f"{found.name} was changed.", cause=cause, after=told)
        journal.write(connection, described(entry, between(whole([found]), whole([changed]))))
        return changed


def _topic(typed: str) -> str:
    topic = " ".join(typed.split())
    if not topic or len(topic) > _LONGEST_TOPIC:
        raise UsageError(f"What a summary is about takes 1 to {_LONGEST_TOPIC} characters.")
    return topic


def _reworded(before: Sequence[Line], typed: Sequence[str]) -> list[Line]:
    """Return the lines with their new words, without those that have none."""
    told = [_words(one, text) for one, text in zip(before, typed, strict=True)]
    if any(len(text) > _LONGEST_LINE for text in told):
        raise UsageError(f"A line has at most {_LONGEST_LINE:,} characters.")
    return [{**one, "text": text} for one, text in zip(before, told, strict=True) if text]


def _words(before: Line, typed: str) -> str:
    """Return a line as it is kept, on one line; one that nobody touched stays to the letter."""
    words = " ".join(typed.split())
    return before["text"] if words == " ".join(before["text"].split()) else words
