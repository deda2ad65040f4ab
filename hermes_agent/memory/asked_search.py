"""The search of everything as every door asks for it: wishes as they were typed, read into what recall looks for.

Not all types of memory have dates, or a past: they are left out where none was asked for, and one that was is an
error.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import TYPE_CHECKING, Protocol

from hermes_agent import clock
from hermes_agent.config.settings import MEMORY_RETRIEVAL_MIN_RELEVANCE_SCORE
from hermes_agent.errors import UsageError
from hermes_agent.memory.searching import TOGETHER, Places, Searched, Type, Wanted
from hermes_agent.memory.searching import search as look
from hermes_agent.recall.asking import Reranking, ask
from hermes_agent.recall.looking import HIDDEN_SOURCES, SCAN_SECONDS
from hermes_agent.text.dates import last_moment_of, moment_of

if TYPE_CHECKING:
    from hermes_agent.config.load import Settings
    from hermes_agent.embedders.choose import Chosen
    from hermes_agent.embedders.embedder import Embedder
    from hermes_agent.memory.notebook import Notebook
    from hermes_agent.skills.library import Library
    from hermes_agent.store.store import Store

_UNDATED: frozenset[Type] = frozenset({"notes", "skills"})
_WITHOUT_PAST: frozenset[Type] = frozenset({"skills"})


class Parts(Protocol):
    """What of the program a search needs."""

    @property
    def settings(self) -> "Settings": ...
    @property
    def zone(self) -> tzinfo | None: ...
    @property
    def store(self) -> "Store": ...
    @property
    def embedder(self) -> "Embedder | None": ...
    @property
    def embedder_choice(self) -> "Chosen": ...
    @property
    def notebook(self) -> "Notebook": ...
    @property
    def library(self) -> "Library": ...
    @property
    def reranking(self) -> Reranking: ...


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is looked for, as a person or a program typed it; dates that are empty are no wish."""

    said: str
    types: Sequence[Type] = ()
    """Only these; what can be looked through together if there are none."""
    limit: int = 10
    since: str | None = None
    until: str | None = None
    as_of: str | None = None
    with_weak: bool = False
    scan_seconds: float = SCAN_SECONDS
    """How long conversations are read for what no index has."""


def search(parts: Parts, wishes: Wishes) -> Searched:
    """Look through everything that is wished for; what the embedder lacks is told among the troubles."""
    since, until, as_of = (typed and typed.strip() or None for typed in (wishes.since, wishes.until, wishes.as_of))
    types = _types(wishes.types, is_dated=bool(since or until), is_past=as_of is not None)
    moment = last_moment_of(as_of, parts.zone)
    asking = ask(
        wishes.said,
        clock.to_datetime(clock.now() if moment is None else moment, parts.zone),
        hidden_sources=HIDDEN_SOURCES,
        as_of=moment,
        since=moment_of(since, parts.zone, is_end=False),
        until=moment_of(until, parts.zone, is_end=True),
    )
    enough = parts.settings[MEMORY_RETRIEVAL_MIN_RELEVANCE_SCORE]
    places = Places(parts.store, parts.embedder, parts.notebook, parts.library, parts.reranking)
    wanted = Wanted(
        wishes.said,
        asking,
        types,
        wishes.limit,
        enough,
        with_weak=wishes.with_weak,
        scan_seconds=wishes.scan_seconds,
    )
    found = look(places, wanted)
    problem = parts.embedder_choice.problem
    return found if problem is None else replace(found, troubles=[problem.message, *found.troubles])


def _types(asked: Sequence[Type], *, is_dated: bool, is_past: bool) -> list[Type]:
    for one in asked:
        if is_dated and one in _UNDATED:
            raise UsageError(f"There are no dates to {one}.", hint="Leave out since and until.")
        if is_past and one in _WITHOUT_PAST:
            raise UsageError(f"Only the {one} of today can be searched.", hint="Leave out the day.")
    left_out = (_UNDATED if is_dated else frozenset()) | (_WITHOUT_PAST if is_past else frozenset())
    return list(asked) or [one for one in TOGETHER if one not in left_out]
