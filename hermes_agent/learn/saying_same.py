"""Tell whether two sentences say the same but for case, articles, punctuation, spelling and one plural.

Stricter than `matching.same_value`, which hears a repeat at once: this joins what has stood apart for long.
Signs and numbers count ("C" is not "C++", 3.5 is not 35), so do negations, prepositions and the order of the
words.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.matching import listed
from hermes_agent.text.words import fold

_ARTICLES = ("a", "an", "the")
_COUNTING = frozenset(("a", "an", "one", "1"))
_OPENING, _CLOSING = "\"'“”‘’«»([{", "\"'“”‘’«»)]}.,;:!?…"
_LONE = re.compile(r"[-–—•*·]+")
_WHOLE_WORDS = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "wi-fi": "wifi",
    "e-mail": "email",
    "e-mails": "emails",
}
_SPELLINGS = (
    (re.compile(r"^(colo|favo|flavo|behavio|labo|neighbo|hono)r(?=s?$|ite|ed|ing|hood)"), r"\1ur"),
    (re.compile(r"(?<=[a-z]{3})iz(?=e[sd]?$|ing$|ation)"), "is"),
    (re.compile(r"^gray$"), "grey"),
    (re.compile(r"^center(s?)$"), r"centre\1"),
)
_SHORTEST_PLURAL = 3
_NUMBERS = word_set("two three four five six seven eight nine ten eleven twelve both several many")


def same(one: str, other: str) -> bool:
    """Tell whether two sentences, or two values, say the same."""
    left, right = cut(one), cut(other)
    if left == right or _same_parts(one, other):
        return True
    differing = [(a, b) for a, b in zip(left, right, strict=False) if a != b]
    is_one_plural = len(left) == len(right) and len(differing) == 1 and _is_plural(*differing[0])
    # "Has a cat" and "has cats" are two things: an article or a number tells how many are meant.
    return is_one_plural and not _COUNTING.intersection((*_words(one), *_words(other)))


def tells_another_number(one: str, other: str) -> bool:
    """Tell whether a sentence counts what the other names: "I have two cats" beside "I have cats" or "a cat"."""
    told, known = _words(one), _words(other)
    counted = [
        (number, noun)
        for number, noun in pairwise(told)
        if (number in _NUMBERS or number.isdigit()) and number not in (*_COUNTING, *known)
    ]
    if any(noun == name or _is_plural(noun, name) for _, noun in counted for name in known):
        return True
    return _is_one_of_many(told, known) or _is_one_of_many(known, told)


def _is_one_of_many(one: Sequence[str], many: Sequence[str]) -> bool:
    single = [noun for number, noun in pairwise(one) if number in _COUNTING and noun not in many]
    return any(_is_plural(noun, name) and len(name) > len(noun) for noun in single for name in many)


def key(text: str) -> tuple[str, ...]:
    """Return what two texts that say the same have in common: it finds candidates, `same` decides."""
    return tuple(sorted(word.removesuffix("s") for part in listed(text) for word in cut(part)))


def cut(text: str) -> list[str]:
    """Return the words of a text as they are compared, without articles."""
    return [word for word in _words(text) if word not in _ARTICLES]


@lru_cache(maxsize=16_384)
def _words(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for piece in fold(text).replace("’", "'").split():
        word = piece.lstrip(_OPENING).rstrip(_CLOSING)
        if word and _LONE.fullmatch(word) is None:
            found += _spelt(word).split()
    return tuple(found)


def _spelt(word: str) -> str:
    word = _WHOLE_WORDS.get(word, word)
    if word.endswith("n't"):
        word = word.removesuffix("n't") + " not"
    for pattern, put in _SPELLINGS:
        word = pattern.sub(put, word)
    return word


def _same_parts(one: str, other: str) -> bool:
    """Tell whether two enumerations list the same: "Go, Rust and C" is "C, Go and Rust"."""
    left, right = listed(one), listed(other)
    # A sentence is no enumeration because it has an "and": only lists of a word or two each are.
    if len(left) < 2 or len(left) != len(right) or any(len(cut(part)) > 2 for part in (*left, *right)):
        return False
    return sorted(cut(part) for part in left) == sorted(cut(part) for part in right)


def _is_plural(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST_PLURAL and short.isalpha() and long in (f"{short}s", f"{short}es")
