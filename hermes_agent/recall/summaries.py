"""Find summaries whose messages were discarded: they are all that memory still holds of those conversations.

Where the messages are there, a summary only leads to them (`passes.py`): their own words answer better.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy

from hermes_agent.recall.asking import Asking
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.passes import Brought
from hermes_agent.recall.relevance import comparable, doubt, odds, relevance
from hermes_agent.records.summaries import Summary, topic_of
from hermes_agent.store import summaries
from hermes_agent.store.engine import Connection
from hermes_agent.text.stems import content_words, stem_numbers

_WORDS, _MEANING = 0.65, 0.6
_SUREST = 0.98


def find(connection: Connection, asking: Asking, brought: Brought) -> list[Hit]:
    """Return the summaries that the passes brought and that stand alone, the most relevant first."""
    found = summaries.get_many(connection, list(brought.summaries))
    alone = [_as_of(one, asking.as_of) for one in found.values() if one.is_discarded and _is_wanted(one, asking)]
    hits = [_hit(one, brought, asking.question.weights) for one in alone if one.lines]
    return sorted(hits, key=lambda hit: (-hit.relevance, hit.id))


def _is_wanted(one: Summary, asking: Asking) -> bool:
    if one.source in asking.hidden_sources:
        return False
    if asking.since is not None and one.ended_at < asking.since:
        return False
    return asking.until is None or one.said_at < asking.until


def _as_of(one: Summary, moment: int | None) -> Summary:
    """Return a summary without what was said after a moment; its topic may be of that."""
    known = [line for line in one.lines if moment is None or line["at"] <= moment]
    if len(known) == len(one.lines):
        return one
    return replace(one, lines=known, topic=topic_of(known))


def _hit(one: Summary, brought: Brought, wanted: Mapping[int, float]) -> Hit:
    held = set(stem_numbers(content_words(one.text)))
    total = sum(wanted.values()) or 1.0
    cover = sum(weight for stem, weight in wanted.items() if stem in held) / total
    cosine = brought.summary_cosines.get(one.id)
    near = 0.0 if cosine is None else comparable(cosine, brought.unrelated)
    given = {"words": _WORDS * cover, "meaning": _MEANING * max(0.0, near)}
    sure = odds(float(numpy.clip(sum(given.values()), 0.0, _SUREST))) - doubt(one.source_class)
    relevant = relevance(sure, is_related=True)
    return Hit(
        kind="summary",
        id=one.id,
        message_id=None,
        session_id=one.lines[0]["session"],
        who="summary",
        text=one.text,
        said_at=one.said_at,
        source_class=one.source_class,
        score=relevant,
        relevance=relevant,
        cosine=cosine,
        passes=tuple(sorted(brought.summaries[one.id])),
        contributions=given,
        mark=one.mark,
    )
