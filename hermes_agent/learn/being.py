"""What somebody or something is: "I'm a midwife from Cork", "the stand-up is at 9:40", "my name is Ada"."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import glue, kinds, lexicon
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.fitting import fits
from hermes_agent.learn.jobs import is_of_years
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.meanings import Meaning, meaning
from hermes_agent.learn.milestones import read_age
from hermes_agent.learn.named import is_name, title_and_name
from hermes_agent.learn.objects import end_of_object, one_value, trimmed, values
from hermes_agent.learn.of_things import read_state
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.schooling import is_named_school, read_year
from hermes_agent.learn.times import is_week
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tooling import is_code, is_tool
from hermes_agent.learn.trades import DEPARTMENTS, TRAITS, is_job, trait_of
from hermes_agent.learn.verb_groups import is_adverb
from hermes_agent.learn.worth import is_empty, is_idea
from hermes_agent.records.statements import Statement
from hermes_agent.text.words import fold

_OLDEST = 120
_SHIFT = re.compile(r"p[NC][pw][NC]")
_PRAISE = word_set(
    """best better favourite favorite fav good great big huge real bit total complete decent terrible bad
    amazing such"""
)
_TEAMS = word_set("team squad committee board crew council")
_NO_TEAMS = word_set("same wrong other winning losing right best")
_INTERPRETERS = word_set("interpreter translator linguist tutor")
_LEARNERS = word_set("student undergraduate freshman sophomore postgraduate pupil")
_AWAY = word_set("holiday vacation leave call duty tour break business sabbatical annual sick parental")
_SORTS = word_set("morning night evening people outdoors indoors private")
_DESCENT = word_set("descent origin extraction birth stock heritage ancestry")
_KIDS = word_set("kid kids child boy girl baby teen teenager")
FORMERLY = word_set("formerly previously originally")
_DECADES = word_set(
    """teens twenties thirties forties fifties sixties seventies eighties nineties
    20s 30s 40s 50s 60s 70s 80s 90s"""
)
_ON_DUTY = word_set("available reachable contactable open")
# Behind a noun these say more of the same one: "a translator based in Leipzig".
_DOING = word_set("living based residing working")
_ENQUIRED = word_set("""learning knowing hearing seeing exploring trying finding getting buying understanding""")


def read_being(told: Told) -> Iterator[Statement]:
    """Yield what a clause with "be" tells."""
    begin, end = told.verb.end, told.clause.end
    if begin < end and told.words.words[begin] == "neither":
        return
    if begin >= end or (told.verb.tense == "past" and told.verb.phase != "used" and not _was_lasting(told)):
        return
    if told.subject.noun is not None or told.subject.who.kind == "thing":
        yield from read_state(told, begin, end)
        return
    found = meaning(told.words, told.verb, end)
    if found is not None and (found[0].attribute != "uses" or told.subject.who.kind == "we"):
        yield from (by_table := list(_by_table(told, *found)))
        if by_table or not told.has("recurring"):
            return
    yield from list(read_year(told, begin, end)) or _of_somebody(told, begin, end)


def _was_lasting(told: Told) -> bool:
    if told.words.at(told.verb.end) in ("born", "raised", "from", "trained") or told.has("lasting"):
        return True
    is_article = told.words.at(told.verb.end) in ("a", "an", "the")
    span = one_value(told.words, told.verb.end, told.clause.end) if is_article else None
    if span is None:
        return False
    noun = told.words.words[span[1] - 1]
    is_trade = bool(told.subject.who.relation) and span[1] - span[0] == 1 and is_job(noun)
    return kinds.is_job(noun) or is_trade or noun == "keeper"


def _by_table(told: Told, line: Meaning, begin: int) -> Iterator[Statement]:
    end = told.clause.end
    if "whole" in line.flags:
        is_vague = line.behind[0] == "new" and told.words.at(begin) in glue.CLOSED | {"it"}
        if (line.attribute != "plan" or told.has("date")) and not is_vague:
            stop = next((at for at in range(begin, end) if told.words.words[at] in ("instead", "now", "so")), end)
            yield told.made(line.attribute, (told.verb.end, stop), told.polarity(line.flags))
        return
    if line.attribute == "uses" and not (begin < end and told.words.is_capital(begin)):
        return
    spans = (
        [one_value(told.words, begin, end)]
        if "one" in line.flags
        else values(told.words, begin, end, rest="rest" in line.flags)
    )
    if line.attribute in ("likes", "prefers") and is_idea(told, line, begin, end):
        return
    if line.attribute == "field" and told.verb.is_denied:
        return  # "I'm no expert in planes"
    if "food" in line.flags:
        spans = [one for one in spans if one is not None and kinds.is_food(told.words.words[slice(*one)])]
    for span in spans:
        if span is None or not fits(told, span) or told.words.words[span[0]] in _ENQUIRED:
            continue
        if line.attribute in ("likes", "prefers") and is_empty(told, line.attribute, span):
            continue
        if line.attribute == "origin" and not _is_origin(told.words, span):
            continue
        if line.attribute == "skill" and line.behind[-1] != "at" and not is_tool(told.words, span[0]):
            continue  # "comfortable with long distances"
        is_year = line.attribute == "birthplace" and told.words.words[span[0]].isdigit()
        attribute = "birthday" if is_year else line.attribute
        yield told.made(attribute, span, told.polarity(line.flags, attribute))


def _is_origin(words: Words, span: Span) -> bool:
    """Tell whether somebody comes from a place: not "from the future", "from accounts"."""
    if words.is_capital(span[0]):
        return True
    return words.is_lower and words.words[span[0] - 1] != "the" and words.words[span[1] - 1] not in DEPARTMENTS


def _of_somebody(told: Told, begin: int, end: int) -> Iterator[Statement]:
    words = told.words
    polarity = told.polarity()
    if (age := _age(words, begin, end)) is not None:
        yield from read_age(told, age)
        return
    if words.words[begin] == "in" and words.at(begin + 1) in glue.POSSESSIVES and words.words[end - 1] in _DECADES:
        yield told.made("age", (begin, end), polarity)
        return
    lead = [one for one in told.times if one.kind == "recurring" and one.end <= told.clause.place]
    if lead and words.words[begin] in glue.PREPOSITIONS:
        yield told.made("schedule", (lead[0].begin, end), polarity)
        return
    recurring = [one.begin for one in told.times if one.kind == "recurring" and one.begin >= begin]
    if recurring and words.at(begin + 1) in ("it", "them"):
        return
    week = [one for one in told.times if one.begin >= begin and is_week(words, one)]
    if week and (words.at(week[0].end) == "only" or words.words[begin] in _ON_DUTY):
        yield told.made("schedule", (begin, end), polarity)
        return
    is_shift = words.words[begin] in ("in", "at", "on") and _SHIFT.search(words.time_letters[begin + 1 : end])
    if is_shift and "M" in words.time_letters[begin:end]:
        yield told.made("plan", (begin, end), polarity)
        return
    if is_shift or (recurring and (words.words[begin] in glue.PREPOSITIONS or recurring[0] <= begin + 1)):
        yield told.made("schedule", (begin, end), polarity)
        return
    is_away = _is_away(words, begin)
    if any(one.begin == begin for one in told.times) and words.words[begin] == "in":
        return
    if told.has("date") and (
        is_away or (words.words[begin] == "in" and begin + 1 < end and words.is_capital(begin + 1))
    ):
        yield told.made("plan", (begin, end), polarity)
        return
    if words.words[begin] in ("up", "down", "over", "out", "back") and words.at(begin + 1) == "in":
        begin += 1
    if words.words[begin] in ("at", "with") and told.has("lasting"):
        yield from _employer(told, begin, end)
        return
    if words.words[begin] in ("in", "at") and begin + 1 < end:
        span = one_value(words, begin + 1, end)
        if told.verb.phase == "used" and words.words[begin] == "at" and span and words.is_capital(span[0]):
            yield told.made("employer", span, polarity)
            return
        if (
            span is not None
            and told.verb.tense != "future"
            and not _is_visit(told)
            and words.words[begin] == "in"
            and (words.is_capital(span[0]) or _is_place(words, span))
        ):
            yield told.made("location", span, polarity, who=told.team)
        elif span is not None and is_named_school(words, span):
            yield told.made("studies", span, polarity)
        return
    if words.words[begin] in ("on", "off") and begin + 1 < end:
        yield from _regimen(told, begin, end)
        return
    if words.words[begin] == "to" or words.words[begin : begin + 2] == ["engaged", "in"]:
        return
    if words.words[begin] == "of" and words.at(begin + 2) in _DESCENT and trait_of(words.words[begin + 1]):
        yield told.made("origin", (begin + 1, begin + 2), polarity)
        return
    yield from _by_parts(told, begin, end)


def _is_away(words: Words, begin: int) -> bool:
    if words.words[begin] in ("away", "off", "back", "out"):
        return True
    return words.words[begin] in ("on", "in") and words.at(begin + 1) in _AWAY | glue.POSSESSIVES


def _by_parts(told: Told, begin: int, end: int) -> Iterator[Statement]:
    words = told.words.words
    parts = list(_predicates(told.words, begin, end))
    is_open = words[begin] not in glue.DETERMINERS and not glue.PREPOSITIONS.isdisjoint(words[slice(*parts[0])])
    # "interested in the Times and the Economist": the second belongs to the preposition.
    for place, part in enumerate(parts[:1] if is_open else parts):
        if place and "whom" in words[slice(*part)]:
            return  # "…, the youngest of whom …"
        found = list(_predicate(told, *part, is_first=place == 0))
        yield from found
        if not found and _is_possessive(told, begin):
            return


def _is_possessive(told: Told, begin: int) -> bool:
    """Tell whether "'s" may be no verb: "my friend's party and my neighbour"."""
    words, at = told.words.words, told.verb.begin
    is_owner = words[at] == "'s" and words[at - 1] not in glue.PRONOUNS
    return is_owner and words[begin] not in glue.DETERMINERS


def _is_visit(told: Told) -> bool:
    """Tell whether somebody is somewhere only then: "while I'm in Tokyo", "next time we're in Miami"."""
    before = told.words.words[told.clause.place - 1] if told.clause.place > 0 else ""
    return before == "time" or "while" in told.clause.joint


def _employer(told: Told, begin: int, end: int) -> Iterator[Statement]:
    """Read "I've been with Siemens for ten years"; with a person one is in another way."""
    span = one_value(told.words, begin + 1, end)
    if span is None or not (told.words.is_capital(span[0]) or is_of_years(told, span)):
        return
    is_person = fold(told.words.words[span[0]]) in lexicon.GIVEN_NAMES
    if told.words.words[begin] == "with" and is_person:
        yield told.made("family", span, told.polarity())
    elif not is_person:
        yield told.made("employer", span, told.polarity())


def _regimen(told: Told, begin: int, end: int) -> Iterator[Statement]:
    """Read "on levothyroxine", "off dairy", "on a low-salt diet"."""
    words = told.words
    is_off = words.words[begin] == "off"
    team = one_value(words, begin + 1, end) if words.at(begin + 1) in ("the", "our") else None
    if not is_off and team is not None and words.words[team[1] - 1] in _TEAMS and team[1] - team[0] > 1:
        yield from (told.made("team", team, told.polarity()),) if words.words[team[0]] not in _NO_TEAMS else ()
        return
    for span in values(words, begin + 1, end):
        listed = words.words[span[0] : span[1]]
        if is_off and kinds.is_food(listed):
            yield told.made("eats", span, "is" if told.verb.is_denied else "is not")
        elif not is_off and (listed[-1] == "diet" or TRAITS.get(listed[-1]) == "diet"):
            yield told.made("diet", span, told.polarity())
        elif not is_off and kinds.is_regimen(listed[-1]):
            yield told.made("health", span, told.polarity())
        elif not is_off and listed[-1] == "time" and words.is_capital(span[0]):
            yield told.made("time zone", span, told.polarity())
        elif not is_off and any(listed[0] in known for known in lexicon.KINDS.values()):
            yield told.made("uses", span, told.polarity())


def _is_place(words: Words, span: Span) -> bool:
    is_town = span[1] - span[0] == 1 and kinds.is_town(words.words[span[0]])
    return is_town and words.words[span[0] - 1] == "in"


def _age(words: Words, begin: int, end: int) -> Span | None:
    while begin < end and is_adverb(words.words[begin]):
        begin += 1
    if begin >= end:
        return None
    word = words.words[begin]
    tens, _, ones = word.partition("-")
    number = (
        int(word) if word.isdecimal() and len(word) < 4 else glue.NUMBERS.get(tens, 0) + glue.NUMBERS.get(ones, 0)
    )
    rest = words.words[begin + 1 : end]
    if not rest and words.at(end) == "when":
        return None
    is_years = len(rest) > 1 and rest[0] in ("years", "year") and rest[1] in ("old", "of", "young")
    if number and rest[:2] in (["months", "old"], ["weeks", "old"]):
        return begin, begin + 2
    if ones and ones not in glue.NUMBERS or word == "one":
        return (begin, begin + 1) if is_years else None
    is_age = not rest or is_years or rest[0] in (",", "and", "now", "next", "this", "on") or rest[0] in glue.JOINTS
    return (begin, begin + 1) if 0 < number < _OLDEST and is_age else None


def _predicates(words: Words, begin: int, end: int) -> Iterator[Span]:
    """Yield the parts of "left-handed and colour-blind", of "a midwife and a keen cook"."""
    start = begin
    for place in range(begin, end):
        if words.words[place] in ("not", "but", "instead"):
            yield start, place
            return
        if words.words[place] in ("and", ","):
            yield start, place
            start = place + 1
        elif words.words[place] == "half" and place > start:  # "half Greek half Irish"
            yield start, place
            start = place
    yield start, end


def _predicate(told: Told, begin: int, end: int, *, is_first: bool) -> Iterator[Statement]:
    words = told.words
    while begin < end and is_adverb(words.words[begin]):
        if words.words[begin] in FORMERLY:
            told = replace(told, verb=replace(told.verb, phase="used"))
            is_first = True
        begin += 1
    if begin >= end:
        return
    polarity = told.polarity()
    stop = end_of_object(words, begin, end, rest=False)
    stop = next((place for place in range(begin + 1, stop) if words.words[place] in _DOING), stop)
    span = trimmed(words, begin, stop)
    if span is None:
        return
    if (age := _age(words, begin, end)) is not None:
        yield told.made("age", age, polarity)
        return
    head = words.words[span[1] - 1]
    article = words.words[begin]
    attribute = (
        TRAITS.get(fold(head))
        or TRAITS.get(fold(head).removesuffix("s"))
        or (TRAITS.get(fold(words.words[span[0]])) if not words.is_capital(span[1] - 1) else None)
        or ""
    )
    if attribute == "origin" and not is_first and not _INTERPRETERS.isdisjoint(words.words[told.verb.end : begin]):
        return  # "an interpreter, Turkish and Farsi"
    if attribute and told.words.at(told.clause.end) in ("when", "if", "unless"):
        return  # "I'm only vegetarian when my sister visits"
    if attribute and article not in ("the", "this") and not is_job(head):
        # What somebody suffers from goes on over prepositions: "deaf in one ear".
        whole = (
            trimmed(words, begin, end_of_object(words, begin, end, rest=True)) if attribute == "health" else None
        )
        yield told.made(attribute, whole or span, polarity)
    elif article in ("a", "an", "the", "our", "my", "their", "his", "her") or words.words[span[0]] == "head":
        yield from _noun(told, span, head, end)
    elif is_first and (named := title_and_name(words, span)) and is_name(told, named):
        yield told.made("name", named, polarity)
    elif is_first and is_name(told, span):
        yield told.made("name", span, polarity)


def _noun(told: Told, span: Span, head: str, end: int) -> Iterator[Statement]:
    """Read "a plasterer at Hill's", "a fan of jazz", "a granny of seven", "not a cat person"."""
    words, polarity = told.words, told.polarity()
    first, said = head, words.said(span[1] - 1, span[1])
    for place in range(*span):
        if words.words[place] == "of":
            first, said = words.words[place - 1], words.said(place - 1, place)
            break
    while span[1] - span[0] > 1 and words.words[span[0]] in ("big", "huge", "massive", "real", "keen"):
        span = (span[0] + 1, span[1])
    if head == "shop" and told.subject.who.kind == "we" and is_code(words, span[1] - 2):
        yield told.made("uses", (span[0], span[1] - 1), polarity)
        return
    is_fan = head in ("person", "fan", "lover", "addict", "enthusiast") and span[1] - span[0] > 1
    if head == "person" and words.words[span[1] - 2] in _SORTS and span[1] - span[0] == 2:
        yield told.made("is", span, polarity)
    elif is_fan and (head != "person" or kinds.kinds_of(words.words[span[1] - 2])):
        yield told.made("likes", (span[0], span[1] - 1), polarity)
    elif kinds.had(first) == "family" and first not in _KIDS and words.words[span[0] - 1] not in ("my", "our"):
        yield told.made("family", span, polarity)
    elif _is_post(told, span, first, said):
        yield told.made("role", span, polarity)
        yield from _workplace(told, span[1], end)


def _is_post(told: Told, span: Span, noun: str, said: str) -> bool:
    """Tell whether a noun is what somebody works as: "a plasterer", "the CFO", not "the best cook"."""
    listed = told.words.words[span[0] : span[1]]
    if len(listed) == 1 and told.words.is_capital(span[0]) and not kinds.is_job(noun) and not said.isupper():
        return False  # "a Quaker", "a Berliner"
    if told.polarity() == "is not" or not _PRAISE.isdisjoint(listed) or told.verb.tense == "future":
        return False
    if told.verb.modal:  # "that must have been a shock"
        return False
    is_ours = not {"the", "our"}.isdisjoint(told.words.words[told.verb.end : span[0]]) and noun in (
        "lead",
        "head",
        "chair",
        "rep",
        "liaison",
    )
    is_leading = noun in ("keeper", "guide") and len(listed) > 1
    return is_job(noun) or is_ours or is_leading or (said.isupper() and said.isalpha())


def _workplace(told: Told, begin: int, end: int) -> Iterator[Statement]:
    words = told.words
    if words.at(begin) not in ("at", "for", "with", "in") or begin + 1 >= end:
        return
    span = one_value(words, begin + 1, end)
    if span is None or not (words.is_capital(span[0]) or words.is_lower) or words.words[span[0]] in glue.NUMBERS:
        return
    attribute = "location" if words.words[begin] == "in" else "employer"
    is_learner = words.words[begin - 1] in _LEARNERS and attribute == "employer"
    yield told.made("studies" if is_learner else attribute, span, told.polarity())
