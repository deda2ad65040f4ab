"""Tokens: who may ask over HTTP; made and shown once, listed, revoked."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.memory import tokens as verbs
from hermes_agent.memory.tokens import Made
from hermes_agent.records.tokens import SCOPES, Scope, Token
from hermes_agent.text.dates import expiry_of
from hermes_agent.web import changes
from hermes_agent.web.callers import Admin, Caller, TheApp, cookie_name
from hermes_agent.web.problems import status_of
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/tokens")

_SHOWN = 200


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Admin,
    every: Annotated[bool, Query()] = False,
    done: Annotated[str, Query()] = "",
) -> Response:
    """Show the tokens of programs and of browsers that are logged in."""
    return _page(request, app, caller, is_every=every, done=done)


@router.post("")
def create(
    request: Request,
    app: TheApp,
    caller: Admin,
    name: Annotated[str, Form()],
    scope: Annotated[Scope, Form()] = "write",
    expires: Annotated[str, Form()] = "",
) -> Response:
    """Make a token and show it, this once: only its hash is kept."""
    try:
        until = expiry_of(expires.strip() or None, app.zone)
        made = verbs.create(app.store, name, scope, until, cause=caller.cause)
    except UsageError as error:
        return _page(request, app, caller, error=error)
    return _page(request, app, caller, made=made)


@router.get("/{number}/revoke")
def ask_revoke(request: Request, app: TheApp, caller: Admin, number: str) -> Response:
    """Show whose token would open nothing any more, and ask."""
    return render(
        request, caller, "token_revoke.html", token=_find(app, number), is_own=number == str(caller.token.id)
    )


@router.post("/{number}/revoke")
def revoke(request: Request, app: TheApp, caller: Admin, begun: changes.Begun, number: str) -> Response:
    """Let a token open nothing any more."""
    gone = verbs.revoke(app.store, _find(app, number).id, cause=caller.cause)
    if gone.id == caller.token.id:
        response = RedirectResponse("/login", status_code=303)
        response.delete_cookie(cookie_name(request))
        return response
    return changes.shown(app, "/tokens", begun, gone.name)


def _page(
    request: Request,
    app: App,
    caller: Caller,
    *,
    is_every: bool = False,
    made: Made | None = None,
    error: HermesError | None = None,
    done: str = "",
) -> Response:
    now = clock.now()
    found = [one for one in verbs.every(app.store) if is_every or one.is_valid(now)]
    return render(
        request,
        caller,
        "tokens.html",
        **({} if error is None else {"status": status_of(error)}),
        tokens=[(one, one.state(now)) for one in reversed(found[-_SHOWN:])],
        count=len(found),
        every=is_every,
        scopes=SCOPES,
        made=made,
        error=error,
        own=caller.token.id,
        done=changes.made(app, done),
    )


def _find(app: App, number: str) -> Token:
    found = next((one for one in verbs.every(app.store) if str(one.id) == number), None)
    if found is None:
        raise NotFound("There is no such token.")
    return found
