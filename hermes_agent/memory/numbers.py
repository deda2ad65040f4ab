"""The numbers of facts, reflections and what waits for review, as a person writes them."""

import re

from hermes_agent.errors import UsageError
from hermes_agent.text.clean import preview

_TYPED = re.compile(r"\[?(?:(?P<kind>[a-z]+):|#)?0*(?P<number>[0-9]{1,18})\]?")


def read(typed: str, kind: str) -> int:
    """Return the number meant by `fact:044`, `[fact:44]`, `044`, `44` or `#44`."""
    match = _TYPED.fullmatch(typed.strip().lower())
    if match is None or match["kind"] not in (None, kind):
        article = "an" if kind[0] in "aeiou" else "a"
        raise UsageError(
            f"{preview(typed)!r} is not the number of {article} {kind}.",
            hint=f"It looks like {kind}:042, 042 or 42.",
        )
    return int(match["number"])
