"""Arrivals in the store: kept once, taken in the order of their chat, and emptied when the archive has them."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, case, delete, func, select, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.archive import Json
from hermes_agent.records.arrivals import Arrival, NewArrival
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.gateway_tables import arrivals, chats
from hermes_agent.store.rows import to_record

_NAMES = ("platform", "update_key", "chat_key", "position", "message_key", "payload", "state")
_IS_OPEN = arrivals.c.state != "done"
# What was begun, or only has to be sent, goes on before anything new is begun.
_ORDER = (case((arrivals.c.state == "waiting", 1), else_=0), arrivals.c.position, arrivals.c.id)


def keep(connection: Connection, new: Sequence[NewArrival]) -> list[NewArrival]:
    """Keep updates; return those that were not there yet."""
    statement = insert_fresh(connection, arrivals, ("platform", "update_key")).returning(arrivals.c.id)
    fresh = []
    for one in new:
        at = clock.now()
        values = {name: getattr(one, name) for name in _NAMES}
        if connection.execute(statement, {**values, "uid": new_uid(at), "arrived_at": at}).first() is not None:
            fresh.append(one)
    return fresh


def next_of(connection: Connection, chat_key: str) -> Arrival | None:
    """Return what a chat has to handle next."""
    wanted = select(arrivals).where(arrivals.c.chat_key == chat_key, _IS_OPEN).order_by(*_ORDER).limit(1)
    row = connection.execute(wanted).mappings().first()
    return None if row is None else to_record(Arrival, row)


def open_chats(connection: Connection, platform: str) -> list[str]:
    """Return the chats of a platform that have something to handle."""
    wanted = select(arrivals.c.chat_key).where(arrivals.c.platform == platform, _IS_OPEN).distinct()
    return list(connection.execute(wanted).scalars())


def of_update(connection: Connection, platform: str, update_key: str) -> Arrival | None:
    """Return what was kept of an update."""
    is_it = (arrivals.c.platform == platform) & (arrivals.c.update_key == update_key)
    row = connection.execute(select(arrivals).where(is_it)).mappings().first()
    return None if row is None else to_record(Arrival, row)


def of_message(connection: Connection, chat_key: str, message_key: str) -> Arrival | None:
    """Return the last arrival that brought a message."""
    is_it = (arrivals.c.chat_key == chat_key) & (arrivals.c.message_key == message_key)
    row = (
        connection.execute(select(arrivals).where(is_it).order_by(arrivals.c.id.desc()).limit(1))
        .mappings()
        .first()
    )
    return None if row is None else to_record(Arrival, row)


def set_payload(connection: Connection, arrival_id: int, payload: Mapping[str, Json]) -> bool:
    """Replace what a message says, if it was not begun; tell whether it was replaced."""
    is_it = (arrivals.c.id == arrival_id) & (arrivals.c.state == "waiting")
    return connection.execute(update(arrivals).where(is_it).values(payload=dict(payload))).rowcount == 1


def begin(connection: Connection, arrival_id: int) -> bool:
    """Take an arrival on; False if somebody did, or it is over."""
    is_it = (arrivals.c.id == arrival_id) & (arrivals.c.state == "waiting")
    return connection.execute(update(arrivals).where(is_it).values(state="begun")).rowcount == 1


def drop_payload(connection: Connection, arrival_id: int) -> None:
    """Drop the words of an arrival: the archive has them."""
    _change(connection, arrivals.c.id == arrival_id, payload=None)


def answer(connection: Connection, arrival_id: int, reply: str) -> None:
    """Keep what is to be sent for an arrival, until it is."""
    _change(connection, arrivals.c.id == arrival_id, state="answered", reply=reply, payload=None)


def reply_to(connection: Connection, arrival_id: int) -> str | None:
    """Return what is still to be sent for an arrival."""
    return connection.execute(select(arrivals.c.reply).where(arrivals.c.id == arrival_id)).scalar_one_or_none()


def note_sent(connection: Connection, arrival_id: int, parts: int) -> None:
    """Keep how many parts of the reply were sent."""
    _change(connection, arrivals.c.id == arrival_id, parts_sent=parts)


def finish(connection: Connection, arrival_id: int) -> None:
    """Let an arrival be over: only what tells it from others is kept."""
    _change(connection, arrivals.c.id == arrival_id, state="done", reply=None, payload=None)


def counts(connection: Connection) -> dict[str, dict[str, int]]:
    """Count what is under way, by platform and state."""
    by = (arrivals.c.platform, arrivals.c.state)
    found: dict[str, dict[str, int]] = {}
    for platform, state, count in connection.execute(select(*by, func.count()).where(_IS_OPEN).group_by(*by)):
        found.setdefault(platform, {})[state] = count
    return found


def sweep(connection: Connection, before: int) -> int:
    """Drop what was over before a moment: no platform sends so old an update again.

    The last of each chat stays: from there on a gateway may have to ask for what it missed.
    """
    others = arrivals.alias()
    last = select(func.max(others.c.position)).where(others.c.chat_key == arrivals.c.chat_key).scalar_subquery()
    is_old = ~_IS_OPEN & (arrivals.c.arrived_at < before) & (arrivals.c.position < last)
    return connection.execute(delete(arrivals).where(is_old)).rowcount


def last_positions(connection: Connection, platform: str) -> list[tuple[Json, int]]:
    """Return the place of each chat of a platform, with the position of the last thing that came there."""
    wanted = (
        select(chats.c.place, func.max(arrivals.c.position))
        .join(arrivals, arrivals.c.chat_key == chats.c.chat_key)
        .where(chats.c.platform == platform)
        .group_by(chats.c.chat_key)
    )
    return [(place, position) for place, position in connection.execute(wanted)]


def forget_sessions(connection: Connection, session_ids: Sequence[str]) -> None:
    """Send nothing more of sessions that are being deleted, and let their chats begin new ones."""
    of_them = select(chats.c.chat_key).where(chats.c.session_id.in_(session_ids))
    keys: Collection[str] = connection.execute(of_them).scalars().all()
    if keys:
        is_answered = arrivals.c.chat_key.in_(keys) & (arrivals.c.state == "answered")
        _change(connection, is_answered, state="done", reply=None, payload=None)
        connection.execute(update(chats).where(chats.c.chat_key.in_(keys)).values(session_id=None))


def _change(connection: Connection, which: ColumnElement[bool], **values: object) -> None:
    connection.execute(update(arrivals).where(which).values(**values))
