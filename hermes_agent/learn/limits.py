"""How far what a clause tells goes: up to a contrast, only at some times, or nowhere."""

from hermes_agent.learn import glue
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import is_adverb

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
    """Return what is not eaten with when or where it is not: "never coffee after noon" allows it before."""
    is_limited = told.words.at(span[1]) in _LIMITS and span[1] < told.clause.end
    is_refused = attribute in ("eats", "drinks") and told.verb.is_denied and told.polarity() == "is not"
    is_refused = is_refused and told.verb.tense != "perfect"  # "haven't eaten meat in six years"
    return (span[0], told.clause.end) if is_limited and is_refused else span


def is_no_business(told: Told, begin: int) -> bool:
    """Tell whether what stands behind "run" or "head" is no firm: "run twice a week", "head home"."""
    word = told.words.words[begin]
    is_time = any(one.kind == "recurring" and one.begin <= begin + 1 and one.end > begin for one in told.times)
    return word in glue.PREPOSITIONS or word == "home" or is_adverb(word) or word.isdigit() or is_time
