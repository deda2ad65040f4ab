"""Join the records of two memories: by their uids, or by the words of which both made them.

What is known stays, unless it was changed there later than here: then it becomes what it is there, field by field
as they belong together. What went in one home stays gone, unless the other changed it since. Of what both made of
the same words one uid stands, the smaller, so that both homes call it alike afterwards.
"""

import json
from collections.abc import Mapping, Sequence

from hermes_agent.memory.embedding import own_fingerprint
from hermes_agent.memory.fact_journal import retract_said
from hermes_agent.memory.naming import named_in
from hermes_agent.ops.whole import conversations, past
from hermes_agent.ops.whole.merge import Merge, number
from hermes_agent.ops.whole.numbers import TABLE_OF, record_name
from hermes_agent.ops.whole.past import GROUPS, NEVER
from hermes_agent.records.archive import UNTRUSTED, Json
from hermes_agent.records.changes import Change, Records, Values
from hermes_agent.store import canonical, entities, facts, journal, messages, touched
from hermes_agent.store.canonical import Row

_TWIN: dict[str, tuple[str, ...]] = {
    "facts": past.TWIN,
    "reflections": ("message_uid",),
    "episodes": ("session_id", "first_message"),
    "quarantine": ("message_id", "kind"),
}
"""What two rows have in common that two homes made of the same words."""
_KEYS: dict[str, tuple[str, ...]] = {
    "system_prompts": ("hash",),
    "disputes": ("fact_id", "rival_id"),
}
"""What rows without a uid are known by."""
KIND_OF = {table: kind for kind, table in TABLE_OF.items()}
_NUMBERED = frozenset(name for name in canonical.TABLES if name not in ("system_prompts", "sessions"))
_REFERENCES = ("session_id", "message_id", "fact_id", "rival_id", "first_message", "last_message")
"""Columns without which a row means nothing."""
_DECIDED = ("state", "decided_at")
_BLOCK = 500


def bring(merge: Merge, name: str, rows: Sequence[Row]) -> None:
    """Add the rows that are not here, each with a number of its own; let the others be what they are now."""
    known = _known(merge, name, rows)
    new: list[Row] = []
    count = 0
    changes: dict[str, tuple[Values, Values]] = {}
    for row in rows:
        ours = known.get(_key(name, row)) or known.get(_twin(name, row) or ())
        if ours is None:
            here = _number_for(merge, name, row)
            if here is None:
                continue
            ours = {**row, "id": here} if name in _NUMBERED else row
            new.append(ours)
            known[_key(name, row)] = ours
            if name == "messages":
                conversations.note_message(merge, None, here, row)
        else:
            count += 1
            if name == "messages":
                conversations.note_message(merge, ours, number(ours, "id"), row)
            if merge.is_joining:
                _follow(merge, name, ours, row, changes)
        if name in _NUMBERED:
            note(merge, name, row, ours)
    canonical.put(merge.connection, name, new)
    merge.count(name, len(new), count)
    if name == "journal" and new:
        first = number(new[0], "id") if merge.brought.entries is None else merge.brought.entries[0]
        merge.brought.entries = (first, number(new[-1], "id"))
    make(merge, changes)


def bring_facts(merge: Merge, rows: Sequence[Row]) -> None:
    """Add facts; what followed one is called as we call it, also where it comes behind."""
    known = _known(merge, "facts", rows)
    for row in rows:
        ours = known.get(_key("facts", row)) or known.get(_twin("facts", row) or ())
        if ours is not None:
            note(merge, "facts", row, ours)
    uid = merge.numbers.uid
    bring(merge, "facts", [{**row, "superseded_by": uid(row.get("superseded_by"))} for row in rows])


def make(merge: Merge, changes: Mapping[str, tuple[Values, Values]]) -> None:
    """Change records of ours, with what finds them."""
    if not changes:
        return
    before: Records = {name: sides[0] for name, sides in changes.items()}
    after: Records = {name: sides[1] for name, sides in changes.items()}
    has_episodes = any(name.startswith("episode:") for name in changes)
    own = own_fingerprint(merge.connection) if has_episodes else None
    restored = touched.make(merge.connection, merge.engine, Change(before, after), own)
    entities.link(merge.connection, "fact", {one.id: named_in([one.text]) for one in restored.indexed})
    merge.brought.followed += len(changes)


def _number_for(merge: Merge, name: str, row: Row) -> int | None:
    """Return the number that a new row gets; None if it does not come."""
    if any(column in row and row[column] is None for column in _REFERENCES) and name != "journal":
        return None
    if name not in _NUMBERED:
        return 0
    if not merge.is_joining:
        return merge.numbers.give(name)
    if name == "facts" and row.get("source_message") in merge.unsaid:
        merge.brought.leave_out({name: 1})
        return None
    gone = _gone_here(merge, row)
    if gone is None:
        return merge.numbers.give(name)
    theirs = merge.theirs.touched.get((KIND_OF[name], number(row, "id")), NEVER)
    if gone.at > theirs:
        merge.numbers.put_gone(name, number(row, "id"), gone.name[1])
        return None
    if name == "facts":
        merge.revived.append(gone.name[1])
    return gone.name[1]


def _gone_here(merge: Merge, row: Row) -> past.Moved | None:
    """Return that a record, or what was learned here of the same words, came and went here; None if it did not.

    Our journal may tell that it came, since theirs was joined before: not if what was learned here had gone.
    """
    moved = merge.ours.moved.get(str(row.get("uid")))
    twin = past.twin_of(row)
    went = [one for one in (moved, None if twin is None else merge.gone_twins.get(twin)) if one is not None]
    return max((one for one in went if not one.is_there), key=lambda one: one.at, default=None)


def note(merge: Merge, name: str, theirs: Row, ours: Row) -> None:
    """Keep what a row of theirs is here; of two uids for one thing the smaller stands."""
    merge.numbers.put(name, number(theirs, "id"), number(ours, "id"))
    mine, other = ours.get("uid"), theirs.get("uid")
    if mine != other and isinstance(mine, str) and isinstance(other, str):
        if merge.is_joining and other < mine:
            merge.renamed[name][mine] = other
        else:
            merge.numbers.uids[other] = merge.renamed[name].get(mine, mine)


def _known(merge: Merge, name: str, rows: Sequence[Row]) -> dict[tuple[Json, ...], Row]:
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


def _follow(merge: Merge, name: str, ours: Row, theirs: Row, changes: dict[str, tuple[Values, Values]]) -> None:
    """Let what is here become what it is there, where it was changed there later."""
    if name == "messages":
        conversations.follow_message(merge, ours, theirs)
    elif name == "quarantine":
        if (ours["state"] == "waiting", number(theirs, "decided_at")) > (False, number(ours, "decided_at")):
            values = {column: theirs[column] for column in _DECIDED}
            if any(ours[column] != value for column, value in values.items()):
                canonical.change(merge.connection, name, "id", ours["id"], values)
                merge.brought.followed += 1
    elif name == "episodes":
        retelling_of(merge, ours, theirs, changes)
    elif name in ("facts", "reflections", "summaries"):
        values = later(merge, KIND_OF[name], ours, theirs)
        if name == "facts":
            values |= _counted(merge, ours, theirs) | _raised(ours, theirs)
        elif name == "summaries" and theirs["is_discarded"] and not ours["is_discarded"]:
            values["is_discarded"] = True
        if values:
            record = record_name(KIND_OF[name], number(ours, "id"))
            changes[record] = ({column: ours[column] for column in values}, values)


def retelling_of(merge: Merge, ours: Row, theirs: Row, changes: dict[str, tuple[Values, Values]]) -> None:
    """Let the summary that was made, or undone, last tell of an episode; between two decides `retelling.py`."""
    mine, other = ours["summary_id"], theirs["summary_id"]
    if ours["last_message"] != theirs["last_message"]:
        return
    if isinstance(mine, int) and isinstance(other, int) and mine != other:
        merge.rivals |= {mine, other}
    elif values := later(merge, "episode", ours, theirs):
        name = record_name("episode", number(ours, "id"))
        changes[name] = ({column: ours[column] for column in values}, values)
        if isinstance(mine, int):
            merge.lessened.add(mine)


def later(merge: Merge, kind: str, ours: Row, theirs: Row) -> dict[str, Json]:
    """Return what changes here: of each group of fields those that were changed last."""
    mine, other = (kind, number(ours, "id")), (kind, number(theirs, "id"))
    values: dict[str, Json] = {}
    for group, columns in GROUPS[kind].items():
        sides = [[one[column] for column in columns] for one in (ours, theirs)]
        if sides[0] == sides[1]:
            continue
        at_ours = merge.ours.changed.get((mine, group), NEVER)
        at_theirs = merge.theirs.changed.get((other, group), NEVER)
        if kind == "summary" and group == "words" and at_ours == at_theirs == NEVER:
            continue  # the owner changed neither: one has lost what it told of conversations that are gone there
        # Where no journal tells, both homes still choose the same: what ended, what is pinned, what is surer.
        if (at_theirs, json.dumps(sides[1])) > (at_ours, json.dumps(sides[0])):
            values |= dict(zip(columns, sides[1], strict=True))
    return values


def _counted(merge: Merge, ours: Row, theirs: Row) -> dict[str, Json]:
    """Return how often a fact was said again, in both homes together, where that is more than here."""
    mine = merge.ours.counted.get(("fact", number(ours, "id")), {})
    other = merge.theirs.counted.get(("fact", number(theirs, "id")), {})
    here, there = number(ours, "corroborations"), number(theirs, "corroborations")
    is_told = sum(one.by for one in mine.values()) == here and sum(one.by for one in other.values()) == there
    total = past.said_again(mine, other) if is_told else max(here, there)
    return {} if total == here else {"corroborations": total}


def _raised(ours: Row, theirs: Row) -> dict[str, Json]:
    """Return what a fact becomes that came before without its owner's word, and has it now."""
    if ours["source_class"] != "import" or theirs["source_class"] in UNTRUSTED:
        return {}
    return {name: theirs[name] for name in ("source_class", "confidence", "confidence_reason")}


def follow_gone(merge: Merge) -> None:
    """Remove what went there after it was last changed here; call the others by the numbers they have here."""
    by_twin = merge.theirs.gone_twins()
    merge.gone_twins = merge.ours.gone_twins()
    going: list[str] = []
    for uid, moved in merge.theirs.gone().items():
        kind, theirs = moved.name
        found = canonical.having(merge.connection, TABLE_OF[kind], "uid", [uid])
        if found:
            here = number(found[0], "id")
            merge.numbers.put(TABLE_OF[kind], theirs, here)
            if moved.at > merge.ours.touched.get((kind, here), NEVER):
                going.append(record_name(kind, here))
        elif uid in merge.ours.moved:
            merge.numbers.put_gone(TABLE_OF[kind], theirs, merge.ours.moved[uid].name[1])
    said = [twin[0] for twin in by_twin]
    for start in range(0, len(said), _BLOCK):
        for fact in canonical.having(merge.connection, "facts", "source_message", said[start : start + _BLOCK]):
            twin = past.twin_of(fact)
            gone = None if twin is None else by_twin.get(twin)
            name = record_name("fact", number(fact, "id"))
            is_later = gone is not None and gone.at > merge.ours.touched.get(("fact", number(fact, "id")), NEVER)
            if is_later and name not in going:
                going.append(name)
    present = touched.present(merge.connection, going)
    if present:
        touched.make(merge.connection, merge.engine, Change(present, {}), None)
        merge.brought.followed += len(present)


def retract_taken_back(merge: Merge, since: int) -> None:
    """Stop holding true what was learned of messages that are taken back: there, or here before it came."""
    connection, said = merge.connection, {}
    for session, ids in merge.taken_back.items():
        said[session] = {one.uid for one in messages.get_many(connection, ids).values()}
    while found := facts.after(connection, since, _BLOCK):
        since = found[-1].id
        uids = [one.source_message for one in found if one.source_message is not None]
        for message in messages.by_uids(connection, uids).values():
            if message.state == "rewound":
                said.setdefault(message.session_id, set()).add(message.uid)
    for session, uids_of in said.items():
        retract_said(connection, session, sorted(uids_of))


def rename_uids(merge: Merge) -> None:
    """Call what both homes made of the same words by one uid, wherever it is named."""
    for name, uids in merge.renamed.items():
        for old, fresh in uids.items():
            canonical.change(merge.connection, name, "uid", old, {"uid": fresh})
            if name == "facts":
                canonical.change(merge.connection, name, "superseded_by", old, {"superseded_by": fresh})
    _name_successors(merge)
    every = {old: fresh for uids in merge.renamed.values() for old, fresh in uids.items()}
    for entry in journal.naming(merge.connection, every.keys()) if every else ():
        journal.put(merge.connection, past.called(entry, every))


def _name_successors(merge: Merge) -> None:
    """Let facts that came before what followed them name it as we do."""
    named = merge.numbers.uids
    theirs = sorted(named)
    for start in range(0, len(theirs), _BLOCK):
        for fact in canonical.having(merge.connection, "facts", "superseded_by", theirs[start : start + _BLOCK]):
            ours = {"superseded_by": named[str(fact["superseded_by"])]}
            canonical.change(merge.connection, "facts", "uid", fact["uid"], ours)
