"""Say whom a value is about: the user, the team, a person by relation or name, or a thing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_agent.learn import lexicon
from hermes_agent.learn.trained.words import Word
from hermes_agent.text.words import fold

_IN_LAW = ["-", "in", "-", "law"]


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a claim is about, in the words of a claim."""

    about: Literal["user", "team", "person", "thing"]
    name: str | None = None
    relation: str | None = None


def whom(kind: str, naming: Sequence[Word], before: Word | None, behind: Sequence[Word]) -> Whom:
    """Read whom the words `naming` name; `before` and `behind` stand beside them in the message."""
    if kind != "other":
        return Whom("user" if kind == "user" else "team")
    said = [_plain(word.text) for word in naming]
    relations = [word for word in said if fold(word) in lexicon.RELATIONS and not _is_many(word)]
    if relations and [word.text for word in behind[: len(_IN_LAW)]] == _IN_LAW:
        relations, behind = [f"{relations[0]}{''.join(_IN_LAW)}"], behind[len(_IN_LAW) :]
    names = [word for word in said if word not in relations and _is_name(word)]
    if relations and not names:
        names = _names_behind(naming[-1], behind)
    if not relations and names and before is not None and fold(before.text) in lexicon.RELATIONS:
        relations = [before.text]
    if relations or any(fold(name) in lexicon.GIVEN_NAMES for name in names):
        return Whom("person", " ".join(names) or None, fold(relations[0]) if relations else None)
    return Whom("thing", " ".join(said))


def _plain(word: str) -> str:
    """Return a word without the s of its possessive."""
    for ending in ("'s", "’s"):
        word = word.removesuffix(ending)
    return word


def _is_many(word: str) -> bool:
    """Tell whether a word means several: of the kids nobody is the child."""
    return fold(word) in lexicon.PLURAL_RELATIONS


def _is_name(word: str) -> bool:
    return word[:1].isupper() or fold(word) in lexicon.GIVEN_NAMES


def _names_behind(last: Word, behind: Sequence[Word]) -> list[str]:
    """Return the name behind a relation: "my sister Ana". What follows "my mum's" is a thing of hers."""
    names: list[str] = []
    if _plain(last.text) != last.text:
        return names
    for word in behind:
        if not word.text[:1].isupper() or word.text == "I" or _plain(word.text) in names:
            break
        names.append(_plain(word.text))
    return names
