"""The great days of a life: births, engagements, partings, birthdays."""

import re
from collections.abc import Iterator, Sequence

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import Told, made
from hermes_agent.learn.lexicon import GIVEN_NAMES, RELATIONS, word_set
from hermes_agent.learn.objects import end_of_object, trimmed
from hermes_agent.learn.parsing import Clause, Span
from hermes_agent.learn.people import Mention, Talk
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.values import titled
from hermes_agent.learn.verb_groups import VerbGroup, is_adverb, verb_group
from hermes_agent.records.statements import USER, Statement
from hermes_agent.text.verbs import lemma
from hermes_agent.text.words import fold

_NEWBORN = word_set("baby boy girl son daughter twins triplets")
_OF_BABIES = word_set("little baby healthy beautiful wee tiny second third first gorgeous bouncing lovely")
_NAMING = word_set("call name christen")
_BEFORE_COUPLES = glue.MARKS | glue.JOINTS | glue.LEADS | {"that"}
_PARTING = {"split": "up", "break": "up", "separate": "", "divorce": "", "part": "ways"}
_JOINED = word_set("engaged married hitched together")
_ORDINAL = re.compile(r"\d{2,3}(?:st|nd|rd|th)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ROUND = word_set("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth")
_ONES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def read_birth(told: Told) -> Iterator[Statement]:
    """Read "had a baby girl on Sunday", "had her baby, a boy called Otis"."""
    words, end, verb = told.words, told.clause.end, told.verb
    is_ahead = verb.is_progressive and verb.tense == "present" and not verb.is_denied
    if verb.verb == "expect" and is_ahead and _is_over(words, verb.end, end):
        yield told.made("family", (verb.place, end), "is")
        return
    if verb.verb != "have" or not (is_ahead or verb.tense in ("past", "perfect")) or verb.is_denied:
        return
    begin = verb.end
    at = begin + (words.at(begin) not in ("twins", "triplets"))
    while at < end and words.words[at] in _OF_BABIES and words.at(at + 1) in _NEWBORN | _OF_BABIES:
        at += 1
    if (at > begin and words.at(begin) not in glue.DETERMINERS) or words.at(at) not in _NEWBORN or at >= end:
        return
    if not _is_over(words, at + 1, end) and words.at(at + 1) not in ("called", "named"):
        return
    if is_ahead:
        yield told.made("family", (verb.place, at + 1), "is")
        return
    span = _apposed(words, at, end) or trimmed(words, begin, end_of_object(words, at, end, rest=False))
    if span is not None:
        yield told.made("family", (span[0], _named_end(words, span)), "is")


def _apposed(words: Words, at: int, end: int) -> Span | None:
    """Return the girl of "had her baby on Tuesday, a girl called Maeve"."""
    for place in range(at, end - 2):
        behind = place + 2
        while behind < end and words.words[behind] in _OF_BABIES - {"baby"}:
            behind += 1
        if words.words[place] == "," and words.words[place + 1] in ("a", "an") and words.at(behind) in _NEWBORN:
            return trimmed(words, place + 1, end_of_object(words, place + 1, end, rest=False))
    return None


def _named_end(words: Words, span: Span) -> int:
    """Return where a child's name ends, or what stands before the first comma."""
    for place in range(*span):
        if words.words[place] in ("called", "named"):
            end = place + 2
            while end < span[1] and words.is_capital(end):
                end += 1
            return min(end, span[1])
        if words.words[place] == ",":
            return place
    return span[1]


def _is_over(words: Words, begin: int, end: int) -> bool:
    """Tell whether nothing but a time follows at a place."""
    while begin < end and is_adverb(words.words[begin]):
        begin += 1
    if begin >= end or words.words[begin] in glue.MARKS or words.words[begin] in glue.JOINTS:
        return True
    found = times(words, begin, end)
    return bool(found) and found[0].begin == begin


def is_newborn(value: str) -> bool:
    """Tell whether a value of the family is a child just born."""
    return not _NEWBORN.isdisjoint(value.lower().split())


def named_only(found: Sequence[Statement]) -> list[Statement]:
    """Leave out a baby whose name was told after it: "sis had the baby, they're calling him Otis"."""
    named = {one.who: one.start for one in found if one.attribute == "family" and one.value != "baby"}
    return [one for one in found if one.value != "baby" or named.get(one.who, 0) <= one.start]


def child_of(value: str) -> str:
    """Return what a child just born is to its parents."""
    listed = value.lower().split()
    return "son" if "boy" in listed else "daughter" if "girl" in listed else "baby"


def read_new_name(words: Words, clause: Clause, talk: Talk) -> Iterator[Statement]:
    """Read "they're calling him Otis", "named her Biscuit" of a child or a pet that was just told of."""
    verb = clause.verb
    if verb is None or verb.verb not in _NAMING or verb.is_denied or verb.tense == "bare":
        return
    if words.at(verb.end) in ("the", "our") and words.at(verb.end + 1) in ("baby", "boy", "girl"):
        if _is_name(words, verb.end + 2) and clause.subject and words.words[clause.subject[0]] == "we":
            name = words.said(verb.end + 2, verb.end + 3)
            yield made(USER, "family", name, words.starts[clause.place], words.ends[verb.end + 2])
        return
    if talk.newcomer is None:
        return
    is_done = verb.tense in ("past", "perfect") or verb.is_progressive
    place = verb.end + 1
    is_last = place + 1 >= clause.end or words.words[place + 1] in glue.MARKS | glue.JOINTS
    if not is_done or words.at(verb.end) not in ("him", "her", "it", "them") or place >= clause.end:
        return
    if not (_is_name(words, place) or (words.is_lower and is_last and _may_name(words.words[place]))):
        return
    attribute = "family" if talk.newcomer_is_child else "name"
    span = words.starts[clause.place], words.ends[place]
    yield made(talk.newcomer, attribute, words.said(place, place + 1), *span)


def _is_name(words: Words, place: int) -> bool:
    word = words.at(place)
    if not word.isalpha() or word in glue.CLOSED:
        return False
    if not words.is_lower:
        return words.is_capital(place)
    is_verb = any((lemma(word, "base"), lemma(word, "past"), lemma(word, "third")))
    return fold(word) in GIVEN_NAMES or not (is_verb or kinds.kinds_of(word) or word in RELATIONS)


def _may_name(word: str) -> bool:
    """Tell whether a word in lower case may be a name where one is given: wren, biscuit."""
    is_other = word in RELATIONS or is_adverb(word) or kinds.is_job(word)
    return word.isalpha() and word not in glue.CLOSED and not is_other


def read_couple(words: Words) -> Iterator[Statement]:
    """Read "me and Jess split up", "Sophie and I got engaged": with whom the user lives, or no longer does."""
    if "and" not in words.words:
        return
    for place in range(1, len(words.words) - 2):
        if words.words[place] != "and":
            continue
        other, start = None, 0
        if words.words[place - 1] in ("me", "i") and _is_name(words, place + 1):
            other, start = place + 1, place - 1
        elif words.words[place + 1] in ("i", "me") and _is_name(words, place - 1):
            other, start = place - 1, place - 1
        if other is None or not (start == 0 or words.words[start - 1] in _BEFORE_COUPLES):
            continue
        at = place + 2
        if words.at(at) == "(" and ")" in words.words[at:]:
            at = words.words.index(")", at) + 1
        verb = verb_group(words, at, len(words.words), "we")
        polarity = _bond(words, verb) if verb is not None else None
        if polarity is not None and verb is not None:
            span = words.starts[start], words.ends[min(verb.end, len(words.words) - 1)]
            name = titled(words.said(other, other + 1))
            yield made(USER, "family", name, *span, "is" if polarity else "no longer")
            return


def _bond(words: Words, verb: VerbGroup) -> bool | None:
    """Tell whether two people are together, or no longer; None if a verb says nothing of it."""
    end = len(words.words)
    if verb.modal or verb.tense == "future":
        return None
    if verb.verb in _PARTING and verb.tense in ("past", "perfect") and not verb.is_denied:
        particle = _PARTING[verb.verb]
        at = verb.end + (words.at(verb.end) == particle)
        is_said = not particle or at > verb.end
        return False if is_said and _is_over(words, at, end) else None
    if verb.verb == "get" and verb.tense != "present" and words.at(verb.end) in _JOINED and not verb.is_denied:
        return True if _is_over(words, verb.end + 1, end) else None
    if verb.verb == "marry" and verb.tense in ("past", "perfect") and not verb.is_denied:
        return True if _is_over(words, verb.end, end) else None
    if verb.verb == "be" and (words.at(verb.end - 1) == "together" or words.at(verb.end) in _JOINED):
        is_ended = verb.is_denied or verb.phase == "no longer"
        return not is_ended if _is_over(words, verb.end + 1, end) or is_ended else None
    return None


def read_great_birthday(told: Told) -> Iterator[Statement]:
    """Read "Mum's eighty-second is coming up", "my 60th is on the 4th of May"."""
    noun, words = told.subject.noun, told.words
    if noun is None or told.subject.who.kind not in ("user", "person") or told.verb.is_denied or told.verb.modal:
        return
    begin, end = noun
    is_named = end - begin == 2 and words.words[begin + 1] == "birthday"
    if not _is_ordinal(words.words[begin]) or not (end - begin == 1 or is_named):
        return
    dates = [one for one in told.times if one.kind == "date" and one.begin >= told.verb.end]
    is_coming = told.verb.verb in ("come", "approach", "be", "fall") and told.verb.tense != "past"
    if not is_coming or not (dates or told.verb.is_progressive):
        return
    if dates and _is_day(words.time_letters[dates[0].begin : dates[0].end]):
        yield told.made("birthday", _day(words, dates[0].begin, dates[0].end), "is")
    else:
        yield told.made("age", (begin, begin + 1), "is")


def _is_ordinal(word: str) -> bool:
    tens, _, ones = word.partition("-")
    return bool(_ORDINAL.fullmatch(word)) or word in _ROUND or (tens in glue.NUMBERS and ones in _ONES)


def _day(words: Words, begin: int, end: int) -> Span:
    """Return a date without what leads to it: of "on the 4th of May" the 4th of May."""
    while begin < end - 1 and (words.words[begin] in glue.PREPOSITIONS or words.words[begin] == "the"):
        begin += 1
    return begin, end


def _is_day(letters: str) -> bool:
    """Tell whether the letters of a time are of a day of the year, not of a month or a weekday only."""
    return "M" in letters and ("N" in letters or "O" in letters)


def read_turning(told: Told, age: Span) -> Iterator[Statement]:
    """Read the age of who "turned 70", or "turns 70 on 2 March", and then the birthday.

    Who "turns 70" with no day is not 70 yet; from which day on an age is so, `since` tells.
    """
    is_dated = any(one.kind == "date" and one.begin >= told.verb.end for one in told.times)
    if told.verb.tense in ("past", "perfect") or is_dated:
        yield told.made("age", age, told.polarity(frozenset({"change"}), "age"))
    yield from read_day_of_birth(told)


def read_day_of_birth(told: Told) -> Iterator[Statement]:
    """Read the birthday of who is so old, or will be, on a day."""
    words = told.words
    for one in told.times:
        if one.kind == "date" and one.begin >= told.verb.end and _is_day(words.time_letters[one.begin : one.end]):
            begin, end = _day(words, one.begin, one.end)
            # The year is that of the day to come, nobody was born in it.
            end -= bool(_YEAR.fullmatch(words.words[end - 1]))
            yield told.made("birthday", (begin, end), "is")
            return


def read_age(told: Told, first: Span) -> Iterator[Statement]:
    """Read how old somebody is, or will be on a day; "my kids are 3 and 5" has the ages of all."""
    words, polarity = told.words, told.polarity()
    is_one = words.words[told.verb.begin] not in ("are", "were") or told.subject.who.relation == "child"
    if not is_one or polarity == "was":
        return
    stop = first[1]
    while stop + 1 < told.clause.end and words.words[stop] in ("and", ",") and words.words[stop + 1].isdecimal():
        stop += 2
    yield told.made("age", (first[0], stop), polarity)
    if told.verb.tense == "future":
        yield from read_day_of_birth(told)


def read_whose_birthday(words: Words, clause: Clause, people: Sequence[Mention]) -> Iterator[Statement]:
    """Read "it's my birthday on 5 Feb", "it's Mum's birthday on Sunday the 4th of May"."""
    verb = clause.verb
    if verb is None or verb.verb != "be" or verb.is_denied or verb.tense not in ("present", "future"):
        return
    place, who = verb.end + 1, USER
    if words.at(verb.end) != "my" or words.at(place) != "birthday":
        owner = next((one for one in people if one.begin == verb.end and words.at(one.end) == "'s"), None)
        if owner is None or words.at(owner.end + 1) != "birthday":
            return
        place, who = owner.end + 1, owner.who
    found = times(words, place + 1, clause.end)
    if found and found[0].kind == "date" and _is_day(words.time_letters[found[0].begin : found[0].end]):
        begin, end = _day(words, found[0].begin, found[0].end)
        span = words.starts[clause.place], words.ends[end - 1]
        yield made(who, "birthday", words.said(begin, end), *span)
