"""What is done on the same days every week, told without a verb: "gym mon wed fri", "choir on Thursdays"."""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.times import Time, times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.venues import is_event
from hermes_agent.records.statements import USER, Statement, Who
from hermes_agent.text.verbs import lemma
from hermes_agent.text.words import lowered

_DONE = word_set(
    """band choir church class classes club counselling dialysis gym lesson lessons mosque office orchestra physio
    pilates practice rehearsal rehearsals school shift shifts standup stand-up synagogue therapy training uni wfh
    work"""
)
_MOST_WORDS = 3


def read_timetable(words: Words, clause: Clause) -> Iterator[Statement]:
    """Yield what a fragment says the user does, and on which days; once, on Monday, is no timetable."""
    begin, end = clause.place, clause.end
    found = times(words, begin, end)
    if not found or not 0 < found[0].begin - begin <= _MOST_WORDS:
        return
    if (
        found[0].end == end
        and is_event(words.words[found[0].begin - 1])
        and _is_bare(words, begin, found[0].begin)
    ):
        yield from _dated(words, begin, found[0])
    if words.words[found[0].begin - 1] == "due" and found[0].end == end and found[0].begin - begin > 1:
        yield from _dated(words, begin, found[0], "deadline")
        return
    is_often = any(one.kind == "recurring" for one in found) or words.time_letters[begin:end].count("D") > 1
    if not is_often or not _is_done(words, found[0].begin - 1) or not _is_bare(words, begin, found[0].begin):
        return
    is_whole = all(
        any(one.begin <= at < one.end for one in found) or words.words[at] in glue.MARKS | {"and", "at"}
        for at in range(found[0].begin, end)
    )
    if is_whole:
        start, stop = words.starts[begin], words.ends[end - 1]
        yield made(USER, "schedule", words.said(begin, end), start, stop)


def _dated(words: Words, begin: int, one: Time, attribute: str = "date") -> Iterator[Statement]:
    """Read "exam on the 12th", "essay due 3 May": a day of a month, not of this week."""
    first = one.begin
    while first < one.end and words.words[first] in ("on", "the"):
        first += 1
    if one.kind == "date" and not {"M", "O"}.isdisjoint(words.time_letters[first : one.end]):
        event = Who("thing", name=lowered(words.said(begin, one.begin - (attribute == "deadline"))))
        yield made(event, attribute, words.said(first, one.end), words.starts[begin], words.ends[one.end - 1])


def _is_bare(words: Words, begin: int, end: int) -> bool:
    return all(word not in glue.CLOSED and word not in glue.NUMBERS for word in words.words[begin:end])


def _is_done(words: Words, place: int) -> bool:
    word = words.words[place]
    is_doing = word.endswith("ing") and bool(lemma(word, "ing"))
    return word in _DONE or kinds.is_activity(word) or is_doing
