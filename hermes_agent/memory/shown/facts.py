"""Facts as JSON: where they came from, how they came to be, and which contradict each other."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.memory.shown.archive import message_json
from hermes_agent.memory.shown.journal import entry_json
from hermes_agent.memory.shown.values import record_values, values_json
from hermes_agent.records.archive import Json, Message
from hermes_agent.records.journal import Entry

if TYPE_CHECKING:
    from hermes_agent.memory.fact_history import Chapter, Conflict
    from hermes_agent.memory.facts import Sourced

SETTLE = ("hermes memory fact delete {name}", 'hermes memory fact edit {name} "…"')
"""How the owner settles a conflict."""


def fact_json(told: "Sourced") -> dict[str, Json]:
    """Write a fact under the name people give it, whose word it is and where it came from, its times in UTC."""
    fact = told.fact
    names = {"id": fact.name, "name": fact.name}
    places: dict[str, Json] = {
        "supersedes": [one.name for one in told.former],
        "superseded_by": None if told.later is None else told.later.name,
    }
    return {
        **values_json(record_values(fact)),
        **names,
        **places,
        "trust": fact.trust,
        "source": source_json(told),
    }


def source_json(told: "Sourced") -> dict[str, Json]:
    """Write where a fact came from: the words of a message, which may be gone, or an entry of the journal."""
    fact, message = told.fact, told.message
    if fact.source_message is None:
        return {"entry": fact.source_entry}
    words = None if message is None else message.content
    return {
        "message": fact.source_message,
        "session": None if message is None else message.session_id,
        "start": fact.span_start,
        "end": fact.span_end,
        "quote": None if words is None else words[fact.span_start : fact.span_end],
    }


def opened_fact_json(told: "Sourced", source: Message | Entry | None) -> dict[str, Json]:
    """Write a fact with the whole of what it came from, None if that is gone."""
    opened: dict[str, Json] = {}
    if source is not None:
        opened = message_json(source) if isinstance(source, Message) else entry_json(source)
    return {**fact_json(told), "source": {**opened, **source_json(told)}}


def chapter_json(told: "Sourced", chapter: "Chapter") -> dict[str, Json]:
    """Write a fact in the history of one, with what happened to it."""
    return {**fact_json(told), "entries": [entry_json(entry) for entry in chapter.entries]}


def conflict_json(conflict: "Conflict", sides: "Sequence[Sourced]") -> dict[str, Json]:
    """Write two facts that contradict each other, the one that was known before first, and how to settle it."""
    return {
        "at": clock.iso(conflict.at),
        "reason": conflict.reason,
        "facts": [fact_json(side) for side in sides],
        "settle": [way.format(name=side.name) for side in (conflict.rival, conflict.fact) for way in SETTLE],
    }
