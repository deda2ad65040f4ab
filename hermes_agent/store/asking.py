"""On whose word a change is made: noted at the door, and told by every entry that is journalled meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from hermes_agent.ids import is_uid
from hermes_agent.records.journal import NewEntry

_ENDS = (".", "!", "?", "…", ".”", "!”", "?”")
_asking: ContextVar[str | None] = ContextVar("asking", default=None)


def note_asking(who: str) -> None:
    """Let what is done from here on, in this request or this process, say on whose word it is done.

    Noted once at the door rather than handed through every verb, where one that forgets it would hide who it was.
    """
    _asking.set(who)


@contextmanager
def noticing() -> Iterator[None]:
    """Write down what is found to be so already: whoever made us look did not do it."""
    asking = _asking.set(None)
    try:
        yield
    finally:
        _asking.reset(asking)


def naming_asker(entry: NewEntry) -> NewEntry:
    """Add who asked to a change in the owner's name; where another change is the cause, the sentence says it."""
    who, cause = _asking.get(), entry.cause
    if who is None or entry.actor != "owner" or (cause or "").startswith(who):
        return entry
    if cause is not None and is_uid(cause):
        end = "" if entry.text.endswith(_ENDS) else "."
        return replace(entry, text=f"{entry.text}{end} By {who}.")
    return replace(entry, cause=who if cause is None else f"{who}: {cause}")
