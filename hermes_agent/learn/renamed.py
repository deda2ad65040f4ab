"""Names put right: "my boss is Henrik Sandström, not Sandberg" leaves no Henrik Sandberg.

Pure. One may have two sisters with two names, but one boss: of some relations the newest name counts, of all
others only a correction takes a name away.
"""

from hermes_agent.learn import attributes
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.matching import same_value
from hermes_agent.records.statements import Statement
from hermes_agent.text.words import words

_ONE_AT_A_TIME = word_set("boss manager dentist landlord therapist wife husband fiancé")


def is_renaming(new: Statement) -> bool:
    """Tell whether a statement puts right what somebody of the user's is called."""
    return new.is_correction and new.attribute == attributes.NAME and bool(new.who.relation)


def is_renamed(new: Statement, old: Statement) -> bool:
    """Tell whether a name was told instead of another that the same relation had before."""
    if not _are_names_of_one_relation(new, old):
        return False
    return is_renaming(new) and bool(new.former) and is_part_of_name(new.former, old.value)


def is_followed(new: Statement, old: Statement) -> bool:
    """Tell whether somebody took the place of whom one has one of: a boss, a dentist."""
    is_one = new.who.relation in _ONE_AT_A_TIME
    return is_one and _are_names_of_one_relation(new, old) and {new.polarity, old.polarity} == {"is"}


def is_part_of_name(part: str, name: str) -> bool:
    """Tell whether words are a name, or some of it: Sandberg is Henrik Sandberg."""
    said = words(part)
    return bool(said) and (same_value(part, name) or set(said) <= set(words(name)))


def _are_names_of_one_relation(new: Statement, old: Statement) -> bool:
    is_name = new.attribute == old.attribute == attributes.NAME
    return is_name and bool(new.who.relation) and new.who.relation == old.who.relation
