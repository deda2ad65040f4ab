"""The pass `procedure`: what tasks like this one taught, by the words and the meaning of what was asked for."""

from collections.abc import Sequence

import numpy

from hermes_agent.recall.asking import Asking
from hermes_agent.recall.hit import Hit
from hermes_agent.records.reflections import ENDED, Reflection
from hermes_agent.store import passages, reflections
from hermes_agent.store.engine import Connection
from hermes_agent.store.reflections import Gist
from hermes_agent.text.stems import content_words, stem_numbers

MOST = 3
"""So many lessons go in front of a task."""
_LOOKED_AT = 2_000
_WORDS, _MEANING = 0.6, 0.4
_ENOUGH = 0.5
"""How like the tasks must be: half of the words, or fewer and the same meaning."""


def find(connection: Connection, asking: Asking) -> list[Hit]:
    """Return the lessons of the tasks most like the one asked for, the likest first."""
    known = [] if asking.as_of is not None else reflections.gists(connection, _LOOKED_AT)
    if not known:
        return []
    alike = _alike(known, asking)
    best = sorted((place for place in range(len(known)) if alike[place] >= _ENOUGH), key=lambda one: -alike[one])
    chosen = {known[place].id: alike[place] for place in best[:MOST]}
    made = reflections.get_many(connection, list(chosen))
    return [
        _hit(made[number], share)
        for number, share in chosen.items()
        if number in made and made[number].session_id != asking.without_session
    ]


def _alike(known: Sequence[Gist], asking: Asking) -> list[float]:
    """Tell how like each task is: of the words of both, how many they share, and how near they are."""
    wanted = set(stem_numbers(content_words(asking.question.text)))
    if not wanted:
        return [0.0] * len(known)
    near = _nearness(known, asking.question.text)
    shares = []
    for place, one in enumerate(known):
        held = set(stem_numbers(content_words(one.task)))
        shared = len(wanted & held) / min(len(wanted), len(held)) if held else 0.0
        shares.append(_WORDS * shared + _MEANING * max(0.0, near[place]))
    return shares


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
