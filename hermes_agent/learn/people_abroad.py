"""Find the people whom a sentence of another language names as the user's own: "mi hija menor, Itziar".

A name may follow at once or between commas; the whole is one part of the clause it stands in.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import GIVEN_NAMES, NOT_NAMES
from hermes_agent.learn.nouns_abroad import is_a, is_job, relation_of, relation_of_several
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tongue import Tongue
from hermes_agent.learn.values import people_in
from hermes_agent.records.statements import Statement, Who
from hermes_agent.text.words import fold

_SEVERAL = Pattern(
    r"\b(?:meine|unsere|mijn|onze|mes|nos|mis|nuestr[oa]s|miei|mie|nostr[ie]|meus|minhas|noss[oa]s)\s+(?:[^\W\d_]+\s+)?"
    r"(?P<noun>[^\W\d_]+)\s+(?:hei(?:ß|ss)en|heten|s'appellent|se\s+llaman|si\s+chiamano|se\s+chamam|chamam-se)\s+"
    r"(?P<names>[^.;:!?\n]{2,80})"
)
_MOST_MODIFIERS = 2
_NEAR = 6
_ENDS = (",", ")", ".", "")


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody of the user's, from `begin` to `end` of the words; `is_subject` if the case allows it."""

    begin: int
    end: int
    who: Who
    is_subject: bool
    is_owned: bool = False
    """Whether the user is said to have them: "I have a daughter, Emma"."""


def mentions(words: Words, tongue: Tongue) -> list[Mention]:
    """Return the people of a sentence, in order."""
    found: list[Mention] = []
    place = 0
    while place < len(words.words):
        one = _at(words, place, tongue)
        if one is not None:
            found.append(one)
        place = one.end if one is not None else place + 1
    return found


def names_of_several(text: str, at: int) -> Iterator[Statement]:
    """Yield the names of several people at once: "mis hijas se llaman Vera y Noa"."""
    for found in _SEVERAL.finditer(text):
        relation = relation_of_several(found["noun"])
        for name in people_in(found["names"]) if relation else ():
            yield made(Who("person", relation, name), "name", name, at + found.start(), at + found.end())


def _at(words: Words, place: int, tongue: Tongue) -> Mention | None:
    word = words.words[place]
    is_mine = tongue.does(word, "mine", "oblique")
    is_owned = not is_mine and tongue.does(word, "some") and _is_had(words, place, tongue)
    if not is_mine and not is_owned:
        return None
    noun = place + 1
    while noun < place + 1 + _MOST_MODIFIERS and is_a("size", words.at(noun)):
        noun += 1
    relation = relation_of(words.at(noun)) if noun < len(words.words) else ""
    if not relation and noun > place + 1 and is_a("eldest", words.words[noun - 1]):
        relation, noun = "child", noun - 1  # "mon aînée, Capucine"
    if not relation:
        return None
    end = noun + 1
    while end < noun + 1 + _MOST_MODIFIERS and is_a("size", words.at(end)):
        end += 1
    name, end = _name(words, end, tongue)
    begin = place - (place > 0 and tongue.does(words.words[place - 1], "articles") and tongue.code in ("it", "pt"))
    before = words.words[begin - 1] if begin else ""
    is_governed = tongue.does(before, "prepositions") or tongue.does(word, "oblique")
    return Mention(begin, end, Who("person", relation, name), not is_governed and not is_owned, is_owned)


def _is_had(words: Words, place: int, tongue: Tongue) -> bool:
    """Tell whether "I have" stands right before a place, or before what else one has."""
    before = place - 1
    while before >= 0 and tongue.does(words.words[before], "adverbs", "i", "we"):
        before -= 1
    if before < 0:
        return False
    if words.words[before] == "," or tongue.does(words.words[before], "and"):
        return any(tongue.does(word, "have1") for word in words.words[max(before - _NEAR, 0) : before])
    return tongue.does(words.words[before], "have1")


def _name(words: Words, place: int, tongue: Tongue) -> tuple[str, int]:
    """Return the name behind a relation and where the whole ends; no name where none stands."""
    begin = place
    is_apart = words.at(begin) in (",", "(")
    begin += is_apart
    begin += tongue.does(words.at(begin), "articles", "called") and begin + 1 < len(words.words)
    end = begin
    while (
        end < len(words.words) and end < begin + 2 and _is_name(words, end, is_first=end == begin, tongue=tongue)
    ):
        end += 1
    if end == begin or (end < len(words.words) and words.words[end] in ("'s",)):
        return "", place
    following = words.at(end)
    if is_apart and following not in _ENDS and not tongue.does(following, "relatives"):
        return "", place
    is_closed = is_apart and following in (",", ")") and not tongue.does(words.at(end + 1), "relatives")
    return words.said(begin, end), end + is_closed


def _is_name(words: Words, place: int, *, is_first: bool, tongue: Tongue) -> bool:
    word = words.words[place]
    if not words.is_capital(place) and not (words.is_lower and fold(word) in GIVEN_NAMES and is_first):
        return False
    if fold(word) in GIVEN_NAMES:
        return True
    if fold(word) in NOT_NAMES or is_job(word) or not word.replace("-", "").isalpha():
        return False
    # German writes all nouns like names: a second word, or one that a verb does not follow, is no name for sure.
    if tongue.code != "de":
        return True
    following = words.at(place + 1)
    return is_first and (
        following in _ENDS
        or following in tongue.forms
        or tongue.does(following, "be3", "have3", "and", "was", "want3")
    )
