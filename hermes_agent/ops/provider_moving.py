"""Move what is remembered from one memory to another: between external ones, or from and to our own.

Sentences are moved, not conversations: those stay in our archive, whoever remembers beside it. Nothing is removed
where it came from. What comes to us is another program's word, beside the owner's own.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial

from hermes_agent import clock
from hermes_agent.memory import facts
from hermes_agent.memory.external import External
from hermes_agent.ops.steps import Step
from hermes_agent.providers.provider import MemoryProvider
from hermes_agent.providers.watched import Caller
from hermes_agent.store import facts as kept_facts
from hermes_agent.store.store import Store

_SECONDS = 120.0
_LISTING_SECONDS = 600.0
_BLOCK = 500
_CALLER = Caller("hermes-memory-migrate")


@dataclass(frozen=True, slots=True)
class Moved:
    """How many sentences were moved, and how many were there already, or were forgotten here for good."""

    new: int
    known: int
    forgotten: int


def texts_of(store: Store, source: External | None) -> list[str]:
    """Return every sentence that a memory holds to be true; None is our own."""
    if source is None:
        return list(_current(store))
    return source.watched.ask(lambda one: list(_listed(one)), _LISTING_SECONDS, _CALLER)


def move(store: Store, texts: list[str], target: External | None, origin: str) -> Generator[Step, None, Moved]:
    """Bring sentences into a memory, one after the other; doing it twice doubles nothing."""
    there = set() if target is None else set(texts_of(store, target))
    new = known = forgotten = 0
    for done, text in enumerate(texts, 1):
        if target is None:
            fate = facts.add_imported(store, text[: facts.LONGEST], clock.now(), origin, is_own=False)
            forgotten += fate == "forgotten"
            new += fate == "new"
            known += fate not in ("new", "forgotten")
        elif text in there:
            known += 1
        else:
            target.watched.ask(partial(_remember, text), _SECONDS, _CALLER)
            new += 1
        yield Step("memories", done, len(texts))
    return Moved(new, known, forgotten)


def _remember(text: str, provider: MemoryProvider) -> str:
    return provider.remember(text)


def _current(store: Store) -> Iterator[str]:
    last = 0
    while True:
        with store.read() as connection:
            some = kept_facts.after(connection, last, _BLOCK)
        if not some:
            return
        yield from (fact.text for fact in some if fact.state == "current")
        last = some[-1].id


def _listed(provider: MemoryProvider) -> Iterator[str]:
    seen: set[str] = set()
    for one in provider.memories():
        text = one.text.strip()
        if text and text not in seen:
            seen.add(text)
            yield text
