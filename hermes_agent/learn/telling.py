"""What a clause tells of its subject that will still be so in months.

The principle: the simple present, "have been", and "is …ing" with a lasting time tell something lasting, unless
the verb is of thinking, feeling or speaking; a past tells it only of verbs that change a state (moved, quit); a
future with a date is a plan. The attribute is that of the table of meanings, or follows from the kind of thing.
"""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import glue, kinds, lexicon
from hermes_agent.learn.addresses import read_address
from hermes_agent.learn.ailments import read_operation
from hermes_agent.learn.being import read_being
from hermes_agent.learn.clause_objects import (
    read_forbidden,
    read_hated_clause,
    read_inability,
    read_preferred,
    read_rather,
    read_unable,
)
from hermes_agent.learn.decisions import read_called_off, read_decision
from hermes_agent.learn.engaging import read_engaging, read_replacing
from hermes_agent.learn.exchanges import EXCHANGES, read_exchange, read_instead
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.filing import attribute_of, head
from hermes_agent.learn.fitting import fits
from hermes_agent.learn.habits import infinitive, read_habit_or_plan, read_wish
from hermes_agent.learn.idioms import is_idiom
from hermes_agent.learn.lasting import read_note
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.limits import before_contrast, is_no_business, with_limit
from hermes_agent.learn.meanings import BY_KIND, NEGATED, Meaning, meaning, meaning_of_participle
from hermes_agent.learn.milestones import read_birth, read_great_birthday, read_turning
from hermes_agent.learn.objects import end_of_object, first_part, one_value, values
from hermes_agent.learn.of_things import read_happening
from hermes_agent.learn.parsing import Clause, Span
from hermes_agent.learn.people import Subject
from hermes_agent.learn.projects import read_project
from hermes_agent.learn.running import read_running
from hermes_agent.learn.schooling import read_field
from hermes_agent.learn.studying import read_studying, with_subject
from hermes_agent.learn.sums import budget_had, read_needed
from hermes_agent.learn.tails import read_tails
from hermes_agent.learn.times import Time, times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tooling import read_tooling
from hermes_agent.learn.turns import is_long_so
from hermes_agent.learn.verb_groups import VerbGroup
from hermes_agent.learn.verb_values import spans_of
from hermes_agent.learn.whens import in_tense, is_when
from hermes_agent.learn.worth import is_empty, is_idea
from hermes_agent.records.statements import Statement

_WAS = ("home", "employer", "role", "studies", "grew up")
_OF_PLACES = ("employer", "field", "location", "uses", "works on")
_SELDOM = word_set("hardly rarely seldom barely scarcely")
_LED = word_set("run head lead manage")
_HERE = word_set("it them this that you your")
_ALONE = ("status", "habit", "hobby")
"""What a verb alone tells: "I smoke"."""
_FORGONE = ("drink", "smoke", "drive")
_GONE_ON = ("plays", "studies", "learns", "hobby")
_FIRMLY = frozenset(("birthplace", "grew up", "age", "name", "status"))


def read_told(words: Words, clause: Clause, subject: Subject) -> Iterator[Statement]:
    """Yield what a clause with a verb tells of its subject."""
    verb = clause.verb
    if verb is None or clause.kind != "told" or (clause.is_supposed and not _is_wish(words, verb)):
        return
    if is_idiom(words, verb, clause.end):
        return
    is_said = clause.subject is not None or clause.begin == 0
    if verb.verb == "become" and verb.tense in ("past", "perfect") and not verb.is_denied and is_said:
        verb = replace(verb, verb="be", tense="present", place=verb.end - 1)
    told = in_tense(Told(words, clause, subject, verb, _times(words, clause, verb)))
    verb = told.verb
    if told.has("fleeting") and not verb.is_progressive and words.at(verb.end) not in lexicon.STATUSES:
        return
    if address := list(read_address(told)):
        has_town = verb.verb != "be" and "in" in told.rest()
        yield from [*address, *(_of_somebody(told) if has_town else ())]
    elif off := [*read_called_off(told), *read_great_birthday(told)]:
        yield from off
    elif verb.verb == "be" and not verb.is_passive:
        found = list(read_unable(told)) or list(read_being(told))
        yield from found
        yield from [*read_tails(told, found), *read_instead(told, found)]
    elif subject.noun is not None or subject.who.kind == "thing":
        yield from read_happening(told)
    else:
        yield from _of_somebody(told)


def _is_wish(words: Words, verb: VerbGroup) -> bool:
    """Tell whether a polite form says how somebody wants to be treated: "I would prefer to be addressed by …"."""
    if "rather" in words.words[verb.begin : verb.place]:
        return True
    return verb.verb == "prefer" and words.words[verb.end : verb.end + 2] == ["to", "be"]


def _times(words: Words, clause: Clause, verb: VerbGroup) -> tuple[Time, ...]:
    lead = times(words, clause.begin, clause.place) if clause.place > clause.begin else []
    return (*lead, *times(words, verb.end, before_contrast(words, verb.end, clause.end)))


def _of_somebody(told: Told) -> Iterator[Statement]:
    verb = told.verb
    if engaged := [*read_engaging(told), *read_replacing(told)]:
        yield from engaged
        return
    if is_long_so(told):
        yield told.made("status", (verb.place, verb.end), "is")
        return
    if verb.verb in EXCHANGES and (exchanged := list(read_exchange(told))):
        yield from exchanged
        return
    if clause := [*read_hated_clause(told), *read_inability(told), *read_forbidden(told), *read_studying(told)]:
        yield from clause
        return
    if verb.phase == "no longer" and verb.verb in _FORGONE and verb.end >= told.clause.end and not verb.modal:
        yield told.made("habit", (verb.place, verb.end), "no longer")
        return
    if verb.is_denied and verb.verb in _FORGONE and verb.end >= told.clause.end and not verb.modal:
        yield told.made("habit", (verb.begin, verb.end), "is")
        return
    if settled := [*read_tooling(told), *read_decision(told), *read_project(told)]:
        yield from settled
        return
    if day := [*read_birth(told), *read_operation(told)]:
        yield from day
        return
    if (budget := budget_had(told)) is not None:
        yield told.made("budget", budget, "is")
        return
    found = _living(told) or meaning(told.words, verb, told.clause.end)
    if found is None and told.clause.subject is None and told.clause.begin == 0:
        found = meaning_of_participle(told.words, verb, told.clause.end)
        if found is not None:
            told = replace(told, verb=replace(verb, tense="present", is_passive=True))
    if found is not None and found[0].attribute in _OF_PLACES and is_when(told, found[1]):
        found = None  # "work on Fridays", "start at six"
    if preferred := [*read_preferred(told), *read_rather(told)]:
        yield from preferred
        return
    is_called = found is not None and found[0].attribute == "called"
    if not is_called and (wish := infinitive(told)):
        yield from read_wish(told, *wish)
        return
    if found is not None and _is_lasting(told, found[0]):
        statements = list(_meant(told, *found))
        if statements:
            yield from statements
            yield from [*read_tails(told, statements), *read_instead(told, statements)]
            return
    habits = list(read_habit_or_plan(told))
    yield from habits or read_note(told)
    yield from read_tails(told, habits)


def _living(told: Told) -> tuple[Meaning, int] | None:
    """Read where somebody lives who "lives alone with her cats in Sintra"."""
    words = told.words
    if told.verb.verb not in ("live", "reside") or words.at(told.verb.end) in ("in", "at", "near"):
        return None
    for place in range(told.verb.end, told.clause.end - 1):
        if words.words[place] == "in" and (words.is_capital(place + 1) or kinds.is_town(words.words[place + 1])):
            return Meaning(("in",), "home", frozenset(("one", "going"))), place + 1
    return None


def _is_lasting(told: Told, line: Meaning) -> bool:
    """Tell whether a verb of the table tells something lasting in its tense."""
    verb = told.verb
    if NEGATED in line.flags:
        return True
    if "denied" in line.flags and (verb.is_denied or verb.phase in ("ends", "no longer")):
        return False  # "I don't hate jazz"
    if not _SELDOM.isdisjoint((*told.clause.joint, *told.words.words[verb.begin : verb.place])):
        return False
    if line.attribute == "called" and verb.is_progressive:
        return False
    if line.attribute == "plan" and not told.has("date"):
        return False
    if verb.phase == "ends" and "whole" in line.flags:
        return False
    if verb.phase == "begins" and "ends" in line.flags:
        return False  # "started selling jam"
    if verb.phase in ("used", "ends", "no longer", "begins"):
        return verb.tense != "future" and not verb.modal
    if "ends" in line.flags and not verb.is_progressive:
        return verb.tense != "future" and not verb.modal
    if verb.modal == "must" and "food" in line.flags or _is_wish(told.words, verb):
        return True
    if verb.modal and not (verb.is_denied and verb.modal in ("can", "will")):
        return False
    if verb.is_progressive:
        if verb.tense == "future":
            return "going" in line.flags and told.has("date")
        if told.has("fleeting") and not told.goes_on(line.attribute):
            return False
        is_going = "going" in line.flags or told.has("lasting") or (verb.is_denied and told.is_any_more)
        # Who has been playing the violin plays it.
        is_going = is_going or (verb.tense == "perfect" and line.attribute in _GONE_ON)
        return is_going and verb.tense != "past"
    if verb.tense == "present" or (verb.is_passive and verb.tense != "past"):
        return True
    if verb.tense == "perfect":
        is_always = "always" in told.words.words[verb.begin : verb.place]
        is_never = line.attribute == "likes" and "never" in told.words.words[verb.begin : verb.place]
        return (
            "change" in line.flags
            or is_always
            or is_never
            or told.has("lasting")
            or told.is_given_up(line.attribute)
        )
    if verb.tense == "past":
        is_state = line.attribute in _WAS and "whole" not in line.flags and verb.verb != "volunteer"
        return ("change" in line.flags or is_state or line.attribute in _FIRMLY) and verb.verb != "rent"
    return False


def _meant(told: Told, line: Meaning, begin: int) -> Iterator[Statement]:
    """Yield the values of a verb of the table."""
    words, end = told.words, told.clause.end
    is_now = told.verb.tense == "present" and not told.verb.is_passive and not told.verb.is_progressive
    if "change" in line.flags and is_now and "now" not in line.flags:
        return
    if line.attribute == "drives" and kinds.is_for_work(
        head(words, (begin, end_of_object(words, begin, end, rest=False)))
    ):
        yield told.made("work", (told.verb.place, first_part(words, begin, end)), told.polarity(line.flags))
        return
    if running := list(read_running(told, begin, end)):
        yield from running
        return
    if "whole" in line.flags:
        yield from _whole(told, line, begin)
        return
    if line.attribute in ("likes", "prefers") and is_idea(told, line, begin, end):
        return
    spans = spans_of(told, line, begin, end)
    for place, span in enumerate(spans):
        if place > 0 and line.attribute == BY_KIND and span[1] - span[0] == 1 and words.is_capital(span[0]):
            continue  # the names of what was counted: "two grandchildren, Mira and Josef"
        if told.verb.is_denied and told.polarity(line.flags) == "was":
            continue  # "I never lived in Cairo" tells nothing that was
        attribute = attribute_of(told, line, span)
        if attribute == "pet" and words.at(span[1]) == "," and span[1] + 1 < end:
            if words.words[span[1] + 1] in ("a", "an"):
                continue  # "a second dog, a whippet called Dash": told by the way
            span = (span[0], span[1] + 2) if words.is_capital(span[1] + 1) else span
        if attribute in ("family", "pet"):
            span = _with_names(words, span, end)
        is_degree = attribute == kinds.had(head(words, span)) == "studies"
        is_timed = any(one.begin == span[1] for one in told.times)  # "finished my masters in July"
        span = with_subject(told, span) if is_degree and not is_timed else span
        if attribute and not is_empty(told, attribute, span) and fits(told, span):
            if attribute == "age" and told.verb.verb == "turn":
                yield from read_turning(told, span)
                continue
            span = with_limit(told, attribute, span)
            yield told.made(attribute, span, told.polarity(line.flags, attribute))
            if attribute == "studies" and told.verb.verb == "get":
                yield from read_field(told, span[1])
            is_often = attribute in ("hobby", "plays") or told.verb.verb == "volunteer"
            if is_often and told.has("recurring") and told.polarity(line.flags) == "is":
                yield told.made("schedule", (told.verb.place, end), "is")
            if attribute == "role":
                yield from _employer(told, span[1], end)
    if spans and told.polarity(line.flags) in ("is not", "no longer"):
        yield from _instead(told, line, spans[-1][1])


def _whole(told: Told, line: Meaning, begin: int) -> Iterator[Statement]:
    """Yield the verb with all that follows, where that is the value: "lead the payments team"."""
    words, end = told.words, told.clause.end
    if not _HERE.isdisjoint(words.words[begin : begin + 2]):
        return
    if told.verb.verb in _LED and not line.behind and begin < end and is_no_business(told, begin):
        return
    if begin >= end and line.behind and line.behind[-1] in glue.PREPOSITIONS:
        return  # "what I care for"
    if begin >= end and not line.behind and line.attribute not in _ALONE:
        return
    start = told.verb.begin if NEGATED in line.flags else told.verb.place
    start = told.verb.end if line.attribute in ("decision", "drinks") else start
    if line.attribute in ("role", "work", "family", "goal", "status"):
        end = first_part(words, begin, end)
    yield told.made(line.attribute, (start, end), "is" if NEGATED in line.flags else told.polarity(line.flags))
    if line.attribute == "work":
        yield from _employer(told, begin, end)
    if told.verb.verb == "save":
        yield from read_needed(told)


def _with_names(words: Words, span: Span, end: int) -> Span:
    """Return "two kids, Ada and Tom": those who were counted, with their names."""
    stop = span[1]
    while stop + 1 < end and words.words[stop] in (",", "and") and words.is_capital(stop + 1):
        stop += 2
    is_counted = words.words[span[0]] in glue.NUMBERS or words.words[span[0]].isdecimal()
    return (span[0], stop) if is_counted else span


def _instead(told: Told, line: Meaning, begin: int) -> Iterator[Statement]:
    """Read what is left: "don't drink coffee anymore, only matcha"."""
    words, end = told.words, told.clause.end
    if words.at(begin) == "but" and line.behind and words.at(begin + 1) == line.behind[-1] and begin + 2 < end:
        span = one_value(words, begin + 2, end)  # "doesn't live in Ottawa but in Halifax"
        if span is not None and words.is_capital(span[0]):
            yield told.made(line.attribute, span, "is")
        return
    for place in range(begin, end - 1):
        if words.words[place] == "," and words.words[place + 1] in ("only", "just"):
            for span in values(words, place + 2, end):
                yield told.made(line.attribute, span, "is")
            return


def _employer(told: Told, begin: int, end: int) -> Iterator[Statement]:
    """Read where somebody works who "teaches chemistry at Hollins Grove"."""
    words = told.words
    for place in range(begin, end - 1):
        following = place + 1 + (words.words[place + 1] == "the")
        is_named = following < end and words.is_capital(following)
        if words.words[place] in ("at", "for") and is_named and not times(words, place, following + 1):
            span = one_value(words, place + 1, end)
            yield from (told.made("employer", one, told.polarity()) for one in (span,) if one is not None)
            return
