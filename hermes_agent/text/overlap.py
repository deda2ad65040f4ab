"""Tell whether a text was taken from another: a run of its words stands there."""

from collections.abc import Sequence

from hermes_agent.text.words import words

_RUN = 6
_SHORTEST = 3


def is_taken_from(text: str, source: str, former: str = "") -> bool:
    """Tell whether six words of a text in a row, or all of a shorter one, stand in a source like that.

    What the text had in its `former` state does not count.
    """
    own = words(text)
    if len(own) < _SHORTEST:
        return False
    run = min(_RUN, len(own))
    return bool((_runs(own, run) - _runs(words(former), run)) & _runs(words(source), run))


def _runs(found: Sequence[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(found[place : place + length]) for place in range(len(found) - length + 1)}
