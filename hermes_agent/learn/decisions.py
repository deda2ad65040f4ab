"""What somebody has settled, told without "decided to": "we're keeping REST", "I'm not taking the job after all".

What is settled is told by the verb (keep, turn down), by what it is set against ("instead", "after all"), or
stands behind "decided" as a clause of its own. What points at the talk ("it", "that") settles nothing.
"""

from collections.abc import Iterator

from hermes_agent.learn import glue
from hermes_agent.learn.attributes import DECISION, ENDED
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import end_of_object, one_value, trimmed
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.worth import is_hard
from hermes_agent.records.statements import USER, Statement

_DECIDED = word_set("decided resolved agreed")
_KEEPING = {"keep": "", "stick": "with", "stay": "on", "go": "with"}
_POINTING = word_set("it them this that these those you your one ones me us him her there here so")
_OFFERS = word_set(
    """bid contract deal flat house invitation job lease offer part place position post promotion proposal role
    scholarship seat"""
)
_TAKEN = word_set("accept decline reject refuse turn")
_UNDERTAKEN = word_set(
    "baby child contract course degree job kid kids kids' master's masters offer phd post promotion role wedding"
)
_NOT_DONE = word_set("do have take")
_CALLED_OFF = word_set("cancel scrap shelve abandon")
_OCCASIONS = word_set(
    """barbecue camp concert course cruise deal demo dinner engagement festival flight game holiday launch match
    meeting merger migration move offsite party picnic plan project reunion rollout sale show tour trip visit
    voyage wedding workshop"""
)


def read_decision(told: Told) -> Iterator[Statement]:
    """Yield what the user or the team has settled."""
    if told.subject.who.kind not in ("user", "we") or told.subject.noun is not None or told.has("fleeting"):
        return
    span = _behind_decided(told) or _kept(told) or _refused(told) or _instead(told) or _answered(told)
    if span is not None and _POINTING.isdisjoint(told.words.words[told.verb.end : span[1]]):
        yield told.made(DECISION, span, "is")
    elif told.verb.verb == "change" and told.words.words[told.verb.end + 1 : told.verb.end + 3] == [
        "mind",
        "about",
    ]:
        thing = one_value(told.words, told.verb.end + 3, told.clause.end)
        if thing is not None and told.verb.tense in ("past", "perfect") and not told.verb.is_denied:
            yield told.made(ENDED, thing, "no longer")


def read_called_off(told: Told) -> Iterator[Statement]:
    """Yield what will not take place: "the choir tour is off", "our trip has been cancelled"."""
    words, noun, verb = told.words, told.subject.noun, told.verb
    is_project = noun is not None and words.words[noun[0]] == "project"
    if noun is None or not (is_project or words.words[noun[1] - 1] in _OCCASIONS) or verb.is_denied or verb.modal:
        return
    is_off = verb.verb == "be" and words.at(verb.end) == "off" and told.clause.end <= verb.end + 2
    is_cancelled = verb.is_passive and (
        verb.verb in _CALLED_OFF or (verb.verb == "call" and words.at(verb.end) == "off")
    )
    if (is_off or is_cancelled) and verb.tense in ("present", "perfect"):
        yield told.made(ENDED, noun, "no longer", who=USER)


def _behind_decided(told: Told) -> Span | None:
    """Return "not doing the phd" of "decided I'm not doing the phd"."""
    words, clause, verb = told.words, told.clause, told.verb
    is_decided = clause.begin > 0 and words.words[clause.begin - 1] in _DECIDED
    is_ahead = verb.tense == "future" or (verb.is_progressive and verb.tense == "present")
    if not (is_decided and is_ahead) or clause.joint not in ((), ("that",)) or verb.end >= clause.end:
        return None
    return min(verb.begin + 1, verb.place), clause.end


def _kept(told: Told) -> Span | None:
    """Return "keeping REST" of "we're keeping REST": a name, or a thing of one's own."""
    words, verb = told.words, told.verb
    joint = _KEEPING.get(verb.verb)
    if joint is None or not verb.is_progressive or verb.tense != "present" or verb.is_denied:
        return None
    begin = verb.end + bool(joint)
    if (joint and words.at(verb.end) != joint) or begin >= told.clause.end:
        return None
    stop = end_of_object(words, begin, told.clause.end, rest=False)
    span = trimmed(words, begin, stop)
    if span is None or told.has("date") or told.has("recurring"):
        return None
    is_owned = verb.verb == "keep" and words.words[begin] in ("the", "our", "my") and span[1] - span[0] < 3
    return (verb.place, span[1]) if is_hard(words, span) or is_owned else None


def _refused(told: Told) -> Span | None:
    """Return "not taking the job in Oslo" of "I'm not taking the job in Oslo"."""
    verb, rest = told.verb, told.rest()
    if not verb.is_denied or not verb.is_progressive or verb.tense not in ("present", "future"):
        return None
    is_after_all = rest[-2:] == ["after", "all"]
    stop = end_of_object(told.words, verb.end, told.clause.end, rest=False) if rest else verb.end
    is_undertaken = verb.verb in _NOT_DONE and told.words.words[stop - 1] in _UNDERTAKEN
    if not (is_after_all or is_undertaken):
        return None
    begin = next((at for at in range(verb.begin, verb.place) if told.words.words[at] in glue.NOT), verb.begin)
    return begin, told.clause.end - 2 * is_after_all


def _instead(told: Told) -> Span | None:
    """Return "convert the garage" of "we'll convert the garage instead"."""
    verb, rest = told.verb, told.rest()
    if verb.tense != "future" or verb.is_denied or "instead" not in rest[1:] or told.has("date"):
        return None
    if told.subject.who.kind != "we":
        return None  # "I'll have tea instead"
    return verb.place, verb.end + rest.index("instead")


def _answered(told: Told) -> Span | None:
    """Return "turned down the offer", "accepted the post in Riga"."""
    words, verb = told.words, told.verb
    if verb.verb not in _TAKEN or verb.tense not in ("past", "perfect") or verb.is_denied or verb.is_passive:
        return None
    rest = told.rest()
    if verb.verb == "turn" and "down" not in rest[:4]:
        return None
    stop = end_of_object(words, verb.end + (rest[:1] == ["down"]), told.clause.end, rest=False)
    noun = words.words[stop - 1 - (words.words[stop - 1] == "down")]
    return (verb.place, told.clause.end) if noun in _OFFERS else None
