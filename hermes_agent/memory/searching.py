"""One search over everything that is remembered: facts, episodes, notes, skills, reflections, conversations.

Facts and episodes are found by recall. Notes, skills and reflections are few: they are read whole and found by
the share of the question's words they hold. Whatever type a match has, it is named as people name it and shows
the words that were looked for. An empty answer says why it is empty, and what could not be looked at is told,
never left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Literal, get_args

from hermes_agent.errors import HermesError
from hermes_agent.memory import embedding
from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import format
from hermes_agent.recall import archive
from hermes_agent.recall.asking import NO_RERANKING, Asking, Reranking, Retrieval
from hermes_agent.recall.block import Item
from hermes_agent.recall.context import item_of, named
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.looking import MOST_RESULTS, SCAN_SECONDS, Request
from hermes_agent.records.memory import ItemKind
from hermes_agent.records.notes import SUBJECTS, Note
from hermes_agent.skills.library import Library
from hermes_agent.store import episodes, facts, jobs, messages, reflections
from hermes_agent.store import notes as versions
from hermes_agent.store.store import Store
from hermes_agent.text.query import Group, Query
from hermes_agent.text.snippet import snippet
from hermes_agent.text.stems import content_words, stem_numbers

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder
    from hermes_agent.recall.finding import Found

Type = Literal["facts", "episodes", "notes", "skills", "sessions", "reflections"]
TYPES: Sequence[Type] = get_args(Type)
TOGETHER: Sequence[Type] = ("facts", "episodes", "notes", "skills", "reflections")
"""What is looked through when no type is asked for; `sessions` would say the episodes again."""

_KINDS: dict[Type, Sequence[ItemKind]] = {"facts": ("fact",), "episodes": ("episode", "summary")}
_NOTES: Sequence[Note] = ("user", "memory", "workspace", "soul")
# So many hits more than wanted are ranked: facts and episodes share a list, and an episode may stand in it twice.
_SPARE = 200
_NEAREST = 3
_MOST_REFLECTIONS = 2_000
_SNIPPET_WORDS = 30
_IN_THE_TEXT = 0.5
"""What a word in the text of a skill counts beside one in its name and description."""

TOO_FAR = "What was found is too far from the question. Show it all the same: --all"
NOTHING_FITS = "Nothing fits. Try other words, or a word as it was said: hermes sessions search WORD"


@dataclass(frozen=True, slots=True)
class Places:
    """Where there is something to find."""

    store: Store
    embedder: "Embedder | None"
    notebook: Notebook
    library: Library
    reranking: Reranking = NO_RERANKING


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for: `said` as it was typed, and as recall reads it; `limit` counts for each type."""

    said: str
    asking: Asking
    types: Sequence[Type] = TOGETHER
    limit: int = 10
    min_relevance: float = 0.65
    """What is less relevant than this and shares no word with the question is weak."""
    with_weak: bool = False
    scan_seconds: float = SCAN_SECONDS


@dataclass(frozen=True, slots=True)
class Match:
    """Something that fits: `text` is all of it, `shown` the part that shows why."""

    type: Type
    name: str
    """What people call it: `fact:042`, `episode:17`, `note:user:3`, `skill:deploy`, or a session's id."""
    text: str
    shown: str
    who: str
    at: int | None = None
    relevance: float | None = None
    """From 0 to 1; None where only the order is known."""
    session_id: str | None = None
    message_id: int | None = None
    hit: Hit | None = None
    """What recall knows of it."""


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Facts and exchanges, the best first; `items` are the hits as the memory block shows them."""

    hits: Sequence[Hit]
    items: Sequence[Item]
    is_far: bool
    """Nothing is close to the question; these are the nearest all the same."""
    troubles: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """The matches, type by type in the order asked for, in each the best first."""

    matches: Sequence[Match]
    troubles: Sequence[str] = ()
    """What could not be looked at, or not wholly, and why."""
    advice: str | None = None
    """Why the answer is empty or not whole, and what to try."""
    compared: int = 0
    """How many messages the question was compared with."""
    fingerprint: str | None = None
    """What made the vectors it was compared with; None if its words alone were."""
    days: tuple[date, date] | None = None
    """The days the question asks for."""
    types: Sequence[Type] = ()
    """What was looked through."""


def search(places: Places, wanted: Wanted) -> Searched:
    """Look through everything that is asked for."""
    marked = _marked(wanted.asking)
    found = _recalled(places, wanted, marked) if set(wanted.types) & set(_KINDS) else Searched([])
    matches, troubles, advice = list(found.matches), list(found.troubles), found.advice
    if "notes" in wanted.types:
        noted, unreadable = _notes(places, wanted, marked)
        matches += noted
        troubles += unreadable
    if "skills" in wanted.types:
        matches += _skills(places.library, wanted, marked)
    if "reflections" in wanted.types:
        matches += _reflections(places.store, wanted, marked)
    if "sessions" in wanted.types:
        held, told = _sessions(places.store, wanted)
        matches += held
        advice = advice or told
    matches.sort(key=lambda match: wanted.types.index(match.type))
    if not matches:
        advice = _why_empty(places.store, wanted, advice)
    return replace(found, types=wanted.types, matches=matches, troubles=troubles, advice=advice)


def look_up(
    store: Store, embedder: "Embedder | None", wanted: Wanted, reranking: Reranking, zone: tzinfo | None
) -> LookedUp:
    """Look through facts and exchanges alone, for somebody who can judge what is found.

    `limit` counts for both together. What only its meaning brings is seldom close: few of those are shown when
    nothing else is there.
    """
    found = _found(store, embedder, wanted, reranking)
    hits = _close(found.hits, wanted)
    is_far = not hits
    if is_far:
        hits = _close(found.hits, replace(wanted, limit=_NEAREST, with_weak=True))[:_NEAREST]
    hits = hits[: wanted.limit]
    return LookedUp(hits, [item_of(hit, wanted.asking, zone) for hit in hits], is_far, found.troubles)


def _recalled(places: Places, wanted: Wanted, marked: Query) -> Searched:
    found = _found(places.store, places.embedder, wanted, places.reranking)
    close = _close(found.hits, wanted)
    matches = [_of_hit(type, hit, marked) for type, kinds in _KINDS.items() for hit in close if hit.kind in kinds]
    has_weak = not matches and any(_is_in_time(hit, wanted.asking) for hit in found.hits)
    advice = TOO_FAR if has_weak else None
    return Searched(matches, found.troubles, advice, found.compared, found.fingerprint, found.days)


def _found(store: Store, embedder: "Embedder | None", wanted: Wanted, reranking: Reranking) -> "Found":
    # Imported here: it loads numpy.
    from hermes_agent.recall.finding import find
    from hermes_agent.recall.rerank import reranked

    kinds = [kind for one in wanted.types for kind in _KINDS.get(one, ())]
    # What was said last fits no search better than anything else: that pass is for tasks.
    limits = Retrieval(recency_episodes=0)
    found = find(store, embedder, wanted.asking, limits, wanted.limit + _SPARE, kinds)
    found = reranked(store, found, wanted.said, reranking)
    return replace(found, troubles=found.troubles or _lag(store, embedder, found.fingerprint))


def _close(hits: Sequence[Hit], wanted: Wanted) -> list[Hit]:
    """Take of each kind as many as wanted, each once, without what is of another time or far from the question."""
    chosen: list[Hit] = []
    seen: set[tuple[ItemKind, int]] = set()
    left = {kind: wanted.limit for kinds in _KINDS.values() for kind in kinds}
    shares = [_share(hit.text, wanted.asking) for hit in hits]
    bar = 0.0 if wanted.with_weak else _bar(hits, shares, wanted.min_relevance)
    for hit, share in zip(hits, shares, strict=True):
        if not left[hit.kind] or (hit.kind, hit.id) in seen or not _is_in_time(hit, wanted.asking):
            continue
        if share or hit.relevance >= bar:
            chosen.append(hit)
            seen.add((hit.kind, hit.id))
            left[hit.kind] -= 1
    return chosen


def _bar(hits: Sequence[Hit], shares: Sequence[float], enough: float) -> float:
    """Return how relevant a hit must be that shares no word: enough, or more than any that does."""
    by_words = (hit.relevance for hit, share in zip(hits, shares, strict=True) if share)
    return min(enough, max(by_words, default=enough))


def _is_in_time(hit: Hit, asking: Asking) -> bool:
    return _is_within(hit.said_at, asking)


def _is_within(moment: int, asking: Asking) -> bool:
    is_after = asking.since is None or moment >= asking.since
    return is_after and (asking.until is None or moment < asking.until)


def _of_hit(type: Type, hit: Hit, marked: Query) -> Match:
    is_fact = hit.kind == "fact"
    # A message that is in no episode yet has a number below zero.
    name = named(hit) or (f"episode:{hit.id}" if hit.id > 0 else f"message:{hit.message_id}")
    return Match(
        type,
        name,
        hit.text,
        _shown(hit.text, marked),
        hit.source_class if is_fact else hit.who,
        hit.said_at,
        hit.relevance,
        hit.session_id,
        hit.message_id,
        hit,
    )


def _lag(store: Store, embedder: "Embedder | None", used: str | None) -> list[str]:
    """Say what recall cannot know yet; `used` is what made the vectors that were compared."""
    lines = []
    with store.read() as connection:
        # Looking for them reads every message, so only when somebody is about to make some.
        is_missing = jobs.open_keys(connection, [EPISODES]) and episodes.missing(connection, 0, 1)
    if is_missing:
        lines.append("Some of what was said is in no episode yet; it is found by its words alone.")
    health = None if embedder is None else embedding.health(store, embedder)
    if health is not None and health.is_behind:
        count = f"{health.done:,} of {health.total:,} memories have a vector"
        if used in (None, health.wanted):
            lines.append(f"{count} so far; the others are found by words.")
        else:
            lines.append(f"{count} of {health.wanted} so far; until all have, those of {used} are used.")
    return lines


def _notes(places: Places, wanted: Wanted, marked: Query) -> tuple[list[Match], list[str]]:
    matches, troubles = [], []
    for note in _NOTES:
        try:
            text = _note_text(places, note, wanted.asking.as_of)
        except HermesError as error:
            troubles.append(error.message)
            continue
        for place, entry in enumerate(_entries(note, text), start=1):
            share = _share(entry, wanted.asking)
            if share:
                name, shown = f"note:{note}:{place}", _shown(entry, marked)
                matches.append(Match("notes", name, entry, shown, SUBJECTS[note], relevance=share))
    return _best(matches, wanted.limit), troubles


def _note_text(places: Places, note: Note, as_of: int | None) -> str:
    if as_of is None:
        return places.notebook.text(note)
    with places.store.read() as connection:
        held = (version.text for version in versions.newest(connection, note) if version.at <= as_of)
        return next(held, "")


def _entries(note: Note, text: str) -> Sequence[str]:
    """Cut a note into what can be found: its entries, or the lines of a free text."""
    if note in ("user", "memory"):
        return format.unique(format.parse(text))
    return [line.strip() for line in text.splitlines() if line.strip()]


def _skills(library: Library, wanted: Wanted, marked: Query) -> list[Match]:
    matches = []
    for skill in library.list():
        if skill.problem is not None:
            continue
        headline, text = f"{skill.name}: {skill.description}", library.body(skill)
        in_headline = _share(headline, wanted.asking)
        share = max(in_headline, _IN_THE_TEXT * _share(text, wanted.asking))
        if share:
            shown = _shown(headline if in_headline else text, marked)
            matches.append(
                Match("skills", f"skill:{skill.name}", text, shown, skill.category or "", relevance=share)
            )
    return _best(matches, wanted.limit)


def _reflections(store: Store, wanted: Wanted, marked: Query) -> list[Match]:
    with store.read() as connection:
        made = reflections.recent(connection, _MOST_REFLECTIONS)
    as_of = wanted.asking.as_of
    matches = []
    for one in made:
        text = f"{one.task} {one.lesson}"
        share = _share(text, wanted.asking)
        is_known = as_of is None or one.made_at <= as_of
        if share and is_known and _is_within(one.ended_at, wanted.asking):
            shown = _shown(text, marked)
            matches.append(
                Match("reflections", one.name, text, shown, one.task_type, one.ended_at, share, one.session_id)
            )
    return _best(matches, wanted.limit)


def _sessions(store: Store, wanted: Wanted) -> tuple[list[Match], str | None]:
    asking = wanted.asking
    limits = [moment for moment in (asking.until, asking.as_of) if moment is not None]
    request = Request(
        wanted.said,
        limit=min(wanted.limit, MOST_RESULTS),
        since=asking.since,
        until=min(limits, default=None),
        detail="index",
        scan_seconds=wanted.scan_seconds,
    )
    answer = archive.discover(store, request)
    matches = [
        Match(
            "sessions",
            found.session.id,
            found.session.title or found.snippet,
            found.snippet,
            found.matched_role,
            found.session.started_at,
            session_id=found.session.id,
            message_id=found.match_message_id,
        )
        for found in answer.results
    ]
    return matches, answer.message


def _why_empty(store: Store, wanted: Wanted, advice: str | None) -> str:
    with store.read() as connection:
        if list(wanted.types) == ["reflections"] and not reflections.count(connection):
            return "There are no reflections yet."
        is_new = not messages.last_id(connection) and not facts.recent(connection, 1)
    if is_new:
        return 'Nothing is remembered yet. Talk: hermes chat. Or: hermes memory fact add "…"'
    asking = wanted.asking
    if any(moment is not None for moment in (asking.since, asking.until, asking.as_of)):
        return "Nothing of that time fits. Try other words, or other dates."
    return advice or NOTHING_FITS


def _share(text: str, asking: Asking) -> float:
    """Return which share of the question's words a text holds, by what they count."""
    weights = asking.question.weights
    # A single digit says nothing: the 4 of "4.0" is in every second address and time.
    held = set(stem_numbers([word for word in content_words(text) if len(word) > 1 or not word.isdigit()]))
    return sum(weight for stem, weight in weights.items() if stem in held) / (sum(weights.values()) or 1.0)


def _best(matches: Sequence[Match], limit: int) -> list[Match]:
    return sorted(matches, key=lambda match: -(match.relevance or 0.0))[:limit]


def _marked(asking: Asking) -> Query:
    """Return the query whose terms are marked where they stand: whatever has the stem of a word asked for."""
    from hermes_agent.recall.passes import terms_of

    terms = terms_of(asking.question.words).values()
    return Query(asking.question.text, tuple(Group((term,)) for term in terms), is_plain=True)


def _shown(text: str, marked: Query) -> str:
    return " ".join(snippet(text, marked, _SNIPPET_WORDS).split())
