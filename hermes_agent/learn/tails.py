"""What a clause tells beside its main value: "works at Siemens as a nurse", "drives a school bus in Tulsa"."""

from collections.abc import Iterator

from hermes_agent.learn import kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.trades import is_job
from hermes_agent.learn.worth import is_firm
from hermes_agent.records.statements import Statement

_WORKING = ("start date", "work", "role", "employer", "studies", "field", "learns")
_SAID_OF = (*_WORKING, "family", "status")
_FIRMS = ("at", "for")
_HIRING = word_set("employ engage work take accept")
_BEFORE_DATES = ("on", "in", "from", "of", "the")
_STARTING = ("start", "starts", "starting", "begin", "begins", "beginning")
_BEFORE_START = (",", "and", "i", "it", "which", "-", "(")
# What these are in is a subject, no town: "a degree in Business Administration".
_SUBJECTS = word_set(
    """ba background bachelor bachelor's bachelors believer bsc career certificate certification course courses
    degree degrees diploma doctorate experience exam exams expert expertise interest interested lessons ma
    major majoring master master's masters mba msc phd qualification skills specialisation specialist
    specialization thesis training"""
)


def read_tails(told: Told, main: list[Statement]) -> Iterator[Statement]:
    """Yield the place, the employer and the role that stand behind what somebody does for a living."""
    known = {one.attribute for one in main}
    if known.isdisjoint(_SAID_OF) or any(one.polarity != "is" for one in main) or told.verb.is_denied:
        return
    yield from _start(told)
    said = {one.value.casefold() for one in main}
    words, end = told.words, told.clause.end
    place = told.verb.end
    while place < end - 1:
        found = _tail(told, place, end, known)
        if found is None:
            place += 1
            continue
        attribute, span = found
        value = words.said(*span).casefold()
        # What somebody does holds its place within: "drives a school bus in Tulsa".
        is_within = attribute == "location" and known == {"work"} and told.subject.who.kind != "we"
        is_told = value in said or (
            not is_within and any(value in one or value.startswith(f"{one},") for one in said)
        )
        if not is_told:
            yield told.made(attribute, span, "is")
        place = span[1]


def _start(told: Told) -> Iterator[Statement]:
    """Read when work or studies begin that were just told: "got into Leeds, starts in October"."""
    words = told.words
    is_ahead = told.verb.tense == "future" and told.verb.is_progressive
    dates = [one for one in told.times if one.kind == "date"] if is_ahead else []
    ahead = [one for one in dates if words.words[one.begin] not in ("until", "till", "by", "before")]
    for one in ahead[:1]:
        begin = one.begin
        while begin + 1 < one.end and words.words[begin] in _BEFORE_DATES:
            begin += 1
        if "M" in words.time_letters[begin : one.end]:
            yield told.made("start date", (begin, one.end), "is")
            return
    for place in range(told.verb.end + 1, len(words.words) - 1):
        if words.words[place] not in _STARTING or words.words[place - 1] not in _BEFORE_START:
            continue
        found = times(words, place + 1, len(words.words))
        if found and found[0].begin == place + 1 and "M" in words.time_letters[found[0].begin : found[0].end]:
            begin = found[0].begin + (words.words[found[0].begin] in ("on", "in", "from"))
            yield told.made("start date", (begin, found[0].end), "is")
            return


def _tail(told: Told, place: int, end: int, known: set[str]) -> tuple[str, Span] | None:
    words = told.words
    word = words.words[place]
    if word in ("living", "based", "residing") and words.words[place + 1] == "in" and place + 2 < end:
        home = one_value(words, place + 2, end)
        return ("home", home) if home is not None and _is_town(words, home) else None
    if known.isdisjoint(_WORKING) and "working" not in words.words[told.verb.end : place]:
        return None
    is_hired = word in ("with", "by") and told.verb.verb in _HIRING and "role" in known
    if not (word in ("in", "as", "on", *_FIRMS) or is_hired) or times(words, place, min(place + 4, end)):
        return None
    span = one_value(words, place + 1, end)
    if span is None:
        return None
    if is_hired:
        is_named = any(words.is_capital(at) for at in range(*span))
        return ("employer", span) if "employer" not in known and is_named else None
    if word == "as":
        return ("role", span) if "role" not in known and is_job(words.words[span[1] - 1]) else None
    if word == "in" and words.words[place - 1] in _SUBJECTS:
        return None
    if word == "in" and _is_town(words, span):
        return "location", span
    is_shop = words.is_lower and "role" in known and not kinds.kinds_of(words.words[span[0]])
    is_named = words.is_capital(span[0]) or is_firm(words, span) or is_shop
    if word == "at" and "employer" not in known and is_named:
        return ("studies" if "studies" in known else "employer"), span
    if (
        word == "on"
        and "learns" in known
        and span[1] - span[0] == 1
        and (words.is_capital(span[0]) or words.is_lower)
    ):
        return "uses", span
    return None


def _is_town(words: Words, span: Span) -> bool:
    if words.is_lower:
        names = kinds.kinds_of(words.words[span[0]])
        return span[1] - span[0] == 1 and not names.isdisjoint(("city", "country", "state", "place"))
    return words.is_capital(span[0])
