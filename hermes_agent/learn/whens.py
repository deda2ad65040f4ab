"""What the times of a clause say of its verb: that it is done again and again, or where a thing would stand."""

from dataclasses import replace

from hermes_agent.learn import glue
from hermes_agent.learn.facts_told import Told


def in_tense(told: Told) -> Told:
    """Read a verb whose past is like its present ("cut", "read") in the present if it is done again and again."""
    verb = told.verb
    is_same = verb.tense == "past" and verb.begin == verb.place and told.words.words[verb.place] == verb.verb
    return replace(told, verb=replace(verb, tense="present")) if is_same and told.has("recurring") else told


def is_when(told: Told, begin: int) -> bool:
    """Tell whether a time stands where a place or a thing would: behind "at" or "on"."""
    if begin >= told.clause.end or begin == told.verb.end:
        return False
    following = told.words.words[begin]
    is_hour = (
        following in glue.NUMBERS or following in ("noon", "midnight") or told.words.time_letters[begin] in "CN"
    )
    is_day = not {"D", "P"}.isdisjoint(told.words.time_letters[begin : begin + 2])
    return is_hour or is_day or any(one.begin == begin - 1 and one.kind == "recurring" for one in told.times)
