"""Decide what becomes of a fact beside what is known. Pure: a candidate and facts in, an outcome out.

A slot is whom and what a fact is about. One that holds a single value takes the newest; one that holds many takes
what is not in it yet. A firm that is told again without its town is the same one, and keeps it. What was said
earlier never replaces what was said later, in whatever order they arrive, and brings nothing back that was deleted
or has ended since. What the owner pinned, or an untrusted source denies, is not decided here: both are kept, and
the owner is asked.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes_agent.learn import attributes
from hermes_agent.learn.changing import KIN, takes_the_place
from hermes_agent.learn.fact_text import fact_text
from hermes_agent.learn.matching import (
    all_stems,
    holds,
    holds_value,
    is_any_job,
    is_dropped_plan,
    is_ended_by,
    is_fuller,
    is_left_with,
    is_one_study,
    same_person,
    same_value,
    topic_words,
)
from hermes_agent.learn.subjects import who_named
from hermes_agent.records.archive import UNTRUSTED
from hermes_agent.records.learning import Again, Candidate, Disputed, Earlier, Instead, New, Outcome, Over, Passed
from hermes_agent.records.memory import Fact
from hermes_agent.records.statements import Statement

_LEFT = ("employer", "home")
"""What somebody left was theirs, also where nobody told of it before."""
_IN_OWN_WORDS = (attributes.INSTRUCTION, attributes.MEANING, attributes.NOTE, attributes.DECISION)


def reconcile(candidate: Candidate, known: Sequence[Fact], over: Sequence[Fact] = ()) -> Outcome:
    """Decide what becomes of a candidate; `known` are the current facts about its subject, `over` the others."""
    new = candidate.statement
    if new.attribute == attributes.ENDED or new.polarity == "no longer":
        return _ended(candidate, known)
    past = [fact for fact in over if _is_past(candidate, fact)]
    if past:
        return Passed(candidate, "the owner took it back" if past[-1].was_wrong else "it is over")
    changed = {fact.id for fact in known if takes_the_place(new, stated(fact))}
    slot = [
        fact for fact in known if _is_same_slot(fact, new) or fact.uid in candidate.replaces or fact.id in changed
    ]
    slot_ids = {fact.id for fact in slot}
    for fact in known:
        if _says_so(candidate, fact, is_slot=fact.id in slot_ids):
            return said_again(candidate, fact)
    rivals = [
        fact for fact in slot if fact.uid in candidate.replaces or fact.id in changed or _excludes(new, fact)
    ]
    if not rivals:
        return New(candidate)
    later = [fact for fact in rivals if fact.said_at > candidate.heard.said_at]
    if later:
        next_one = min(later, key=lambda fact: (fact.said_at, fact.id))
        return Earlier(candidate, next_one, [fact for fact in over if _is_cut_short(fact, candidate, next_one)])
    return _replaced(candidate, rivals)


def _says_so(candidate: Candidate, fact: Fact, *, is_slot: bool) -> bool:
    """Tell whether a fact says what a candidate does: in its slot, in the same words, or as its reader says."""
    new = candidate.statement
    if is_slot and fact.polarity == new.polarity and holds(stated(fact), new):
        return True
    is_alike = fact.subject is None and same_value(fact.text, candidate.text)
    return is_alike or (fact.uid == candidate.repeats and _is_repeated(candidate, fact))


def said_again(candidate: Candidate, known: Fact) -> Outcome:
    """What only others said so far becomes the owner's word; what others say adds nothing to that."""
    is_theirs, was_theirs = candidate.heard.source_class in UNTRUSTED, known.source_class in UNTRUSTED
    if was_theirs and not is_theirs:
        return Instead(candidate, [known])
    if is_theirs and not was_theirs:
        return Passed(candidate, "a source that is less trusted says so too")
    return Again(candidate, known)


def _replaced(candidate: Candidate, rivals: Sequence[Fact]) -> Outcome:
    new = candidate.statement
    is_meant = bool(new.former) and any(holds_value(fact.value or "", new.former) for fact in rivals)
    if new.is_weak and not is_meant:
        return Passed(candidate, "it may mean something else")
    if any(fact.is_pinned for fact in rivals):
        return Disputed(candidate, rivals, "the owner pinned what it contradicts")
    if any(fact.subject is None for fact in rivals):
        return Disputed(candidate, rivals, "the owner wrote what it contradicts by hand")
    if candidate.heard.source_class in UNTRUSTED and any(fact.source_class not in UNTRUSTED for fact in rivals):
        return Disputed(candidate, rivals, "a source that is less trusted contradicts what was said")
    return Instead(candidate, rivals)


def _ended(candidate: Candidate, known: Sequence[Fact]) -> Outcome:
    new = candidate.statement
    if new.attribute == attributes.ENDED:
        over = [fact for fact in known if fact.polarity == "is" and is_ended_by(stated(fact), new)]
        # "I planned a trip and gave it up" tells of the plan and of its end at once.
        over = [fact for fact in over if fact.source_message != candidate.heard.uid]
    else:
        kin = KIN.get(new.attribute, new.attribute)
        over = [
            fact
            for fact in known
            if (_is_same_slot(fact, new) or _is_same_slot(fact, replace(new, attribute=kin))) and _ends(new, fact)
        ]
        over += [fact for fact in known if _goes_too(new, fact) and fact not in over]
    over += [fact for fact in known if fact.uid in candidate.replaces and fact not in over]
    over = [fact for fact in over if fact.said_at <= candidate.heard.said_at]
    if not over and new.attribute in _LEFT and new.who.kind == "person" and not is_any_job(new.value):
        former = replace(new, polarity="was", is_single=False)
        return New(replace(candidate, statement=former, text=fact_text(former)))
    if not over:
        return Passed(candidate, "nothing that is known has ended by it")
    if any(fact.is_pinned for fact in over):
        return Disputed(candidate, over, "the owner pinned what it ends")
    if candidate.heard.source_class in UNTRUSTED and any(fact.source_class not in UNTRUSTED for fact in over):
        return Disputed(candidate, over, "a source that is less trusted says that it is over")
    if any(fact.subject is None for fact in over):
        return Disputed(candidate, over, "the owner wrote what it ends by hand")
    return Over(candidate, over)


def _ends(new: Statement, fact: Fact) -> bool:
    """Tell whether what is no longer so is what a fact says: "coffee" ends "coffee every day"."""
    value, about = fact.value or "", topic_words(new.value)
    return fact.polarity == "is" and (holds_value(value, new.value) or (bool(about) and about <= all_stems(value)))


def _goes_too(new: Statement, fact: Fact) -> bool:
    """Tell whether what is no longer so takes a fact of another slot with it: a plan, what was done in a town."""
    said = stated(fact)
    return fact.polarity == "is" and (is_dropped_plan(said, new) or is_left_with(said, new))


def _is_cut_short(fact: Fact, candidate: Candidate, later: Fact) -> bool:
    """Tell whether a former fact was true only until the candidate was, which nobody knew when it was replaced."""
    is_before = fact.said_at < candidate.heard.said_at and fact.superseded_by == later.uid
    return is_before and not fact.was_wrong and _is_same_slot(fact, candidate.statement)


def _is_repeated(candidate: Candidate, fact: Fact) -> bool:
    """Tell whether a fact that the candidate is said to repeat shares its words."""
    said = topic_words(candidate.statement.value)
    is_same = fact.polarity == candidate.statement.polarity
    return is_same and bool(said) and said <= all_stems(fact.text)


def _is_past(candidate: Candidate, fact: Fact) -> bool:
    """Tell whether a candidate says what a former fact said, and did so before that was taken back or ended."""
    new, heard = candidate.statement, candidate.heard
    is_slot = fact.polarity == new.polarity and _is_same_slot(fact, new)
    if not (is_slot and holds_value(fact.value or "", new.value)) and not same_value(fact.text, candidate.text):
        return False
    if fact.was_wrong and fact.source_message == heard.uid:
        return True
    until = fact.ended_at if fact.was_wrong else fact.valid_to
    return until is not None and heard.said_at < until


def stated(fact: Fact) -> Statement:
    """Return the statement a fact was made of."""
    return Statement(
        who_named(fact.subject or ""),
        fact.attribute or "",
        fact.value or "",
        fact.span_start or 0,
        fact.span_end or 0,
        polarity=fact.polarity,
        is_single=attributes.is_single(fact.attribute or ""),
    )


def _is_same_slot(fact: Fact, new: Statement) -> bool:
    if fact.attribute is None or fact.value is None or fact.attribute.casefold() != new.attribute.casefold():
        return False
    return same_person(who_named(fact.subject or ""), new.who)


def _excludes(new: Statement, fact: Fact) -> bool:
    """Tell whether two values of one slot cannot both be so."""
    value = fact.value or ""
    if new.former and holds_value(value, new.former):
        return True
    if fact.polarity != new.polarity:
        so, other = (new, stated(fact)) if new.polarity == "is" else (stated(fact), new)
        is_with_town = new.attribute in attributes.DONE_SOMEWHERE and is_fuller(so.value, other.value)
        return is_with_town or same_value(value, new.value)
    if is_one_study(new, stated(fact)):
        return True
    return new.is_single and new.attribute not in _IN_OWN_WORDS
