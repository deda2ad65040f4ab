"""Logging in and out: a link that `hermes dashboard` makes, or a token typed by hand, for a browser's cookie."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent.memory import tokens
from hermes_agent.web.callers import Reader, TheApp, cookie_name
from hermes_agent.web.limits import Limits
from hermes_agent.web.rendering import render

router = APIRouter()

_COOKIE_SECONDS = 30 * 86_400


@router.get("/login")
def show(request: Request, next: Annotated[str, Query()] = "/", code: Annotated[str, Query()] = "") -> Response:
    """Ask for a token; a link's is in the form already: loading a page must not use it up."""
    return render(request, None, "login.html", next=_own(next), code=code, is_wrong=False)


@router.post("/login")
def log_in(
    request: Request,
    app: TheApp,
    token: Annotated[str, Form()],
    next: Annotated[str, Form()] = "/",
) -> Response:
    """Give a browser a token of its own."""
    limits = request.app.state.limits
    assert isinstance(limits, Limits)
    client = "" if request.client is None else request.client.host
    made = tokens.log_in(app.store, token.strip(), request.headers.get("user-agent", ""))
    if made is None:
        # Only whoever is wrong waits: behind a proxy everybody has the same address.
        limits.refuse_guessing(client)
        limits.note_guess(client)
        return render(request, None, "login.html", next=_own(next), code="", is_wrong=True)
    response = RedirectResponse(_own(next), status_code=303)
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


def _own(path: str) -> str:
    """Return a path on this server; whoever made the link must not choose another site."""
    is_path = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_path and path.isprintable() else "/"
