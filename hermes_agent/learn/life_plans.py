"""Plans that change a life: they are worth keeping whenever they come true, with a day or without."""

from hermes_agent.learn import kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import KINDS
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tooling import is_known_tool

STUDY = ("study", "learn")


def is_of_life(told: Told) -> bool:
    """Tell whether what somebody is going to do changes their life, whenever it is: "is going to study law"."""
    verb, rest = told.verb, told.rest()
    is_moving = verb.verb == "move" and verb.is_progressive and verb.tense == "present"
    is_going = verb.tense == "future" and "going" in told.words.words[verb.begin : verb.place]
    if not (is_moving or is_going) or not rest:
        return False
    if verb.verb in STUDY:
        return kinds.is_subject(rest[-1]) or kinds.is_subject(rest[0]) or rest[0] in KINDS["language"]
    is_moving = verb.verb in ("live", "move", "retire") and rest[0] in ("in", "into", "to", "with", "near")
    named = [at for at in range(verb.end, told.clause.end) if told.words.is_capital(at)]
    return is_moving and named != [] and not _is_of_tools(told.words, named)


def _is_of_tools(words: Words, named: list[int]) -> bool:
    """Tell whether one moves to a tool, "React Router": a known one, or a name of several words and no place."""
    listed = [words.words[at] for at in named]
    return is_known_tool(listed[0]) or (len(listed) > 1 and not kinds.is_place_name(listed))
