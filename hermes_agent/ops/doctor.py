"""Check the store, mend what is derived, and save what can be read of a damaged file."""

from collections.abc import Generator
from dataclasses import dataclass

from hermes_agent import clock
from hermes_agent.ops.steps import Step
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import journal, messages, meta
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.store import Store

LAST_VACUUM = "last_vacuum"
_BLOCK = 2_000
_REBUILDING = "Rebuilding the index"


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found. Nothing in `problems` means that all is well."""

    place: str
    engine: str
    shape: int
    size_bytes: int
    messages: int
    problems: tuple[str, ...]
    is_index_damaged: bool

    @property
    def is_well(self) -> bool:
        return not self.problems


def check(store: Store) -> Checked:
    """Check the database, the references in it, and that the indexes agree with the messages."""
    with store.read() as connection:
        condition = store.engine.inspect(connection, is_thorough=True)
        count = messages.count(connection)
    # Apart: the index checks itself only in a transaction that writes, and the pages take long.
    with store.write() as connection:
        damage = store.engine.text.check(connection)
    problems = list(condition.problems)
    if damage.missing:
        problems.append(f"{damage.missing} messages are missing from the text index")
    if damage.stale:
        problems.append(f"{damage.stale} entries of the text index have no message")
    if damage.broken:
        problems.append(f"the text index is broken: {damage.broken}")
    return Checked(
        store.engine.place,
        condition.version,
        HEAD,
        condition.size_bytes,
        count,
        tuple(problems),
        is_index_damaged=bool(damage.missing or damage.stale or damage.broken),
    )


def rebuild(store: Store) -> Generator[Step, None, int]:
    """Make the text indexes anew from the messages, in one transaction: a kill leaves the old ones.

    Returns how many messages were indexed.
    """
    with store.write() as connection:
        total = messages.count(connection)
        yield Step(_REBUILDING, 0, total)
        store.engine.text.clear(connection)
        done = last = 0
        while block := messages.searchable(connection, last, _BLOCK):
            store.engine.text.put(connection, [messages.indexed(message) for message in block])
            last = block[-1].id
            done += len(block)
            yield Step(_REBUILDING, done, total)
        journal.write(
            connection,
            NewEntry("index.rebuilt", "index", f"The text index was rebuilt from {done} messages."),
        )
    return done


def vacuum(store: Store) -> int:
    """Give unused room back to the disk; return how many bytes that was."""
    with store.read() as connection:
        before = store.engine.inspect(connection, is_thorough=False).size_bytes
    with store.bare() as connection:
        store.engine.vacuum(connection)
    with store.write() as connection:
        meta.put(connection, LAST_VACUUM, str(clock.now()))
        after = store.engine.inspect(connection, is_thorough=False).size_bytes
    return max(0, before - after)
