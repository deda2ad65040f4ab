"""`/api/tokens` and `/api/profiles`: who may ask, and which profiles there are; never what opens anything."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from hermes_agent import clock
from hermes_agent.config import profiles
from hermes_agent.memory import tokens as verbs
from hermes_agent.memory.shown.tokens import token_json
from hermes_agent.records.tokens import Scope, Token
from hermes_agent.text.dates import expiry_of
from hermes_agent.web.answers import answer, gives, lists, page
from hermes_agent.web.api.given import Given
from hermes_agent.web.asked import DateText, Name
from hermes_agent.web.callers import Admin, TheApp
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import also, having, record

router = APIRouter()

TOKEN = record("Token", Token, without=("hash",))
MADE = also("NewToken", TOKEN, token=str)
PROFILE = having(
    "Profile", "A profile; `is_served` is whether this server's memory is its.", name=str, is_served=bool
)
PROFILES = having("Profiles", "The profiles of this installation.", items=list[PROFILE])  # type: ignore[valid-type]  # made while it runs


class TokenWanted(Given):
    """A token to be made; its name tells later which one to revoke."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    scope: Scope = "write"
    expires: DateText | None = None


@router.get("/tokens", tags=["tokens"], responses=lists(TOKEN))
def list_tokens(
    app: TheApp,
    caller: Admin,
    limit: Limit = 50,
    offset: Offset = 0,
    gone_too: Annotated[bool, Query(alias="all", description="Also those that are revoked or expired.")] = False,
) -> Response:
    """List the tokens of programs and of browsers that are logged in, the oldest first."""
    now = clock.now()
    found = [one for one in verbs.every(app.store) if gone_too or one.is_valid(now)]
    return page([token_json(one) for one in found[offset : offset + limit + 1]], limit, offset)


@router.post("/tokens", tags=["tokens"], status_code=201, responses=gives(MADE, 201))
def create_token(app: TheApp, caller: Admin, wanted: TokenWanted) -> Response:
    """Make a token. It is told this once, as `token`: only its hash is kept."""
    until = expiry_of(wanted.expires, app.zone)
    made = verbs.create(app.store, wanted.name, wanted.scope, until, cause=caller.cause)
    return answer({**token_json(made.token), "token": made.shown}, 201)


@router.delete("/tokens/{name}", tags=["tokens"], responses=gives(TOKEN))
def revoke_token(app: TheApp, caller: Admin, name: Name) -> Response:
    """Let a token, by its name or number, open nothing any more, at once."""
    return answer(token_json(verbs.revoke(app.store, name, cause=caller.cause)))


@router.get("/profiles", tags=["profiles"], responses=gives(PROFILES))
def list_profiles(app: TheApp, caller: Admin) -> Response:
    """List the names of the profiles. A token is for one of them, and reaches nothing of another."""
    served = app.home.profile
    return answer({"items": [{"name": name, "is_served": name == served} for name in profiles.names()]})
