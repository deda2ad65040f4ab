"""Values that must be of one kind for their verb: a town to grow up in, an office to be elected to.

Some verbs are said of much else: one spends a childhood in fear, and belongs to nobody.
"""

from hermes_agent.learn import kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.filing import head
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.trades import is_job

_GROUPS = word_set(
    """association band choir church circle club collective congregation cooperative crew federation group guild
    gym league lodge network orchestra parish party society synagogue team temple tribe troupe union"""
)
_OFFICES = word_set("captain chair deputy delegate head leader mayor mp representative speaker trustee")


def is_post(noun: str) -> bool:
    """Tell whether a noun is a trade or an office: a nurse, the chair of a club; not a parent."""
    return is_job(noun) or noun in _OFFICES


def fits(told: Told, span: Span) -> bool:
    """Tell whether a value is of the kind that its verb asks for."""
    words, verb = told.words, told.verb.verb
    noun = head(words, span)
    is_named = any(words.is_capital(place) for place in range(*span))
    before = words.words[told.verb.place : span[0]]
    if verb == "spend" and "childhood" in before:
        return is_named or noun == "village" or kinds.is_ground(noun) or kinds.is_place_name([noun])
    if verb == "belong":
        return is_named or noun in _GROUPS
    if verb == "elect" and "board" not in before:
        return is_post(noun)
    if verb == "be" and "owner" in before:
        return is_named or before[-1] in ("a", "an")
    return True
