"""Two people changed one text: show both, so that nothing is lost, and let the second one bring them together."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice

from fastapi import Request
from fastapi.responses import Response

from hermes_agent.web.callers import Caller
from hermes_agent.web.problems import PreconditionFailed, status_of
from hermes_agent.web.rendering import render

_MOST_LINES = 2_000
_NAMES = 2
"""The lines that name files; they come first, and may look like lines that were changed."""


@dataclass(frozen=True, slots=True)
class Collision:
    """A text that was to be saved over one that is another by now, and where to send it again."""

    name: str
    action: str
    back: str
    theirs: str
    yours: str
    tag: str
    """That of the text as it is now: whoever saves after seeing both overwrites knowingly."""


def shown(
    request: Request, caller: Caller, collision: Collision, hidden: Mapping[str, str] | None = None
) -> Response:
    """Show both texts; the status says that nothing was saved."""
    return render(
        request,
        caller,
        "collision.html",
        status=status_of(PreconditionFailed("")),
        name=collision.name,
        action=collision.action,
        back=collision.back,
        theirs=collision.theirs,
        yours=collision.yours,
        tag=collision.tag,
        hidden=dict(hidden or {}),
        lines=difference(collision.theirs, collision.yours),
    )


def difference(before: str, after: str) -> list[str]:
    """Return what differs between two texts, line by line, without the lines that name files."""
    lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    return list(islice(lines, _NAMES, _NAMES + _MOST_LINES))
