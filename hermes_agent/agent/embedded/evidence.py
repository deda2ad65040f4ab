"""What is known of a slot: the statements that hold now, those they replaced, and what the notes say.

Statements are gone through from the oldest to the newest: a newer value of a single-valued slot replaces the
older, "no longer" ends one. Nothing is inferred: two statements never make a third.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from hermes_agent.agent.embedded.entries import read_entry
from hermes_agent.agent.embedded.matching import holds_value, is_ended_by, same_person, same_value
from hermes_agent.agent.embedded.scene import Saying, Scene
from hermes_agent.learn import attributes
from hermes_agent.learn.endings import PARTNERS
from hermes_agent.learn.grammar_english import JOINT
from hermes_agent.learn.statements import read_statements
from hermes_agent.records.statements import Statement, Who


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
        if self.saying.source == "note":
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

    @property
    def every(self) -> Iterable[Known]:
        """Notes and words."""
        return chain(self.noted, self.said)


def know(scene: Scene) -> Knowledge:
    """Read every statement of a scene."""
    said = [Known(statement, saying) for saying in scene.sayings for statement in read_statements(saying.text)]
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
    return Knowledge([replace(one, statement=whose_end(one.statement, ties)) for one in said], noted, ties)


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
        ]
        later = [other.statement.value for other in every[place + 1 :] if _is_slot(other.statement, one)]
        # A note that only a later statement explains says nothing against the earlier one.
        if all(any(same_value(value, new) for new in later) for value in others):
            yield known


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
            last = known if statement.is_single and statement.polarity == "is" else last
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


def holding(knowledge: Knowledge, fits: Callable[[Statement], bool]) -> Holding:
    """Go through what was stated about the statements that fit, and return what is left standing."""
    now: list[Known] = []
    before: list[Known] = []
    ended: list[Known] = []
    noted = [known for known in knowledge.noted if fits(known.statement) and known.statement.polarity != "was"]
    for known in knowledge.said:
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
            gone = [one for one in now if holds_value(one.statement.value, statement.value)]
            before += gone
            now = [one for one in now if one not in gone]
            ended.append(known)
        elif statement.polarity == "was":
            before.append(known)
        else:
            replaced = [one for one in now if _replaces(statement, one.statement)]
            before += [one for one in replaced if not same_value(one.statement.value, statement.value)]
            now = [one for one in now if one not in replaced]
            ended = [one for one in ended if not same_value(one.statement.value, statement.value)]
            now.append(known)
    latest: dict[tuple[Who, str, str], Known] = {}
    for one in reversed(before):
        latest.setdefault((one.statement.who, one.statement.attribute, one.statement.value), one)
    return Holding(now[::-1], list(latest.values()), noted, ended[::-1])


def _is_over(known: Known, ended: Statement, knowledge: Knowledge) -> bool:
    return is_ended_by(known.statement, ended, knowledge.people, is_loose=True)


def _replaces(new: Statement, old: Statement) -> bool:
    if new.attribute == old.attribute == attributes.NAME and new.who.relation and new.is_correction:
        # "My boss is called Sharon, not Karen": the same boss, by another name.
        is_former = bool(new.former) and same_value(new.former, old.value)
        if is_former and new.who.relation == old.who.relation:
            return True
    if not same_person(new.who, old.who) and new.who.kind == "person":
        return False
    if new.attribute != old.attribute:
        return False
    is_same = same_value(new.value, old.value)
    if new.is_single and new.who.kind == "person" and new.attribute == attributes.NAME:
        return is_same  # two sisters have two names
    return is_same or new.is_single or (bool(new.former) and same_value(new.former, old.value))
