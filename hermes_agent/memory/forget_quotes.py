"""Take what quotes a forgotten text out of everything else in the store, in the transaction that forgets.

One road for all: every table is looked through for the runs of bytes that tell the text from others. Sentences are
cut out of messages and of what went to the model beside them; what cannot lose a sentence (a fact, a lesson, a
title, a stored prompt) goes whole; entries of the journal stay and are silent.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

from hermes_agent.learn.forget import MARK, cut, cut_json
from hermes_agent.memory.forgetting import forget_lessons, forget_records
from hermes_agent.memory.forgotten import silent, without
from hermes_agent.notes import format
from hermes_agent.notes.files import digest
from hermes_agent.records.archive import Json
from hermes_agent.records.changes import change_of
from hermes_agent.records.memory import fact_name
from hermes_agent.skills import document
from hermes_agent.skills.document import Document
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.store import entities, forgetting, journal, messages, reflections, summaries, sweeping, tables
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.sweeping import Row
from hermes_agent.text.runs import Look, encoded, strings

WHOLE = "skills that go whole"
_MESSAGE_JSON = ("tool_calls", "attachments", "metadata")
_BESIDE = ("reasoning", "sent", *_MESSAGE_JSON, "speaker", "tool_name", "tool_call_id", "finish_reason", "model")
_OWN = ("facts", "skills", "note_versions")
"""What people write themselves, or was learned of what they said."""
_ENTRY_NOTES = ("memory", "user")


@dataclass(slots=True)
class Quotes:
    """What was taken out, and texts of it for whoever is asked."""

    counts: Counter[str] = field(default_factory=Counter)
    samples: list[str] = field(default_factory=list)
    facts: list[Row] = field(default_factory=list)
    """The facts among it, as they were."""
    messages: list[int] = field(default_factory=list)
    """The numbers of the messages that quoted it."""
    quoting: list[tuple[str, str]] = field(default_factory=list)
    """What quoted it of all that is shown, by its name, and what it said."""


def forget_quotes(
    connection: Connection,
    engine: Engine,
    own_look: Look,
    after: Mapping[str, int] | None = None,
    retold: Look | None = None,
) -> Quotes:
    """Look through every table, and take out what is found; `after` tells up to which row of each not to look.

    `retold` looks for what others say as well: not in what people said and wrote themselves, but in all that was
    made of it.
    """
    quotes, known = Quotes(), after or {}
    for name, take_out in _ORDER.items():
        look = own_look if retold is None or name in _OWN else _either(own_look, retold)
        rows = sweeping.holding(connection, tables.metadata.tables[name], look, known.get(name, 0))
        if name == "messages":
            rows = [row for row in rows if _is_quoting(row, look, own_look)]
            take_out = partial(_messages, own_look=own_look)
        if rows:
            take_out(connection, engine, rows, look)
            quotes.counts[name] += len(rows)
            quotes.counts[WHOLE] += sum(_goes_whole(row, look) for row in rows) if name == "skills" else 0
            quotes.facts += rows if name == "facts" else []
            quotes.messages += [_number(row) for row in rows] if name == "messages" else []
            if name in _SHOWN:
                quotes.samples += [_sample(row, look) for row in rows[:2]]
                quotes.quoting += [_told(name, row) for row in rows]
    entities.remove_stale(connection)
    return quotes


def _either(one: Look, other: Look) -> Look:
    return lambda data: one(data) + other(data)


def _is_quoting(row: Row, look: Look, own_look: Look) -> bool:
    return _has(row, ("content",), _in_content(row, own_look, look)) or _has(row, _BESIDE, look)


def _in_content(row: Row, own_look: Look, look: Look) -> Look:
    """Return how what a message says is looked through: what people say is theirs."""
    return own_look if row["role"] == "user" else look


def _messages(
    connection: Connection, engine: Engine, rows: Sequence[Row], look: Look, own_look: Look | None = None
) -> None:
    changed: list[Row] = []
    for row in rows:
        looks = {"content": _in_content(row, own_look or look, look), "reasoning": look, "sent": look}
        if _has(row, ("content",), looks["content"]) or _has(row, ("reasoning", *_MESSAGE_JSON), look):
            changed.append(row)
        put: dict[str, object] = {
            name: cut(str(row[name]), one) for name, one in looks.items() if row[name] is not None
        }
        put |= {name: cut_json(_json(row[name]), look) for name in _MESSAGE_JSON if row[name] is not None}
        if _has(row, ("speaker", "tool_name", "tool_call_id", "finish_reason", "model"), look):
            put |= {"speaker": None, "tool_name": None, "finish_reason": None, "model": None}
        sweeping.put(connection, tables.messages, row, put)
    ids = [_number(row) for row in changed]
    if ids:
        forgetting.read_anew(connection, engine, ids, is_erasure=True)
        found = messages.get_many(connection, ids).values()
        engine.text.put(connection, [messages.indexed(one) for one in found if one.state != "rewound"])


def _sessions(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
    for row in rows:
        put: dict[str, object] = {
            name: cut_json(_json(row[name]), look)
            for name in ("model_config", "metadata")
            if row[name] is not None
        }
        put |= {name: None for name in ("title", "folder", "user_id", "end_reason") if _has(row, (name,), look)}
        put |= {"title_source": None} if "title" in put else {}
        sweeping.put(connection, tables.sessions, row, put)


def _prompts(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
    sweeping.forget_prompts(connection, [str(row["hash"]) for row in rows])


def _facts(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
    ids = [_number(row) for row in rows]
    forgetting.remove_facts(connection, engine, ids)
    forget_records(connection, [fact_name(number) for number in ids])


def _reflections(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
    gone = list(reflections.get_many(connection, [_number(row) for row in rows]).values())
    reflections.remove(connection, [one.id for one in gone])
    forget_lessons(connection, gone, ())


def _summaries(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
    for one in summaries.get_many(connection, [_number(row) for row in rows]).values():
        kept = [line for line in one.lines if not any(look(encoded(text)) for text in strings(dict(line)))]
        summaries.keep_lines(connection, engine, one, kept)


def _journal(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
    for entry in journal.get_many(connection, [_number(row) for row in rows]):
        change = change_of(entry)
        sides = {} if change is None else {**change.before, **change.after}
        both = () if change is None else (change.before, change.after)
        names = [
            name
            for name in sides
            if any(look(encoded(text)) for side in both for text in strings(dict(side.get(name, {}))))
        ]
        left = silent(without(entry, names))
        if any(look(encoded(text)) for text in strings([left.before, left.after])):
            left = silent(without(left, list(sides)))
            left = replace(left, before=cut_json(left.before, look), after=cut_json(left.after, look))
        subject = "memory" if look(encoded(left.subject)) else left.subject
        journal.put(connection, replace(left, subject=subject, text=cut(left.text, look)))


def _note_versions(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
    for row in rows:
        text = note_without(str(row["note"]), str(row["text"]), look)
        grounds = None if row["grounds"] is None else cut_json(_json(row["grounds"]), look)
        put = {"text": text, "hash": digest(text), "grounds": grounds}
        sweeping.put(connection, tables.note_versions, row, put)


def note_without(note: str, text: str, look: Look) -> str:
    """Return the text of a note without the entries that quote; of a free text the sentences go."""
    if note in _ENTRY_NOTES:
        entries = format.parse(text)
        kept = [one for one in entries if not look(encoded(one))]
        return text if len(kept) == len(entries) else format.render(kept)
    return cut(text, look).replace(MARK, "") if look(encoded(text)) else text


def _goes_whole(row: Row, look: Look) -> bool:
    """Tell whether a skill that is in use goes, not only lines of it."""
    files = _texts(row["files"])
    is_named = _has(row, ("skill", "category"), look)
    return row["state"] != "deleted" and bool(files) and (is_named or would_break(files, _left_of(files, look)))


def _left_of(files: Mapping[str, str], look: Look) -> dict[str, str]:
    return {name: files_without(text, look) for name, text in files.items() if not look(encoded(name))}


def _skills(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
    for row in rows:
        files = _left_of(_texts(row["files"]), look)
        put: dict[str, object] = {"files": files}
        if _has(row, ("skill", "category"), look):
            put |= {"skill": f"forgotten-{row['id']}", "category": None, "state": "deleted", "files": {}}
        elif would_break(_texts(row["files"]), files):
            put |= {"state": "deleted", "files": {}}
        sweeping.put(connection, tables.skills, row, put)


def would_break(files: Mapping[str, str], left: Mapping[str, str]) -> bool:
    """Tell whether a skill that can be read could not be any more: its name or its description would be lost."""
    before, after = (document.parse(each.get(DOCUMENT, "")) for each in (files, left))
    return isinstance(before, Document) and not isinstance(after, Document)


def files_without(text: str, look: Look) -> str:
    """Return the text of a file without the lines that quote."""
    if not look(encoded(text)):
        return text
    kept = [line for line in text.splitlines(keepends=True) if not look(encoded(line))]
    return cut("".join(kept), look)


def _selftests(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
    for row in rows:
        results = dict(cast("dict[str, Json]", row["results"]))
        answers = cast("list[Json]", results.get("answers") or [])
        kept = [one for one in answers if not any(look(encoded(text)) for text in strings(one))]
        left = cast("dict[str, Json]", cut_json({**results, "answers": kept}, look))
        cause = cut(str(row["cause"]), look)
        put = {"results": left, "questions": len(kept), "cause": cause}
        sweeping.put(connection, tables.selftests, row, put)


def _cut(name: str, **emptied: object) -> "_TakeOut":
    """Return how the rows of a table lose their sentences; `emptied` are columns that are emptied instead."""
    table = tables.metadata.tables[name]

    def take_out(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
        for row in rows:
            held = [one for one in sweeping.words_of(table) if _has(row, (one,), look)]
            put = {one: emptied[one] if one in emptied else cut_json(_json(row[one]), look) for one in held}
            sweeping.put(connection, table, row, put)

    return take_out


def _remove(name: str) -> "_TakeOut":
    """Return how the rows of a table go whole."""

    def take_out(connection: Connection, engine: Engine, rows: Sequence[Row], look: Look) -> None:
        for row in rows:
            sweeping.remove(connection, tables.metadata.tables[name], row)

    return take_out


_TakeOut = Callable[[Connection, Engine, Sequence[Row], Look], None]
_ORDER: dict[str, _TakeOut] = {
    "facts": _facts,
    "reflections": _reflections,
    "summaries": _summaries,
    "messages": _messages,
    "sessions": _sessions,
    "system_prompts": _prompts,
    "episodes": _cut("episodes", task=None),
    "quarantine": _remove("quarantine"),
    "disputes": _cut("disputes"),
    "skills": _skills,
    "note_versions": _note_versions,
    "jobs": _cut("jobs", reason=None, key=MARK),
    "selftests": _selftests,
    "spending": _cut("spending", item=None, model=None),
    "fingerprints": _cut("fingerprints", trouble=None),
    "entities": _remove("entities"),
    "entity_aliases": _remove("entity_aliases"),
    "sketches": _remove("sketches"),
    "store_meta": _remove("store_meta"),
    "arrivals": _cut("arrivals", reply=None),
    "chats": _remove("chats"),
    "journal": _journal,
}
_SHOWN = ("messages", "facts", "summaries", "reflections")


def _sample(row: Row, look: Look) -> str:
    values = (row.get(name) for name in ("content", "text", "task", "lines", "sent"))
    held = (one for value in values for one in strings(value) if look(encoded(one)))
    return next(held, "")


def _told(name: str, row: Row) -> tuple[str, str]:
    """Return what a row is called, and all that it says."""
    columns = sweeping.words_of(tables.metadata.tables[name])
    return str(row["uid"]), "\0".join(text for one in columns for text in strings(row[one]))


def _has(row: Row, names: Sequence[str], look: Look) -> bool:
    return any(look(encoded(text)) for name in names for text in strings(row[name]))


def _number(row: Row) -> int:
    return cast(int, row["id"])


def _json(value: object) -> Json:
    return value  # what a column of JSON gives


def _texts(value: object) -> dict[str, str]:
    return cast("dict[str, str]", value)
