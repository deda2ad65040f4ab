"""Whether a verb without a subject tells of the user: "live in Leeds", "take sumatriptan".

A bare verb at the start of a sentence is an order, unless nobody would order an assistant to do it.
"""

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import VerbGroup

_FELT = word_set("love hate adore loathe detest despise")
_WANTED = word_set("want hope")
_NEVER_ORDERED = word_set("eat drink smoke own drive live work love")
_EATING = word_set("do touch have like")
_NO_THINGS = word_set("it this that these those you your what how when to hearing seeing knowing having getting")
_FARTHEST_MEDICINE = 4


def is_own(words: Words, verb: VerbGroup, end: int) -> bool:
    """Tell whether a bare verb without a subject is the user's."""
    if verb.tense != "bare" or verb.is_progressive or "please" in words.words[:end]:
        return False
    following = words.words[verb.end : end]
    if not following or verb.is_denied:
        return False
    first = following[0]
    if verb.verb == "drive":
        return first in ("a", "an") and words.is_lower and kinds.is_vehicle(following[-1])
    if verb.verb == "own":
        return first in ("a", "an") or first in glue.NUMBERS or first.isdigit()
    if verb.verb in _FELT:
        return first not in _NO_THINGS and first not in glue.MARKS
    if verb.verb in _WANTED:
        return first == "to"
    if verb.verb == "need":
        return any(letter.isdigit() for letter in first)
    if verb.verb == "take":
        is_moved = not {"off", "out", "away"}.isdisjoint(following)
        near = following[:_FARTHEST_MEDICINE] if first[0].isdigit() else following[:1]
        return not is_moved and any(kinds.is_medicine(word) for word in near)
    if verb.verb in ("start", "begin"):
        return _is_of_job(following) and any(one.kind == "date" for one in times(words, verb.end, end))
    return verb.verb in ("live", "work") and _is_named(words, verb, end)


def is_own_refusal(words: Words, verb: VerbGroup) -> bool:
    """Tell whether "dont eat pork" tells of the user: nobody forbids an assistant to eat."""
    if not verb.is_denied or not words.is_lower or words.at(verb.end) in glue.CLOSED:
        return False
    is_food = verb.verb in _EATING and kinds.is_food(words.words[verb.end : verb.end + 2])
    return is_food or verb.verb in _NEVER_ORDERED


def _is_of_job(following: list[str]) -> bool:
    is_job = following[0] in glue.POSSESSIVES and "job" in following[1:4]
    return is_job or (following[0] in ("at", "as") and following[1:2] != [] and not following[1][0].isdigit())


def _is_named(words: Words, verb: VerbGroup, end: int) -> bool:
    """Tell whether a place or a post follows: "live in Leeds", "work as a chef", not "live in the moment"."""
    place = verb.end + 1
    if place >= end:
        return False
    before = words.words[verb.end]
    if verb.verb == "work" and before == "as":
        return words.words[place] in ("a", "an")
    if before not in (("in", "near", "with") if verb.verb == "live" else ("at", "for")):
        return False
    if before == "with":
        return words.words[place] in glue.MINE
    is_place = kinds.is_town(words.words[place]) or verb.verb == "work"
    return words.is_capital(place) or (words.is_lower and is_place and words.words[place] not in glue.CLOSED)
