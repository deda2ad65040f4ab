"""Tell whether a text was taken from another: a run of its words stands there."""

from hermes_agent.text.words import words

_RUN = 6
_SHORTEST = 3


def is_taken_from(text: str, source: str) -> bool:
    """Tell whether six words of a text in a row, or all of a shorter one, stand in a source like that."""
    own = words(text)
    if len(own) < _SHORTEST:
        return False
    run = min(_RUN, len(own))
    theirs = words(source)
    known = {tuple(theirs[place : place + run]) for place in range(len(theirs) - run + 1)}
    return any(tuple(own[place : place + run]) in known for place in range(len(own) - run + 1))
