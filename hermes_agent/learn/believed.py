"""What was told within the story and is so all the same: "I told him that I tune pianos".

What one says of oneself in the present is so: somebody who only said so would say "I told him I was", or tells
what it was good for ("… to get out of it"). Of what others say of themselves only what they tell the user is
taken, and only of those who are known. Doctors are believed about the user's health, and about nothing else.
"""

from collections.abc import Sequence

from hermes_agent.learn import glue
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.moods import DOCTORS
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.people import Mention, is_known_person
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import Statement

_HEARERS = word_set("him her them people everyone")
_CONFIDING = word_set("tell mention admit confess")
_OF_OLD = (("grow", "up"), ("bear", "in"), ("be", "born"))
_UNTRUE = word_set("lie lied lying liar joke joked joking fib bluff bluffing untrue pretending false jokingly")
_FOR_A_PURPOSE = (["to", "get"], ["just", "to"], ["to", "avoid"], ["to", "make"], ["to", "see"], ["so", "that"])
_TREATED = ("health", "eats", "drinks", "diet", "allergy")


def is_believed(words: Words, hider: Clause, clause: Clause, people: Sequence[Mention]) -> bool:
    """Tell whether a clause behind "I told him" or "she told me" is so."""
    verb, subject, saying = clause.verb, clause.subject, hider.verb
    if verb is None or subject is None or saying is None or hider.subject is None or verb.modal:
        return False
    if is_of_doctor(words, hider):
        return words.words[subject[0]] in (*glue.I_OR_WE, *glue.MINE)
    if saying.is_denied or saying.is_supposed or saying.is_passive or saying.tense not in ("past", "perfect"):
        return False
    teller, told = words.words[hider.subject[0]], words.words[subject[0]]
    if teller in glue.I_OR_WE:
        is_told = saying.verb == "tell" and words.at(saying.end) in _HEARERS
        is_so = verb.tense == "present" and not verb.is_progressive and not _is_pretext(words, clause.begin)
        return is_told and told == teller and is_so
    if saying.verb not in _CONFIDING or (saying.verb == "tell" and words.at(saying.end) not in ("me", "us")):
        return False
    is_of_old = (verb.verb, words.at(verb.end)) in _OF_OLD
    is_so = verb.tense == "present" or is_of_old
    known = [one for one in people if one.begin == hider.subject[0]]
    is_known = teller in ("he", "she") or (bool(known) and is_known_person(known[0].who))
    return is_so and is_known and told in ("he", "she") and (teller not in ("he", "she") or told == teller)


def is_of_doctor(words: Words, hider: Clause) -> bool:
    """Tell whether a clause is "my doctor says", and not "my doctor never said"."""
    saying, subject = hider.verb, hider.subject
    if saying is None or subject is None or words.words[subject[1] - 1] not in DOCTORS:
        return False
    return saying.verb == "say" and not (saying.is_denied or saying.is_supposed or saying.is_passive)


def known_to_doctors(told: Sequence[Statement]) -> list[Statement]:
    """Return what a doctor can tell: of health, and of what one may eat."""
    return [one for one in told if one.attribute in _TREATED]


def _is_pretext(words: Words, begin: int) -> bool:
    """Tell whether what was told is called untrue, or was told for a purpose."""
    listed = words.words[begin:]
    pairs = (listed[at : at + 2] for at in range(len(listed) - 1))
    return not _UNTRUE.isdisjoint(listed) or any(pair in _FOR_A_PURPOSE for pair in pairs)
