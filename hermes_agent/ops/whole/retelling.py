"""Join the summaries of two memories: each episode is told by one.

Two homes may have put the same old episodes together in two ways. Of summaries that share episodes the one that
was made first stands, whole; the other goes, and what only it told of is told by its messages again, until it is
put together anew. So is an exchange that is not the same in both homes (`exchanges.py`), or another than the one a
summary tells of.
"""

from collections.abc import Mapping, Sequence

from hermes_agent.ops.whole import conversations, records
from hermes_agent.ops.whole.exchanges import Talk
from hermes_agent.ops.whole.merge import Merge, number
from hermes_agent.ops.whole.numbers import record_name
from hermes_agent.records.changes import Values
from hermes_agent.records.summaries import Line, topic_of
from hermes_agent.store import canonical, compressed, episodes, messages, summaries
from hermes_agent.store.canonical import Row


def bring_summaries(merge: Merge, rows: Sequence[Row]) -> None:
    """Add summaries, without what they tell of conversations that were deleted here."""
    # Before they come: what is taken back here is taken out of ours; theirs may tell of what is left.
    open_exchanges(merge)
    records.bring(merge, "summaries", [_told_here(merge, one) for one in rows])


def _told_here(merge: Merge, row: Row) -> Row:
    """Return a summary without its lines of conversations that are not here, and no topic that may be of them."""
    told = row.get("lines")
    lines: list[Line] = told if isinstance(told, list) else []
    here = merge.came.keys() | merge.grown.keys()
    kept = [one for one in lines if one.get("session") in here]
    return row if len(kept) == len(lines) else {**row, "lines": kept, "topic": topic_of(kept)}


def bring_episodes(merge: Merge, rows: Sequence[Row]) -> None:
    """Add episodes whose messages came; an exchange that is another now is made anew."""
    talks = open_exchanges(merge)
    whole = {str(one["uid"]) for one in rows if _is_whole(talks, one)}
    # One without an end does not come, and changes nothing; only what it is called here is kept.
    come = [_told_by(one) if one["uid"] in whole else {**one, "last_message": None} for one in rows]
    records.bring(merge, "episodes", come)
    for one in come:
        here, summary = merge.numbers.of("episodes", one.get("id")), one["summary_id"]
        if here is not None and isinstance(summary, int) and one["uid"] in whole:
            merge.told[summary].append(here)


def open_exchanges(merge: Merge) -> Mapping[str, Talk]:
    """Take back what was taken back, and let exchanges be told by their messages that are others now; once.

    Return what was said in the conversations that are not the same in both places.
    """
    if merge.talks is None:
        conversations.take_back(merge)
        merge.talks = conversations.talks(merge)
        for session, talk in merge.talks.items():
            _open_exchanges(merge, talk, canonical.having(merge.connection, "episodes", "session_id", [session]))
    return merge.talks


def _open_exchanges(merge: Merge, talk: Talk, ours: Sequence[Row]) -> None:
    # One that has no messages any more is told by what they were discarded for.
    there = [one for one in ours if one["first_message"] in talk.here]
    over = [one for one in there if not talk.is_whole(number(one, "first_message"), number(one, "last_message"))]
    apart = [one for one in there if one not in over and not talk.is_alike(number(one, "first_message"))]
    episodes.remove(merge.connection, [number(one, "id") for one in over])
    records.make(merge, _changes(merge, dict.fromkeys((number(one, "id") for one in apart), None)))
    for summary in sorted({number(one, "summary_id") for one in (*over, *apart)} - {0}):
        summaries.recount(merge.connection, merge.engine, summary)


def _is_whole(talks: Mapping[str, Talk], row: Row) -> bool:
    """Tell whether an exchange of theirs is the same in both homes, and still what it was there."""
    talk, first = talks.get(str(row["session_id"])), number(row, "first_message")
    return talk is None or (talk.is_alike(first) and talk.was_whole_there(first, number(row, "last_message")))


def _told_by(row: Row) -> Row:
    """Return an episode that is told by its messages if its summary did not come."""
    return row if row.get("summary_id") is not None else {**row, "state": "raw", "summary_id": None}


def settle(merge: Merge, since: int) -> None:
    """Let one summary tell of each episode, none of what is taken back; `since` is the last there was before."""
    found = summaries.get_many(merge.connection, sorted(merge.rivals))
    behind = compressed.of_summaries(merge.connection, list(found))
    told = {one: {*behind[one], *merge.told.get(one, ())} for one in found}
    taken: set[int] = set()
    stay: dict[int, int] = {}
    losing: list[int] = []
    for one in sorted(found.values(), key=lambda one: (not one.is_discarded, one.made_at, one.uid)):
        if told[one.id] & taken:
            losing.append(one.id)
        else:
            taken |= told[one.id]
            stay |= dict.fromkeys(told[one.id], one.id)
    left = {episode for one in losing for episode in told[one]} - taken
    records.make(merge, _changes(merge, {**stay, **dict.fromkeys(left, None)}))
    fresh = [one for one in merge.numbers.theirs("summaries") if one > since]
    broken = {one for talk in open_exchanges(merge).values() for one in talk.broken}
    gone = messages.get_many(merge.connection, sorted(broken)).values()
    summaries.forget_messages(merge.connection, merge.engine, list(gone), fresh if gone else ())
    now = summaries.get_many(merge.connection, [*fresh, *merge.lessened]).values()
    for summary in {*found, *(one.id for one in now if one.state == "current")}:
        summaries.recount(merge.connection, merge.engine, summary)
    merge.count("summaries", len(summaries.get_many(merge.connection, fresh)) - len(fresh), 0)


def _changes(merge: Merge, wanted: dict[int, int | None]) -> dict[str, tuple[Values, Values]]:
    """Return what makes each of the episodes be told by a summary, or by its messages."""
    changes: dict[str, tuple[Values, Values]] = {}
    for one in episodes.get_many(merge.connection, sorted(wanted)).values():
        summary = wanted[one.id]
        if one.summary_id != summary:
            after: Values = {"state": "raw" if summary is None else "compressed", "summary_id": summary}
            changes[record_name("episode", one.id)] = ({"state": one.state, "summary_id": one.summary_id}, after)
    return changes
