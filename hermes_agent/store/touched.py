"""Records that changes touch, by their names: read whole, and put back as they were with what finds them.

What a fact names is not linked here: that is read from its text (`memory/naming.py`) by whoever puts it back.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Table, delete, insert, select, update

from hermes_agent.records.changes import Change, Records, whole
from hermes_agent.records.memory import Dispute, Fact, Joined
from hermes_agent.store import (
    bodies,
    compressed,
    entities,
    entity_joins,
    episodes,
    facts,
    reflections,
    sessions,
    skills,
    summaries,
    vectors,
)
from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.sketches import set_gists
from hermes_agent.store.tables import disputes
from hermes_agent.store.tables import episodes as episode_rows
from hermes_agent.store.tables import facts as fact_rows
from hermes_agent.store.tables import reflections as reflection_rows
from hermes_agent.store.tables import skills as skill_rows
from hermes_agent.store.tables import summaries as summary_rows

# A dispute names two facts: facts come before it and go after it.
_TABLES: dict[str, Table] = {
    "fact": fact_rows,
    "dispute": disputes,
    "reflection": reflection_rows,
    "skill": skill_rows,
    "summary": summary_rows,
    "episode": episode_rows,
}
_RETOLD = {"state", "topic", "lines"}
"""Fields of episodes and summaries by which they are found."""
_ALIAS = "alias:"
"""What names of joined things begin with: they have no number, and no row of their own."""


@dataclass(frozen=True, slots=True)
class Restored:
    """Facts that are indexed and must be linked; `is_wanting`: something may want a vector."""

    indexed: list[Fact]
    is_wanting: bool


def present(connection: Connection, names: Iterable[str]) -> Records:
    """Return the records with these names as they are, whole; without those that are not there."""
    names = list(names)
    ids = _ids(names)
    rows = connection.execute(select(disputes).where(is_in(disputes.c.id)), {"ids": ids["dispute"]}).mappings()
    found = facts.get_many(connection, ids["fact"])
    tasks = reflections.get_many(connection, ids["reflection"])
    kept = skills.get_many(connection, ids["skill"])
    return whole(
        [
            *found.values(),
            *(to_record(Dispute, row) for row in rows),
            *tasks.values(),
            *kept.values(),
            *summaries.get_many(connection, ids["summary"]).values(),
            *episodes.get_many(connection, ids["episode"]).values(),
            *_joined(connection, names),
        ]
    )


def make(connection: Connection, engine: Engine, change: Change, own: int | None) -> Restored:
    """Make a change to the records, and take what went out of everything that finds it.

    `own` is the fingerprint of our own model's vectors.
    """
    came = _ids(change.after.keys() - change.before.keys())
    went = _ids(change.before.keys() - change.after.keys())
    retold = _ids(name for name, values in change.after.items() if name in change.before and "text" in values)
    _unfind(connection, engine, [*went["fact"], *retold["fact"]])
    for kind, table in reversed(_TABLES.items()):
        connection.execute(delete(table).where(is_in(table.c.id)), {"ids": went[kind]})
    for kind, table in _TABLES.items():
        for name, values in change.after.items():
            if not name.startswith(f"{kind}:"):
                continue
            if name in change.before:
                connection.execute(update(table).where(table.c.id == number_of(name)).values(**values))
            else:
                connection.execute(insert(table).values(**values))
    _rejoin(connection, change)
    if any(name.startswith("reflection:") for name in change.names):
        reflections.mark_changed(connection)
    fresh = facts.get_many(connection, [*came["fact"], *retold["fact"]])
    engine.text.put(connection, [facts.indexed(fact) for fact in fresh.values()])
    stated = facts.get_many(
        connection, _ids(name for name, values in change.after.items() if "state" in values)["fact"]
    )
    wanting = [fact for fact in {**fresh, **stated}.values() if fact.state == "current"]
    told = _tell_episodes(connection, engine, change, own)
    return Restored(list(fresh.values()), bool(wanting) or told)


def _tell_episodes(connection: Connection, engine: Engine, change: Change, own: int | None) -> bool:
    """Bring what finds episodes and summaries in step with which of them stand; tell whether any does."""
    ids = _ids(name for name, values in change.after.items() if _RETOLD & values.keys())
    summaries.set_found(connection, engine, ids["summary"])
    now = episodes.get_many(connection, ids["episode"])
    told = [one.id for one in now.values() if one.state == "compressed"]
    raw = [one.id for one in now.values() if one.state == "raw"]
    bodies.unpack_all(connection, compressed.message_ids(connection, raw))
    if told:
        from hermes_agent.store import gists  # here: it loads numpy

        # Before their vectors go: a shrunk gist is made of those, too.
        set_gists(connection, gists.shrink(connection, told, own))
        bodies.pack_all(connection, engine, compressed.message_ids(connection, told))
    # The gists of those that are raw again stay until the whole ones are made with their vectors.
    episodes.forget_vectors(connection, list(now))
    if told:
        from hermes_agent.store import outlines

        outlines.renew(connection, told)
    return bool(now or ids["summary"])


def orphan(connection: Connection, change: Change) -> str | None:
    """Name a record that cannot come back: the conversation it belongs to was deleted."""
    for name in change.after.keys() - change.before.keys():
        session_id = change.after[name].get("session_id")
        if isinstance(session_id, str) and not sessions.exists_id(connection, session_id):
            return name
    return None


def taken(connection: Connection, change: Change) -> str | None:
    """Name a skill that cannot come back: another one has its name since."""
    went = change.before.keys() - change.after.keys()
    for name in change.after.keys() - change.before.keys():
        called = change.after[name].get("skill")
        known = skills.get(connection, called) if isinstance(called, str) else None
        if known is not None and known.name not in went:
            return known.skill
    return None


def _unfind(connection: Connection, engine: Engine, ids: list[int]) -> None:
    engine.text.remove(connection, ids, "facts")
    entities.unlink(connection, "fact", ids)
    vectors.remove(connection, vectors.FACT, ids)


def _joined(connection: Connection, names: Collection[str]) -> list[Joined]:
    wanted = {name for name in names if name.startswith(_ALIAS)}
    return [one for one in entity_joins.every(connection) if one.name in wanted] if wanted else []


def _rejoin(connection: Connection, change: Change) -> None:
    """Join things and take them apart, as a change says."""
    came, went = (
        [
            Joined(str(values["alias"]), str(values["key"]))
            for name, values in side.items()
            if name.startswith(_ALIAS)
        ]
        for side in (change.after, change.before)
    )
    if came or went:
        entity_joins.change(connection, added=came, removed=went)


def _ids(names: Iterable[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {kind: [] for kind in _TABLES}
    for name in sorted(names):
        if not name.startswith(_ALIAS):
            found[name.partition(":")[0]].append(number_of(name))
    return found


def number_of(name: str) -> int:
    """Return the number in a name like `fact:42`."""
    return int(name.partition(":")[2])
