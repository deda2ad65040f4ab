"""ETags: what a thing was when somebody looked at it, so that nobody overwrites what they have not seen.

A tag is the hash of the JSON that was shown. A change names the tag it was made from (`If-Match`, or a field of
a form); if the thing is another by now, the change is refused and nothing is written.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeVar

from fastapi import Header

from hermes_agent.errors import ChangedMeanwhile
from hermes_agent.records.archive import Json
from hermes_agent.web.problems import PreconditionFailed, PreconditionRequired

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match", description="The ETag of what is changed, as it was last seen; `*` is whatever it is."
    ),
]
Thing = TypeVar("Thing")


@contextmanager
def seen_before() -> Iterator[None]:
    """Say of a change that came too late what is said of a tag that is not right."""
    try:
        yield
    except ChangedMeanwhile as error:
        raise PreconditionFailed(error.message, hint=error.hint) from error


def tag_of(shown: Json) -> str:
    """Return the tag of a thing as it is shown."""
    text = json.dumps(shown, sort_keys=True, ensure_ascii=True)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def names(given: str, tag: str) -> bool:
    """Tell whether a header names a tag, or any."""
    return given.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in given.split(","))


def require(given: str | None, shown: Json) -> None:
    """Refuse a change that was not made from the thing as it is."""
    if given is None:
        raise PreconditionRequired(
            "A change must say what it changes.", hint="Send the ETag you were given as If-Match."
        )
    require_same(given, shown)


def seen(given: str | None, shown: Json, thing: Thing) -> Thing | None:
    """Refuse a change that was not made from the thing as it is; return what the verb is to compare it with.

    The tag alone is not enough: until the verb writes, another process may. None for somebody who takes whatever
    it is.
    """
    require(given, shown)
    return None if given is not None and given.strip() == "*" else thing


def require_same(given: str, shown: Json) -> None:
    """Refuse a tag that is another than the thing's."""
    if not names(given, tag_of(shown)):
        raise PreconditionFailed("It was changed meanwhile.", hint="Look at it again, then change it.")
