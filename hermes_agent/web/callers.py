"""Who asks, and what they may do.

A program shows its token in the header `Authorization: Bearer …`. A browser shows the one it got when it logged
in, in a cookie that no script can read; since a browser sends it whoever made it ask, what it changes must also
carry the token's `csrf` word, which only our own pages know.

`Reader`, `Writer`, `Owner` and `Admin` are what a route asks for: each route has exactly one of them, and
`tests/web/test_policy.py` pins which.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from anyio import to_thread
from fastapi import Depends, Request, Security
from fastapi.security import HTTPBearer

from hermes_agent.app import App
from hermes_agent.errors import HermesError
from hermes_agent.memory import tokens
from hermes_agent.records.tokens import Scope, Token
from hermes_agent.store.asking import note_asking
from hermes_agent.web.at_length import checking
from hermes_agent.web.guard import SAFE
from hermes_agent.web.limits import Limits
from hermes_agent.web.problems import Forbidden, Unauthorized
from hermes_agent.web.watching import note_caller

_COOKIE = "hermes_browser"
CSRF_HEADER = "x-csrf-token"
CSRF_FIELD = "csrf"
_CALLER = "hermes.known"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with a token; `csrf` is the word that a browser's changes must carry, empty for a program."""

    token: Token
    csrf: str = ""

    @property
    def is_owner(self) -> bool:
        """Whether what they say is the owner's word."""
        return self.token.is_owners

    @property
    def may_change(self) -> bool:
        """Whether pages let them change memory in the owner's name: what `Owner` asks for."""
        return self.token.allows("write") and self.is_owner

    @property
    def called(self) -> str:
        """What they are called when they are refused; a browser's token has the name that the browser gave."""
        return "This browser" if self.token.kind == "browser" else f"The token {self.token.name!r}"

    @property
    def cause(self) -> str:
        """What the journal says a change came from."""
        return "dashboard" if self.token.kind == "browser" else f"token {self.token.name}"


def the_app(request: Request) -> App:
    """Return what works in the home that is served."""
    app = request.app.state.app
    assert isinstance(app, App)
    return app


def cookie_name(request: Request) -> str:
    """Return the name of our cookie: browsers send one to every port of a host, where other profiles may serve."""
    return cookie_at(request.url.port)


def cookie_at(port: int | None) -> str:
    """Return the cookie's name at a port; None where the address names none."""
    return _COOKIE if port is None else f"{_COOKIE}_{port}"


async def _given(request: Request) -> App:
    # Not a plain function: those are run in a thread of their own, for each request.
    return the_app(request)


TheApp = Annotated[App, Depends(_given)]
_DECLARED = HTTPBearer(auto_error=False, description="A token of `hermes token create`.")
"""For the API's document; who asks is found below."""


def require_owner(caller: Caller, what: str) -> None:
    """Refuse what only the owner's word does."""
    if not caller.is_owner:
        raise Forbidden(
            f"Only its owner {what}. {caller.called} speaks for a program.",
            hint="Log in by a link of `hermes dashboard`, or use a token of scope admin.",
        )


class Needs:
    """What a route asks of its caller: a token that allows at least a scope."""

    def __init__(self, scope: Scope, *, is_owners: bool = False) -> None:
        self.scope = scope
        self._is_owners = is_owners

    async def __call__(self, request: Request, _: Annotated[object, Security(_DECLARED)] = None) -> Caller:
        """Find who asks; refuse who is not known, may not, or asks too often, and changes of a lost home."""
        caller = await find_caller(request)
        self.require(caller)
        if request.method not in SAFE:
            # Not every change begins in the store: settings and commands would make a home anew that was moved.
            await to_thread.run_sync(the_app(request).refuse_lost, limiter=checking())
        note_asking(caller.cause)
        return caller

    def is_met_by(self, caller: Caller) -> bool:
        """Tell whether somebody may."""
        return caller.token.allows(self.scope) and (caller.is_owner or not self._is_owners)

    def require(self, caller: Caller) -> None:
        """Refuse who may not."""
        if not caller.token.allows(self.scope):
            raise Forbidden(
                f"{caller.called} may only {caller.token.scope}; this needs {self.scope}.",
                hint=f"Make another token: hermes token create NAME --scope {self.scope}",
            )
        if self._is_owners:
            require_owner(caller, "does this in the dashboard")


Reader = Annotated[Caller, Depends(Needs("read"))]
Writer = Annotated[Caller, Depends(Needs("write"))]
Owner = Annotated[Caller, Depends(Needs("write", is_owners=True))]
"""What pages ask for that change memory in the owner's name: a program is not them, though its token may write."""
Admin = Annotated[Caller, Depends(Needs("admin"))]


async def find_caller(request: Request) -> Caller:
    """Return who asks; what a browser changes must carry the word that our pages know."""
    caller = await know_caller(request)
    if caller.csrf and request.method not in SAFE:
        await _check_csrf(request, caller.csrf)
    return caller


async def know_caller(request: Request) -> Caller:
    """Return who asks, by header or cookie, without a look at what they send; once for each request."""
    known = request.scope.get(_CALLER)
    if known is None:
        known = request.scope[_CALLER] = await _checked(request)
    assert isinstance(known, Caller)
    return known


# Any: a scope is of the framework.
def is_known(scope: Mapping[str, Any]) -> bool:
    """Whether a request has shown a token that opens something."""
    return _CALLER in scope


async def looking_on(request: Request) -> Caller | None:
    """Return who is told what went wrong, if a browser that is logged in asked; None if nobody is known."""
    if not request.cookies.get(cookie_name(request)):
        return None
    try:
        return await know_caller(request)
    except HermesError:  # they are told of another error already
        return None


async def _checked(request: Request) -> Caller:
    limits = request.app.state.limits
    assert isinstance(limits, Limits)
    client = "" if request.client is None else request.client.host
    kind, _, shown = request.headers.get("authorization", "").partition(" ")
    is_browser = not shown
    if is_browser:
        shown = request.cookies.get(cookie_name(request), "")
    elif kind.lower() != "bearer":
        raise Unauthorized("The Authorization header must be: Bearer TOKEN.")
    if not shown:
        raise Unauthorized("A token is needed.", hint="Make one: hermes token create NAME")
    token = await to_thread.run_sync(tokens.check, the_app(request).store, shown.strip(), limiter=checking())
    if token is None or (token.kind == "browser") != is_browser:
        # Only whoever is wrong waits: somebody's broken script must not keep the owner out.
        limits.refuse_guessing(client)
        limits.note_guess(client)
        raise Unauthorized("The token opens nothing: it is wrong, expired or revoked.")
    limits.count(token)
    note_caller(request.scope, token)
    return Caller(token, csrf_word(shown) if is_browser else "")


def csrf_word(shown: str) -> str:
    """Return the word that proves a change came from a page that was made for this browser."""
    return hmac.digest(shown.encode(), b"csrf", "sha256").hex()


async def _check_csrf(request: Request, expected: str) -> None:
    given = request.headers.get(CSRF_HEADER)
    if given is None and request.headers.get("content-type", "").startswith(_FORMS):
        field = (await request.form()).get(CSRF_FIELD)
        given = field if isinstance(field, str) else None
    if given is None or not hmac.compare_digest(given.encode(), expected.encode()):
        raise Forbidden("The page this came from is not known.", hint="Load the page again, and try once more.")
