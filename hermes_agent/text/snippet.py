"""Cut the part of a text that shows why it was found.

Made from the text itself rather than by the engine, so that both engines show the same snippet
and the word index need not keep a copy of every message. Matches are found on the same words the
index holds, each with its place in the text.
"""

import re
from collections.abc import Sequence

from hermes_agent.text.query import Query, Term
from hermes_agent.text.words import CHARACTER_CAP, placed_words

OPEN, CLOSE, ELLIPSIS = ">>>", "<<<", "..."
TOKENS = 40
_LEAD = 10
_CHARACTERS = 600

Span = tuple[int, int]


def unmarked(text: str) -> str:
    """Return a text without the marks around matches."""
    return text.replace(OPEN, "").replace(CLOSE, "")


def snippet(text: str, query: Query, tokens: int = TOKENS) -> str:
    """Return about `tokens` words around the densest match, the matches marked; the start if none."""
    placed = list(placed_words(text[:CHARACTER_CAP]))
    matches = _matches(placed, query.terms)
    if not placed:
        return _cut(text, 0, min(len(text), _CHARACTERS), [])
    first = _best_start([place for place, _ in matches], len(placed), tokens)
    last = min(first + tokens, len(placed)) - 1
    spans = _joined([span for _, span in matches])
    begin = 0 if first == 0 else placed[first][1]
    end = len(text) if last == len(placed) - 1 else placed[last][2]
    if end - begin > _CHARACTERS:
        inside = [span for span in spans if begin <= span[0] < end]
        begin = max(begin, inside[0][0] - _CHARACTERS // 3) if inside else begin
        end = min(end, begin + _CHARACTERS)
    return _cut(text, begin, end, spans)


def excerpt(text: str, fragment: str, characters: int = 120) -> str:
    """Return `characters` around a literal fragment, from 40 before it, the fragment marked."""
    match = re.search(re.escape(fragment), text, re.IGNORECASE)
    if match is None:
        return _cut(text, 0, min(len(text), characters), [])
    begin = max(0, match.start() - 40)
    end = min(len(text), max(begin + characters, match.end() + 40))
    return _cut(text, begin, end, [match.span()])


def _matches(placed: Sequence[tuple[str, int, int]], terms: Sequence[Term]) -> list[tuple[int, Span]]:
    """Find where the terms occur: the place of the first word, and the characters they take."""
    by_first: dict[str, list[Term]] = {}
    prefixes = [term for term in terms if term.is_prefix and len(term.words) == 1]
    for term in terms:
        by_first.setdefault(term.words[0], []).append(term)
    found: list[tuple[int, Span]] = []
    for place, (word, start, _) in enumerate(placed):
        candidates = [*by_first.get(word, ()), *(term for term in prefixes if word.startswith(term.words[0]))]
        ends = [place + len(term.words) - 1 for term in candidates if _stands(placed, place, term)]
        if ends:
            found.append((place, (start, placed[max(ends)][2])))
    return found


def _stands(placed: Sequence[tuple[str, int, int]], place: int, term: Term) -> bool:
    *whole, last = term.words
    words = [word for word, _, _ in placed[place : place + len(term.words)]]
    if len(words) < len(term.words) or words[:-1] != whole:
        return False
    return words[-1].startswith(last) if term.is_prefix else words[-1] == last


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Join spans that overlap, as pairs of characters do."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _best_start(places: Sequence[int], total: int, words: int) -> int:
    """Choose the first word of the window that holds most matches, a little before the first of them."""
    if not places or total <= words:
        return 0
    best, most, low = places[0], 0, 0
    for high, place in enumerate(places):
        while place - places[low] >= max(1, words - _LEAD):
            low += 1
        if high - low + 1 > most:
            best, most = places[low], high - low + 1
    return max(0, min(best - _LEAD, total - words))


def _cut(text: str, begin: int, end: int, spans: Sequence[Span]) -> str:
    parts: list[str] = []
    at = begin
    for start, stop in spans:
        if start >= at and stop <= end:
            parts += [text[at:start], OPEN, text[start:stop], CLOSE]
            at = stop
    parts.append(text[at:end])
    before = ELLIPSIS if text[:begin].strip() else ""
    after = ELLIPSIS if text[end:].strip() else ""
    return before + "".join(parts).strip() + after
