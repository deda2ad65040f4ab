"""Receipts of what was forgotten, and whether something is among it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.archive import ANSWERING, NewMessage
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.receipts import NewReceipt, Receipt
from hermes_agent.store import journal, meta
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import receipts
from hermes_agent.text.blocking import normal
from hermes_agent.text.runs import HashedRuns, Look, digest

_LOCK = "receipts.lock"
# Built once: every turn asks.
_LAST = select(func.max(receipts.c.id))


@dataclass(frozen=True, slots=True)
class Blocks:
    """What must not be learned again, by the keys its hashes are made with."""

    hashes: dict[bytes, frozenset[str]]

    def __bool__(self) -> bool:
        return bool(self.hashes)

    def holds(self, keys: Iterable[str]) -> bool:
        """Tell whether one of the normal forms was forgotten."""
        if not self.hashes:
            return False
        said = [one.encode("utf-8", "surrogatepass") for one in keys]
        return any(digest(key, one) in known for key, known in self.hashes.items() for one in said)

    def holds_whole(self, text: str | None) -> bool:
        """Tell whether a text was forgotten as it is, but for its spelling."""
        return bool(self and text) and self.holds([normal(text or "")])


def lock(connection: Connection) -> None:
    """Wait until nobody writes who heeds receipts, and keep them waiting until the transaction ends."""
    meta.lock(connection, _LOCK)


def hold_last(connection: Connection) -> int:
    """Return the number of the last one, and let none be added until the transaction ends."""
    # On SQLite whoever writes does so alone.
    if connection.dialect.name != "sqlite":
        meta.hold(connection, _LOCK)
    return last_id(connection)


def add(connection: Connection, new: NewReceipt, *, is_clean: bool = False) -> Receipt:
    """Keep a receipt in the transaction that forgets; its files are still to be cleaned."""
    at = clock.now()
    values = {name: getattr(new, name) for name in ("asked", "key")}
    lists = {"counts": dict(new.counts), "runs": list(new.runs), "blocks": list(new.blocks)}
    state = {"uid": new_uid(at), "at": at, "state": "done" if is_clean else "pending", "found": [], "backups": []}
    row = connection.execute(insert(receipts).returning(receipts), {**values, **lists, **state}).mappings().one()
    meta.put_first(connection, meta.RECEIPT_KEY, new.key)
    return to_record(Receipt, row)


def bring_back(connection: Connection, receipt: Receipt) -> Receipt:
    """Keep a receipt again whose row was lost; its number is another if somebody has it."""
    values = {name: getattr(receipt, name) for name in Receipt.__slots__}
    if get(connection, receipt.id) is not None:
        del values["id"]
    row = connection.execute(insert(receipts).returning(receipts), values).mappings().one()
    return to_record(Receipt, row)


def every(connection: Connection) -> list[Receipt]:
    """Return all of them, the newest first."""
    rows = connection.execute(select(receipts).order_by(receipts.c.id.desc())).mappings()
    return [to_record(Receipt, row) for row in rows]


def get(connection: Connection, number: int) -> Receipt | None:
    """Return the one with a number."""
    row = connection.execute(select(receipts).where(receipts.c.id == number)).mappings().one_or_none()
    return None if row is None else to_record(Receipt, row)


def with_something_left(connection: Connection) -> list[Receipt]:
    """Return those that name what is left of something that must not be learned again."""
    columns = (receipts.c.id, receipts.c.found)
    looked_at = select(*columns).where(receipts.c.state == "done", receipts.c.lifted_at.is_(None))
    numbers = [number for number, found in connection.execute(looked_at.order_by(receipts.c.id)) if found]
    return [one for number in numbers if (one := get(connection, number)) is not None]


def pending(connection: Connection) -> list[Receipt]:
    """Return those whose files are still to be cleaned."""
    query = select(receipts).where(receipts.c.state == "pending").order_by(receipts.c.id)
    return [to_record(Receipt, row) for row in connection.execute(query).mappings()]


def settle(connection: Connection, number: int, found: Sequence[str], backups: Collection[str]) -> Receipt:
    """Keep that the files were cleaned and looked through, and where something is left."""
    values = {"state": "done", "found": list(found), "backups": sorted(backups)}
    change = update(receipts).where(receipts.c.id == number).values(values).returning(receipts)
    return to_record(Receipt, connection.execute(change).mappings().one())


def lift(connection: Connection, number: int) -> Receipt:
    """Let what a receipt blocks be learned again."""
    change = update(receipts).where(receipts.c.id == number).values(lifted_at=clock.now(), blocks=[])
    return to_record(Receipt, connection.execute(change.returning(receipts)).mappings().one())


def key(connection: Connection) -> str | None:
    """Return what this store's hashes are keyed with; None before anything was forgotten."""
    kept = connection.execute(select(receipts.c.key).order_by(receipts.c.id).limit(1)).scalar()
    return kept or meta.get(connection, meta.RECEIPT_KEY)


def last_id(connection: Connection) -> int:
    """Return the number of the last one; 0 before anything was forgotten."""
    return connection.execute(_LAST).scalar() or 0


def after(connection: Connection, number: int) -> list[Receipt]:
    """Return those that came after one, and are not lifted."""
    query = select(receipts).where(receipts.c.id > number, receipts.c.lifted_at.is_(None)).order_by(receipts.c.id)
    return [to_record(Receipt, row) for row in connection.execute(query).mappings()]


def count(connection: Connection) -> int:
    """Count them."""
    return int(connection.execute(select(func.count()).select_from(receipts)).scalar_one())


def blocks(connection: Connection) -> Blocks:
    """Return what must not be learned again."""
    found: dict[bytes, set[str]] = {}
    for name, hashes in connection.execute(select(receipts.c.key, receipts.c.blocks)):
        if hashes:
            found.setdefault(bytes.fromhex(name), set()).update(hashes)
    return Blocks({one: frozenset(hashes) for one, hashes in found.items()})


def blocking(connection: Connection) -> list[Receipt]:
    """Return those that are not lifted: what they tell of does not come back."""
    return [one for one in every(connection) if one.lifted_at is None]


def hashed_look(kept: Sequence[Receipt]) -> Look:
    """Return how to look for what receipts tell of."""
    by_key: dict[str, set[str]] = {}
    for receipt in kept:
        by_key.setdefault(receipt.key, set()).update(receipt.runs)
    sought = [HashedRuns(bytes.fromhex(key), frozenset(runs)) for key, runs in by_key.items()]
    return lambda data: [place for one in sought for place in one.find(data)]


def without_forgotten(connection: Connection, session_id: str, said: Sequence[NewMessage]) -> list[NewMessage]:
    """Return the messages of an import but those that were forgotten; how many is journalled, not their words.

    What was done and answered for a request goes with it, as when it is forgotten.
    """
    known, kept, is_asked_for = blocks(connection), [], False
    for one in said:
        is_answer = one.role in ANSWERING
        is_gone = known.holds_whole(one.content) or (is_answer and is_asked_for)
        is_asked_for = is_asked_for if is_answer else is_gone
        kept += [] if is_gone else [one]
    note_left_out(connection, session_id, len(said) - len(kept))
    return kept


def note_left_out(connection: Connection, subject: str, count: int) -> None:
    """Journal that messages of an import did not come."""
    if count:
        what = "1 message was" if count == 1 else f"{count:,} messages were"
        text = f"{what} not imported: forgotten for good."
        journal.write(connection, NewEntry("import.blocked", subject, text))
