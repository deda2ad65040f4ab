"""Move what is remembered from one memory to another: between external ones, or from and to our own.

Sentences are moved, not conversations: those stay in our archive, whoever remembers beside it, and a turn that
comes back from a memory which was told of it is no fact. Nothing is removed where it came from. What comes to us
is another program's word, beside the owner's own. Everything is looked at before anything is copied: a dry run
says what the real one does.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from hermes_agent import clock
from hermes_agent.memory import blocked, copied_facts, facts
from hermes_agent.memory.external import External
from hermes_agent.memory.notebook import Notebook
from hermes_agent.ops.steps import Step
from hermes_agent.providers.provider import MemoryProvider
from hermes_agent.providers.watched import Caller
from hermes_agent.recall.repeated import same
from hermes_agent.store import facts as kept_facts
from hermes_agent.store import messages, search
from hermes_agent.store.search import Filters
from hermes_agent.store.store import Store
from hermes_agent.text import transcripts
from hermes_agent.text.clean import printable
from hermes_agent.text.query import Group, Query, Term
from hermes_agent.text.secrets import redact
from hermes_agent.text.words import words

_SECONDS = 120.0
_LISTING_SECONDS = 600.0
_BLOCK = 500
_CALLER = Caller("hermes-memory-migrate")
_ALIKE = 100
_LONGEST_PHRASE = 40


@dataclass(frozen=True, slots=True)
class Moved:
    """How many sentences were moved, and how many were not: there already, in the archive, or forgotten here."""

    new: int
    known: int
    turns: int
    """Transcripts of turns that the archive holds."""
    forgotten: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be moved, and what comes of it."""

    texts: Sequence[str]
    moved: Moved


def texts_of(store: Store, source: External | None) -> list[str]:
    """Return every sentence that a memory holds to be true; None is our own."""
    if source is None:
        return list(_current(store))
    return source.watched.ask(lambda one: list(_listed(one)), _LISTING_SECONDS, _CALLER)


def plan(notebook: Notebook, texts: Sequence[str], target: External | None) -> Generator[Step, None, Plan]:
    """Decide which sentences a memory lacks; those that say the same count as one."""
    store = notebook.store
    there = _said(texts_of(store, target))
    if target is None:
        there |= _said([*notebook.entries("user"), *notebook.entries("memory")])
    wanted: list[str] = []
    known = turns = forgotten = 0
    for done, text in enumerate(texts, 1):
        sentence = _sentence(text)
        said = _compared(sentence)
        if said in there:
            known += 1
        elif target is None and _is_turn_of_ours(store, text):
            turns += 1
        elif target is None and _is_forgotten(store, sentence):
            forgotten += 1
        else:
            there.add(said)
            wanted.append(sentence if target is None else text)
        yield Step("memories", done, len(texts))
    return Plan(wanted, Moved(len(wanted), known, turns, forgotten))


def move(store: Store, wanted: Plan, target: External | None, origin: str) -> Generator[Step, None, Moved]:
    """Bring what was planned into a memory; to our own all at once, as one change that can be undone."""
    total = len(wanted.texts)
    if target is None:
        new = copied_facts.keep(store, wanted.texts, origin, wanted.moved.forgotten)
        return replace(wanted.moved, new=new, known=wanted.moved.known + total - new)
    for done, text in enumerate(wanted.texts, 1):
        target.watched.ask(partial(_remember, text), _SECONDS, _CALLER)
        yield Step("memories", done, total)
    return wanted.moved


def _remember(text: str, provider: MemoryProvider) -> str:
    return provider.remember(text)


def _said(texts: Iterable[str]) -> set[str]:
    return {_compared(_sentence(text)) for text in texts}


def _compared(sentence: str) -> str:
    return transcripts.compared(sentence) or sentence


def _sentence(text: str) -> str:
    """Return a text as it is a fact here: on one line, not too long, without secrets."""
    return redact(facts.one_line(text[: facts.LONGEST]))[0]


def _is_turn_of_ours(store: Store, text: str) -> bool:
    """Tell whether a text is a transcript of a turn whose message the archive holds."""
    turn = transcripts.read(text)
    if turn is None or not turn.user:
        return False
    # What was cut may end within a word.
    whole = turn.user.rsplit(maxsplit=1)[0] if turn.user.endswith(transcripts.CUT) else turn.user
    term = Term(tuple(words(whole)[:_LONGEST_PHRASE]))
    if not term.words:
        return False
    phrase = Query(whole, (Group((term,)),), is_plain=False)
    with store.read() as connection:
        hits = search.find(connection, store.engine, phrase, Filters(roles=("user",)), _ALIKE, "best").best
        said = messages.get_many(connection, [hit.message_id for hit in hits])
    return same(turn.user, {transcripts.compared(one.content or ""): one for one in said.values()}) is not None


def _is_forgotten(store: Store, sentence: str) -> bool:
    with store.read() as connection:
        return blocked.is_blocked(connection, sentence)


def _current(store: Store) -> Iterator[str]:
    last, now = 0, clock.now()
    while True:
        with store.read() as connection:
            some = kept_facts.after(connection, last, _BLOCK)
        if not some:
            return
        yield from (fact.text for fact in some if fact.state == "current" and not fact.has_expired(now))
        last = some[-1].id


def _listed(provider: MemoryProvider) -> Iterator[str]:
    seen: set[str] = set()
    for one in provider.memories():
        text = one.text.strip()
        if printable(text).strip() and text not in seen:
            seen.add(text)
            yield text
