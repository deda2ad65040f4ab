"""Choose from what was found what goes in front of a task; what is left out says why.

Always in: the current facts that name something the task names, what tasks like it taught, and the latest
episodes. Then what is relevant enough, the best first, and what an external memory brought. Of episodes that share
no word, name or day with the task, which only their meaning brought, at most `semantic_top_k` are taken; of
everything relevant at most `MOST_ITEMS`. The budget takes whole items in that order, facts, relevant, provided,
recent, and the block shows them by time. What an external memory brings that our own says already is left out.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.recall.asking import Asking, Retrieval
from hermes_agent.recall.block import Item, fenced
from hermes_agent.recall.canned import is_canned
from hermes_agent.recall.excerpt import excerpt
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.payload import when
from hermes_agent.recall.reasons import Ground, too_little, why_taken
from hermes_agent.recall.relevance import odds
from hermes_agent.recall.repeated import brought_again, repeated
from hermes_agent.records.memory import fact_name
from hermes_agent.records.reflections import reflection_name
from hermes_agent.records.summaries import summary_name
from hermes_agent.text.questions import only_asks
from hermes_agent.text.stems import content_words, stem_numbers
from hermes_agent.text.tokens import CHARACTERS_PER_TOKEN
from hermes_agent.text.transcripts import compared

if TYPE_CHECKING:
    from hermes_agent.recall.finding import Found

MOST_ITEMS = 20
OVER_BUDGET = "over the budget"
_SENT = "sent in this conversation before"
_OF_ONE_SESSION = 4
"""So many of one session are taken before others had their turn."""
_TELLING = frozenset({"keyword", "entity", "time"})
_RESERVED = ("fact", "note", "reflection", "summary")
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something found that does not go in front of the task."""

    hit: Hit
    reason: str


@dataclass(frozen=True, slots=True)
class Context:
    """What goes in front of a task, in the order of time; `hits` are the items' own, beside them."""

    items: Sequence[Item]
    hits: Sequence[Hit]
    reasons: Sequence[str]
    """Why each item is there."""
    left_out: Sequence[LeftOut]
    found: "Found"

    @property
    def text(self) -> str:
        """The block as it is sent; empty when there is nothing to send."""
        return fenced(self.items)


@dataclass(frozen=True, slots=True)
class Shelf:
    """What is chosen from: hits by score, the latest episodes' messages, which message a fact was said in."""

    hits: Sequence[Hit]
    recent: Sequence[Hit] = ()
    sources: Mapping[int, int] | None = None
    sent: Collection[str] = ()
    """The places that were sent in this conversation before."""
    provided: Sequence[Hit] = ()
    """What the external memory brought."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Texts that a model sees beside the block, and where they stand; the external memory heard them, too."""


def choose(shelf: Shelf, found: "Found", asking: Asking, limits: Retrieval, zone: tzinfo | None) -> Context:
    """Choose what goes in front of the task; the same input gives the same bytes."""
    ordered, left_out = _wanted(shelf, asking, limits, is_ordered=found.is_reranked)
    kept: list[tuple[Hit, Item, str]] = []
    seen: dict[object, str] = {}
    told = {compared(text): where for text, where in shelf.beside.items()}
    sources = shelf.sources or {}
    latest = {hit.message_id for hit in shelf.recent}
    for hit, ground in ordered:
        item = item_of(hit, asking, zone)
        is_question = hit.kind == "episode" and hit.message_id not in latest and only_asks(hit.text)
        said_by = _said_by(hit, item, seen, told)
        reason = "a question" if is_question else _unfit(hit, item, said_by, shelf.sent)
        cost = len(fenced([*(one for _, one, _ in kept), item])) if reason is None else 0
        if reason is None and cost > limits.budget_tokens * CHARACTERS_PER_TOKEN:
            reason = OVER_BUDGET
        says = said_by or named(hit) or f"message {hit.message_id}"
        if shelf.provided and (said_by or reason in (None, _SENT)):
            told.setdefault(compared(hit.text), says)
        if reason is not None:
            left_out.append(LeftOut(hit, reason))
            continue
        kept.append((hit, item, why_taken(hit, ground, asking, limits)))
        seen |= dict.fromkeys(_marks(hit, item), says)
        if hit.kind == "fact" and hit.id in sources:
            seen[sources[hit.id]] = says
    kept.sort(key=lambda one: (one[0].said_at, one[0].message_id or 0, one[0].id))
    hits, items, reasons = [hit for hit, _, _ in kept], [item for _, item, _ in kept], [why for _, _, why in kept]
    return Context(items, hits, reasons, left_out, found)


def place(hit: Hit, zone: tzinfo | None) -> str:
    """Say where a hit can be looked up, when it was true, and whether its words are somebody else's."""
    where = named(hit) or f"session {hit.session_id}, message {hit.message_id}"
    parts = [
        where,
        "" if hit.valid_from is None else f"since {clock.written(hit.valid_from, zone)[:10]}",
        "" if hit.valid_to is None else f"until {clock.written(hit.valid_to - 1, zone)[:10]}",
        hit.mark or "",
    ]
    return ", ".join(part for part in parts if part)


def named(hit: Hit) -> str | None:
    """Return the name of a hit that has one: a fact's, a reflection's, a summary's, what a provider brought."""
    if hit.kind == "provided":
        return f"{hit.who.removeprefix('provider ')}:{hit.id:08x}"
    names = {"fact": fact_name, "reflection": reflection_name, "summary": summary_name}
    return names[hit.kind](hit.id) if hit.kind in names else None


def item_of(hit: Hit, asking: Asking, zone: tzinfo | None) -> Item:
    """Write a hit as the block shows it; of a long text what fits the question best."""
    return Item(when(hit.said_at, zone), _name(hit), place(hit, zone), excerpt(hit.text, asking.question.weights))


def _wanted(
    shelf: Shelf, asking: Asking, limits: Retrieval, *, is_ordered: bool
) -> tuple[list[tuple[Hit, Ground]], list[LeftOut]]:
    """Return what is wanted and on which ground, the most valuable first, and what is not."""
    ranked = list(shelf.hits)
    if not is_ordered:
        # By the odds: where much is all but certain, relevance itself hardly differs. Of what is alike the newest.
        ranked.sort(key=lambda hit: (-round(odds(hit.relevance), 2), -hit.said_at, hit.id))
    about = [hit for hit in ranked if _is_always_in(hit)]
    recent_ids = {hit.message_id for hit in shelf.recent}
    left_out: list[LeftOut] = []
    relevant: list[Hit] = []
    by_meaning: set[int] = set()
    for hit in _by_turns([hit for hit in ranked if not _is_always_in(hit)]):
        is_recent = hit.kind == "episode" and hit.message_id in recent_ids
        if hit.relevance < limits.min_relevance:
            reason = too_little(hit, limits)
        elif len(relevant) >= MOST_ITEMS:
            reason = f"{MOST_ITEMS} others come first"
        elif _is_by_meaning_alone(hit, asking):
            if hit.id not in by_meaning and len(by_meaning) >= limits.semantic_top_k:
                reason = f"only its meaning brought it, and {limits.semantic_top_k} of such come first"
            else:
                by_meaning.add(hit.id)
                relevant.append(hit)
                continue
        else:
            relevant.append(hit)
            continue
        if not is_recent:
            left_out.append(LeftOut(hit, reason))
    taken = {hit.message_id for hit in relevant if hit.kind == "episode"}
    recent = [hit for hit in shelf.recent if hit.message_id not in taken]
    # Before what repeats it: our own words stay, and those from elsewhere go.
    again = brought_again(recent, shelf.provided)
    named_or_taught: list[tuple[Hit, Ground]] = [
        (hit, "taught" if hit.kind == "reflection" else "named") for hit in about
    ]
    return [
        *named_or_taught,
        *((hit, "relevant") for hit in relevant),
        *((hit, "latest") for hit in again),
        *((hit, "provided") for hit in shelf.provided),
        *((hit, "latest") for hit in recent if hit not in again),
    ], left_out


def _is_always_in(hit: Hit) -> bool:
    return hit.kind == "reflection" or (hit.kind == "fact" and "entity" in hit.passes)


def _is_by_meaning_alone(hit: Hit, asking: Asking) -> bool:
    if hit.kind != "episode" or _TELLING.intersection(hit.passes):
        return False
    topic = {number for number, weight in asking.question.weights.items() if weight >= 1.0}
    return topic.isdisjoint(stem_numbers(content_words(hit.text)))


def _by_turns(hits: Sequence[Hit]) -> list[Hit]:
    """Put what a session has beyond its share after everything else."""
    counts: dict[str | None, int] = {}
    first: list[Hit] = []
    later: list[Hit] = []
    for hit in hits:
        counts[hit.session_id] = counts.get(hit.session_id, 0) + 1
        is_within = hit.session_id is None or counts[hit.session_id] <= _OF_ONE_SESSION
        (first if is_within else later).append(hit)
    return first + later


def _unfit(hit: Hit, item: Item, said_by: str | None, sent: Collection[str]) -> str | None:
    if item.where in sent:
        return _SENT
    if not item.text:
        return "no words"
    if is_canned(hit):
        return "it says nothing"
    return None if said_by is None else f"{said_by} says it already"


def _said_by(hit: Hit, item: Item, seen: Mapping[object, str], told: Mapping[str, str]) -> str | None:
    """Name what says the same as a hit: what is taken, or for what comes from elsewhere, what was told before."""
    says = next((seen[mark] for mark in _marks(hit, item) if mark in seen), None)
    return repeated(hit.text, told) if says is None and hit.kind == "provided" else says


def _marks(hit: Hit, item: Item) -> set[object]:
    """Return what makes two hits the same: the message, or the words of the same side."""
    same_words = (hit.who == "assistant", item.text.casefold())
    return {same_words} if hit.message_id is None else {same_words, hit.message_id}


def _name(hit: Hit) -> str:
    """Write who spoke so that it can be read back: a speaker may be called anything."""
    name = " ".join("".join(" " if letter in "()[]:" else letter for letter in hit.who).split())[:_LONGEST_NAME]
    return f"speaker {name}" if not name or (hit.kind == "episode" and name in _RESERVED) else name
