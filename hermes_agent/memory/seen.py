"""What somebody saw of a thing before they changed it: compared in the transaction that changes it.

Whoever looks first and writes later may be late. A look that is only repeated before the transaction leaves a gap
in which another process writes; so the verb is given what was seen, and looks where nobody else can write.
"""

from typing import TypeVar

from hermes_agent.errors import ChangedMeanwhile

Thing = TypeVar("Thing")


def require_same(now: Thing, seen: Thing | None) -> None:
    """Raise ChangedMeanwhile if a thing is another than the one that was seen; None is from who did not look."""
    if seen is not None and now != seen:
        raise ChangedMeanwhile("It was changed meanwhile.", hint="Look at it again, then change it.")
