"""Where something is that has a day: "our wedding is on 5 July at the town hall in Ghent"."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from hermes_agent.learn import glue
from hermes_agent.learn.facts_told import Told, made
from hermes_agent.learn.kinds import kinds_of
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value
from hermes_agent.learn.parsing import Clause, Span
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.worth import is_hard
from hermes_agent.records.statements import Statement, Who

_EVENTS = word_set(
    """anniversary appointment audition baptism barbecue christening conference defence defense do dinner exam
    examination exhibition graduation hearing housewarming interview match meeting
    operation party premiere procedure race reception rehearsal reunion scan surgery tournament viva wake
    workshop"""
)
_OF_EVENT = word_set("dress ring planner speech cake gift present room photos photographer list party")
_DONE_THERE = ("studies", "work", "role", "employer", "learns", "family", "works on")
_HALLS = word_set(
    "barn boathouse chapel church cinema club garden gym hall hotel library museum park pub school theatre"
)
_LONGEST_NAME = 3
_NOWHERE = word_set(
    """work home school lunch noon night short charge least last first once hand full particular request invitation
    suggestion insistence expense behest latest discretion same moment time weekend end beginning start"""
)


@lru_cache(maxsize=5_000)  # asked of every word of a clause
def is_event(noun: str) -> bool:
    """Tell whether a noun names what has a day and a place."""
    last = noun.split()[-1] if noun.split() else ""
    return last in _EVENTS or "event" in kinds_of(last)


def event_in(words: Words, begin: int, end: int) -> Who | None:
    """Return the event that a clause speaks of, which "it" will mean: "Sarah's wedding"."""
    for place in range(end - 1, begin, -1):
        if (
            words.words[place] not in glue.CLOSED
            and is_event(words.words[place])
            and words.at(place + 1) not in _OF_EVENT
        ):
            first = place
            while first > begin and words.words[first - 1] not in glue.CLOSED and place - first < _LONGEST_NAME:
                first -= 1
            if words.words[first - 2 : first - 1] in (["from"], ["after"], ["since"]):
                continue  # over: "back from the funeral"
            if words.words[first - 1] in (*glue.POSSESSIVES, "the", "'s"):
                return Who("thing", name=words.said(first, place + 1).lower())
    return None


def read_where(words: Words, clause: Clause, told: Sequence[Statement]) -> Iterator[Statement]:
    """Read the town of "rang from Rotterdam, where she's doing her master's"."""
    lasting = [one for one in told if one.attribute in _DONE_THERE and one.polarity == "is"]
    end = clause.begin - (words.words[clause.begin - 1] == ",")
    begin = end
    while begin > 0 and words.is_capital(begin - 1) and words.words[begin - 1] not in glue.CLOSED:
        begin -= 1
    is_town = begin < end and words.words[begin - 1] in ("in", "from", "at", "to", "of", "for")
    if "where" in clause.joint and lasting and is_town and words.time_letters[begin] == ".":
        start, stop = words.starts[begin], words.ends[clause.end - 1]
        yield made(lasting[0].who, "location", words.said(begin, end), start, stop)


def venue(told: Told, begin: int) -> Span | None:
    """Return the place that stands behind "at" or "in"; without a capital letter only that of an event."""
    words, end = told.words, told.clause.end
    for place in range(begin, end - 1):
        if words.words[place] not in ("at", "in") or _is_time(told, place):
            continue
        span = one_value(words, place + 1, end)
        if span is None or words.words[span[0]] in _NOWHERE or words.words[span[0]] in glue.NUMBERS:
            continue
        is_named = is_hard(words, span) and not words.words[span[0]][0].isdigit()
        is_named = is_named or (
            words.is_lower and not kinds_of(words.words[span[0]]).isdisjoint(("city", "country"))
        )
        is_marked = words.words[place + 1] in ("the", "our", "my")
        is_marked = is_marked and (words.words[place] == "at" or words.words[span[1] - 1] in _HALLS)
        if is_named or (is_marked and is_event(told.thing().name)):
            return _with_town(told, span)
    return None


def _is_time(told: Told, place: int) -> bool:
    return any(one.begin <= place < one.end for one in times(told.words, place, told.clause.end))


def _with_town(told: Told, span: Span) -> Span:
    """Return "town hall in Ghent" rather than the hall alone."""
    words, end = told.words, told.clause.end
    if span[1] + 1 < end and words.words[span[1]] == "in" and words.is_capital(span[1] + 1):
        town = None if _is_time(told, span[1]) else one_value(words, span[1] + 1, end)
        return (span[0], town[1]) if town is not None else span
    return span
