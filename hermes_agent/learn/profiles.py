"""What people write of themselves without a verb: "About me: Born in Paramaribo. Nurse.", "vegan here"."""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.being import read_being
from hermes_agent.learn.facts_told import Told, made
from hermes_agent.learn.objects import end_of_object, trimmed, values
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.people import TITLES, Subject
from hermes_agent.learn.schooling import read_year
from hermes_agent.learn.tails import read_tails
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words, words_of
from hermes_agent.learn.trades import is_job, trait_of
from hermes_agent.learn.verb_groups import VerbGroup, is_adverb
from hermes_agent.records.statements import USER, Statement

_HEADING = Pattern(r"\s*(?:a (?:bit|little) )?(?:about (?:me|myself)|profile|bio|short bio|who i am|me)\s*:\s*")
_PIECE = Pattern(r"[^,;.\n|]+")
_MOST_PIECES = 12
_LONGEST_HERE = 6
_LONGEST_BARE = 9
_LONGEST_POST = 3
_LEADS = glue.MARKS | glue.JOINTS | (glue.LEADS - glue.ADVERBS)
_NOW = frozenset(("now", "nowadays", "again", "currently", "still"))
_SAID_OF_SELF = (
    ["allergic", "to"],
    ["intolerant", "to"],
    ["fluent", "in"],
    ["scared", "of"],
    ["terrified", "of"],
    ["addicted", "to"],
    ["obsessed", "with"],
)
_SAID_OF_TIMES = (["up", "at"], ["up", "by"], ["off", "on"], ["off", "to"])
_FANS = frozenset(("snob", "nerd", "geek", "addict", "lover", "junkie", "enthusiast", "fanatic"))
_AGE_AND_SEX = Pattern(r"(?P<age>1[6-9]|[2-6]\d)[mf]$")
_ONLY = frozenset(("just", "only", "mostly", "strictly"))
_THESE_DAYS = frozenset(("now", "nowadays", "days"))
_BARE = (
    "origin",
    "religion",
    "location",
    "home",
    "eats",
    "drinks",
    "diet",
    "health",
    "status",
    "allergy",
    "speaks",
    "likes",
    "schedule",
    "plan",
)


def profile_start(plain: str) -> int:
    """Return where the list behind "About me:" begins; 0 if a message is none."""
    found = _HEADING.match(plain)
    return found.end() if found else 0


def read_profile(plain: str, start: int, message: str) -> Iterator[Statement]:
    """Read the pieces of a profile as what the user is."""
    for count, match in enumerate(_PIECE.finditer(plain, start)):
        if count >= _MOST_PIECES:
            return
        words = words_of(plain, match.start(), match.end(), message)
        if words.words and words.words[0] not in ("i", "my", "we"):
            yield from _is(words, 0, len(words.words))


def read_here(words: Words, clause: Clause) -> Iterator[Statement]:
    """Read "type 1 diabetic here": what the user is."""
    listed = words.words[clause.place : clause.end]
    if "here" not in listed[1:_LONGEST_HERE]:
        return
    end = clause.place + listed.index("here")
    if words.words[end - 1] in _FANS and end - clause.place == 2 and kinds.kinds_of(words.words[end - 2]):
        start, stop = words.starts[clause.place], words.ends[end]
        yield made(USER, "likes", words.said(clause.place, end - 1), start, stop)
    elif is_job(words.words[end - 1]) or trait_of(words.words[end - 1]):
        yield from _is(words, clause.place, end)


def read_age_and_sex(words: Words, clause: Clause) -> Iterator[Statement]:
    """Read "23f from leeds", "31m here": the user's age, and whence they come."""
    begin, end = clause.place, clause.end
    found = _AGE_AND_SEX.match(words.words[begin]) if begin == 0 else None
    following = words.at(begin + 1)
    is_placed = following in ("from", "in") and begin + 2 < end and _is_town(words, begin + 2, end)
    if found is None or not (is_placed or following == "here"):
        return
    start, stop = words.starts[begin], words.ends[end - 1]
    yield made(USER, "age", found["age"], start, stop)
    if is_placed and following == "from":
        yield made(USER, "origin", words.said(begin + 2, end), start, stop)


def _is_town(words: Words, begin: int, end: int) -> bool:
    """Tell whether a town and nothing else stands between two places: "leeds", "new york", not "leeds station"."""
    listed = words.words[begin:end]
    return kinds.is_town(listed[0]) if len(listed) == 1 else len(listed) == 2 and kinds.is_two_word_town(listed)


def read_bare(words: Words, clause: Clause, begin: int) -> Iterator[Statement]:
    """Read what lacks its "I'm": "in Tbilisi since 2022", "off salt for good", "allergic to kiwis"."""
    end = clause.end
    while begin < end and words.words[begin] in _LEADS:
        begin += 1
    at, is_denied = begin, False
    while at < end and (is_adverb(words.words[at]) or words.words[at] in ("back", *glue.NOT)):
        is_denied = is_denied or words.words[at] in glue.NOT
        at += 1
    if at + 1 >= end:
        return
    verb = VerbGroup(begin, at, "be", "present", begin, is_denied=is_denied)
    told = Told(words, replace(clause, kind="told", verb=verb), Subject(USER), verb, tuple(times(words, at, end)))
    is_now = told.has("lasting") or not _NOW.isdisjoint(words.words[begin:end])
    if words.words[at] == "in" and kinds.is_town(words.words[at + 1]):
        is_meant = told.is_any_more if is_denied else is_now
    elif words.words[at] == "from":
        is_meant = begin > clause.place and at + 2 == end and kinds.is_town(words.words[at + 1])
    elif is_denied and words.words[at] in ("a", "an"):
        is_meant = words.words[end - 1] in ("person", "fan")
    elif words.words[at : at + 2] in _SAID_OF_TIMES and not is_denied:
        is_meant = told.has("date") if words.words[at + 1] == "to" else told.has("recurring")
    elif words.words[at] in ("on", "off"):
        span = trimmed(words, at + 1, end_of_object(words, at + 1, end, rest=False))
        last = "" if span is None else words.words[span[1] - 1]
        is_taken = kinds.is_food([last]) or kinds.is_regimen(last) or bool(trait_of(last))
        is_meant = is_taken and _ends_there(words, at + 1, end)
    else:
        is_meant = bool(trait_of(words.words[at])) and is_now and _ends_there(words, at, end)
        is_meant = is_meant or (words.words[at : at + 2] in _SAID_OF_SELF and end - at < _LONGEST_BARE)
    if is_meant:
        yield from (one for one in read_being(told) if one.attribute in _BARE)
    else:
        yield from read_year(told, at, end)


def read_side(words: Words, clause: Clause) -> Iterator[Statement]:
    """Read "team oat milk now": what the user likes, where it is something to eat or drink."""
    begin = clause.place + 1
    if words.words[clause.place] != "team" or begin >= clause.end:
        return
    stop = end_of_object(words, begin, clause.end, rest=False)
    span = trimmed(words, begin, stop) if not times(words, begin, clause.end) else None
    if span is not None and kinds.is_food([words.words[span[1] - 1]]) and _ends_there(words, begin, clause.end):
        start = words.starts[clause.place]
        yield made(USER, "likes", words.said(*span), start, words.ends[span[1] - 1])


def read_left_over(words: Words, clause: Clause) -> Iterator[Statement]:
    """Read "now it's just green tea and the odd flat white": what the user still eats or drinks."""
    verb = clause.verb
    if verb is None or verb.verb != "be" or verb.is_denied or clause.subject is None or verb.tense != "present":
        return
    between = words.words[verb.begin : verb.end + 1]
    is_now = not _THESE_DAYS.isdisjoint((*clause.joint, *words.words[verb.end : clause.end]))
    if words.words[clause.subject[0]] != "it" or _ONLY.isdisjoint(between) or not is_now:
        return
    for span in values(words, verb.end, clause.end):
        if kinds.is_food([(noun := words.words[span[1] - 1])]):
            attribute = "drinks" if kinds.is_drink(noun) else "eats"
            yield made(USER, attribute, words.said(*span), words.starts[clause.place], words.ends[span[1] - 1])


def read_post(words: Words, clause: Clause) -> Iterator[Statement]:
    """Read "assistant manager at Greggs as of today": what the user is, in words without a verb."""
    begin, end = clause.place, clause.end
    if "no" in words.words[max(begin - 1, 0) : end]:
        return
    if words.words[end - 1] == "now" and 1 < end - begin <= _LONGEST_POST and kinds.is_job(words.words[end - 2]):
        yield from _is(words, begin, end - 1)
        return
    at = next((place for place in range(begin, end) if words.words[place] in ("at", "as")), end)
    if not begin < at <= begin + _LONGEST_POST or at + 1 >= end or not is_job(words.words[at - 1]):
        return
    is_from = words.words[at : at + 2] == ["as", "of"]
    is_firm = words.words[at] == "at" and (words.is_capital(at + 1) or words.is_lower)
    is_firm = is_firm and words.words[at + 1] not in glue.CLOSED | glue.NUMBERS.keys()
    is_firm = is_firm and not times(words, at, at + 2)
    if (is_from or is_firm) and all(word not in glue.CLOSED for word in words.words[begin:at]):
        yield from _is(words, begin, end)


def _ends_there(words: Words, begin: int, end: int) -> bool:
    """Tell whether nothing but a time follows a thing: "off sugar since May", not "off milk smells"."""
    stop = end_of_object(words, begin, end, rest=False)
    behind = stop
    for one in times(words, stop, end):
        behind = one.end if one.begin == behind else behind
    return stop - begin <= _LONGEST_HERE and all(
        is_adverb(word) or word in glue.MARKS or word in ("atm", "rn") for word in words.words[behind:end]
    )


def _is(words: Words, begin: int, end: int) -> Iterator[Statement]:
    """Read words as if "I am" stood before them."""
    verb = VerbGroup(begin, begin, "be", "present", begin)
    clause = Clause("told", begin, begin, end, (), None, verb)
    told = Told(words, clause, Subject(USER), verb, tuple(times(words, begin, end)))
    stop = begin
    while stop < end and words.words[stop] not in ("with", "in", "at", "for"):
        stop += 1
    if stop > begin and kinds.is_job(words.words[stop - 1]):
        found = [told.made("role", (begin, stop), "is")]
    else:
        found = [
            one for one in read_being(told) if one.attribute != "name" or words.words[begin].rstrip(".") in TITLES
        ]
    yield from found
    yield from read_tails(told, found)
