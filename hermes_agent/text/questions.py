"""Tell what asks from what states."""

import re

from hermes_agent.text.stopwords import QUESTION_WORDS
from hermes_agent.text.words import words

_MARKS = ("?", "？", "؟")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_FEWEST_WORDS = 3
_LONGEST_QUESTION = 4_000
_BEGINNING = 200
"""So much shows with which words something begins."""


def asks(said: str) -> bool:
    """Tell whether something asks rather than states."""
    text = said.strip()
    if text.endswith(_MARKS):
        return True
    beginning = words(text[:_BEGINNING])
    return len(beginning) > 2 and beginning[0] in QUESTION_WORDS


def only_asks(said: str) -> bool:
    """Tell whether something asks and states nothing beside it; "Hello!" is no statement."""
    if len(said) > _LONGEST_QUESTION or not asks(said):
        return False
    sentences = [part for part in _SENTENCE_END.split(said) if part.strip()]
    return all(asks(part) or len(part.split()) < _FEWEST_WORDS for part in sentences)
