"""A clause being read, and the statements made of it."""

from dataclasses import dataclass

from hermes_agent.learn import attributes, glue
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.meanings import NEGATED
from hermes_agent.learn.parsing import Clause, Span
from hermes_agent.learn.people import Subject
from hermes_agent.learn.time_letters import Kind
from hermes_agent.learn.times import Time
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import VerbGroup
from hermes_agent.records.statements import USER, Polarity, Statement, Who
from hermes_agent.text.words import lowered

# Of "we" these are told of the user and their household; the rest of the team.
_CUT = ("plan", "goal", "schedule", "note", "work", "decision")
_GOES_ON = word_set(
    "need needed want wanted was were am is thought heard hope hoping wonder wondering would could"
)
# No value ends with these: what they open was cut off.
_OPEN = word_set("a an the about for with to from of at and or like since because as than by")
_FOR_EVER = ("birthplace", "name", "birthday", "origin")
_OF_TEAM = ("uses", "decision", "version", "budget", "works on", "deadline", "instruction", "team", "supports")


@dataclass(frozen=True, slots=True)
class Told:
    """A clause with its subject, its verb and the times in it."""

    words: Words
    clause: Clause
    subject: Subject
    verb: VerbGroup
    times: tuple[Time, ...]

    def has(self, kind: Kind) -> bool:
        """Tell whether the clause has a time of a kind."""
        return any(one.kind == kind for one in self.times)

    def rest(self) -> list[str]:
        """Return the words behind the verb."""
        return self.words.words[self.verb.end : self.clause.end]

    @property
    def is_any_more(self) -> bool:
        """Whether it ends with "any more"."""
        tail = self.words.words[max(self.clause.end - 4, self.verb.end) : self.clause.end]
        return "anymore" in tail or ("any" in tail and ("more" in tail or "longer" in tail))

    def is_given_up(self, attribute: str) -> bool:
        """Tell whether something was not eaten or drunk for years: "haven't had meat in 6 years"."""
        return self.verb.is_denied and attribute in ("eats", "drinks") and "years" in self.rest()

    def goes_on(self, attribute: str) -> bool:
        """Tell whether what is so "at the moment" will be so for long: where one lives, works and studies."""
        if attribute in ("learns", "studies"):
            return True
        fleeting = [self.words.words[one.begin : one.end] for one in self.times if one.kind == "fleeting"]
        is_now = all("moment" in said or "rn" in said for said in fleeting)
        return is_now and attribute in ("home", "employer", "role", "family")

    def polarity(self, flags: frozenset[str] = frozenset(), attribute: str = "") -> Polarity:
        """Return how the verb says it: that it is, is not, is no longer, or was so."""
        verb = self.verb
        if verb.phase in ("ends", "no longer") or "ends" in flags or (verb.is_denied and self.is_any_more):
            return "no longer"
        if verb.phase == "begins":
            return "is"
        if verb.phase == "used" or "was" in flags:
            return "was"
        if verb.tense == "past" and self.is_of_once:
            return "was"
        if verb.tense == "past" and "change" not in flags and attribute not in _FOR_EVER:
            return "was"
        is_denied = (verb.is_denied and NEGATED not in flags) != ("denied" in flags)
        return "is not" if is_denied else "is"

    @property
    def is_of_once(self) -> bool:
        """Whether it was so at some time and is over: "I moved to Leeds once", not "at once"."""
        return self.words.words[: self.clause.end][-1:] == ["once"] and self.rest()[-2:] != ["at", "once"]

    def thing(self) -> Who:
        """Return the thing the clause is about."""
        if self.owner is not None:
            return self.owner
        if self.subject.noun is None or self.subject.who.kind == "thing":
            return self.subject.who
        begin, end = self.subject.noun
        return Who("thing", name=lowered(self.words.said(begin, end)))

    @property
    def owner(self) -> Who | None:
        """The grant of "the deadline for the grant": what a date or a sum is of."""
        noun = self.subject.noun
        if noun is None:
            return None
        begin = noun[1] + 1
        begin += self.words.at(begin) in ("the", "our", "my")
        is_sum = self.words.words[noun[1] - 1] in ("deadline", "budget", "ceiling", "cap")
        is_of = is_sum and self.words.at(noun[1]) in ("for", "of")
        if not is_of or not begin < self.verb.begin:
            return None
        return Who("thing", name=lowered(self.words.said(begin, self.verb.begin)))

    @property
    def team(self) -> Who | None:
        """The team of "the team is in Austin", which is not where the user is."""
        subject = self.clause.subject
        is_team = subject is not None and self.subject.who.kind == "we" and subject[1] - subject[0] > 1
        return Who("thing", name=self.words.words[subject[1] - 1]) if subject is not None and is_team else None

    def _before_clause(self, span: Span) -> int:
        """Return where a plan or a habit ends in front of a clause that goes on: "… and need some help"."""
        listed = self.words.words
        for place in range(span[0] + 2, span[1] - 1):
            if listed[place] == "and" and listed[place + 1] in _GOES_ON:
                return place
            if listed[place : place + 2] in ([",", "so"], [",", "but"]):
                return place
        return span[1]

    def made(
        self, attribute: str, span: Span, polarity: Polarity, *, who: Who | None = None, former: Span | None = None
    ) -> Statement:
        """Make a statement of the words at a place."""
        words, clause = self.words, self.clause
        end = self._before_clause(span) if attribute in _CUT else span[1]
        while end > span[0] + 1 and (
            words.words[end - 1] in glue.MARKS
            or words.words[end - 1] in ("please", "anymore", "too", "now", "though")
        ):
            end -= 1
        while end > span[0] + 2 and (words.words[end - 1] in _OPEN or words.words[end - 1] == ","):
            end -= 1
        if self.is_any_more and end > span[0] + 2 and words.words[end - 2 : end] == ["any", "more"]:
            end -= 2
        return made(
            who or self.subject.who,
            attribute,
            words.said(span[0], end),
            words.starts[min(clause.place, span[0])],
            words.ends[max(clause.end, end) - 1],
            polarity,
            former=words.said(*former) if former else "",
        )


def _is_timetable(who: Who, attribute: str) -> bool:
    """A meeting is at one time; what a person does again and again may be many things."""
    return who.kind == "thing" and attribute == "schedule"


def made(
    who: Who, attribute: str, value: str, start: int, end: int, polarity: Polarity = "is", *, former: str = ""
) -> Statement:
    """Make a statement; of what "we" do in life, the user is told."""
    if who.kind == "we" and attribute not in _OF_TEAM and attributes.is_personal(attribute):
        who = USER
    return Statement(
        who,
        attribute,
        value,
        start,
        end,
        polarity=polarity,
        is_single=polarity == "is" and (attributes.is_single(attribute) or _is_timetable(who, attribute)),
        former=former,
    )
