"""Where somebody works, told without such a verb: "new job at Lidl starts Monday", "been at ikea for 3 years"."""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import Told, made
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import trimmed
from hermes_agent.learn.parsing import Span, noun_phrase
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.trades import is_job
from hermes_agent.learn.verb_groups import verb_group
from hermes_agent.records.statements import USER, Statement

_WHERE = ("at", "with")
_YEARS = word_set("years year months")
_BEGUN = (["new", "job"], ["first", "day"], ["first", "week"], ["first", "shift"])
_POSTS = word_set("placement internship apprenticeship secondment traineeship")
_CUES = _POSTS | word_set("job first contract")
_NO_FIRMS = word_set("school nursery uni university college kindergarten gym beach pool sea festival")


def read_job(words: Words) -> Iterator[Statement]:
    """Read where the user's new job is, or was one that came to an end."""
    if _CUES.isdisjoint(words.words):
        return
    for place in range(len(words.words) - 2):
        if words.words[place : place + 2] in _BEGUN and _is_own(words, place):
            if words.words[place + 2 : place + 4] in (["as", "a"], ["as", "an"]):
                yield from _role(words, place + 3, place)
                return
            at = place + 2 + (words.at(place + 2) in ("is", "'s"))
            span = _firm(words, at)
            if span is not None:
                yield _made(words, place, span)
                return
        is_post = words.words[place] in _POSTS or words.words[place : place + 2] == ["contract", "at"]
        span = _firm(words, place + 1) if is_post and words.words[place - 1] == "my" else None
        if span is not None and _is_over(words, span[1]):
            yield replace(_made(words, place, span), polarity="no longer", is_single=False)
            return


def _made(words: Words, place: int, span: Span) -> Statement:
    return made(USER, "employer", words.said(*span), words.starts[place], words.ends[span[1] - 1])


def _role(words: Words, at: int, place: int) -> Iterator[Statement]:
    """Read "my first week as a night porter"."""
    end = noun_phrase(words, at, len(words.words))
    span = trimmed(words, at, end) if end > at else None
    if span is not None and is_job(words.words[span[1] - 1]):
        yield made(USER, "role", words.said(*span), words.starts[place], words.ends[span[1] - 1])


def _firm(words: Words, at: int) -> Span | None:
    """Return where somebody works behind "at": no school, no beach."""
    if words.at(at) not in _WHERE or at + 1 >= len(words.words):
        return None
    end = noun_phrase(words, at + 1, len(words.words))
    end = min([end, *(one.begin for one in times(words, at + 2, end))]) if end > at + 2 else end
    span = trimmed(words, at + 1, end) if end > at + 1 else None
    return None if span is None or words.words[span[1] - 1] in _NO_FIRMS else span


def _is_over(words: Words, place: int) -> bool:
    verb = verb_group(words, place, len(words.words), "noun")
    if verb is None or verb.is_denied or verb.modal:
        return False
    is_past = verb.verb in ("end", "finish", "expire") and verb.tense in ("past", "perfect")
    return is_past or (verb.verb == "be" and words.at(verb.end) in ("over", "up"))


def _is_own(words: Words, place: int) -> bool:
    """Tell whether a job is one the user has: it opens the sentence, or is "my new job"."""
    is_first = place == 0 or (words.words[place - 1] in glue.MARKS | glue.LEADS)
    return is_first or (words.words[place - 1] == "my" and (place == 1 or words.words[place - 2] in glue.CLOSED))


def is_of_years(told: Told, span: Span) -> bool:
    """Tell whether somebody who types without capitals has "been at ikea for 3 years"."""
    is_firm = told.words.is_lower and not kinds.kinds_of(told.words.words[span[0]])
    is_firm = is_firm and told.words.words[span[0] - 1] not in glue.DETERMINERS
    return is_firm and not _YEARS.isdisjoint(told.rest())
