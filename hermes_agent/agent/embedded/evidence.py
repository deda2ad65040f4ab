"""What is known of a slot: the statements that hold now, those they replaced, and what the notes say.

Statements are gone through from the oldest to the newest: a newer value of a single-valued slot replaces the
older, "no longer" ends one. What others say counts as older than any word of the user's: it replaces none, and is
never what was so before one. Nothing is inferred: two statements never make a third.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from itertools import chain

from hermes_agent.agent.embedded.scene import Saying, Scene
from hermes_agent.agent.embedded.stated import first_day, stated
from hermes_agent.learn import attributes
from hermes_agent.learn.changing import takes_the_place
from hermes_agent.learn.endings import PARTNERS
from hermes_agent.learn.entries import read_entry
from hermes_agent.learn.grammar_english import JOINT
from hermes_agent.learn.matching import (
    all_stems,
    holds,
    is_ended_by,
    is_one_study,
    is_placed,
    same_person,
    same_value,
    topic_words,
)
from hermes_agent.learn.remaining import lessened
from hermes_agent.learn.renamed import is_followed, is_renamed, is_renaming
from hermes_agent.records.statements import Statement, Who
from hermes_agent.text.dates import Span


@dataclass(frozen=True, slots=True)
class Known:
    """A statement and the words it comes from."""

    statement: Statement
    saying: Saying

    @property
    def quote(self) -> str:
        """The user's own words, exactly."""
        return self.saying.text[self.statement.start : self.statement.end].strip()

    @property
    def is_cut(self) -> bool:
        """Whether the user's words go on in the middle of a clause."""
        rest = self.saying.text[self.statement.end :]
        if self.saying.source in ("note", "fact"):
            return False
        if not rest.strip():
            return self.saying.is_cut
        return rest.lstrip()[0].isalnum() and rest.lstrip(" \t")[0] != "\n" and JOINT.match(rest) is None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything the scene states: by the user's words, the oldest first, and by the notes."""

    said: Sequence[Known]
    noted: Sequence[Known]
    people: Sequence[Who]
    """Whoever is known by relation and name both."""
    coming: Sequence[Known] = ()
    """What was said to be so from a day on that is still to come."""

    @property
    def every(self) -> Iterable[Known]:
        """Notes and words; of what contradicts each other the later counts."""
        return others_first([*self.noted, *self.said])


def others_first(known: Iterable[Known]) -> list[Known]:
    """Put what others say before what the user says, whenever either was said."""
    return sorted(known, key=lambda one: not one.saying.is_from_others)


def know(scene: Scene) -> Knowledge:
    """Read every statement of a scene."""
    told = [
        Known(left, saying)
        for saying in scene.sayings
        for one in stated(saying, scene.now.date())
        if (left := _so(one, saying)) is not None
    ]
    said = [one for one in told if not _is_to_come(one, scene.now)]
    coming = [_with_day(one, scene.now) for one in told if _is_to_come(one, scene.now)]
    noted = [
        Known(statement, saying) for target, saying in scene.noted for statement in read_entry(saying.text, target)
    ]
    said = list(_sure(_corrected(said), noted))
    people = dict.fromkeys(
        known.statement.who
        for known in chain(noted, said)
        if known.statement.who.relation and known.statement.who.name and known.statement.polarity == "is"
    )
    ties = tuple(people)
    return Knowledge([replace(one, statement=whose_end(one.statement, ties)) for one in said], noted, ties, coming)


def _so(statement: Statement, saying: Saying) -> Statement | None:
    """Leave out of a statement what of its saying was taken back."""
    return lessened(statement, lambda one: any(_says(text, one) for text in saying.not_so))


def _says(text: str, statement: Statement) -> bool:
    """Tell whether a fact that was taken back is what a statement says."""
    return (topic_words(statement.value) or all_stems(statement.value)) <= all_stems(text)


def _is_to_come(known: Known, now: datetime) -> bool:
    since = first_day(known.saying, known.statement, now)
    return since is not None and since > now.date()


def _with_day(known: Known, now: datetime) -> Known:
    return replace(known, saying=replace(known.saying, since=first_day(known.saying, known.statement, now)))


def whose_end(statement: Statement, people: Sequence[Who]) -> Statement:
    """Say whom "we broke up" is about, when only one it can be is known."""
    if statement.attribute != attributes.ENDED or statement.who != Who("person", PARTNERS[0]):
        return statement
    known = [who for who in people if who.relation.split()[-1] in PARTNERS]
    return replace(statement, who=known[0]) if len(known) == 1 else statement


def _sure(said: Iterable[Known], noted: Sequence[Known]) -> Iterator[Known]:
    """Leave out words that may mean something else when the slot had another value before them."""
    every = list(said)
    for place, known in enumerate(every):
        one = known.statement
        if not one.is_weak:
            yield known
            continue
        others = [
            other.statement.value
            for other in [*every[:place], *noted]
            if _is_slot(other.statement, one) and not same_value(other.statement.value, one.value)
            if not _is_only_theirs(other, known)
        ]
        later = [other.statement.value for other in every[place + 1 :] if _is_slot(other.statement, one)]
        # A note that only a later statement explains says nothing against the earlier one.
        if all(any(same_value(value, new) for new in later) for value in others):
            yield known


def _is_only_theirs(known: Known, beside: Known) -> bool:
    """Tell whether others say something, and the user what it stands beside: then it has no say in that."""
    return known.saying.is_from_others and not beside.saying.is_from_others


def _is_slot(statement: Statement, like: Statement) -> bool:
    return (
        statement.who == like.who
        and statement.attribute == like.attribute
        and statement.polarity == "is"
        and not statement.is_weak
    )


def _corrected(said: Iterable[Known]) -> Iterable[Known]:
    """Give a correction that names only its value the slot of the statement it follows in its conversation."""
    last: Known | None = None
    for known in said:
        statement = known.statement
        if statement.attribute != attributes.UNNAMED:
            is_said = statement.is_single and statement.polarity == "is" and known.saying.source != "fact"
            last = known if is_said else last
            yield known
        elif last is not None and last.saying.place == known.saying.place:
            made = correction_of(statement, last.statement)
            if made is not None:
                yield Known(made, known.saying)


def correction_of(statement: Statement, was: Statement) -> Statement | None:
    """Give "no, I meant Oslo" the slot of what it corrects; None when it says that it corrects something else."""
    if statement.former and not same_value(statement.former, was.value):
        return None
    is_name = was.attribute == attributes.NAME and was.who.kind == "person"
    who = Who("person", was.who.relation, statement.value) if is_name else was.who
    return replace(statement, who=who, attribute=was.attribute, is_single=True, former=was.value)


@dataclass(frozen=True, slots=True)
class Holding:
    """What holds of a slot now, newest first; what held before; what the notes say of it."""

    now: Sequence[Known]
    before: Sequence[Known]
    noted: Sequence[Known]
    ended: Sequence[Known] = ()
    """Statements that something does not, or no longer, hold."""
    rivals: Sequence[Known] = ()
    """What others say against the user's word, the latest first."""


def holding(knowledge: Knowledge, fits: Callable[[Statement], bool]) -> Holding:
    """Go through what was stated about the statements that fit, and return what is left standing."""
    now: list[Known] = []
    before: list[Known] = []
    ended: list[Known] = []
    theirs: list[Known] = []
    rivals: list[Known] = []
    noted = [known for known in knowledge.noted if fits(known.statement) and known.statement.polarity != "was"]
    for known in others_first(knowledge.said):
        statement = known.statement
        if statement.attribute == attributes.ENDED:
            gone = [one for one in now if _is_over(one, statement, knowledge)]
            noted_gone = [one for one in noted if _is_over(one, statement, knowledge)]
            before += gone
            now = [one for one in now if one not in gone]
            ended += [known] if gone or noted_gone else []
        if not fits(statement):
            continue
        if statement.polarity in ("is not", "no longer"):
            if known.saying.is_from_others and any(holds(one.statement, statement) for one in noted):
                continue  # the note is the user's word
            gone = [one for one in now if holds(one.statement, statement)]
            before += gone
            now = [one for one in now if one not in gone]
            ended.append(known)
        elif statement.polarity == "was":
            before.append(known)
        else:
            replaced = _replaced(statement, now)
            former = [one for one in replaced if not _is_same(one.statement.value, statement.value)]
            if known.saying.is_from_others:
                theirs += former
            else:
                before += [one for one in former if not one.saying.is_from_others]
                rivals += [one for one in former if one.saying.is_from_others]
            now = [_beside(one, statement) for one in now if one not in replaced]
            known = next((one for one in replaced if _stands_for(one, known)), known)
            ended = [one for one in ended if not same_value(one.statement.value, statement.value)]
            now.append(known)
    if all(one.saying.is_from_others for one in now):
        # Nothing the user said still holds: what others say stands, but for what the user denied.
        now += [one for one in rivals if not any(_is_denied(one, end.statement, knowledge) for end in ended)]
        before, rivals = [*theirs, *before], []
    latest: dict[tuple[Who, str, str], Known] = {}
    for one in reversed(before):
        slot = (one.statement.who, one.statement.attribute, one.statement.value)
        # The fact that was made of the words stands for them: it knows until when it was so.
        if slot not in latest or is_fact_of(one, latest[slot]):
            latest[slot] = one
    return Holding(now[::-1], list(latest.values()), noted, ended[::-1], rivals[::-1])


def _is_same(old: str, new: str) -> bool:
    """Tell whether a value that is replaced was the same one: what was told with its town is no other firm."""
    return same_value(old, new) or is_placed(old, new)


def _stands_for(told: Known, known: Known) -> bool:
    """Tell whether what was told before says what is said now: the fact made of it, or one with its town."""
    if _is_only_theirs(told, known):
        return False
    is_again = known.statement.attribute in attributes.DONE_SOMEWHERE and holds(told.statement, known.statement)
    is_fuller = is_again and not same_value(told.statement.value, known.statement.value)
    return is_fact_of(told, known) or is_fuller


def _beside(known: Known, new: Statement) -> Known:
    """Return what was said before without what a new statement stands for: of a list, a part may go."""
    left = lessened(known.statement, lambda one: one != known.statement and _replaces(new, one))
    return known if left is None else replace(known, statement=left)


def at_time(knowledge: Knowledge, span: Span, now: datetime) -> Knowledge:
    """Return what was said of a stretch of time: what had begun by its end, and was not over before it.

    The notes have no dates: they say nothing of another time.
    """
    start, end, today = (moment.replace(tzinfo=None) for moment in (span.start, span.end, now))
    then = []
    for known in (*knowledge.said, *knowledge.coming):
        saying = known.saying
        began = (saying.at or today) if saying.since is None else datetime.combine(saying.since, time.min)
        if began >= end or (saying.until is not None and saying.until < start.date()):
            continue
        was_so = saying.until is not None and known.statement.polarity == "was"
        then.append(replace(known, statement=replace(known.statement, polarity="is")) if was_so else known)
    return Knowledge(then, (), knowledge.people)


def is_fact_of(fact: Known, said: Known) -> bool:
    """Tell whether a fact was made of what was said: the same value, said at the same time."""
    is_same = same_value(fact.statement.value, said.statement.value)
    is_made = fact.saying.source == "fact" and fact.saying.at == said.saying.at
    return is_made and is_same and not _is_only_theirs(fact, said)


def _is_denied(known: Known, ended: Statement, knowledge: Knowledge) -> bool:
    is_end = ended.attribute == attributes.ENDED
    return _is_over(known, ended, knowledge) if is_end else holds(known.statement, ended)


def _is_over(known: Known, ended: Statement, knowledge: Knowledge) -> bool:
    return is_ended_by(known.statement, ended, knowledge.people, is_loose=True)


def _replaced(new: Statement, now: Sequence[Known]) -> list[Known]:
    """Return what a statement takes the place of; who has one cat alone means that one by another name."""
    found = [one for one in now if _replaces(new, one.statement)]
    if new.former or not is_renaming(new):
        return found
    # The fact that was made of a correction may stand before it.
    named = [one for one in now if one not in found and one.statement.who.relation == new.who.relation]
    return [*found, *named] if len({one.statement.value for one in named}) == 1 else found


def _replaces(new: Statement, old: Statement) -> bool:
    if is_renamed(new, old) or is_followed(new, old):
        return True
    if not same_person(new.who, old.who) and new.who.kind == "person":
        return False
    if new.attribute != old.attribute:
        return False
    if takes_the_place(new, old):
        return True
    is_same = same_value(new.value, old.value) or is_one_study(new, old)
    if new.is_single and new.who.kind == "person" and new.attribute == attributes.NAME:
        return is_same  # two sisters have two names
    return is_same or new.is_single or (bool(new.former) and same_value(new.former, old.value))
