"""Tell whether two skills, or two requests, are for the same: by their words, and a few that mean the same. Pure.

The list of synonyms is closed and short: a word stands in it only if everybody uses both for one thing at work.
"""

import re

from hermes_agent.learn.learned_skill import WHEN
from hermes_agent.skills.document import Broken, parse
from hermes_agent.text.stems import content_words, stem

_VERBS = {"draft": "write", "compose": "write"}
_THINGS = (
    (re.compile(r"\bpull[\s-]+request(s?)\b", re.IGNORECASE), r"PR\1"),
    (re.compile(r"\be-mail(s?)\b", re.IGNORECASE), r"email\1"),
    (re.compile(r"\brepositor(?:y|ies)\b", re.IGNORECASE), "repo"),
    (re.compile(r"\bdocumentation\b", re.IGNORECASE), "docs"),
)
_SAME_NAME = 0.75
_SAME_WORDS = 0.8
"""So much of one is in the other; "write-release-notes" and "write-release-plan" share less."""
_FEWEST = 3
"""Fewer words that are shared say little of what a skill is for, unless there are no others."""


def plain(text: str) -> str:
    """Return a text with one word for each thing that has two."""
    for pattern, word in _THINGS:
        text = pattern.sub(word, text)
    return text


def plain_verb(verb: str) -> str:
    """Return the one verb that stands for those that mean the same."""
    return _VERBS.get(verb, verb)


def verbs_like(verb: str) -> set[str]:
    """Return a verb and those that mean the same."""
    return {verb, plain_verb(verb), *(one for one, other in _VERBS.items() if other == plain_verb(verb))}


def purpose_words(name: str, document: str) -> set[str]:
    """Return the stems of what a skill says it is for: its name and its description."""
    read = parse(document)
    return _stems(name if isinstance(read, Broken) else f"{name} {read.description.replace(WHEN, ' ')}")


def is_for_same(name: str, document: str, other: str, other_document: str) -> bool:
    """Tell whether two skills are for the same: by their names, or by nearly all that one says it is for."""
    names = _stems(name), _stems(other)
    if names[0] & names[1] and len(names[0] & names[1]) >= _SAME_NAME * max(map(len, names)):
        return True
    one, another = purpose_words(name, document), purpose_words(other, other_document)
    common = one & another
    is_enough = len(common) >= _FEWEST or one == another
    return bool(common) and is_enough and len(common) >= _SAME_WORDS * min(len(one), len(another))


def _stems(text: str) -> set[str]:
    return {stem(plain_verb(word)) for word in content_words(plain(text.replace("-", " ")))}
