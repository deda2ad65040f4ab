"""Ask memory for what fits: before a task, with the external memory beside it, or for who looks something up."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import tzinfo

from hermes_agent import clock
from hermes_agent.embedders.embedder import Embedder
from hermes_agent.memory import blocked, provider_health, searching
from hermes_agent.memory.external import NOTHING, External, Provided
from hermes_agent.notes.format import parse
from hermes_agent.recall.asking import Reranking, Retrieval, ask
from hermes_agent.recall.canned import uncanned
from hermes_agent.recall.context import Context, Shelf, choose
from hermes_agent.recall.finding import Found
from hermes_agent.recall.looking import HIDDEN_SOURCES
from hermes_agent.recall.task import Looked, look
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.store import messages, notes
from hermes_agent.store.store import Store

_SIDES = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom a question is asked of, and within which limits."""

    store: Store
    embedder: Embedder | None
    zone: tzinfo | None
    limits: Retrieval
    reranking: Reranking
    external: External | None = None


def recall(
    asked: Asked, said: str, session_id: str | None, without: Collection[str], as_of: int | None
) -> Context:
    """Return what goes in front of a task; `without` are the places that were sent before.

    The external memory is asked meanwhile; of how it stood on another day it knows nothing.
    """
    now = clock.to_datetime(clock.now() if as_of is None else as_of, asked.zone)
    asking = ask(said, now, without_session=session_id, hidden_sources=HIDDEN_SOURCES, as_of=as_of)
    external = asked.external if as_of is None else None
    external = None if external is None or not external.watched.is_used() else external
    # Asked first, and waited for last: both look at the same time.
    waiting = None if external is None else external.begin(said, session_id or "", asked.limits.budget_tokens)
    if external is not None and external.is_alone:
        looked = Looked(Shelf([], sent=without), Found([]))
    else:
        looked = look(asked.store, asked.embedder, asking, asked.limits, without, asked.reranking)
    provided = NOTHING if waiting is None else _unforgotten(asked.store, waiting.end())
    if external is not None:
        provider_health.note_asked(asked.store, external.name, provided.failure)
    found = replace(looked.found, troubles=[*looked.found.troubles, *provided.troubles])
    beside = _beside(asked.store, session_id) if provided.hits else {}
    shelf = replace(looked.shelf, provided=provided.hits, beside=beside)
    return choose(shelf, found, asking, asked.limits, asking.now.tzinfo)


def _unforgotten(store: Store, provided: Provided) -> Provided:
    """Leave out what was forgotten here, and answers that say nothing: the external memory may still hold them."""
    if not provided.hits:
        return provided
    with store.read() as connection:
        kept = [uncanned(hit) for hit in provided.hits if not blocked.is_blocked(connection, hit.text)]
    return replace(provided, hits=kept)


def _beside(store: Store, session_id: str | None) -> dict[str, str]:
    """Return what a model sees beside what is recalled, and where: the notes, and what the conversation holds."""
    with store.read() as connection:
        known = [notes.current(connection, note) for note in ("user", "memory")]
        window = [] if session_id is None else messages.window_of(connection, session_id)
    said = {one.content: "this conversation" for one in window if one.content and one.role in _SIDES}
    return said | {entry: SUBJECTS[one.note] for one in known if one for entry in parse(one.text)}


def look_up(
    asked: Asked, said: str, session_id: str | None, *, limit: int, since: int | None, until: int | None
) -> searching.LookedUp:
    """Return the facts and exchanges nearest to a question, without those of the session it is asked in."""
    asking = ask(
        said,
        clock.to_datetime(clock.now(), asked.zone),
        without_session=session_id,
        hidden_sources=HIDDEN_SOURCES,
        since=since,
        until=until,
    )
    wanted = searching.Wanted(said, asking, ("facts", "episodes"), limit, asked.limits.min_relevance)
    return searching.look_up(asked.store, asked.embedder, wanted, asked.reranking, asked.zone)
