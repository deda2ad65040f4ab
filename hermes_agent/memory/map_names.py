"""Which of the things that texts name belong on a map: no words that only begin the sentences of answers.

An answer capitalises "Consider", "Blogs" and its own "Noted". Recall loses nothing by such a name, a map of people
and things does. A word is a name if a fact or the user writes it so, or an answer does within a sentence and never
in small letters.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from hermes_agent.records.memory import Said, Thing
from hermes_agent.store import entities, episodes
from hermes_agent.store.engine import Connection
from hermes_agent.store.entity_map import Together
from hermes_agent.text.entity_openers import OPENERS
from hermes_agent.text.verbs import lemma

_EPISODES = 3
_BESIDE = 2
"""So many times as many things are looked at as are drawn."""


def without_openers(connection: Connection, together: Together, count: int) -> Together:
    """Leave out what is no name among the things that are named most, of which `count` are to be drawn."""
    ordered = sorted(together.things.values(), key=lambda one: (-one.mentions, one.name, one.id))
    looked_at = [one for one in ordered[: count * _BESIDE] if one.kind == "name" and one.name.isalpha()]
    held = {one.id: entities.items_of(connection, [one.id], "episode", _EPISODES) for one in looked_at}
    said = episodes.texts(connection, sorted({item for some in held.values() for item in some}))
    unnamed = {
        one.id
        for one in looked_at
        if not entities.items_of(connection, [one.id], "fact", 1)
        and not _is_name(one, [text for item in held[one.id] for text in said.get(item, ())])
    }
    things = {place: one for place, one in together.things.items() if place not in unnamed}
    return replace(together, things=things)


def _is_name(thing: Thing, said: Sequence[Said]) -> bool:
    word = re.compile(rf"\b{re.escape(thing.name)}\b")
    if any(word.search(one.text) for one in said if one.role != "assistant"):
        return True
    lower = thing.name.lower()
    is_common = lower in OPENERS or bool(lemma(lower, "base") or lemma(lower, "done"))
    small = re.compile(rf"\b{re.escape(lower)}\b")
    within = re.compile(rf"(?<=[\w,;] ){re.escape(thing.name)}\b")
    return (
        not is_common
        and not any(small.search(one.text) for one in said)
        and any(within.search(one.text) for one in said)
    )
