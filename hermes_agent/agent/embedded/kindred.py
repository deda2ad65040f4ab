"""Questions about tastes reach each other's facts: what somebody likes to drink is what they prefer, or drink.

"What does Jonas like to drink?" is answered by "Jonas prefers tea" and by "Jonas's favourite drink is tea"; a
thing of another kind answers nothing.
"""

from hermes_agent.agent.embedded.asked import Slot
from hermes_agent.learn.matching import all_stems, is_of_kind, noun_stems
from hermes_agent.records.statements import Statement

_TASTES = ("likes", "prefers")
_OF_KIND = {"drinks": "drink", "eats": "food"}
_CHOSEN = ("favourite ", "favorite ", "preferred ")


def reaches(slot: Slot, statement: Statement) -> bool:
    """Tell whether a statement of another attribute tells the taste that is asked for."""
    asked, said = slot.attribute, statement.attribute
    kind = _kind(slot)
    if asked not in (*_TASTES, *_OF_KIND) and not asked.startswith(_CHOSEN):
        return False
    if asked in _TASTES and said in _TASTES:
        return not kind or _is_one(statement.value, kind)
    if said.startswith(_CHOSEN):
        return bool(kind) and set(noun_stems(kind)) <= all_stems(said)
    if said in _OF_KIND:
        return kind == _OF_KIND[said] or (bool(kind) and set(noun_stems(kind)) <= all_stems(statement.value))
    return said in _TASTES and bool(kind) and _is_one(statement.value, kind)


def _is_one(value: str, kind: str) -> bool:
    """Tell whether a value is of a kind; what one drinks is no food, whatever a dictionary says."""
    return is_of_kind(value, kind) and not (kind == "food" and is_of_kind(value, "drink"))


def _kind(slot: Slot) -> str:
    """Return the kind of thing that is asked for."""
    chosen = next((one for one in _CHOSEN if slot.attribute.startswith(one)), "")
    return slot.kind or _OF_KIND.get(slot.attribute, "") or (slot.attribute.removeprefix(chosen) if chosen else "")
