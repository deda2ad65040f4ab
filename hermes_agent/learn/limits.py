"""How far what a clause tells goes: up to a contrast, only at some times, or nowhere."""

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import end_of_object
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.times import Time
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import is_adverb

_HOURS = word_set("after before past on at in during until")
_MEALS = word_set("noon midnight lunch breakfast dinner work bed")
_LONGEST_MANNER = 4
_LIMITS = word_set("after before past on at in during with without until")


def before_contrast(words: Words, begin: int, end: int) -> int:
    """Return where what is so ends: of "lands 06:40, not 16:40" in front of "not"."""
    for place in range(begin + 1, end):
        if words.words[place] == "not" and words.words[place - 1] not in glue.AUXILIARIES:
            return place
        if words.words[place : place + 2] == [",", "so"]:
            return place
    return end


def with_limit(told: Told, attribute: str, span: Span) -> Span:
    """Return a value with what it is limited to: "hates meetings before ten" allows them after.

    What is not eaten keeps when and where it is not ("never coffee after noon"), what is drunk how ("with milk").
    """
    if attribute in ("likes", "prefers"):
        return _with_time(told, span)
    if attribute in ("eats", "drinks") and told.polarity() == "is":
        return _with_manner(told, span)
    is_limited = told.words.at(span[1]) in _LIMITS and span[1] < told.clause.end
    is_refused = attribute in ("eats", "drinks") and told.verb.is_denied and told.polarity() == "is not"
    is_refused = is_refused and told.verb.tense != "perfect"  # "haven't eaten meat in six years"
    return (span[0], told.clause.end) if is_limited and is_refused else span


def _with_time(told: Told, span: Span) -> Span:
    """Return "meetings before 10", "running in the morning"; a day that passes limits nothing."""
    words = told.words
    is_led = span[1] < told.clause.end and words.words[span[1]] in _HOURS
    for one in told.times if is_led else ():
        if (
            one.kind in ("recurring", "date")
            and span[1] <= one.begin <= span[1] + 1
            and "Y" not in _letters(told, one)
        ):
            return span[0], one.end
    following = words.words[span[1] + 1 : span[1] + 2] if is_led else []
    is_hour = bool(following) and (
        following[0] in glue.NUMBERS or following[0][0].isdigit() or following[0] in _MEALS
    )
    return (span[0], span[1] + 2) if is_hour else span


def _letters(told: Told, one: Time) -> str:
    return told.words.time_letters[one.begin : one.end]


def _with_manner(told: Told, span: Span) -> Span:
    """Return "coffee with oat milk", "oat milk in my coffee"; "lunch with Ana" is no manner."""
    words, end = told.words, told.clause.end
    joint = words.at(span[1]) if span[1] < end else ""
    if joint not in ("with", "without", "in"):
        return span
    stop = end_of_object(words, span[1] + 1, end, rest=False)
    tail = words.words[span[1] + 1 : stop]
    return (span[0], stop) if len(tail) <= _LONGEST_MANNER and kinds.is_food(tail) else span


def is_no_business(told: Told, begin: int) -> bool:
    """Tell whether what stands behind "run" or "head" is no firm: "run twice a week", "head home"."""
    word = told.words.words[begin]
    is_time = any(one.kind == "recurring" and one.begin <= begin + 1 and one.end > begin for one in told.times)
    return word in glue.PREPOSITIONS or word == "home" or is_adverb(word) or word.isdigit() or is_time
