"""Find when something is: every Tuesday, since 2016, on the 14th of August, right now.

Each word has the letter of its class (a month is M, a weekday D, see `time_letters`), and the phrases are patterns
over these letters. What kind of time it is decides what a clause tells: a habit, a plan, or nothing that lasts.
"""

import re
from typing import NamedTuple

from hermes_agent.learn.glue import CLOSED, NUMBERS
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.time_letters import ORDINALS, PHRASES, PLAIN, SEASONS, Kind
from hermes_agent.learn.tokens import Words

_AT = r"(?:[pwF]*t?E?f?t?(?:o?[CNODMYdQ]+|[PS]))*"
# "six till two", "9am to 5pm", "Monday to Thursday", "9 to 11 on Mondays", "the first Tuesday of each month".
_SPAN = r"[NC]wt?[NC]|C[pw]C|D[pw]D|[NC]p[NC](?=p?[PDe])|[Ol]Df[te]U"
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("lasting", re.compile(r"s(?:[ln]?[UMDYSCNO]+|t[ES]?|[tlh]?[a-zA-Z.]{1,3}$)|s[lt]*\.?|qt?l?N[VU]")),
    ("recurring", re.compile(rf"p?t?(?:e[oO]?[UMDSd]+|D?P(?:FP)*|N?[xV]+[ae][UV]|L|DdF?D?d?P|{_SPAN}){_AT}")),
    ("past", re.compile(r"y|l[UDSMd]+|[aN]+[UV]g|[pq]Y")),
    ("fleeting", re.compile(r"r|h[d]|[pqw]t?[rh][d]?|q[aN][VU]")),
    (
        "date",
        re.compile(
            rf"(?:[pw]?t?(?:E(?:ft?)?)?(?:n[UDSM]|D|O(?:fM)|OM|M|NM|Y|C|Q|S|O)|[pw][NC]|[pw]t?d|p?t?Eft?U){_AT}"
        ),
    ),
)
# "for the better part of thirty years", "for well over a decade".
_ROUGHLY = word_set("the better best part of well over more than almost nearly about many several a")
_LONG = word_set("years decades decade months")
_FIRST_OF_PHRASE = frozenset(phrase.split()[0] for phrase in PHRASES)
_UNDERTAKINGS = frozenset(("project", "product", "repo", "service", "client", "customer", "codebase", "company"))
_LONGEST_PHRASE = 4
_FARTHEST_COMMA = 6


class Time(NamedTuple):
    """Words that say when something is."""

    kind: Kind
    begin: int
    end: int


def times(sentence: Words, begin: int, end: int) -> list[Time]:
    """Return the times among the words of a sentence, in order."""
    if not sentence.has_times:
        return []
    words, letters = sentence.words, sentence.time_letters[begin:end]
    if set(letters) <= PLAIN and "w" not in letters and _FIRST_OF_PHRASE.isdisjoint(words[begin:end]):
        return []
    found: list[Time] = []
    place = begin
    while place < end:
        one = _phrase(words, place, end) or _for_long(words, place, end) or _dated(letters, place, begin)
        if one is None or _is_of_noun(words, one):
            place += 1
        else:
            found.append(one)
            place = one.end
    return found


def is_week(sentence: Words, one: Time) -> bool:
    """Tell whether a time is part of every week: "from Monday to Thursday"."""
    return sentence.time_letters[one.begin : one.end].strip("pF") in ("DpD", "PpP")


def is_aside(sentence: Words, begin: int, end: int) -> bool:
    """Tell whether a time stands at a place, and a comma behind it."""
    found = times(sentence, begin, min(begin + _FARTHEST_COMMA, end))
    return bool(found) and found[0].begin == begin and sentence.at(found[0].end) == ","


def until(sentence: Words, begin: int, end: int) -> int:
    """Return where "until last year" ends that stands at a place in front of "I"; 0 if no such time does."""
    found = times(sentence, begin + 1, min(begin + _FARTHEST_COMMA, end))
    after = found[0].end if found and found[0].begin == begin + 1 else 0
    after += sentence.at(after) == "," if after else 0
    return after if sentence.at(after) in ("i", "we") else 0


def _is_of_noun(words: list[str], one: Time) -> bool:
    """Tell whether a word of time only describes a noun: "my daily routine", "the first coin", "on my fourth"."""
    last = words[one.end - 1]
    is_ordinal = last in ORDINALS
    if one.kind == "fleeting" and words[one.begin : one.end] == ["for", "this"] and one.end < len(words):
        return words[one.end] in _UNDERTAKINGS  # "for this project"
    if one.kind == "fleeting" and ["as", "of"] in (words[one.begin - 1 :][:2], words[one.begin - 2 :][:2]):
        return True  # "as of this week" it lasts
    if one.kind == "date" and (last in NUMBERS or (last.isdigit() and len(last) < 4)) and one.end < len(words):
        return words[one.end] not in CLOSED and one.end - one.begin < 3  # "at 40 pages"
    if last in SEASONS and one.end < len(words):
        return words[one.end] not in CLOSED and not words[one.end].isdigit()  # "their summer collection"
    if not is_ordinal and not (last.endswith("ly") and one.end - one.begin == 1):
        return False
    following = words[one.end] if one.end < len(words) else ""
    is_bare = is_ordinal and one.end - one.begin == 1 and words[one.begin - 1] != "the"
    return is_bare or (following != "" and following not in CLOSED)


def _phrase(words: list[str], place: int, end: int) -> Time | None:
    if words[place] not in _FIRST_OF_PHRASE:
        return None
    for size in range(_LONGEST_PHRASE, 1, -1):
        kind = PHRASES.get(" ".join(words[place : min(place + size, end)]))
        if kind is not None:
            return Time(kind, place, min(place + size, end))
    return None


def _for_long(words: list[str], place: int, end: int) -> Time | None:
    if words[place] != "for":
        return None
    at = place + 1
    while at < end and words[at] in _ROUGHLY:
        at += 1
    is_rough = at > place + 1
    at += at < end and (words[at] in NUMBERS or words[at].isdigit())
    return Time("lasting", place, at + 1) if is_rough and at < end and words[at] in _LONG else None


def _dated(letters: str, place: int, begin: int) -> Time | None:
    if letters[place - begin] == ".":
        return None
    for kind, pattern in _KINDS:
        match = pattern.match(letters, place - begin)
        if match is not None and (not set(match[0]) <= PLAIN or kind == "recurring"):
            end = match.end() + begin
            while letters[end - begin - 1] in "pwtfF":  # "on Monday and" ends with the Monday
                end -= 1
            return Time(kind, place, end)
    return None
