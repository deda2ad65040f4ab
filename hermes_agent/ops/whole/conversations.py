"""Join the conversations of two memories: new ones come, known ones go on, and what was taken back is so in both.

A conversation that was deleted in one home goes in the other, unless something was said in it since. A message is
taken back if either home took it back. How far a conversation was learned from counts what either home learned:
nothing is learned twice of what both have.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from hermes_agent.memory import forgetting
from hermes_agent.ops.whole.exchanges import Talk
from hermes_agent.ops.whole.merge import Merge, number
from hermes_agent.ops.whole.past import NEVER
from hermes_agent.records.archive import ANSWERING, UNTRUSTED, Json, State
from hermes_agent.store import (
    canonical,
    exchange_parts,
    journal,
    learned,
    messages,
    restore,
    summaries,
    taken_back,
)
from hermes_agent.store import quarantine as quarantined
from hermes_agent.store.canonical import Row
from hermes_agent.store.engine import Connection
from hermes_agent.store.learned import PROGRESS

_LATER: Row = {"parent_session_id": None, "parent_kind": None, "learned_to": 0, "reflected_to": 0}
"""What of a session refers to what comes later."""
_BLOCK = 500
_STATES: tuple[State, ...] = ("live", "compacted", "rewound")
"""The states of a message, each of which stands over those before it."""


def forget_deleted(merge: Merge) -> None:
    """Delete conversations that were deleted there and in which nothing was said since."""
    going: list[str] = []
    for (name, began), at in merge.theirs.deleted.items():
        for ours in canonical.having(merge.connection, "sessions", "id", [name]):
            if ours["started_at"] == began and number(ours, "last_active_at") < at:
                going.append(name)
    if going:
        merge.brought.followed += forgetting.forget_sessions(merge.connection, merge.engine, going)


def note_discarded(merge: Merge, rows: Iterable[Row]) -> None:
    """Keep which of their messages are behind summaries that stand alone here; `rows` are their episodes."""
    left = iter(rows)
    while block := list(islice(left, _BLOCK)):
        known = canonical.having(merge.connection, "episodes", "uid", [one["uid"] for one in block])
        behind = summaries.get_many(merge.connection, [number(one, "summary_id") for one in known])
        alone = {one["uid"] for one in known if (of := behind.get(number(one, "summary_id"))) and of.is_discarded}
        for one in block:
            if one["uid"] in alone:
                span = number(one, "first_message"), number(one, "last_message")
                merge.discarded[str(one["session_id"])].append(span)


def is_discarded(merge: Merge, theirs: Row) -> bool:
    """Tell whether a message was discarded here: its summary stands for it, and it does not come back."""
    spans = merge.discarded.get(str(theirs["session_id"]), ())
    return any(first <= number(theirs, "id") <= last for first, last in spans)


def bring_sessions(merge: Merge, block: Sequence[Row]) -> None:
    """Add sessions that are not here, under a name that is free; keep those that are for the end."""
    connection = merge.connection
    known = {one["uid"]: one for one in canonical.having(connection, "sessions", "uid", [r["uid"] for r in block])}
    taken = {one["id"] for one in canonical.having(connection, "sessions", "id", [r["id"] for r in block])}
    new = 0
    for row in block:
        theirs, ours = str(row["id"]), known.get(row["uid"])
        if ours is None and _is_deleted(merge, row):
            continue
        here = str(ours["id"]) if ours is not None else _free_name(connection, theirs, taken)
        taken.add(here)
        if here != theirs:
            merge.numbers.sessions[theirs] = here
        if ours is not None:
            merge.grown[here] = (ours, row)
            continue
        merge.came[here] = row
        title = row.get("title")
        if not merge.brought.is_fresh and isinstance(title, str):
            title = restore.free_title(connection, title)
        # At once: the next may have the same title.
        canonical.put(connection, "sessions", [{**row, **_LATER, "id": here, "title": title}])
        new += 1
    merge.count("sessions", new, len(block) - new)


def _is_deleted(merge: Merge, row: Row) -> bool:
    at = merge.ours.deleted.get((str(row["id"]), number(row, "started_at")))
    return at is not None and number(row, "last_active_at") < at


def _free_name(connection: Connection, name: str, taken: set[Json]) -> str:
    count, free = 2, name
    while free in taken or (free != name and canonical.having(connection, "sessions", "id", [free])):
        free = f"{name}-{count}"
        count += 1
    return free


def belonging(merge: Merge, rows: Sequence[Row]) -> list[Row]:
    """Return the messages of sessions that came with them; a stranger adds nothing to one that is here."""
    # Of all: what was learned of those that do not belong here may still come.
    said = [one for one in rows if not _is_forgotten(merge, one)]
    return [one for one in said if _belongs(merge, one)]


def _is_forgotten(merge: Merge, message: Row) -> bool:
    """Tell whether a message, or the request it answers, was forgotten here for good; count it."""
    session, is_answer = str(message["session_id"]), message["role"] in ANSWERING
    is_one = merge.blocks.holds_whole(str(message["content"] or "")) or (is_answer and session in merge.unasked)
    if not is_answer:
        (merge.unasked.add if is_one else merge.unasked.discard)(session)
    if is_one:
        merge.lost[session] += 1
        merge.unsaid.add(str(message["uid"]))
    return is_one


def _belongs(merge: Merge, message: Row) -> bool:
    session = message["session_id"]
    if not merge.brought.is_own:
        return session in merge.came and message["role"] != "system"
    return session in merge.came or session in merge.grown


def note_message(merge: Merge, ours: Row | None, here: int, theirs: Row) -> None:
    """Keep what a message means for its session when all came; `ours` is None for one that is new."""
    session = str(theirs["session_id"])
    merge.theirs_count[session] += 1
    if session not in merge.grown:
        return
    former, other = merge.grown[session]
    is_unsaid = theirs["state"] == "rewound"
    if ours is None:
        merge.longer.add(session)
    if is_unsaid:
        merge.unsaid_there.add(here)
    if ours is None or is_unsaid != (ours["state"] == "rewound") or here < merge.reached.get(session, 0):
        merge.apart.add(session)
    merge.reached[session] = here
    for progress in PROGRESS:
        if here > number(former, progress) and number(theirs, "id") <= number(other, progress):
            merge.learned[session][progress].add(here)


def follow_message(merge: Merge, ours: Row, theirs: Row) -> None:
    """Let a message that both have be what it is there, where that is more: taken back, or its owner's own."""
    connection, here = merge.connection, number(ours, "id")
    before, after = (_STATES.index(one["state"]) for one in (ours, theirs))
    if after > before and theirs["state"] == "rewound":
        merge.taken_back[str(ours["session_id"])].append(here)
    elif after > before:
        messages.set_state(connection, merge.engine, [here], "compacted")
        merge.brought.followed += 1
    # What came before without its owner's word has it now.
    if ours["source_class"] == "import" and theirs["source_class"] not in UNTRUSTED:
        values = {name: theirs[name] for name in ("source_class", "sent")}
        canonical.change(connection, "messages", "id", here, values)
        quarantined.release(connection, here)
        merge.brought.followed += 1


def finish(merge: Merge) -> None:
    """Give sessions their parents, bring those further that went on elsewhere, take back what was taken back."""
    for here, theirs in merge.came.items():
        _finish_new(merge, here, theirs)
    for here, (ours, theirs) in merge.grown.items() if merge.brought.is_own else ():
        former = canonical.having(merge.connection, "sessions", "id", [here])[0]
        values = _further(merge, ours, theirs)
        if any(former[column] != value for column, value in values.items()):
            canonical.change(merge.connection, "sessions", "id", here, values)
            merge.brought.followed += 1
        if here in merge.longer:
            messages.recount(merge.connection, here)
    for taken in (merge.taken_back, merge.unanswered):
        for session, ids in taken.items():
            _forget(merge, session, ids)


def _finish_new(merge: Merge, here: str, theirs: Row) -> None:
    parent = merge.numbers.session(theirs.get("parent_session_id"))
    values: dict[str, Json] = {name: theirs[name] for name in PROGRESS}
    if not merge.brought.is_fresh:
        values = {name: merge.numbers.up_to(reached) for name, reached in values.items()}
    if parent is not None and canonical.having(merge.connection, "sessions", "id", [parent]):
        values |= {"parent_session_id": parent, "parent_kind": theirs.get("parent_kind")}
    if values != _LATER:
        canonical.change(merge.connection, "sessions", "id", here, values)


def _further(merge: Merge, ours: Row, theirs: Row) -> dict[str, Json]:
    """Return what a session is that both know.

    The larger counts; how it ended where it was active last; what either wants of it; the title given last.
    """
    here = str(ours["id"])
    most = ("last_active_at", *(name for name in ours if name.endswith("_tokens")))
    values: dict[str, Json] = {name: max(number(ours, name), number(theirs, name)) for name in most}
    values |= {name: bool(ours[name] or theirs[name]) for name in ("is_archived", "is_pinned")}
    ends = [
        (number(one, "last_active_at"), number(one, "ended_at"), str(one["end_reason"])) for one in (ours, theirs)
    ]
    if ends[1] > ends[0]:
        values |= {name: theirs[name] for name in ("ended_at", "end_reason")}
    given = [past.renamed.get(str(one["id"]), NEVER) for past, one in ((merge.ours, ours), (merge.theirs, theirs))]
    is_theirs = ours["title"] is None or (theirs["title"] is not None and given[1] > given[0])
    if is_theirs and not merge.lost[here]:  # it may tell of what was forgotten
        title = theirs["title"]
        if isinstance(title, str) and title != ours["title"]:
            title = restore.free_title(merge.connection, title)
        values |= {"title": title, "title_source": theirs["title_source"]}
    if ours["system_prompt_hash"] is None and theirs["system_prompt_hash"] is not None:
        values["system_prompt_hash"] = theirs["system_prompt_hash"]
    return values | _reached(merge, here, ours)


def _reached(merge: Merge, here: str, ours: Row) -> dict[str, Json]:
    """Return up to which message a session was learned from, whoever did it."""
    values: dict[str, Json] = {}
    for progress in PROGRESS:
        known = merge.learned[here][progress]
        if known:
            waiting = learned.after(merge.connection, here, number(ours, progress))
            first = next((one for one in waiting if one not in known), None)
            values[progress] = waiting[-1] if first is None else first - 1
    return values


def take_back(merge: Merge) -> None:
    """Take messages back that were taken back there, when all came."""
    connection = merge.connection
    for ids in merge.taken_back.values():
        messages.set_state(connection, merge.engine, ids, "rewound")
    for session in merge.grown:
        # What was answered in one home to a request that the other took back is taken back with it, in both.
        left = taken_back.answers(connection, session)
        if left:
            messages.set_state(connection, merge.engine, left, "rewound")
            merge.unanswered[session] = left
            merge.apart.add(session)


def _forget(merge: Merge, session: str, ids: Sequence[int]) -> None:
    """Forget what messages taught that are taken back."""
    taken = sorted(messages.get_many(merge.connection, ids).values(), key=lambda one: one.id)
    journal.forget_said(merge.connection, session, {one.uid for one in taken})
    forgetting.forget_taken_back(merge.connection, session, taken)
    merge.brought.followed += len(taken)


def talks(merge: Merge) -> dict[str, Talk]:
    """Return what was said in the sessions that are not the same in both places, when all messages came."""
    grown = sorted(merge.grown)
    for start in range(0, len(grown), _BLOCK):
        block = grown[start : start + _BLOCK]
        for name, count in canonical.count_by(merge.connection, "messages", "session_id", block).items():
            if count > merge.theirs_count[str(name)]:
                merge.apart.add(str(name))
    places = merge.numbers.theirs("messages") if merge.apart else {}
    return {
        one: Talk.of(exchange_parts.of_session(merge.connection, one), places, merge.unsaid_there)
        for one in sorted(merge.apart)
    }
