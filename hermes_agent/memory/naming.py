"""What a text names, as the store links it: a bounded number of things, each under its key."""

from collections.abc import Iterable

from hermes_agent.records.memory import Named, NamedThings
from hermes_agent.text.entities import entities
from hermes_agent.text.entity_aliases import aliases_in
from hermes_agent.text.entity_keys import entity_key

MOST_THINGS = 20
"""Of one episode or fact; what is named first counts."""

_LONGEST_NAME = 200
_READ_CHARACTERS = 20_000
"""So much of each message is read: a page that somebody pasted names more than it is about."""


def named_in(texts: Iterable[str]) -> NamedThings:
    """Return the things that texts name, and which of them is short for another."""
    things: dict[str, Named] = {}
    aliases: dict[tuple[str, str], None] = {}
    for text in texts:
        read = text[:_READ_CHARACTERS]
        for entity in entities(read):
            _add(things, entity.name, entity.kind)
        for alias, name in aliases_in(read):
            # Both must be things of their own: an alias is dropped with the last text that uses it.
            _add(things, alias, "name")
            _add(things, name, "name")
            aliases[entity_key(alias), entity_key(name)] = None
        if len(things) >= MOST_THINGS:
            break
    kept = dict(list(things.items())[:MOST_THINGS])
    pairs = [pair for pair in aliases if pair[0] in kept and pair[1] in kept]
    return NamedThings(tuple(kept.values()), tuple(pairs))


def _add(things: dict[str, Named], name: str, kind: str) -> None:
    key = entity_key(name)
    if key and len(key) <= _LONGEST_NAME:
        things.setdefault(key, Named(key, name[:_LONGEST_NAME], kind))
