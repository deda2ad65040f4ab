"""Find facts: what names the things a question names, shares its words, or is near its meaning.

Those that are held to be true, and only if the question asks for another time, those that were or will be.
"""

from collections.abc import Mapping

import numpy

from hermes_agent import clock
from hermes_agent.recall.asking import Asking
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.passes import Brought
from hermes_agent.recall.past import Past, asked_past, former_stems, was_true
from hermes_agent.recall.relevance import comparable, doubt, odds, relevance
from hermes_agent.records.memory import Fact
from hermes_agent.store import facts
from hermes_agent.store.engine import Connection
from hermes_agent.text.compiled import compiled
from hermes_agent.text.stems import content_words, stem_numbers
from hermes_agent.text.words import words

_ENTITY, _WORDS, _MEANING, _ASKER, _KIND = 0.35, 0.55, 0.45, 0.22, 0.25
"""What it counts that a fact names a thing of the question, holds its words, is near its meaning; that it is about
the asker, as the question is, and names a thing of the kind asked for."""
_SUREST = 0.98
_OTHER_TIME = 1.0
"""How much less sure, in log odds, a fact is to answer a question about days on which it was not true."""
_OWN = r"\b(?:i|i'm|i've|me|my|mine|we|we're|our|ours|us)\b"
_ABOUT_OWNER = rf"(?:the )?user\b|{_OWN}"
_ASKERS = ("user", "we")


def find(connection: Connection, asking: Asking, brought: Brought) -> list[Hit]:
    """Return the facts that the passes brought, as they held then, the most relevant first."""
    past = None if asking.as_of is not None else asked_past(asking)
    # A fact need not hold the words that ask for the past.
    former = former_stems(asking)
    wanted = {stem: weight for stem, weight in asking.question.weights.items() if stem not in former}
    found = facts.get_many(connection, list(brought.facts))
    if past is not None:
        found |= _replaced(connection, found, brought)
    chosen = [fact for fact in found.values() if _is_wanted(fact, asking, past)]
    hits = [_hit(fact, asking, brought, wanted, past) for fact in chosen]
    # Of two that fit alike the one that still holds comes first.
    return sorted(hits, key=lambda hit: (-hit.relevance, hit.valid_to is not None, hit.id))


def _replaced(connection: Connection, found: Mapping[int, Fact], brought: Brought) -> dict[int, Fact]:
    """Return what stood in the place of facts before, found as they were: who asks for the past means those."""
    former: dict[int, Fact] = {}
    fresh = list(found.values())
    while fresh:
        ids = {fact.uid: fact.id for fact in fresh}
        fresh = [one for one in facts.replaced_by(connection, list(ids)) if one.id not in former]
        for one in fresh:
            former[one.id] = one
            later = ids[one.superseded_by or ""]
            brought.facts.setdefault(one.id, set()).update(brought.facts[later])
            cosines = [brought.fact_cosines[each] for each in (one.id, later) if each in brought.fact_cosines]
            brought.fact_cosines |= {one.id: max(cosines)} if cosines else {}
    return former


def _is_wanted(fact: Fact, asking: Asking, past: Past | None) -> bool:
    """Tell whether memory held a fact to be true at the moment asked for, or knows that it was in the past."""
    if asking.as_of is not None:
        return fact.was_believed(asking.as_of)
    now = clock.from_datetime(asking.now)
    is_held = fact.state == "current" and fact.has_begun(now) and not fact.has_expired(now)
    return is_held or (past is not None and was_true(fact, past))


def _hit(fact: Fact, asking: Asking, brought: Brought, wanted: Mapping[int, float], past: Past | None) -> Hit:
    held = set(stem_numbers(content_words(fact.text)))
    total = sum(wanted.values()) or 1.0
    cover = sum(weight for stem, weight in wanted.items() if stem in held) / total
    cosine = brought.fact_cosines.get(fact.id)
    near = 0.0 if cosine is None else comparable(cosine, brought.unrelated)
    found_by = brought.facts[fact.id]
    given = {
        "entity": _ENTITY * ("entity" in found_by),
        "words": _WORDS * cover,
        "meaning": _MEANING * max(0.0, near),
        "asker": _ASKER * (_is_about_asker(fact) and _is_of_asker(asking)),
        "kind": _KIND * (not asking.question.things.isdisjoint(words(fact.text))),
    }
    is_of_other_time = past is not None and past.start is not None and not was_true(fact, past)
    less = doubt(fact.source_class) + _OTHER_TIME * is_of_other_time
    sure = odds(float(numpy.clip(sum(given.values()), 0.0, _SUREST))) - less
    relevant = relevance(sure, is_related=True)
    # Seen from a moment before it ended, nobody knew of its end.
    is_unknown = asking.as_of is not None and fact.ended_at is not None
    return Hit(
        kind="fact",
        id=fact.id,
        message_id=None,
        session_id=None,
        who="fact",
        text=fact.text,
        said_at=fact.said_at,
        source_class=fact.source_class,
        score=relevant,
        relevance=relevant,
        cosine=cosine,
        passes=tuple(sorted(found_by)),
        contributions=given,
        valid_from=fact.valid_from,
        valid_to=None if is_unknown else fact.valid_to,
    )


def _is_about_asker(fact: Fact) -> bool:
    # What the owner writes by hand has no subject but its words.
    return fact.subject in _ASKERS or (
        fact.subject is None and compiled(_ABOUT_OWNER).match(fact.text.lower()) is not None
    )


def _is_of_asker(asking: Asking) -> bool:
    return compiled(_OWN).search(asking.question.text.lower()) is not None
