"""Changes of memory as JSON: entries of the journal, what was undone, and what differs between two moments."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.memory.shown.values import values_json
from hermes_agent.records.archive import Json
from hermes_agent.records.changes import Undone, Values
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import fact_name
from hermes_agent.records.notes import SUBJECTS

if TYPE_CHECKING:
    from hermes_agent.memory.difference import Differences, Point

_ADDED = "fact.added"


def entry_json(entry: Entry) -> dict[str, Json]:
    """Write a journal entry, its times in UTC."""
    return values_json({**asdict(entry), "happened_at": entry.when})


def sentence(entry: Entry) -> str:
    """Return what an entry says, with the words of a fact that it names by its number alone."""
    words = entry.after.get("text") if entry.kind == _ADDED and isinstance(entry.after, dict) else None
    return f"{entry.text.removesuffix('.')}: “{words}”." if isinstance(words, str) and words else entry.text


def undone_json(outcome: Undone) -> dict[str, Json]:
    """Write what was taken back, and what else its turn changed."""
    return {
        "uid": outcome.entry_uid,
        "undone": [entry_json(entry) for entry in outcome.entries],
        "turn": None if outcome.turn is None else entry_json(outcome.turn),
        "also_of_the_turn": [entry_json(entry) for entry in outcome.also],
        "skipped": [entry_json(entry) for entry in outcome.skipped],
    }


def differences_json(one: "Point", other: "Point", found: "Differences") -> dict[str, Json]:
    """Write what differs between two moments."""
    return {
        "from": clock.iso(one.at),
        "to": clock.iso(other.at),
        "facts": {
            "added": [_fact(fact) for fact in found.added],
            "ended": [_fact(fact) for fact in found.ended],
            "changed": [
                {**_fact(fact.values), "before": values_json(fact.before), "after": values_json(fact.after)}
                for fact in found.changed
            ],
        },
        "counts": dict(found.counts),
        "notes": [
            {
                "note": SUBJECTS[note.note],
                "before": note.before,
                "after": note.after,
                "diff": "\n".join(note.lines()),
            }
            for note in found.notes
        ],
    }


def name_of(values: Values) -> str:
    """Return the name people give a fact of a difference."""
    number = values["id"]
    return fact_name(number) if isinstance(number, int) else str(number)


def _fact(values: Values) -> dict[str, Json]:
    return {**values_json(values), "id": name_of(values)}
