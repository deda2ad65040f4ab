"""Self-tests of recall: what they may ask about, and how each of them went."""

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, RowMapping, func, insert, select

from hermes_agent.records.archive import Message
from hermes_agent.records.selftests import Answer, Run
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import messages, selftests

# Multiplied by this, numbers that follow each other are scattered evenly (Knuth); the order never changes.
_SCATTER, _RANGE = 2_654_435_761, 4_294_967_296


def said_by_owner(connection: Connection, longest: int, limit: int) -> list[Message]:
    """Return messages of the owner from everywhere in history; of the same history always the same.

    One that is packed is shorter than it is long: a few that are too long may be read in vain.
    """
    columns = messages.c
    query = (
        select(messages)
        .where(
            columns.role == "user",
            columns.source_class.in_(("user", "import")),
            columns.state != "rewound",
            columns.is_summary.is_(False),
            func.length(columns.content).between(1, longest),
        )
        .order_by(columns.id * _SCATTER % _RANGE, columns.id)
        .limit(limit)
    )
    found = [to_record(Message, row) for row in connection.execute(query).mappings()]
    return [message for message in found if len(message.content or "") <= longest]


def add(connection: Connection, run: Run) -> None:
    """Keep a run."""
    results = {
        "answers": [asdict(answer) for answer in run.answers],
        "p50_ms": run.p50_ms,
        "p95_ms": run.p95_ms,
        "troubles": list(run.troubles),
    }
    connection.execute(
        insert(selftests).values(
            uid=run.uid,
            at=run.at,
            cause=run.cause,
            fingerprint=run.fingerprint,
            questions=len(run.answers),
            results=results,
        )
    )


def get(connection: Connection, uid: str) -> Run | None:
    """Return the run with a uid."""
    row = connection.execute(select(selftests).where(selftests.c.uid == uid)).mappings().one_or_none()
    return None if row is None else _record(row)


def recent(
    connection: Connection,
    limit: int,
    *,
    fewest_questions: int = 0,
    fingerprint: str | None = None,
    offset: int = 0,
) -> list[Run]:
    """Return the newest runs first: those with so many questions, of a fingerprint."""
    query = select(selftests).where(selftests.c.questions >= fewest_questions)
    if fingerprint is not None:
        query = query.where(selftests.c.fingerprint == fingerprint)
    rows = connection.execute(query.order_by(selftests.c.id.desc()).limit(limit).offset(offset)).mappings()
    return [_record(row) for row in rows]


def _record(row: RowMapping) -> Run:
    results: dict[str, Any] = row["results"]  # Any: JSON that `add` wrote
    return Run(
        uid=row["uid"],
        at=row["at"],
        cause=row["cause"],
        fingerprint=row["fingerprint"],
        answers=[Answer(**answer) for answer in results["answers"]],
        p50_ms=results["p50_ms"],
        p95_ms=results["p95_ms"],
        troubles=results["troubles"],
    )
