"""What the API answers with: JSON that survives any stored text, tagged where it can be changed.

Each route says in the document what it answers: `lists`, `shows` and `changes` write that down. The refusals that
every route can give are declared once, in `PROBLEMS`.
"""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from math import isfinite
from typing import Any

from fastapi import Request, Response
from pydantic import BaseModel

from hermes_agent.records.archive import Json
from hermes_agent.web import etags
from hermes_agent.web.problems import PROBLEM
from hermes_agent.web.shapes import page_of

JSON = "application/json"
Responses = dict[int | str, dict[str, Any]]  # Any: what FastAPI's `responses=` takes

_TAG = {"ETag": {"description": "Names this state of it; send it as If-Match.", "schema": {"type": "string"}}}
_SAME = {"description": "It is what If-None-Match names.", "headers": _TAG}


def _problem(told: str) -> dict[str, Any]:
    return {"description": told, "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}}


PROBLEMS: Responses = {
    400: _problem("The body cannot be read."),
    401: _problem("No token, or one that opens nothing."),
    403: _problem("The token may not do this."),
    404: _problem("There is no such thing."),
    408: _problem("The body did not come in time."),
    409: _problem("It cannot be done as things stand."),
    413: _problem("The request is too large."),
    422: _problem("The request does not fit."),
    429: _problem("This token has asked too often."),
    503: _problem("The store cannot be reached just now."),
}
_CHANGED: Responses = {412: _problem("It was changed since the ETag was given.")}
_CONDITIONS: Responses = {
    **_CHANGED,
    428: _problem("If-Match is missing."),
}


def answer(shown: Json, status: int = HTTPStatus.OK, headers: Mapping[str, str] | None = None) -> Response:
    """Write JSON."""
    return Response(_bytes(shown), status, headers, JSON)


def tagged(request: Request, shown: Json, status: int = HTTPStatus.OK) -> Response:
    """Write one thing with its tag; whoever has it already is told only that."""
    tag = etags.tag_of(shown)
    if request.method == "GET" and etags.names(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
    return answer(shown, status, {"ETag": tag})


def page(items: Sequence[Json], limit: int, offset: int) -> Response:
    """Write a page of what was found when `limit + 1` were asked for; `next` is None on the last one."""
    return answer({"items": list(items[:limit]), "next": offset + limit if len(items) > limit else None})


def lists(model: type[BaseModel]) -> Responses:
    """Declare pages of something."""
    return {200: {"model": page_of(model), "description": "A page of the list."}}


def shows(model: type[BaseModel]) -> Responses:
    """Declare one thing with its tag."""
    return {200: {"model": model, "description": "What it is now.", "headers": _TAG}, 304: _SAME}


def gives(model: type[BaseModel], status: int = 200) -> Responses:
    """Declare an answer that is not tagged."""
    return {status: {"model": model, "description": HTTPStatus(status).phrase}}


def makes(model: type[BaseModel]) -> Responses:
    """Declare a new thing with its tag."""
    return {201: {"model": model, "description": "It was made.", "headers": _TAG}}


def changes(model: type[BaseModel]) -> Responses:
    """Declare a change that says by a tag what it changes."""
    return {200: {"model": model, "description": "What it is after the change.", "headers": _TAG}, **_CONDITIONS}


def ends(model: type[BaseModel]) -> Responses:
    """Declare a deletion that says by a tag what it deletes."""
    return {**gives(model), **_CONDITIONS}


def decides(model: type[BaseModel]) -> Responses:
    """Declare what is decided about something; a tag may say about what."""
    return {**gives(model), **_CHANGED}


def _bytes(shown: Json) -> bytes:
    """Write JSON in UTF-8; half a character that somebody stored is escaped, and what is no number is null."""
    try:
        text = json.dumps(shown, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_finite(shown), ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(json.loads(text), separators=(",", ":")).encode()


def _finite(value: Json) -> Json:
    match value:
        case float():
            return value if isfinite(value) else None
        case dict():
            return {name: _finite(one) for name, one in value.items()}
        case list() | tuple():
            return [_finite(one) for one in value]
    return value
