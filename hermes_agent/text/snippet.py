"""Cut the part of a text that shows why it was found.

Made from the text itself rather than by the engine, so that both engines show the same snippet
and the word index need not keep a copy of every message.
"""

import re
from bisect import bisect_right

from hermes_agent.text.query import Query, Term
from hermes_agent.text.words import fold

OPEN, CLOSE, ELLIPSIS = ">>>", "<<<", "..."
TOKENS = 40
_LEAD = 10
_SCAN_CHARACTERS = 200_000

_TOKEN = re.compile(r"\S+")


def snippet(text: str, query: Query, tokens: int = TOKENS) -> str:
    """Return about `tokens` words around the densest match, the matches marked; the start if none."""
    scanned = text[:_SCAN_CHARACTERS]
    spans = _matches(scanned, query.terms)
    found = [(m.start(), m.end()) for m in _TOKEN.finditer(scanned)]
    if not found:
        return ""
    first = _best_start(found, spans, tokens)
    last = min(first + tokens, len(found))
    begin, end = found[first][0], min(found[last - 1][1], found[first][0] + tokens * 40)
    cut = _mark(scanned, begin, end, spans)
    return (ELLIPSIS if first > 0 else "") + cut + (ELLIPSIS if end < len(text.rstrip()) else "")


def excerpt(text: str, fragment: str, characters: int = 120) -> str:
    """Return `characters` around a literal fragment, from 40 before it, the fragment marked."""
    at = text.lower().find(fragment.lower())
    if at < 0:
        return text[:characters]
    begin = max(0, at - 40)
    end = min(len(text), begin + max(characters, len(fragment) + 80))
    cut = text[begin:at] + OPEN + text[at : at + len(fragment)] + CLOSE + text[at + len(fragment) : end]
    return (ELLIPSIS if begin > 0 else "") + cut + (ELLIPSIS if end < len(text) else "")


def _matches(text: str, terms: tuple[Term, ...]) -> list[tuple[int, int]]:
    """Find the character spans of the terms, first to last, not overlapping."""
    patterns = [_pattern(term) for term in terms]
    if not patterns:
        return []
    folded = fold(text)
    if len(folded) != len(text):
        # Folding changed the length (ß → ss): match on the lower-cased text, whose places are true.
        folded = text.lower() if len(text.lower()) == len(text) else text
    joined = re.compile("|".join(patterns))
    return [m.span() for m in joined.finditer(folded)]


def _pattern(term: Term) -> str:
    """Turn a term into a regular expression over folded text."""
    letters = term.words[0]
    for word in term.words[1:]:
        # Pairs of a script without spaces overlap by one character; other words stand apart.
        overlaps = len(word) == 2 and letters.endswith(word[0]) and not word.isascii()
        letters += word[1:] if overlaps else "\0" + word
    body = r"[\W_]{1,3}".join(re.escape(part) for part in letters.split("\0"))
    if term.words[0].isascii() and letters.isascii():
        return rf"(?<![^\W_]){body}" + ("" if term.is_prefix else r"(?![^\W_])")
    return body


def _best_start(found: list[tuple[int, int]], spans: list[tuple[int, int]], tokens: int) -> int:
    """Choose the first token of the window that holds most matches, a little before the first of them."""
    if not spans or len(found) <= tokens:
        return 0
    starts = [start for start, _ in found]
    places = sorted({_index_of(starts, begin) for begin, _ in spans})
    best, best_count, low = places[0], 0, 0
    for high, place in enumerate(places):
        while place - places[low] >= tokens - _LEAD:
            low += 1
        if high - low + 1 > best_count:
            best, best_count = places[low], high - low + 1
    return max(0, min(best - _LEAD, len(found) - tokens))


def _index_of(starts: list[int], position: int) -> int:
    return max(0, bisect_right(starts, position) - 1)


def _mark(text: str, begin: int, end: int, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    at = begin
    for start, stop in spans:
        if start < at or stop > end:
            continue
        parts += [text[at:start], OPEN, text[start:stop], CLOSE]
        at = stop
    parts.append(text[at:end])
    return "".join(parts)
