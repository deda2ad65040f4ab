"""The outbox: what an external memory is still to be told, in the order in which it happened.

Neither canonical nor derived: what is waiting on this store alone. A row holds names and no words, and goes when
it was brought. It is not exported, and a backup brings it back with the rest.
"""

from sqlalchemy import Connection, delete, func, insert, select

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.outbox import Delivery, NewDelivery
from hermes_agent.store import jobs
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import outbox

JOB = "deliver"


def add(connection: Connection, new: NewDelivery) -> None:
    """Keep what a provider is to be told, with the job that tells it."""
    at = clock.now()
    values = {name: getattr(new, name) for name in ("provider", "kind", "session_id", "first", "last")}
    connection.execute(insert(outbox).values(**values, uid=new_uid(at), created_at=at))
    jobs.add(connection, JOB, JOB)


def next_for(connection: Connection, provider: str, after: int = 0) -> Delivery | None:
    """Return what is to be brought next, behind another by its id."""
    wanted = select(outbox).where(outbox.c.provider == provider, outbox.c.id > after)
    wanted = wanted.order_by(outbox.c.id).limit(1)
    row = connection.execute(wanted).mappings().one_or_none()
    return None if row is None else to_record(Delivery, row)


def count(connection: Connection, provider: str) -> int:
    """Count what waits for a provider."""
    wanted = select(func.count()).select_from(outbox).where(outbox.c.provider == provider)
    return connection.execute(wanted).scalar_one()


def remove(connection: Connection, delivery: Delivery) -> None:
    """Let go of what was brought."""
    connection.execute(delete(outbox).where(outbox.c.id == delivery.id))


def clear(connection: Connection, provider: str) -> int:
    """Let go of everything that waits for a provider; return how much it was."""
    return connection.execute(delete(outbox).where(outbox.c.provider == provider)).rowcount
