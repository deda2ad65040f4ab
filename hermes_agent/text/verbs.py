"""English verbs: their classes, and the verb and tense a word is a form of.

`verbs.txt` lists the verbs by what they are about (motion, cognition …), made by `tools/verbs.py` from WordNet;
`irregular_verbs.txt` has the past and the participle of those that do not end in "-ed".
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple

Form = Literal["base", "third", "past", "done", "ing"]

_UNSURE = " or noun"
_VOWELS = "aeiou"
_THIRD = {"has": "have", "does": "do", "goes": "go", "is": "be"}


class Verb(NamedTuple):
    """The class of a verb; a sure one is hardly ever another part of speech."""

    kind: str
    is_sure: bool


@cache
def listed() -> Mapping[str, Verb]:
    """Read the list of verbs."""
    found: dict[str, Verb] = {}
    kind, is_sure = "", False
    for line in _lines("verbs.txt"):
        if line.startswith(" "):
            found |= dict.fromkeys(line.split(), Verb(kind, is_sure))
        else:
            kind, is_sure = line.removesuffix(_UNSURE), not line.endswith(_UNSURE)
    return found


@cache
def _irregular() -> Mapping[tuple[str, Form], str]:
    found: dict[tuple[str, Form], str] = {}
    for line in _lines("irregular_verbs.txt"):
        base, past, done = line.split()
        found[past, "past"] = base
        found[done, "done"] = base
    return found


def _lines(name: str) -> Iterator[str]:
    text = files("hermes_agent.text").joinpath(name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


@lru_cache(maxsize=20_000)
def lemma(word: str, form: Form) -> str:
    """Return the verb that a word is this form of; empty if it is of none that is listed."""
    if form in ("past", "done") and (found := _irregular().get((word, form))):
        return found
    return next((one for one in _bases(word, form) if one in listed()), "")


def guessed(word: str, form: Form) -> str:
    """Return the verb that a word is this form of, listed or not: where it stands it can be nothing else."""
    return lemma(word, form) or next(_bases(word, form), "")


def _bases(word: str, form: Form) -> Iterator[str]:
    """Yield what may be the verb of a regular form: planned → plann, plan, planne."""
    if form == "base":
        yield word
    elif form == "third":
        if word in _THIRD:
            yield _THIRD[word]
        elif word.endswith("ies"):
            yield f"{word[:-3]}y"
        elif word.endswith("s") and not word.endswith("ss"):
            yield word[:-1]
            yield word.removesuffix("es")
    elif word.endswith("ing" if form == "ing" else "ed"):
        stem = word[: -3 if form == "ing" else -2]
        if len(stem) < 2:
            return
        if stem.endswith("i"):
            yield f"{stem[:-1]}y"
        yield f"{stem}e"
        yield stem
        if stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
            yield stem[:-1]
        if stem.endswith("y") and form == "ing":
            yield f"{stem[:-1]}ie"


def kind_of(verb: str) -> str:
    """Return what a verb is about: motion, possession, cognition …"""
    known = listed().get(verb)
    return known.kind if known else ""


def is_sure(verb: str) -> bool:
    """Tell whether a verb is hardly ever anything else."""
    known = listed().get(verb)
    return known is not None and known.is_sure
