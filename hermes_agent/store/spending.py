"""What work has cost, a row for each piece of it; added up by work, by item, and for the cap."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from hermes_agent import clock
from hermes_agent.records.spending import Cost, ItemCost, Spent
from hermes_agent.store.tables import spending

_COLUMNS = [spending.c[name] for name in Cost.__dataclass_fields__]
_SUMS = [func.coalesce(func.sum(column), 0) for column in _COLUMNS]


def add(connection: Connection, spent: Spent) -> None:
    """Keep what a piece of work has cost."""
    cost = spent.cost
    values = {name: getattr(cost, name) for name in Cost.__dataclass_fields__}
    values |= {"at": clock.now(), "work": spent.work, "item": spent.item, "model": spent.model}
    connection.execute(insert(spending), values)


def by_work(connection: Connection, since: int, until: int) -> dict[str, Cost]:
    """Add up what each kind of work has cost from one moment to another."""
    query = select(spending.c.work, *_SUMS).where(_between(since, until)).group_by(spending.c.work)
    return {row[0]: _cost(row[1:]) for row in connection.execute(query.order_by(spending.c.work))}


def by_item(connection: Connection, since: int, limit: int) -> list[ItemCost]:
    """Add up what each kind of work has cost for each item since a moment, the dearest first."""
    tokens = func.sum(spending.c.input_tokens + spending.c.output_tokens)
    query = (
        select(spending.c.work, spending.c.item, func.max(spending.c.at), *_SUMS)
        .where(spending.c.at >= since)
        .group_by(spending.c.work, spending.c.item)
        .order_by(tokens.desc(), func.sum(spending.c.milliseconds).desc(), func.max(spending.c.id).desc())
        .limit(limit)
    )
    return [ItemCost(row[0], row[1], _cost(row[3:]), row[2]) for row in connection.execute(query)]


def background_tokens(connection: Connection, since: int, until: int) -> int:
    """Return how many tokens the work that nobody waits for has cost from one moment to another."""
    total = func.coalesce(func.sum(spending.c.input_tokens + spending.c.output_tokens), 0)
    query = select(total).where(_between(since, until), spending.c.work != "recall")
    return int(connection.execute(query).scalar_one())


def drop_before(connection: Connection, moment: int) -> None:
    """Let go of what was spent before a moment."""
    connection.execute(delete(spending).where(spending.c.at < moment))


def forget_items(connection: Connection, items: Sequence[str]) -> None:
    """Keep what was spent for things that are deleted, and no more what those were."""
    connection.execute(update(spending).where(spending.c.item.in_(items)).values(item=None))


def _between(since: int, until: int) -> ColumnElement[bool]:
    return and_(spending.c.at >= since, spending.c.at < until)


def _cost(sums: Sequence[int | float]) -> Cost:
    calls, input_tokens, output_tokens, milliseconds, saved_tokens = sums
    # PostgreSQL adds up whole numbers to decimals.
    return Cost(int(calls), int(input_tokens), int(output_tokens), float(milliseconds), int(saved_tokens))
