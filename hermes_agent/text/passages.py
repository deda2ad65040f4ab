"""Cut a text into passages: the pieces whose meaning is compared one by one.

A question is near one sentence of a long answer, not near its average. What a person types is cut finer
than an answer: a person says several things in a breath.
"""

import re

LONGEST_TEXT = 40_000
"""What comes after so many characters is no longer cut; it is found by its words."""

_ANSWER_LENGTH = 400
_TYPED_LENGTH = 60
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[\"')\]]*\s+|\n+|(?<=[。！？])")
_MARKUP = re.compile(r"[#*`|_>]+")


def passages(text: str, role: str) -> list[str]:
    """Return the passages of a message, in order; a short message is one, an empty one has none."""
    closed_at = _ANSWER_LENGTH if role == "assistant" else _TYPED_LENGTH
    found: list[str] = []
    current = ""
    for sentence in _SENTENCE_END.split(_MARKUP.sub(" ", text[:LONGEST_TEXT])):
        stripped = (sentence or "").strip()
        if not stripped:
            continue
        current = f"{current} {stripped}" if current else stripped
        if len(current) >= closed_at:
            found.append(current)
            current = ""
    if current and found and len(current) < closed_at // 2:
        found[-1] += f" {current}"
    elif current:
        found.append(current)
    return found
