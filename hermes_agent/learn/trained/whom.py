"""Say whom a value is about: the user, the team, a person of theirs by relation or name, or a thing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_agent.learn import glue, lexicon
from hermes_agent.learn.people import NO_NAMES
from hermes_agent.learn.trained.words import Word
from hermes_agent.text.words import fold

_IN_LAW = ["-", "in", "-", "law"]
_POSSESSIVE = ("'s", "’s", "s'", "s’")
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a claim is about, in the words of a claim."""

    about: Literal["user", "team", "person", "thing"]
    name: str | None = None
    relation: str | None = None


def whom(kind: str, words: Sequence[Word], begin: int, end: int) -> Whom | None:
    """Read whom the words from `begin` to `end` name; None if that is nobody, or somebody of somebody else's."""
    if kind != "other":
        return Whom("user" if kind == "user" else "team")
    said = [_plain(word.text) for word in words[begin:end]]
    if any(fold(word) in glue.PRONOUNS for word in said):
        return None
    relation = _relation(words, begin, end)
    if relation is not None and _is_of_others(words, begin):
        return None
    if relation is None and begin and _is_relation(words[begin - 1].text) and _is_name(said[0]):
        relation = fold(words[begin - 1].text)
        if _is_of_others(words, begin - 1):
            return None
    names = [word for word in said if not _is_relation(word) and _is_name(word)]
    if relation is not None and relation.endswith("-in-law"):
        names = _names_behind(words, end + len(_IN_LAW))
    elif relation is not None and not names and _plain(words[end - 1].text) == words[end - 1].text:
        names = _names_behind(words, end)
    if relation is not None or any(fold(name) in lexicon.GIVEN_NAMES for name in names):
        return Whom("person", " ".join(names) or None, relation)
    return Whom("thing", " ".join(said))


def _relation(words: Sequence[Word], begin: int, end: int) -> str | None:
    found = [fold(_plain(word.text)) for word in words[begin:end] if _is_relation(word.text)]
    if not found:
        return None
    is_in_law = [word.text for word in words[end : end + len(_IN_LAW)]] == _IN_LAW
    return f"{found[0]}-in-law" if is_in_law else found[0]


def _is_relation(word: str) -> bool:
    """Tell whether a word names one person by what they are to somebody; of the kids nobody is the child."""
    plain = fold(_plain(word))
    return plain in lexicon.RELATIONS and plain not in lexicon.PLURAL_RELATIONS


def _is_of_others(words: Sequence[Word], begin: int) -> bool:
    """Tell whether a relation is somebody else's: "Tom's sister", "her mum"."""
    for word in reversed(words[max(begin - _NEAR, 0) : begin]):
        if not word.text[0].isalnum() or fold(word.text) in glue.MINE:
            return False
        if word.text.endswith(_POSSESSIVE) or fold(word.text) in glue.POSSESSIVES:
            return True
    return False


def _plain(word: str) -> str:
    """Return a word without the s of its possessive."""
    for ending in _POSSESSIVE[:2]:
        word = word.removesuffix(ending)
    return word


def _is_name(word: str) -> bool:
    is_word = fold(word) in NO_NAMES or word == "I"
    return not is_word and (word[:1].isupper() or fold(word) in lexicon.GIVEN_NAMES)


def _names_behind(words: Sequence[Word], place: int) -> list[str]:
    """Return the name behind a relation: "my sister Ana"."""
    names: list[str] = []
    while place < len(words) and words[place].text[:1].isupper() and _is_name(words[place].text):
        names.append(_plain(words[place].text))
        place += 1
    return names
