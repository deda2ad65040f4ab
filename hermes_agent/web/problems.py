"""Errors as problems (RFC 9457): what went wrong, in the words a person would read at the terminal.

Who can act decides the status, as it decides the exit code of a command. What is no error of ours is a bug: it
becomes a bare 500, and where it happened goes to the log.
"""

import json
from collections.abc import Mapping
from http import HTTPStatus

from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from hermes_agent.errors import (
    ChangedMeanwhile,
    EmbedderError,
    HermesError,
    LockedHome,
    ModelError,
    NotFound,
    StoreError,
    StoreFull,
    ToolError,
    Transient,
    UsageError,
)
from hermes_agent.records.archive import Json

PROBLEM = "application/problem+json"

_STATUS: Mapping[type[HermesError], HTTPStatus] = {
    NotFound: HTTPStatus.NOT_FOUND,
    ChangedMeanwhile: HTTPStatus.CONFLICT,
    UsageError: HTTPStatus.UNPROCESSABLE_ENTITY,
    Transient: HTTPStatus.SERVICE_UNAVAILABLE,
    ModelError: HTTPStatus.BAD_GATEWAY,
    EmbedderError: HTTPStatus.BAD_GATEWAY,
    LockedHome: HTTPStatus.SERVICE_UNAVAILABLE,
    StoreFull: HTTPStatus.INSUFFICIENT_STORAGE,
    StoreError: HTTPStatus.SERVICE_UNAVAILABLE,
    ToolError: HTTPStatus.UNPROCESSABLE_ENTITY,
    # All others tell of what stands in the way here: a note that is full, a file that cannot be read.
    HermesError: HTTPStatus.CONFLICT,
}


class TooLarge(HermesError):
    """The request has more bytes than are taken."""


class Unauthorized(HermesError):
    """Nobody is known who asks: no token, or one that opens nothing."""


class Forbidden(HermesError):
    """Whoever asks may not do this."""


class TooMany(HermesError):
    """More was asked within a minute than may be."""

    def __init__(self, message: str, retry_seconds: int) -> None:
        super().__init__(message, hint=f"Try again in {retry_seconds} seconds.")
        self.retry_seconds = retry_seconds


class NotNow(HermesError):
    """It cannot be done now: something else is under way with the same thing, or it is over."""


ENDS, ENDS_HINT = "The server ends.", "Ask again when it is back."


class Ending(HermesError):
    """The server ends, and waits no longer for what was asked: it may be done all the same."""


class PreconditionRequired(HermesError):
    """A change did not say what it changes: it has no If-Match."""


class PreconditionFailed(HermesError):
    """The thing is not any more what whoever changes it looked at."""


_OF_THE_DOOR: Mapping[type[HermesError], HTTPStatus] = {
    TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Unauthorized: HTTPStatus.UNAUTHORIZED,
    Forbidden: HTTPStatus.FORBIDDEN,
    TooMany: HTTPStatus.TOO_MANY_REQUESTS,
    NotNow: HTTPStatus.CONFLICT,
    Ending: HTTPStatus.SERVICE_UNAVAILABLE,
    PreconditionRequired: HTTPStatus.PRECONDITION_REQUIRED,
    PreconditionFailed: HTTPStatus.PRECONDITION_FAILED,
}


def status_of(error: HermesError) -> HTTPStatus:
    """Return the status that fits an error: that of its own kind, or of the nearest one above."""
    known = {**_STATUS, **_OF_THE_DOOR}
    for kind in type(error).__mro__:
        if kind in known:
            return known[kind]
    return HTTPStatus.INTERNAL_SERVER_ERROR


def problem(status: HTTPStatus, detail: str, **more: Json) -> Response:
    """Write a problem; `type` is left out, since no page explains more than the sentence does."""
    body = {"title": status.phrase, "status": int(status), "detail": detail, **more}
    # In ASCII: the sentence may quote half a character that somebody sent.
    return Response(json.dumps(body), status_code=status, media_type=PROBLEM)


def of_error(error: HermesError) -> Response:
    """Write one of our errors as a problem, with its hint."""
    response = problem(status_of(error), error.message, **({} if error.hint is None else {"hint": error.hint}))
    response.headers.update(headers_of(error))
    return response


def headers_of(error: HermesError) -> dict[str, str]:
    """Return what a client needs to know beside the sentence."""
    if isinstance(error, Unauthorized):
        return {"WWW-Authenticate": "Bearer"}
    return {"Retry-After": str(error.retry_seconds)} if isinstance(error, TooMany) else {}


def of_invalid(error: RequestValidationError) -> Response:
    """Write which part of a request does not fit."""
    found = [{"at": ".".join(str(step) for step in one["loc"]), "problem": one["msg"]} for one in error.errors()]
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "The request does not fit.", errors=found)


def of_http(error: HTTPException) -> Response:
    """Write what the framework refused: no such place, another method."""
    response = problem(HTTPStatus(error.status_code), str(error.detail))
    response.headers.update(error.headers or {})
    return response
