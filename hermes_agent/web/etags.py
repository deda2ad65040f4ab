"""ETags: what a thing was when somebody looked at it, so that nobody overwrites what they have not seen.

A tag is the hash of the JSON that was shown. A change names the tag it was made from (`If-Match`, or a field of
a form); if the thing is another by now, the change is refused and nothing is written.
"""

import hashlib
import json

from fastapi import Request, Response

from hermes_agent.records.archive import Json
from hermes_agent.web.problems import PreconditionFailed, PreconditionRequired


def tag_of(shown: Json) -> str:
    """Return the tag of a thing as it is shown."""
    text = json.dumps(shown, sort_keys=True, ensure_ascii=True)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def mark(response: Response, shown: Json) -> None:
    """Give an answer the tag of what it shows."""
    response.headers["ETag"] = tag_of(shown)


def require(request: Request, shown: Json) -> None:
    """Refuse a change that was not made from the thing as it is."""
    given = request.headers.get("if-match")
    if given is None:
        raise PreconditionRequired(
            "A change must say what it changes.", hint="Send the ETag you were given as If-Match."
        )
    require_same(given, shown)


def require_same(given: str, shown: Json) -> None:
    """Refuse a tag that is another than the thing's."""
    if given.strip() != "*" and tag_of(shown) not in (one.strip() for one in given.split(",")):
        raise PreconditionFailed("It was changed meanwhile.", hint="Look at it again, then change it.")
