"""Find what a text names, without a model: people, places, products, projects, and what has a form of its own.

Some things show by their form alone: addresses, paths, tickets, versions, handles, quoted terms. Names show by
their capital letters, as far as those mean something: not at the start of a sentence that opens with an ordinary
word, not in a headline or a shouted line, and in German, where all nouns have them, only where a name must stand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hermes_agent.text.entity_forms import Kind, Mention, forms, named_versions, without_code
from hermes_agent.text.entity_keys import entity_key
from hermes_agent.text.entity_names import names
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import CHARACTER_CAP, words

ENTITY_CAP = 200
CANDIDATE_CAP = 200
_QUESTION_CAP = 4_000


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing named in a text, as it is written there."""

    name: str
    kind: Kind


def entities(text: str) -> list[Entity]:
    """Return what the text names, in order, each thing once."""
    read = without_code(text[:CHARACTER_CAP])
    versions = list(named_versions(read))
    numbers = {mention.end for mention in versions}
    shown = [mention for mention in forms(read) if mention.kind != "version" or mention.end not in numbers]
    named = names(_blanked(read, shown))
    found: dict[str, Entity] = {}
    for mention in sorted([*versions, *shown, *named], key=lambda each: (each.start, -each.end)):
        found.setdefault(entity_key(mention.name), Entity(mention.name, mention.kind))
        if len(found) >= ENTITY_CAP:
            break
    return list(found.values())


def candidate_keys(text: str) -> list[str]:
    """Return the keys a question may mean: of its entities, of its words, of its pairs of words.

    Names in lower case cannot be told from words here, so every word is a candidate; the caller looks them up.
    """
    read = text[:_QUESTION_CAP]
    keys = dict.fromkeys(entity_key(entity.name) for entity in entities(read))
    told = words(read)
    for word, following in pairwise([*told, ""]):
        if word in STOP_WORDS:
            continue
        keys.setdefault(word)
        if following and following not in STOP_WORDS:
            keys.setdefault(f"{word} {following}")
    return list(keys)[:CANDIDATE_CAP]


def _blanked(text: str, mentions: Sequence[Mention]) -> str:
    """Return the text with blanks where something was found already."""
    pieces: list[str] = []
    place = 0
    for mention in mentions:
        pieces += [text[place : mention.start], " " * (mention.end - mention.start)]
        place = mention.end
    return "".join([*pieces, text[place:]])
