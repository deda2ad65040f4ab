"""Which types of memory a search can look through: not all of them have dates, or a past."""

from hermes_agent.errors import UsageError
from hermes_agent.memory.searching import TOGETHER, Type

_UNDATED: frozenset[Type] = frozenset({"notes", "skills"})
_WITHOUT_PAST: frozenset[Type] = frozenset({"skills"})


def types_for(asked: Type | None, *, is_dated: bool, is_past: bool) -> list[Type]:
    """Return the types that can be looked through; one that was asked for and cannot be is an error."""
    if asked in _UNDATED and is_dated:
        raise UsageError(f"There are no dates to {asked}.", hint="Leave out --since and --until.")
    if asked in _WITHOUT_PAST and is_past:
        raise UsageError(f"Only the {asked} of today can be searched.", hint="Leave out --as-of.")
    if asked is not None:
        return [asked]
    left_out = (_UNDATED if is_dated else frozenset()) | (_WITHOUT_PAST if is_past else frozenset())
    return [one for one in TOGETHER if one not in left_out]
