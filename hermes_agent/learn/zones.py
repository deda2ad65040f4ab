"""In which time zone somebody is: "I sit in Singapore, UTC+8", "in the Halifax time zone"."""

from collections.abc import Iterator

from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import USER, Statement

_OFFSETS = frozenset(
    f"{name}{sign}"
    for name in ("utc", "gmt")
    for sign in ("", *(f"{sign}{hours}" for sign in "+-" for hours in range(15)))
)
_LETTERS = word_set("""
    cet cest eet eest wet west bst est edt cst cdt mst mdt pst pdt ist jst kst hkt sgt aest aedt nzst nzdt""")
_ZONES = _OFFSETS | _LETTERS | {"zone"}
_BEFORE = word_set("in on at am here , (") | {"'m"}
_OF_USER = word_set("i im my here")


def read_zone(words: Words) -> Iterator[Statement]:
    """Yield the user's time zone."""
    if _ZONES.isdisjoint(words.words) or _OF_USER.isdisjoint(words.words):
        return
    for place in range(1, len(words.words)):
        span = _zone(words, place)
        if span is not None:
            start, stop = words.starts[max(place - 2, 0)], words.ends[min(span[1], len(words.words)) - 1]
            yield made(USER, "time zone", words.said(*span), start, stop)
            return


def _zone(words: Words, place: int) -> Span | None:
    """Return the zone at a place, unless it only says which hour is meant ("15:00 CET")."""
    listed = words.words
    before = listed[place - 1]
    is_zone = listed[place] in _OFFSETS or (listed[place] in _LETTERS and words.said(place, place + 1).isupper())
    if is_zone and before in _BEFORE:
        is_hour = any(letter in "CN" for letter in words.time_letters[max(place - 3, 0) : place])
        return None if is_hour else (place, place + 1)
    is_named = words.is_capital(place) and before in ("the", "on", "in")
    end = place + 1
    if is_named and words.words[end : end + 2] == ["time", "zone"]:
        return place, end
    return None
