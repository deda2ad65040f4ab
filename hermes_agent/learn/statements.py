"""Read what a message states into typed slots.

Pure and deterministic: the same words always give the same statements. Questions, suppositions, other
people's words and jokes give none; when a sentence could be read two ways it gives none either, because
the message itself is in the archive anyway. The rules are data (`grammar_english`, `grammar_languages`);
here stands how a message is gone through.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from hermes_agent.learn import attributes, lexicon, sentences
from hermes_agent.learn import grammar_english as english
from hermes_agent.learn.clauses import read_clause
from hermes_agent.learn.endings import read_ending
from hermes_agent.learn.grammar_corrections import REPAIRED, TAKEN_BACK, WRONG_THING
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.pronouns import leads_to
from hermes_agent.learn.sentences import Sentence
from hermes_agent.learn.subjects import relation_at
from hermes_agent.learn.values import name_in, people_in, titled, trimmed
from hermes_agent.records.statements import USER, WE, Statement, Who
from hermes_agent.text.calendar_days import names_no_day
from hermes_agent.text.words import fold

_ABOUT_ME = Pattern(r"(?:i|i'm|im|my|me|we|our)\b")
_SHORTEST_CLAUSE = 2
_LONGEST_KEPT = 2_000
# What stands where a secret was taken out of a message: no value.
_REDACTED = "[redacted"
_LAST_FIRST = Pattern(r"(?P<last>[\w'-]+),\s+(?P<whole>[\w'-]+(?:\s+[\w'-]+)*\s+(?P=last))\b.*")
_BARE_THING = Pattern(r"(?:my|our)\s+[\w'-]+(?:\s+[\w'-]+)?")


@dataclass(slots=True)
class _Course:
    """How far the reading of one message has come: who was spoken of, and whether it corrects."""

    message: str = ""
    spoken: Statement | None = None
    is_correction: bool = False

    def note(self, statement: Statement) -> None:
        """Remember the last statement about a person."""
        if statement.who.kind == "person":
            self.spoken = statement

    def person_at(self, place: int) -> Who | None:
        """Return whom a pronoun at a place of the message can mean."""
        spoken = self.spoken
        return spoken.who if spoken is not None and leads_to(self.message, spoken, place) else None


def read_statements(message: str) -> tuple[Statement, ...]:
    """Return everything a message states, in the order it was said."""
    # What is longer is seldom read twice, and would fill memory.
    return _read_again(message) if len(message) <= _LONGEST_KEPT else _read(message)


@lru_cache(maxsize=4_096)
def _read_again(message: str) -> tuple[Statement, ...]:
    return _read(message)


def _read(message: str) -> tuple[Statement, ...]:
    # The same length: a place in one is the same place in the other.
    plain = message.replace("’", "'").replace("‘", "'")
    if sentences.is_joked(plain):
        return ()
    course = _Course(plain)
    found = sentences.sentences(plain)
    if sentences.is_material(plain):
        # Only what somebody asks to be remembered is theirs for sure.
        found = [one for one in found if english.REMEMBER.fullmatch(one.text)]
    stated = (statement for sentence in found for statement in _sentence(sentence, course))
    sound = (one for one in stated if _REDACTED not in one.value and not names_no_day(one.value))
    return tuple(_of_household(one) for one in sound if not _is_count(one))


def _is_count(statement: Statement) -> bool:
    """Tell whether "we are two" says how many we are: nobody's age."""
    return statement.who == WE and statement.attribute == "age"


def _of_household(statement: Statement) -> Statement:
    """Where "we" live the user lives; what else "we" do is the team's."""
    is_ours = statement.who == WE and statement.attribute == attributes.HOME
    return replace(statement, who=USER) if is_ours else statement


def _sentence(sentence: Sentence, course: _Course) -> Iterator[Statement]:
    """Read one sentence; what it says about the following ones is left in the course."""
    text, at = sentence.text, sentence.start
    if remember := english.REMEMBER.fullmatch(text):
        yield from _remembered(remember["clause"], at + remember.start("clause"), course)
        return
    if lead := english.LEAD_IN.match(text):
        text, at = text[lead.end() :], at + lead.end()
    if lead := english.CORRECTION.match(text):
        course.is_correction = True
        text, at = text[lead.end() :], at + lead.end()
        if again := english.LEAD_IN.match(text):
            text, at = text[again.end() :], at + again.end()
    if not text:
        return
    if sentence.is_asked and not _is_wish(text):
        course.is_correction = False
        return
    found = list(_stated(text, at, course))
    course.is_correction = False
    yield from found


def _stated(text: str, at: int, course: _Course) -> Iterator[Statement]:
    if meaning := english.MEANING.fullmatch(text):
        yield _said(attributes.MEANING, meaning[0], at)
        return
    if (wrong := TAKEN_BACK.fullmatch(text) or WRONG_THING.fullmatch(text)) is not None:
        yield from _put_right(wrong, at)
        return
    is_doubtful = sentences.is_reported(text) or sentences.is_supposed(text)
    if is_doubtful and not _is_wish(text) and not english.NICKNAMED.fullmatch(text):
        return
    if course.is_correction and (meant := english.MEANT.fullmatch(text)):
        value, former = trimmed(meant["value"]), trimmed(meant["former"] or "")
        if value:
            yield Statement(USER, attributes.UNNAMED, value, at, at + len(text), is_correction=True, former=former)
        return
    repaired = _repaired(text, at, course)
    found = repaired if repaired is not None else list(_english(text, at, course)) or _foreign(text, at)
    by_the_way = _mentioned(text, at) if repaired is None else ()
    found += [one for one in by_the_way if not any(_names(one, other) for other in found)]
    for statement in found:
        course.note(statement)
        is_correction = statement.is_correction or course.is_correction
        yield replace(statement, is_correction=is_correction, is_weak=statement.is_weak and not is_correction)


def _put_right(wrong: re.Match[str], at: int) -> Iterator[Statement]:
    """Read a sentence that names a statement, says that it is wrong, and gives the right value."""
    groups = wrong.groupdict()
    clause = groups.get("clause") or f"my {groups['noun']} is {groups['value']}"
    value = trimmed(groups["value"])
    found = read_clause(clause, None, None)
    if len(found) == 1 and found[0].is_single and value:
        one = found[0]
        former = one.value if groups.get("clause") else ""
        shown = titled(value) if one.attribute == attributes.NAME else value
        made = replace(one, value=shown, former=former, start=at, end=at + wrong.end(), is_correction=True)
        yield replace(made, is_weak=False)


def _repaired(text: str, at: int, course: _Course) -> list[Statement] | None:
    """Read a sentence whose last value is put right before it ends: only what was meant; None for any other."""
    repaired = REPAIRED.fullmatch(text)
    if repaired is None or _is_wish(text):
        return None
    head, said = repaired["head"], repaired["value"]
    first = list(_english(head, at, course))
    again = list(_english(said, at + repaired.start("value"), course))
    if not first:
        return again
    last = first[-1]
    if not again and last.is_single and last.polarity == "is" and head.casefold().endswith(last.value.casefold()):
        start = len(head) - len(last.value)
        again = list(_english(head[:start] + said, at, course))
        # The words it comes from are those that were said, with the slip in them.
        again = [replace(one, end=at + repaired.end()) for one in again if one.end > at + start]
    kept = [one for one in first if not any(_is_slot_of(one, other) for other in again)]
    # Where the second value is of another kind, neither is sure.
    return [*(one for one in kept if one is not last), *again]


def _is_slot_of(one: Statement, other: Statement) -> bool:
    return one.who.relation == other.who.relation and one.attribute == other.attribute


def _english(text: str, at: int, course: _Course) -> Iterator[Statement]:
    """Go through the clauses of a sentence; a clause without a subject goes on with the one before."""
    if english.COMPOUND.match(text):
        return
    who: Who | None = None
    denied: Statement | None = None
    skipped = 0
    for start, end in clauses(text):
        clause = text[start:end]
        if start < skipped:
            continue
        if english.INSTRUCTION.match(clause) and not english.CALL_ME.match(clause):
            skipped = _end_of_instruction(text, start)
            yield _said(attributes.INSTRUCTION, text[start:skipped], at + start)
            continue
        found = [_moved(one, at + start) for one in _called(clause)] or [
            _moved(one, at + start)
            for one in read_clause(clause, course.person_at(at + start), who) or read_ending(clause)
        ]
        if denied is not None and not found and (instead := english.IT_IS.fullmatch(clause)):
            value = trimmed(instead["value"])
            if value:
                shown = titled(value) if denied.attribute == attributes.NAME else value
                yield replace(
                    denied,
                    value=shown,
                    polarity="is",
                    former=denied.value,
                    end=at + end,
                    is_correction=True,
                    is_lasting=True,
                )
            denied = None
            continue
        for statement in found:
            who = statement.who
            course.note(statement)
            if statement.polarity == "is not" and statement.is_single:
                denied = statement
            yield statement
        if not found:
            who = None


def _end_of_instruction(text: str, start: int) -> int:
    """Return where an instruction ends: at the next clause that tells something of the user, or with the text."""
    before = len(text)
    for begin, end in clauses(text):
        told = read_clause(text[begin:end], None, None) if begin > start else []
        if any(one.is_lasting for one in told) and _ABOUT_ME.match(text, begin):
            return before
        before = end
    return len(text)


def _mentioned(text: str, at: int) -> Iterator[Statement]:
    """Read the people a sentence names by the way: "with my husband Tom and our two kids Lena and Max"."""
    for owner in english.OWNER_ANYWHERE.finditer(text):
        several = english.SEVERAL.match(text, owner.end())
        noun = fold(several["noun"]) if several else ""
        relation = lexicon.PLURAL_RELATIONS.get(noun) or lexicon.RELATIONS.get(noun)
        found = relation_at(text, owner.end())
        if several is not None and relation is not None:
            for name in people_in(several["names"]):
                yield _person(relation, name, at + owner.start(), at + several.end())
        elif found is not None and found[0].name:
            yield _person(found[0].relation, found[0].name, at + owner.start(), at + found[1])


def _person(relation: str, name: str, start: int, end: int) -> Statement:
    return Statement(Who("person", relation, name), attributes.NAME, name, start, end, is_single=True)


def _names(mentioned: Statement, other: Statement) -> bool:
    return other.who.relation == mentioned.who.relation and other.who.name == mentioned.who.name


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Cut a sentence where a new clause begins; quoted words are never cut."""
    quoted = [match.span() for match in re.finditer(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|„[^“]*“", text)]
    start = 0
    if introduced := english.INTRODUCED.match(text):
        yield 0, introduced.start("joint")
        start = introduced.end("joint")
    for joint in english.JOINT.finditer(text, start):
        if any(begin < joint.start() < end for begin, end in quoted):
            continue
        begins = english.CLAUSE_START.match(text, joint.end()) or english.IT_IS.match(text, joint.end())
        # "I like to swim and play chess" is one wish; "I live in Oslo and work at sea" are two facts.
        goes_on = english.ELIDED_START.match(text, joint.end()) and not re.search(
            r"\bto\s+\w+", text[start : joint.start()]
        )
        if begins or goes_on:
            yield start, joint.start()
            start = joint.end()
    yield start, len(text)


def _called(clause: str) -> Iterator[Statement]:
    """Read how somebody wants to be called, or says their name."""
    for attribute, pattern in (
        (attributes.CALLED, english.CALL_ME),
        (attributes.CALLED, english.PEOPLE_CALL_ME),
        (attributes.NAME, english.NAME_IS_NOT),
        (attributes.NAME, english.NAME_SAID),
    ):
        if match := pattern.fullmatch(clause):
            is_not = pattern is english.NAME_IS_NOT or bool(match.groupdict().get("no"))
            said, but, instead = match["value"].partition(" but ")
            if whole := _LAST_FIRST.fullmatch(said):
                said = whole["whole"]
            name = name_in(trimmed(said), is_sure=True)
            other = name_in(trimmed(instead), is_sure=True) if is_not and but else None
            if name:
                made = Statement(USER, attribute, titled(name), 0, len(clause), is_single=True)
                if is_not and fold(match.groupdict().get("no") or "").startswith("stop"):
                    yield replace(made, polarity="no longer")
                    return
                if is_not and attribute == attributes.CALLED:
                    yield Statement(USER, attributes.INSTRUCTION, clause.strip(" .!"), 0, len(clause))
                    return
                yield replace(made, polarity="is not", is_lasting=False) if is_not else made
                if other:
                    yield replace(made, value=titled(other), former=made.value, is_correction=True)
            return


def _remembered(clause: str, at: int, course: _Course) -> Iterator[Statement]:
    """Read what somebody asked to remember: as statements, or as the words themselves."""
    text = clause.strip()
    at += clause.index(text) if text else 0
    found = [] if sentences.is_supposed(text) else _repaired(text, at, course)
    found = list(_english(text, at, course)) or _foreign(text, at) if found is None else found
    whole = [
        one for one in found if one.polarity != "was" and (one.is_lasting or one.attribute not in ("is", "has"))
    ]
    if whole and len(whole) == sum(1 for _ in clauses(text)):
        for statement in whole:
            course.note(statement)
            yield replace(statement, is_lasting=True)
    elif len(text) >= _SHORTEST_CLAUSE and not _BARE_THING.fullmatch(text):
        who = USER if _ABOUT_ME.match(text) or text.lower().startswith("to ") else WE
        yield Statement(who, attributes.NOTE, text, at, at + len(text))


def _said(attribute: str, words: str, at: int) -> Statement:
    return Statement(USER, attribute, words.strip().rstrip(" .!,;"), at, at + len(words))


def _foreign(text: str, at: int) -> list[Statement]:
    """Read a sentence that is not English; the other languages are loaded for the first one."""
    from hermes_agent.learn.foreign import read_foreign

    return list(read_foreign(text, at))


def _is_wish(text: str) -> bool:
    """Tell whether a sentence says how to be answered, even when it is put as a question."""
    return english.INSTRUCTION.match(text) is not None or english.CALL_ME.match(text) is not None


def _moved(statement: Statement, by: int) -> Statement:
    return replace(statement, start=statement.start + by, end=statement.end + by)
