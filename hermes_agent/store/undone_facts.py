"""Facts that an undo took away: their words are still in the archive, and whoever reads them must know.

What they said stands in the journal alone, and is forgotten there with its conversation. Which entries tell of
such facts is kept in `store_meta`, so that nobody looks through the whole journal for each message that is found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from hermes_agent.records.archive import Json
from hermes_agent.records.changes import Change, Values, change_of
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import fact_name
from hermes_agent.store import meta
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import facts, journal, messages

_KEY = "undos_of_facts"
_FACT = "fact:"
_TOLD = select(journal).where(is_in(journal.c.uid)).order_by(journal.c.id)


@dataclass(frozen=True, slots=True)
class UndoneFact:
    """What a fact said, and the uid of the undo that took it away."""

    text: str
    entry_uid: str


def remember(connection: Connection, entry_uid: str, change: Change) -> None:
    """Keep that an entry tells of facts that went, if it does."""
    if any(_gone(change)):
        kept = meta.get(connection, _KEY)
        meta.put(connection, _KEY, entry_uid if not kept else f"{kept} {entry_uid}")


def said_in(connection: Connection, message_ids: Sequence[int]) -> dict[int, list[str]]:
    """Return what messages say that was learned of them and undone, by the message."""
    told = _told(connection)
    if not told:
        return {}
    said = select(messages.c.uid, messages.c.id).where(is_in(messages.c.id))
    numbers: dict[Json, int] = dict(connection.execute(said, {"ids": message_ids}).all())
    gone = {
        values["uid"]: (numbers[source], str(values["text"]))
        for _, _, values in told
        if (source := values.get("source_message")) in numbers
    }
    # An undo that was undone brought them back.
    present = select(facts.c.uid).where(is_in(facts.c.uid))
    back = set(connection.execute(present, {"ids": list(gone)}).scalars())
    found: dict[int, list[str]] = {}
    for number, text in (one for uid, one in gone.items() if uid not in back):
        found.setdefault(number, []).append(text)
    return found


def get(connection: Connection, number: int) -> UndoneFact | None:
    """Return what the fact with a number said before it was undone; ask only for one that is not there."""
    gone = [
        UndoneFact(str(values["text"]), entry.uid)
        for entry, name, values in _told(connection)
        if name == fact_name(number)
    ]
    return gone[-1] if gone else None


def entries(connection: Connection) -> list[str]:
    """Return the uids of the entries that tell of such facts."""
    return (meta.get(connection, _KEY) or "").split()


def _told(connection: Connection) -> list[tuple[Entry, str, Values]]:
    kept = entries(connection)
    if not kept:
        return []
    found = [to_record(Entry, row) for row in connection.execute(_TOLD, {"ids": kept}).mappings()]
    return [
        (entry, name, values)
        for entry in found
        if (change := change_of(entry)) is not None
        for name, values in _gone(change)
    ]


def _gone(change: Change) -> Iterator[tuple[str, Values]]:
    for name in change.before.keys() - change.after.keys():
        if name.startswith(_FACT):
            yield name, change.before[name]
