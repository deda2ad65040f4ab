"""Sentences turned inside out: "what I can't stand is whistling", "the one thing I never eat is liver"."""

from dataclasses import replace

from hermes_agent.learn import glue
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import verb_group

_LONGEST = 8


def cleft(words: Words) -> Clause | None:
    """Return the clause a sentence means, its verb in front of what it is: "I never eat" – "liver"."""
    listed = words.words
    begin = 1 if listed[0] == "what" else 0
    if listed[0] == "the" and ("thing" in listed[1:4] or "things" in listed[1:4]):
        begin = listed.index("thing" if "thing" in listed[1:4] else "things") + 1
        begin += words.at(begin) == "that"
    if not begin or words.at(begin) not in glue.I_OR_WE:
        return None
    verb = verb_group(words, begin + 1, len(listed), "we")
    if verb is None or verb.verb in ("be", "do") or words.at(verb.end) not in ("is", "are", "'s"):
        return None
    if verb.end + 1 >= len(listed) or verb.end > begin + _LONGEST:
        return None
    return Clause("told", begin, begin, len(listed), (), (begin, begin + 1), replace(verb, end=verb.end + 1))
