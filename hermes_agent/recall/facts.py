"""Find facts: what names the things a question names, shares its words, or is near its meaning."""

import numpy

from hermes_agent.recall.asking import Asking
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.passes import Brought
from hermes_agent.recall.relevance import comparable, doubt, odds, relevance
from hermes_agent.records.memory import Fact
from hermes_agent.store import facts
from hermes_agent.store.engine import Connection
from hermes_agent.text.stems import content_words, stem_numbers

_ENTITY, _WORDS, _MEANING = 0.35, 0.55, 0.45
"""What it counts that a fact names a thing of the question, holds its words, is near its meaning."""


def find(connection: Connection, asking: Asking, brought: Brought) -> list[Hit]:
    """Return the facts that the passes brought, as they held then, the most relevant first."""
    found = facts.get_many(connection, list(brought.facts))
    hits = [_hit(fact, asking, brought) for fact in found.values() if _held(fact, asking)]
    return sorted(hits, key=lambda hit: (-hit.relevance, hit.id))


def _held(fact: Fact, asking: Asking) -> bool:
    """Tell whether memory held a fact to be true at the moment it is asked for."""
    if asking.as_of is None:
        return fact.state == "current"
    return fact.learned_at <= asking.as_of and (fact.ended_at is None or fact.ended_at > asking.as_of)


def _hit(fact: Fact, asking: Asking, brought: Brought) -> Hit:
    wanted = asking.question.weights
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
    }
    sure = odds(float(numpy.clip(sum(given.values()), 0.0, 1.0))) - doubt(fact.source_class)
    relevant = relevance(sure, is_related=True)
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
    )
