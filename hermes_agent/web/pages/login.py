"""Logging in and out: a link that `hermes dashboard` makes, or a token typed by hand, for a browser's cookie."""

from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent.app import App
from hermes_agent.memory import tokens
from hermes_agent.memory.tokens import Made
from hermes_agent.web.at_length import checking
from hermes_agent.web.callers import Reader, TheApp, cookie_name
from hermes_agent.web.limits import Limits
from hermes_agent.web.rendering import render
from hermes_agent.web.returning import own

router = APIRouter()

_COOKIE_SECONDS = 30 * 86_400


@router.get("/login")
def show(request: Request, next: Annotated[str, Query()] = "/", code: Annotated[str, Query()] = "") -> Response:
    """Ask for a token; a link's is in the form already: loading a page must not use it up."""
    return render(request, None, "login.html", next=own(next), code=code, is_wrong=False)


@router.post("/login")
async def log_in(
    request: Request,
    app: TheApp,
    token: Annotated[str, Form()],
    next: Annotated[str, Form()] = "/",
) -> Response:
    """Give a browser a token of its own."""
    made = await _made(app, token.strip(), request.headers.get("user-agent", ""))
    if made is None:
        limits = request.app.state.limits
        assert isinstance(limits, Limits)
        client = "" if request.client is None else request.client.host
        # Only whoever is wrong waits: behind a proxy everybody has the same address.
        limits.refuse_guessing(client)
        limits.note_guess(client)
        return render(request, None, "login.html", next=own(next), code="", is_wrong=True)
    response = RedirectResponse(own(next), status_code=303)
    response.set_cookie(
        cookie_name(request),
        made.shown,
        max_age=_COOKIE_SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.post("/logout")
def log_out(request: Request, app: TheApp, caller: Reader) -> Response:
    """Let this browser's token open nothing any more."""
    tokens.revoke(app.store, caller.token.id, cause="dashboard")
    response = RedirectResponse("/login", status_code=303)
    response.delete_cookie(cookie_name(request))
    return response


async def _made(app: App, shown: str, browser: str) -> Made | None:
    """Make a browser's token; only what opens the door gets a turn to write, and a thread of the handlers."""
    if not await to_thread.run_sync(tokens.may_log_in, app.store, shown, limiter=checking()):
        return None
    return await to_thread.run_sync(tokens.log_in, app.store, shown, browser)
