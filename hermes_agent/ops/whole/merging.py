"""Bring all of a memory into a store in one transaction: an empty one becomes as it was, others are joined.

Rows are known by their uids. An empty store gets every row with its number, so that exporting it again gives the
same file. Elsewhere what is new gets numbers of its own, what went on is continued (`conversations.py`), what both
changed is what it was changed to last (`records.py`, by the journals of both: `past.py`), and one summary tells of
each episode (`retelling.py`). Of somebody else's memory only conversations and facts come, as an import's.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import cast

from hermes_agent.errors import UsageError
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.memory.facts import IMPORTED as CONFIDENCE
from hermes_agent.memory.forget_brought import TakenOut, settle_sessions, take_out
from hermes_agent.memory.naming import named_in
from hermes_agent.memory.undoable import CAME, IMPORTED
from hermes_agent.ops.steps import Step
from hermes_agent.ops.whole import conversations, past, records, retelling, skills
from hermes_agent.ops.whole.form import Whole
from hermes_agent.ops.whole.merge import Brought, Merge
from hermes_agent.ops.whole.numbers import Numbers, renumbered
from hermes_agent.ops.whole.past import NEVER
from hermes_agent.ops.whole.reading import entries
from hermes_agent.records.archive import UNTRUSTED, Json
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Joined
from hermes_agent.store import (
    canonical,
    entities,
    entity_joins,
    facts,
    jobs,
    journal,
    messages,
    receipts,
    summaries,
    sweeping,
)
from hermes_agent.store import skills as kept_skills
from hermes_agent.store.canonical import Row
from hermes_agent.store.store import Store

DERIVE = "derive"
"""The job, and its key, that makes what is derived of what came."""
_BLOCK = 500
_NUMBERED = tuple(name for name in canonical.TABLES if name not in ("system_prompts", "sessions"))
_FOREIGN = ("sessions", "messages", "facts")
"""What comes of somebody else's memory."""


def bring_in(store: Store, path: Path, whole: Whole, *, is_own: bool) -> Generator[Step, None, Brought]:
    """Bring a file in that was checked; return what came. Nothing is kept if anything is wrong."""
    total = sum(whole.rows.values())
    done = 0
    with store.write() as connection:
        before = {name: canonical.last_number(connection, name) for name in _NUMBERED}
        merge = Merge(connection, store.engine, Brought(is_own=is_own), Numbers(before))
        merge.brought.is_fresh = is_own and canonical.is_empty(connection)
        blocking, known = receipts.blocking(connection), sweeping.last_ids(connection)
        merge.blocks = receipts.blocks(connection)
        if merge.is_joining:
            _look_back(merge, path)
        for name, block in _blocks(path):
            if is_own or name in _FOREIGN:
                _bring(merge, name, [one if is_own else _as_import(name, one) for one in block])
            done += len(block)
            yield Step("rows", done, total)
        if merge.is_joining:
            retelling.open_exchanges(merge)
        conversations.finish(merge)
        if merge.is_joining:
            retelling.settle(merge, before["summaries"])
            records.retract_taken_back(merge, before["facts"])
            records.rename_uids(merge)
        if is_own:
            _join_things(merge, whole)
        for name in _NUMBERED:
            last = max(merge.numbers.last[name], canonical.last_id(connection, name))
            canonical.settle_numbers(connection, name, last)
        yield from _index(merge, before)
        _index_again(merge)
        if blocking:
            _leave_out(
                merge, take_out(connection, store.engine, receipts.hashed_look(blocking), known, merge.came)
            )
        if not merge.brought.is_fresh and merge.brought.has_changes:
            _tell(merge, path.name)
        if merge.brought.is_fresh:
            kept_skills.set_reached(connection, messages.last_id(connection))
        jobs.add(connection, DERIVE, DERIVE, {"episodes": before["episodes"], "facts": before["facts"]})
        jobs.add(connection, EPISODES, EPISODES)
        jobs.add(connection, EMBED, EMBED)
    if any(merge.brought.blocked.values()):
        with store.bare() as connection:
            store.engine.erase(connection)
    return merge.brought


def _leave_out(merge: Merge, taken: TakenOut) -> None:
    """Count what did not come, or not whole, since it was forgotten here."""
    lost = merge.lost.keys() & merge.came.keys() - set(taken.sessions)
    emptied = [*taken.sessions, *settle_sessions(merge.connection, merge.engine, lost)]
    before = sum(merge.lost.values())
    receipts.note_left_out(merge.connection, "memory", before)
    whole = {name: taken.counts.get(name, 0) for name in ("facts", "reflections")}
    whole |= {"messages": len(taken.messages), "sessions": len(emptied)}
    for name, count in whole.items():
        merge.brought.new[name] = max(0, merge.brought.new.get(name, 0) - count)
    merge.brought.cut = taken.cut
    merge.brought.leave_out(taken.counts | whole | {"messages": before + len(taken.messages)})


def _look_back(merge: Merge, path: Path) -> None:
    """Read both journals: what changed last, and where; then follow what is gone there."""
    merge.ours = past.read(journal.changes_after(merge.connection, 0))
    merge.theirs = past.read(
        past.entry_of(cast(Row, row)) for name, row in entries(path, only="journal") if name == "journal"
    )
    facts.lock(merge.connection)
    if summaries.stand_alone(merge.connection):
        theirs = (cast(Row, row) for name, row in entries(path, only="episodes") if name == "episodes")
        conversations.note_discarded(merge, theirs)
    conversations.forget_deleted(merge)
    records.follow_gone(merge)


def _blocks(path: Path) -> Iterator[tuple[str, list[Row]]]:
    rows = (one for one in entries(path) if one[0] in canonical.TABLES)
    for name, of_table in groupby(rows, key=itemgetter(0)):
        while block := [cast(Row, row) for _, row in islice(of_table, _BLOCK)]:
            yield name, block


def _bring(merge: Merge, name: str, block: Sequence[Row]) -> None:
    if name == "sessions":
        conversations.bring_sessions(merge, block)
        return
    if merge.brought.is_fresh:
        canonical.put(merge.connection, name, block)
        merge.count(name, len(block), 0)
        return
    if name == "messages" and merge.discarded:
        block = [one for one in block if not conversations.is_discarded(merge, one)]
    rows = [renumbered(name, one, merge.numbers) for one in block]
    match name:
        case "note_versions":
            pass  # the notes themselves are joined (`joining.py`)
        case "messages":
            records.bring(merge, name, conversations.belonging(merge, rows))
        case "summaries":
            retelling.bring_summaries(merge, rows)
        case "episodes":
            retelling.bring_episodes(merge, [one for one in rows if _is_of_session(merge, one)])
        case "reflections" | "quarantine":
            records.bring(merge, name, [one for one in rows if _is_of_session(merge, one)])
        case "facts":
            records.bring_facts(merge, rows)
        case "skills":
            skills.bring(merge, rows)
        case _:
            records.bring(merge, name, rows)


def _is_of_session(merge: Merge, row: Row) -> bool:
    """Tell whether the conversation of a row is here: one that was deleted stays so."""
    return row.get("session_id") in merge.came or row.get("session_id") in merge.grown


def _join_things(merge: Merge, whole: Whole) -> None:
    """Join spellings that were joined there, and take apart what was taken apart there later than joined here."""
    theirs = [Joined(*_pair(one)) for one in whole.joined]
    ours = entity_joins.every(merge.connection)
    nothing = (NEVER, False)
    apart = [
        one
        for one in ours
        if one not in theirs
        and merge.theirs.joined.get(one.name, nothing) > merge.ours.joined.get(one.name, nothing)
    ]
    come = [
        one
        for one in theirs
        if one not in ours
        and merge.theirs.joined.get(one.name, nothing) >= merge.ours.joined.get(one.name, nothing)
    ]
    if come or apart:
        entity_joins.change(merge.connection, added=come, removed=apart)
        merge.brought.followed += len(come) + len(apart)


def _tell(merge: Merge, name: str) -> None:
    """Journal what came as one change, with what came into the journal: an undo does not take that for ours."""
    brought = merge.brought
    new = {table: count for table, count in brought.new.items() if count}
    told = (
        f"A memory was joined with this one: {new.get('messages', 0)} messages, {new.get('facts', 0)} facts came;"
        f" {brought.followed} that were here changed."
    )
    after: dict[str, Json] = {"new": dict(new), "followed": brought.followed}
    if brought.entries is not None:
        after[CAME] = list(brought.entries)
    journal.write(merge.connection, NewEntry(IMPORTED, name, told, cause="hermes memory import", after=after))


def _index(merge: Merge, before: Mapping[str, int]) -> Generator[Step, None, None]:
    """Put what came into the text index; summaries that are joined are there already (`retelling.settle`)."""
    connection, engine = merge.connection, merge.engine
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
    while merge.brought.is_fresh and (told := summaries.after(connection, last, _BLOCK)):
        engine.text.put(connection, [summaries.indexed(one) for one in told])
        last = told[-1].id


def _index_again(merge: Merge) -> None:
    """Let facts be found again that went here and came back."""
    found = facts.get_many(merge.connection, merge.revived)
    merge.engine.text.put(merge.connection, [facts.indexed(one) for one in found.values()])
    entities.link(merge.connection, "fact", {one.id: named_in([one.text]) for one in found.values()})


def _as_import(name: str, row: Row) -> Row:
    """Return a row of somebody else's memory: its words are an import's, and it decides nothing here."""
    if name == "sessions":
        return {**row, "system_prompt_hash": None, "is_pinned": False}
    changed: dict[str, Json] = {} if row["source_class"] in UNTRUSTED else {"source_class": "import"}
    if name == "messages":
        return {**row, **changed, "sent": None}
    confidence = row["confidence"]
    assert isinstance(confidence, int | float), "the file was checked"
    return {**row, **changed, "is_pinned": False, "confidence": min(confidence, CONFIDENCE)}


def _pair(value: Json) -> tuple[str, str]:
    if not isinstance(value, list):
        raise UsageError("The file changed while it was read.")
    return str(value[0]), str(value[1])
