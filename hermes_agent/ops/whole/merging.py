"""Bring all of a memory into a store in one transaction: an empty one becomes as it was, others are joined.

Rows are known by their uids. An empty store gets every row with its number, so that exporting it again gives the
same file. Elsewhere what is known stays, what went on is continued, and what is new gets numbers of its own; what
was learned in both places of the same words is one. Of somebody else's memory only conversations and facts come,
as an import's.
"""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import cast

from hermes_agent.errors import UsageError
from hermes_agent.memory import forget_all
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.memory.facts import IMPORTED
from hermes_agent.ops.forgetting.carrying_out import hashed_look
from hermes_agent.ops.steps import Step
from hermes_agent.ops.whole.form import Whole
from hermes_agent.ops.whole.numbers import Numbers, renumbered
from hermes_agent.ops.whole.reading import entries
from hermes_agent.records.archive import UNTRUSTED, Json
from hermes_agent.records.memory import Joined
from hermes_agent.store import (
    canonical,
    entity_joins,
    facts,
    jobs,
    messages,
    receipts,
    restore,
    summaries,
    sweeping,
)
from hermes_agent.store import skills as kept_skills
from hermes_agent.store.canonical import Row
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.store import Store

DERIVE = "derive"
"""The job, and its key, that makes what is derived of what came."""
_BLOCK = 500
_TWIN: dict[str, tuple[str, ...]] = {
    "facts": ("source_message", "span_start", "span_end", "subject", "attribute", "value", "polarity"),
    "reflections": ("message_uid",),
    "episodes": ("session_id", "first_message"),
}
"""What two rows have in common that two homes made of the same words."""
_KEYS: dict[str, tuple[str, ...]] = {
    "system_prompts": ("hash",),
    "disputes": ("fact_id", "rival_id"),
}
"""What rows without a uid are known by."""
_LATER: Row = {"parent_session_id": None, "parent_kind": None, "learned_to": 0, "reflected_to": 0}
"""What of a session refers to what comes later."""
_NUMBERED = frozenset(name for name in canonical.TABLES if name not in ("system_prompts", "sessions"))
_FOREIGN = ("sessions", "messages", "facts")
"""What comes of somebody else's memory."""


@dataclass(slots=True)
class Brought:
    """What came: new rows by table, and those that were here already."""

    new: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    is_fresh: bool = False
    """Whether the store was empty, and holds the file as it was now."""
    is_own: bool = True
    kept_apart: list[str] = field(default_factory=list)
    """Skills that came under another name, because ours differs."""


@dataclass(slots=True)
class _Merge:
    """A merge while it is made."""

    connection: Connection
    engine: Engine
    brought: Brought
    numbers: Numbers = field(default_factory=Numbers)
    came: dict[str, Row] = field(default_factory=dict)
    """Sessions that are new here, by our names, as they are there."""
    grown: dict[str, Row] = field(default_factory=dict)
    """Sessions that are in both, by our names, as they are there."""
    longer: set[str] = field(default_factory=set)
    """Those of them that got messages."""
    theirs: Counter[str] = field(default_factory=Counter)
    """How many messages their sessions have."""
    diverged: set[str] | None = None
    """Sessions that went on in both places; None until all messages came."""

    def count(self, name: str, new: int, known: int) -> None:
        """Count what came, and what was here."""
        self.brought.new[name] = self.brought.new.get(name, 0) + new
        self.brought.known[name] = self.brought.known.get(name, 0) + known


def bring_in(store: Store, path: Path, whole: Whole, *, is_own: bool) -> Generator[Step, None, Brought]:
    """Bring a file in that was checked; return what came. Nothing is kept if anything is wrong."""
    total = sum(whole.rows.values())
    done = 0
    with store.write() as connection:
        merge = _Merge(connection, store.engine, Brought(is_own=is_own))
        merge.brought.is_fresh = is_own and canonical.is_empty(connection)
        before = {
            name: canonical.last_id(connection, name) for name in ("messages", "facts", "summaries", "episodes")
        }
        kept, known, lost = receipts.every(connection), sweeping.last_ids(connection), 0
        for name, block in _blocks(path):
            if is_own or name in _FOREIGN:
                _bring(merge, name, [one if is_own else _as_import(name, one) for one in block])
            done += len(block)
            yield Step("rows", done, total)
        _finish_sessions(merge)
        if is_own:
            entity_joins.change(connection, added=[Joined(*_pair(one)) for one in whole.joined])
        for name in canonical.TABLES:
            canonical.settle_numbers(connection, name)
        yield from _index(connection, store.engine, before)
        if blocking := [one for one in kept if one.lifted_at is None]:
            lost = forget_all.forget_again(connection, store.engine, hashed_look(blocking), known)
        if merge.brought.is_fresh:
            kept_skills.set_reached(connection, messages.last_id(connection))
        jobs.add(connection, DERIVE, DERIVE, {"episodes": before["episodes"], "facts": before["facts"]})
        jobs.add(connection, EPISODES, EPISODES)
        jobs.add(connection, EMBED, EMBED)
    if lost:
        with store.bare() as connection:
            store.engine.erase(connection)
    return merge.brought


def _blocks(path: Path) -> Iterator[tuple[str, list[Row]]]:
    rows = (one for one in entries(path) if one[0] in canonical.TABLES)
    for name, of_table in groupby(rows, key=itemgetter(0)):
        while block := [cast(Row, row) for _, row in islice(of_table, _BLOCK)]:
            yield name, block


def _bring(merge: _Merge, name: str, block: Sequence[Row]) -> None:
    if name == "sessions":
        _bring_sessions(merge, block)
    elif merge.brought.is_fresh:
        canonical.put(merge.connection, name, block)
        merge.count(name, len(block), 0)
    elif name == "note_versions":
        pass  # the notes themselves are joined (`joining.py`)
    else:
        rows = [renumbered(name, one, merge.numbers) for one in block]
        if name == "messages":
            rows = [one for one in rows if _belongs(merge, one)]
            merge.theirs.update(str(one["session_id"]) for one in rows)
        special = {"disputes": _bring_disputes, "skills": _bring_skills, "episodes": _bring_episodes}
        special.get(name, _bring_rows)(merge, name, rows)


def _belongs(merge: _Merge, message: Row) -> bool:
    """Tell whether a message is of a session that came with it; a stranger adds nothing to one that is here."""
    session = message["session_id"]
    if not merge.brought.is_own:
        return session in merge.came and message["role"] != "system"
    return session in merge.came or session in merge.grown


def _bring_rows(merge: _Merge, name: str, rows: Sequence[Row]) -> None:
    """Add the rows that are not here, each with a number of its own."""
    known = _known(merge, name, rows)
    number = canonical.last_id(merge.connection, name) if name in _NUMBERED else 0
    new: list[Row] = []
    for row in rows:
        ours = known.get(_key(name, row)) or known.get(_twin(name, row) or ())
        if ours is None:
            number += 1
            new.append({**row, "id": number} if name in _NUMBERED else row)
            known[_key(name, row)] = new[-1]
        elif merge.brought.is_own:
            _continue(merge, name, ours, row)
        if name in _NUMBERED:
            _note(merge, name, row, ours or new[-1])
    canonical.put(merge.connection, name, new)
    merge.count(name, len(new), len(rows) - len(new))
    if name == "messages":
        merge.longer |= {str(one["session_id"]) for one in new} & merge.grown.keys()


def _note(merge: _Merge, name: str, theirs: Row, ours: Row) -> None:
    number, here = theirs.get("id"), ours["id"]
    assert isinstance(number, int) and isinstance(here, int), "the file was checked"
    merge.numbers.put(name, number, here)
    if theirs.get("uid") != ours.get("uid"):
        merge.numbers.uids[str(theirs["uid"])] = str(ours["uid"])


def _known(merge: _Merge, name: str, rows: Sequence[Row]) -> dict[tuple[Json, ...], Row]:
    """Return the rows of ours that some of theirs may be, by what they are known by."""
    key = _KEYS.get(name, ("uid",))
    found = canonical.having(merge.connection, name, key[0], [row.get(key[0]) for row in rows])
    by_key = {_key(name, one): one for one in found}
    if name in _TWIN:
        column = _TWIN[name][0]
        alike = canonical.having(merge.connection, name, column, [row.get(column) for row in rows])
        by_key |= {twin: one for one in alike if (twin := _twin(name, one)) is not None}
    return by_key


def _key(name: str, row: Row) -> tuple[Json, ...]:
    return tuple(row.get(column) for column in _KEYS.get(name, ("uid",)))


def _twin(name: str, row: Row) -> tuple[Json, ...] | None:
    """Return what a row shares with one that was made elsewhere of the same words; None if it has none."""
    columns = _TWIN.get(name, ())
    is_one = bool(columns) and row.get(columns[0]) is not None
    return ("twin", *(row.get(column) for column in columns)) if is_one else None


def _continue(merge: _Merge, name: str, ours: Row, theirs: Row) -> None:
    """Bring what is here further where it went on there."""
    if name == "facts":
        further: dict[str, Json] = {
            "corroborations": max(_number(ours, "corroborations"), _number(theirs, "corroborations")),
            "is_pinned": bool(ours["is_pinned"] or theirs["is_pinned"]),
        }
        if ours["state"] == "current" and theirs["state"] != "current":
            further |= {column: theirs[column] for column in ("state", "ended_at", "valid_to", "superseded_by")}
        if any(ours[column] != value for column, value in further.items()):
            canonical.change(merge.connection, name, "id", ours["id"], further)


def _bring_episodes(merge: _Merge, name: str, rows: Sequence[Row]) -> None:
    """Add episodes whose messages came; those of a session that went on in both places are made anew."""
    if merge.diverged is None:
        merge.diverged = _diverged(merge)
    whole = [one for one in rows if one.get("first_message") is not None and one.get("last_message") is not None]
    _bring_rows(merge, name, [one for one in whole if one.get("session_id") not in merge.diverged])


def _diverged(merge: _Merge) -> set[str]:
    """Return the sessions that have messages of ours beside theirs that are new."""
    counts = canonical.count_by(merge.connection, "messages", "session_id", sorted(merge.longer))
    return {str(name) for name, count in counts.items() if count > merge.theirs[str(name)]}


def _bring_disputes(merge: _Merge, name: str, rows: Sequence[Row]) -> None:
    _bring_rows(merge, name, [one for one in rows if one["fact_id"] is not None and one["rival_id"] is not None])


def _bring_skills(merge: _Merge, name: str, rows: Sequence[Row]) -> None:
    """Add skills that are not here; of one that changed in both places the later version stands, under its name.

    A skill of the same name that was made apart is kept beside ours, archived, under a name of its own.
    """
    known = {
        str(one["skill"]): one
        for one in canonical.having(merge.connection, name, "skill", [r["skill"] for r in rows])
    }
    new: list[Row] = []
    for row in rows:
        ours = known.get(str(row["skill"]))
        if ours is None:
            new.append(row)
        elif ours["files"] == row["files"] or ours["uid"] == row["uid"]:
            _note(merge, name, row, ours)
            if _number(row, "changed_at") > _number(ours, "changed_at") and ours["uid"] == row["uid"]:
                later = {column: row[column] for column in ("files", "state", "category", "changed_at")}
                canonical.change(merge.connection, name, "id", ours["id"], later)
            merge.count(name, 0, 1)
        else:
            apart = _free_skill(merge, str(row["skill"]))
            merge.brought.kept_apart.append(apart)
            new.append({**row, "skill": apart, "state": "archived"})
    _bring_rows(merge, name, new)


def _free_skill(merge: _Merge, skill: str) -> str:
    number = 2
    while canonical.having(merge.connection, "skills", "skill", [f"{skill}-{number}"]):
        number += 1
    return f"{skill}-{number}"


def _bring_sessions(merge: _Merge, block: Sequence[Row]) -> None:
    connection = merge.connection
    known = {one["uid"]: one for one in canonical.having(connection, "sessions", "uid", [r["uid"] for r in block])}
    taken = {one["id"] for one in canonical.having(connection, "sessions", "id", [r["id"] for r in block])}
    new: list[Row] = []
    for row in block:
        theirs, ours = str(row["id"]), known.get(row["uid"])
        here = str(ours["id"]) if ours is not None else _free_session(connection, theirs, taken)
        taken.add(here)
        if here != theirs:
            merge.numbers.sessions[theirs] = here
        if ours is not None:
            merge.grown[here] = row
            continue
        merge.came[here] = row
        title = row.get("title")
        if not merge.brought.is_fresh and isinstance(title, str):
            title = restore.free_title(connection, title)
        new.append({**row, **_LATER, "id": here, "title": title})
        canonical.put(connection, "sessions", new[-1:])  # at once: the next may have the same title
    merge.count("sessions", len(new), len(block) - len(new))


def _free_session(connection: Connection, name: str, taken: set[Json]) -> str:
    number, free = 2, name
    while free in taken or (free != name and canonical.having(connection, "sessions", "id", [free])):
        free = f"{name}-{number}"
        number += 1
    return free


def _finish_sessions(merge: _Merge) -> None:
    """Give sessions their parents, and bring those further that went on elsewhere."""
    connection = merge.connection
    for here, theirs in merge.came.items():
        parent = merge.numbers.session(theirs.get("parent_session_id"))
        values: dict[str, Json] = {"learned_to": theirs["learned_to"], "reflected_to": theirs["reflected_to"]}
        if not merge.brought.is_fresh:
            values = {name: merge.numbers.up_to(number) for name, number in values.items()}
        if parent is not None and canonical.having(connection, "sessions", "id", [parent]):
            values |= {"parent_session_id": parent, "parent_kind": theirs.get("parent_kind")}
        if values != _LATER:
            canonical.change(connection, "sessions", "id", here, values)
    for here, theirs in merge.grown.items() if merge.brought.is_own else ():
        (ours,) = canonical.having(connection, "sessions", "id", [here])
        canonical.change(connection, "sessions", "id", here, _further(ours, theirs))
        if here in merge.longer:
            messages.recount(connection, here)


def _further(ours: Row, theirs: Row) -> dict[str, Json]:
    """Return what a session is that both know: the larger counts, an end if one has it, what either wants."""
    most = ("last_active_at", *(name for name in ours if name.endswith("_tokens")))
    values: dict[str, Json] = {name: max(_number(ours, name), _number(theirs, name)) for name in most}
    values |= {name: bool(ours[name] or theirs[name]) for name in ("is_archived", "is_pinned")}
    if ours["ended_at"] is None:
        values |= {"ended_at": theirs["ended_at"], "end_reason": theirs["end_reason"]}
    return values


def _index(connection: Connection, engine: Engine, before: Mapping[str, int]) -> Generator[Step, None, None]:
    """Put what came into the text index."""
    last, done = before["messages"], 0
    while said := messages.searchable(connection, last, _BLOCK):
        engine.text.put(connection, [messages.indexed(one) for one in said])
        last, done = said[-1].id, done + len(said)
        yield Step("indexed", done)
    last = before["facts"]
    while held := facts.after(connection, last, _BLOCK):
        engine.text.put(connection, [facts.indexed(one) for one in held])
        last = held[-1].id
    last = before["summaries"]
    while told := summaries.after(connection, last, _BLOCK):
        engine.text.put(connection, [summaries.indexed(one) for one in told])
        last = told[-1].id


def _as_import(name: str, row: Row) -> Row:
    """Return a row of somebody else's memory: its words are an import's, and it decides nothing here."""
    if name == "sessions":
        return {**row, "system_prompt_hash": None, "is_pinned": False}
    changed: dict[str, Json] = {} if row["source_class"] in UNTRUSTED else {"source_class": "import"}
    if name == "messages":
        return {**row, **changed, "sent": None}
    confidence = row["confidence"]
    assert isinstance(confidence, int | float), "the file was checked"
    return {**row, **changed, "is_pinned": False, "confidence": min(confidence, IMPORTED)}


def _number(row: Row, column: str) -> int:
    value = row.get(column)
    return value if isinstance(value, int) else 0


def _pair(value: Json) -> tuple[str, str]:
    if not isinstance(value, list):
        raise UsageError("The file changed while it was read.")
    return str(value[0]), str(value[1])
