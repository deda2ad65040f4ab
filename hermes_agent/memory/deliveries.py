"""The words behind the outbox: read when they are brought, so what is gone by then is never sent."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from typing import Any

from hermes_agent import clock
from hermes_agent.notes.format import parse
from hermes_agent.records.archive import Message
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.records.outbox import Delivery
from hermes_agent.store import journal, messages, notes, sessions
from hermes_agent.store.store import Store

_TARGETS = {name: note for note, name in SUBJECTS.items()}
_SPOKEN = ("user", "assistant", "tool")

# Any: messages in the form that providers of the public product take.
Written = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class TurnTold:
    """A turn that was answered."""

    user: str
    assistant: str
    messages: Written


@dataclass(frozen=True, slots=True)
class EndTold:
    """A conversation that is over."""

    messages: Written


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of a note that was added, replaced or removed."""

    action: str
    target: str
    content: str
    old_text: str | None = None


@dataclass(frozen=True, slots=True)
class NoteTold:
    """A change of the notes, and who made it."""

    changes: Sequence[Change]
    actor: str
    session_id: str | None


def read(store: Store, delivery: Delivery, untold: set[str]) -> TurnTold | EndTold | NoteTold | None:
    """Return what there is to tell; None if it was taken back, deleted or forgotten meanwhile.

    `untold` gathers the entries of notes that went before they were told: nor is told that they went.
    """
    match delivery.kind:
        case "turn":
            return _turn(store, delivery)
        case "ended":
            said = _said(store, delivery.session_id)
            return EndTold(written(said)) if said else None
        case "note":
            return _note(store, delivery, untold)


def written(said: Sequence[Message]) -> Written:
    """Write messages as chat APIs have them, each with when it was said: they may be brought days later."""
    return [
        {"role": one.role, "content": one.content or "", "timestamp": clock.iso(one.said_at)}
        for one in said
        if one.role in _SPOKEN
    ]


def _turn(store: Store, delivery: Delivery) -> TurnTold | None:
    with store.read() as connection:
        ends = messages.by_uids(connection, [uid for uid in (delivery.first, delivery.last) if uid])
    first, last = ends.get(delivery.first or ""), ends.get(delivery.last or "")
    if first is None or last is None:
        return None
    said = _said(store, delivery.session_id, first.id, last.id)
    if not said or said[0].id != first.id or said[-1].id != last.id:
        return None
    return TurnTold(first.content or "", last.content or "", written(said))


def _said(store: Store, session_id: str | None, since: int = 0, until: int | None = None) -> list[Message]:
    with store.read() as connection:
        if session_id is None or not sessions.exists_id(connection, session_id):
            return []
        with closing(messages.of_session(connection, session_id, since=since)) as found:
            wanted = takewhile(lambda one: until is None or one.id <= until, found)
            return [one for one in wanted if not one.is_summary]


def _note(store: Store, delivery: Delivery, untold: set[str]) -> NoteTold | None:
    with store.read() as connection:
        entry = None if delivery.first is None else journal.get(connection, delivery.first)
        target = None if entry is None else _TARGETS.get(entry.subject)
        if entry is None or target not in ("memory", "user"):
            return None
        now = notes.current(connection, target)
    standing = set() if now is None else set(parse(now.text))
    added = [one for one in _texts(entry.after) if one in standing]
    removed = [one for one in _texts(entry.before) if one not in untold]
    untold |= {one for one in _texts(entry.after) if one not in standing}
    changes = list(_changes(target, removed, added))
    return NoteTold(changes, entry.actor, entry.session_id) if changes else None


def _changes(target: str, removed: Sequence[str], added: Sequence[str]) -> Iterator[Change]:
    """Pair what went with what came, in order: the journal keeps no more than both."""
    for old, new in zip_longest(removed, added):
        if old is None:
            yield Change("add", target, new)
        elif new is None:
            yield Change("remove", target, "", old)
        else:
            yield Change("replace", target, new, old)


def _texts(kept: object) -> list[str]:
    return [one for one in kept if isinstance(one, str)] if isinstance(kept, list) else []
