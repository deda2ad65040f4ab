"""Turn what was said in one session into facts that may be learned, in the order they were said.

Pure and without a model. A correction that names only the new value belongs to the last slot that was filled; a
pronoun that nothing explains is nobody, and nothing is learned of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo

from hermes_agent.learn import attributes
from hermes_agent.learn.changing import with_changes
from hermes_agent.learn.dropping import read_dropped
from hermes_agent.learn.fact_text import fact_text
from hermes_agent.learn.hearing import hear
from hermes_agent.learn.matching import same_value
from hermes_agent.learn.material import is_of_task
from hermes_agent.learn.second_thoughts import mended
from hermes_agent.learn.sense import makes_sense
from hermes_agent.learn.since import has_no_day, valid_from
from hermes_agent.learn.statements import read_statements
from hermes_agent.learn.subjects import subject_of, who_named
from hermes_agent.records.archive import SourceClass
from hermes_agent.records.learning import Candidate, Heard, Part, Reading
from hermes_agent.records.statements import Statement, Who

_STATED, _WEAK, _OF_OTHERS, _CORRECTED = 0.9, 0.6, 0.8, 0.95
_SAID: dict[SourceClass, str] = {"import": "in an imported conversation", "profile": "in another profile"}


def read_by_rules(part: Part) -> Reading:
    """Return what a part of a session states, read with what was said just before."""
    fresh = {heard.uid for heard in part.fresh}
    found = candidates([*part.before, *part.fresh], part.zone)
    return Reading([one for one in found if one.heard.uid in fresh])


def candidates(said: Sequence[Heard], zone: tzinfo | None = None) -> Iterator[Candidate]:
    """Yield the facts that the messages of a session state; their days are those of the owner's zone."""
    slots: list[Statement] = []
    for heard in said:
        for statement in with_changes(heard.text, mended(heard.text, hear(heard.text))):
            meant = _completed(of_speaker(statement, heard), slots)
            if heard.speaker is not None and not _is_of_people(statement):
                continue
            if meant is None or not is_worth(meant, heard.text) or has_no_day(meant, heard, zone):
                continue
            if meant.is_single:
                slots.append(meant)
            confidence, reason = _confidence(meant, heard.source_class)
            since = valid_from(meant, heard, zone)
            yield Candidate(meant, subject_of(meant.who), fact_text(meant), heard, confidence, reason, since)


def plans_dropped(said: Sequence[Heard]) -> Iterator[Candidate]:
    """Yield what the owner says is planned no more; it ends a plan that is known, and tells nothing else."""
    for heard in said:
        for one in read_dropped(heard.text) if heard.speaker is None else ():
            confidence, reason = _confidence(one, heard.source_class)
            yield Candidate(one, subject_of(one.who), fact_text(one), heard, confidence, reason)


def people_named(said: Sequence[Heard], told: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the names of the owner's people of whom a message tells nothing else: "my wife Sara came along"."""
    for heard in said:
        known = [one.text for one in told if one.heard.uid == heard.uid]
        for one in read_statements(heard.text) if heard.speaker is None else ():
            is_tie = one.attribute == attributes.NAME and bool(one.who.relation) and one.polarity == "is"
            if is_tie and is_worth(one, heard.text) and not any(one.value in text for text in known):
                confidence, reason = _confidence(one, heard.source_class)
                yield Candidate(one, subject_of(one.who), fact_text(one), heard, confidence, reason)


def is_worth(statement: Statement, message: str) -> bool:
    """Tell whether a statement is worth keeping: no secret, not of the task at hand, about somebody."""
    return not (
        attributes.is_secret(statement.attribute)
        or is_of_task(statement, message)
        or not makes_sense(statement)
        or not statement.is_lasting
        or statement.who.kind == "someone"
        or not statement.value.strip()
    )


def called_in_full(candidate: Candidate, names: Sequence[str]) -> Candidate:
    """Return a candidate about somebody by the fullest name they are known by: Ida is the daughter Ida.

    `names` are those that facts call them by; where several could be meant, nothing is changed.
    """
    who = candidate.statement.who
    known = [one for name in names if _is_fuller(one := who_named(name), who)]
    fullest = [one for one in known if not any(_is_fuller(other, one) for other in known)]
    if len(fullest) != 1:
        return candidate
    statement = replace(candidate.statement, who=fullest[0])
    return replace(candidate, statement=statement, subject=subject_of(fullest[0]), text=fact_text(statement))


def _is_fuller(one: Who, other: Who) -> bool:
    """Tell whether a name says more of the same person: a relation beside it, or a family name."""
    if one.kind != "person" or other.kind != "person" or not one.name or one == other:
        return False
    says_all = not other.name or one.name == other.name or one.name.startswith(f"{other.name} ")
    return says_all and other.relation in ("", one.relation)


def _is_of_people(statement: Statement) -> bool:
    """Tell whether a statement in talk between people is kept.

    People give each other advice, not orders to the assistant, decide what to do today, and talk about films and
    towns; what they say of themselves and theirs is kept.
    """
    is_known = statement.who.kind in ("user", "we") or bool(statement.who.relation) or statement.attribute == "pet"
    unsure = (attributes.INSTRUCTION, attributes.DECISION, attributes.NAME, attributes.NOTE)
    return is_known and statement.attribute not in unsure


def of_speaker(statement: Statement, heard: Heard) -> Statement:
    """Return a statement about whom its speaker means: in talk between people "I" is whoever speaks."""
    if heard.speaker is None or statement.who.kind not in ("user", "we"):
        return statement
    return replace(statement, who=Who("person", name=heard.speaker))


def _completed(statement: Statement, slots: Sequence[Statement]) -> Statement | None:
    """Give a correction that names no slot the one it corrects."""
    if statement.attribute != attributes.UNNAMED:
        return statement
    for slot in reversed(slots):
        if not statement.former or same_value(slot.value, statement.former):
            return replace(
                statement, who=slot.who, attribute=slot.attribute, is_single=slot.is_single, former=slot.value
            )
    return None


def _confidence(statement: Statement, source_class: SourceClass) -> tuple[float, str]:
    said = _SAID.get(source_class, "by the user")
    if statement.is_correction:
        return _CORRECTED, f"corrected {said}"
    if statement.is_weak:
        return _WEAK, "the words may mean something else"
    if statement.who.kind == "person":
        return _OF_OTHERS, f"said {said} about somebody else"
    return _STATED, f"stated {said}"
