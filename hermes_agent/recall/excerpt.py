"""Cut a long message to what fits a task: its best sentence, and the neighbours that have room."""

import re
from collections.abc import Mapping, Sequence

from hermes_agent.text.clean import printable
from hermes_agent.text.stems import content_words, stem_numbers

LONGEST = 600
CUT = "…"

_READ = 40_000
"""What comes after so many characters of a message is not looked at."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


def excerpt(text: str, weights: Mapping[int, float], longest: int = LONGEST) -> str:
    """Return a message on one line; of a long one what holds most of the weighed stems. A cut is marked."""
    sentences = [" ".join(part.split()) for part in _SENTENCE_END.split(printable_lines(text[:_READ]))]
    sentences = [sentence for sentence in sentences if sentence]
    whole = " ".join(sentences)
    is_read = len(text) <= _READ
    if len(whole) <= longest and is_read:
        return whole
    first, last = _grown(sentences, _best(sentences, weights), longest - 2 * len(CUT))
    shown = " ".join(sentences[first:last])
    is_end = last == len(sentences) and is_read
    if len(shown) > longest - 2 * len(CUT):
        shown, is_end = shown[: longest - 2 * len(CUT)].rstrip(), False
    return (CUT if first else "") + shown + ("" if is_end else CUT)


def printable_lines(text: str) -> str:
    """Take out what could steer a terminal, but keep where lines end."""
    return "\n".join(printable(line) for line in text.splitlines())


def _best(sentences: Sequence[str], weights: Mapping[int, float]) -> int:
    """Return the sentence that holds most of the weighed stems; the first one if none holds any."""
    held = [
        sum(weights.get(number, 0.0) for number in set(stem_numbers(content_words(sentence))))
        for sentence in sentences
    ]
    return max(range(len(held)), key=lambda place: (held[place], -place), default=0)


def _grown(sentences: Sequence[str], place: int, longest: int) -> tuple[int, int]:
    """Take in the neighbours of a sentence, the one after it first, while they fit."""
    first, last = place, min(place + 1, len(sentences))
    length = len(sentences[place]) if sentences else 0
    is_growing = True
    while is_growing:
        is_growing = False
        if last < len(sentences) and length + 1 + len(sentences[last]) <= longest:
            length += 1 + len(sentences[last])
            last += 1
            is_growing = True
        if first > 0 and length + 1 + len(sentences[first - 1]) <= longest:
            first -= 1
            length += 1 + len(sentences[first])
            is_growing = True
    return first, last
