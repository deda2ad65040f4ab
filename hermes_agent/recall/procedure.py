"""The pass `procedure`: what tasks like this one taught, by the words and the meaning of what was asked for."""

from collections.abc import Mapping, Sequence

import numpy

from hermes_agent import clock
from hermes_agent.recall.asking import Asking
from hermes_agent.recall.hit import Hit
from hermes_agent.records.reflections import ENDED, Reflection, is_stale
from hermes_agent.store import passages, reflections
from hermes_agent.store.engine import Connection
from hermes_agent.store.reflections import Gist
from hermes_agent.text.stems import content_words, stem_numbers

MOST = 3
"""So many lessons go in front of a task."""
_LOOKED_AT = 1_000
_COMPARED = 40
"""So many of those, the nearest in meaning, are compared word by word."""
_WORDS, _MEANING = 0.6, 0.4
_ENOUGH = 0.5
"""How like the tasks must be: half of the words, or fewer and the same meaning."""
_FEWEST_SHARED = 2
_STALE = 0.7
"""What a lesson counts that is old, was never met again and not brought back since: others come first."""


def find(connection: Connection, asking: Asking) -> list[Hit]:
    """Return the lessons of the tasks most like the one asked for, the likest first."""
    wanted = set(stem_numbers(content_words(asking.question.text)))
    if asking.as_of is not None or len(wanted) < _FEWEST_SHARED:
        return []
    known = [one for one in reflections.gists(connection, _LOOKED_AT) if one.session_id != asking.without_session]
    near = _nearness(known, asking.question.text)
    # Without a gist nobody knows how near it is.
    order = sorted(range(len(known)), key=lambda place: (known[place].gist is not None, -near[place]))[:_COMPARED]
    alike = {known[place].id: _alike(wanted, known[place].task, near[place]) for place in order}
    enough = {number: share for number, share in alike.items() if share >= _ENOUGH}
    worth = _worth(connection, [known[place] for place in order if known[place].id in enough], enough)
    best = sorted(worth, key=lambda one: -worth[one])
    made = reflections.get_many(connection, best[:MOST])
    return [_hit(made[number], worth[number]) for number in best[:MOST] if number in made]


def _worth(connection: Connection, known: Sequence[Gist], alike: Mapping[int, float]) -> dict[int, float]:
    """Return what each lesson counts: how like its task is, less for one that is stale."""
    brought = reflections.brought(connection, [one.id for one in known])
    now = clock.now()
    return {
        one.id: alike[one.id]
        * (_STALE if is_stale(one.ended_at, one.occurrences, brought.get(one.id), now) else 1.0)
        for one in known
    }


def _alike(wanted: set[int], task: str, near: float) -> float:
    """Tell how like a task is: how many of the words of both they share, and how near they are."""
    held = set(stem_numbers(content_words(task)))
    shared = len(wanted & held)
    if shared < _FEWEST_SHARED:
        return 0.0
    return _WORDS * shared / max(len(wanted), len(held)) + _MEANING * max(0.0, near)


def _nearness(known: Sequence[Gist], text: str) -> Sequence[float]:
    # Imported here: loading our model takes a while, and most memories have no reflection.
    from hermes_agent.embedders.local import Local
    from hermes_agent.errors import EmbedderError

    whole = {place: one.gist for place, one in enumerate(known) if one.gist is not None}
    near = [0.0] * len(known)
    if not whole:
        return near
    try:
        asked = Local().embed([text])[0]
    except EmbedderError:
        # Without it the words tell.
        return near
    rows = passages.unpack(b"".join(whole.values()), len(whole))
    lengths = numpy.linalg.norm(rows, axis=1) * (float(numpy.linalg.norm(asked)) or 1.0)
    cosines = (rows @ asked) / numpy.where(lengths == 0, 1, lengths)
    for place, cosine in zip(whole, cosines, strict=True):
        near[place] = float(cosine)
    return near


def _hit(made: Reflection, alike: float) -> Hit:
    return Hit(
        kind="reflection",
        id=made.id,
        message_id=None,
        session_id=made.session_id,
        who="reflection",
        text=f"The task “{made.task}” {ENDED[made.outcome]}. {made.lesson}".strip(),
        said_at=made.ended_at,
        source_class=made.source_class,
        score=alike,
        relevance=min(alike, 1.0),
        passes=("procedure",),
        contributions={"procedure": alike},
    )
