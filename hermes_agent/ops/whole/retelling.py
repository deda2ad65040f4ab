"""Join the summaries of two memories: each episode is told by one.

Two homes may have put the same old episodes together in two ways. Of summaries that share episodes the one that
was made first stands, whole; the other goes, and what only it told of is told by its messages again, until it is
put together anew.
"""

from collections.abc import Sequence

from hermes_agent.ops.whole import conversations, records
from hermes_agent.ops.whole.merge import Merge, number
from hermes_agent.ops.whole.numbers import record_name
from hermes_agent.records.archive import Json
from hermes_agent.records.changes import Values
from hermes_agent.store import canonical, compressed, episodes, summaries, taken_back
from hermes_agent.store.canonical import Row


def bring_summaries(merge: Merge, rows: Sequence[Row]) -> None:
    """Add summaries, without what they tell of conversations that were deleted here."""
    records.bring(merge, "summaries", [{**one, "lines": _lines(merge, one.get("lines"))} for one in rows])


def _lines(merge: Merge, lines: Json) -> list[Json]:
    told = lines if isinstance(lines, list) else []
    here = merge.came.keys() | merge.grown.keys()
    return [one for one in told if not isinstance(one, dict) or one.get("session") in here]


def bring_episodes(merge: Merge, rows: Sequence[Row]) -> None:
    """Add episodes whose messages came; an exchange that went on in both places is made anew."""
    if merge.diverged is None:
        conversations.open_last_exchanges(merge)
        merge.diverged = conversations.diverged(merge)
    shared = [one for one in rows if one.get("session_id") in merge.grown and _is_shared(merge, one)]
    known = {
        one["uid"] for one in canonical.having(merge.connection, "episodes", "uid", [r["uid"] for r in shared])
    }
    left = {str(one["uid"]) for one in shared if one["uid"] not in known and _is_over(merge, one)}
    whole = [_told_by(one) for one in rows if one["uid"] not in left]
    records.bring(merge, "episodes", whole)
    for one in whole:
        here, summary = merge.numbers.of("episodes", one.get("id")), one["summary_id"]
        if here is not None and isinstance(summary, int):
            merge.told[summary].append(here)


def _is_shared(merge: Merge, row: Row) -> bool:
    return number(row, "first_message") <= merge.last_message


def _is_over(merge: Merge, row: Row) -> bool:
    """Tell whether an exchange is another here: it went on in both places, or its request was taken back."""
    is_diverged = row["session_id"] in (merge.diverged or ())
    return is_diverged or not taken_back.stands(merge.connection, number(row, "first_message"))


def _told_by(row: Row) -> Row:
    """Return an episode that is told by its messages if its summary did not come."""
    return row if row.get("summary_id") is not None else {**row, "state": "raw", "summary_id": None}


def settle(merge: Merge, since: int) -> None:
    """Let one summary tell of each episode; `since` is the last there was before."""
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
    fresh = _current_after(merge, since)
    for summary in {*found, *fresh}:
        summaries.recount(merge.connection, merge.engine, summary)
    gone = set(fresh) - set(summaries.get_many(merge.connection, fresh))
    merge.count("summaries", -len(gone), 0)


def _changes(merge: Merge, wanted: dict[int, int | None]) -> dict[str, tuple[Values, Values]]:
    """Return what makes each of the episodes be told by a summary, or by its messages."""
    changes: dict[str, tuple[Values, Values]] = {}
    for one in episodes.get_many(merge.connection, sorted(wanted)).values():
        summary = wanted[one.id]
        if one.summary_id != summary:
            after: Values = {"state": "raw" if summary is None else "compressed", "summary_id": summary}
            changes[record_name("episode", one.id)] = ({"state": one.state, "summary_id": one.summary_id}, after)
    return changes


def _current_after(merge: Merge, since: int) -> list[int]:
    return [one.id for one in summaries.after(merge.connection, since, 2**31)]
