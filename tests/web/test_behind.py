"""An app of another door, behind the tokens of the site."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from hermes_agent.app import App
from hermes_agent.memory import tokens
from hermes_agent.web.behind import Mounted, caller_of
from hermes_agent.web.site import build
from tests.web.conftest import ADDRESS


async def who(scope: Scope, receive: Receive, send: Send) -> None:
    token = caller_of(scope).token
    await PlainTextResponse(f"{token.name} may {token.scope}")(scope, receive, send)


def test_it_is_reached_with_a_token_and_told_whose_it_is(app: App) -> None:
    shown = tokens.create(app.store, "laptop", "write").shown
    site = TestClient(build(app, mounted=[Mounted("/mcp", who)]), base_url=ADDRESS)
    refused = site.post("/mcp")
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert site.post("/mcp", headers={"Authorization": "Bearer hermes_wrong"}).status_code == 401
    answer = site.post("/mcp", headers={"Authorization": f"Bearer {shown}"})
    assert (answer.status_code, answer.text) == (200, "laptop may write")


def test_what_must_run_meanwhile_runs_as_long_as_the_site(app: App) -> None:
    told = []

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        told.append("begun")
        yield
        told.append("ended")

    with TestClient(build(app, mounted=[Mounted("/mcp", who, running())]), base_url=ADDRESS):
        assert told == ["begun"]
    assert told == ["begun", "ended"]


def test_what_is_signed_asks_for_no_token_and_stands_behind_the_guard(app: App) -> None:
    class Everybody:
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            await PlainTextResponse("let in")(scope, receive, send)

    site = TestClient(build(app, mounted=[Mounted("/signed", Everybody(), is_signed=True)]), base_url=ADDRESS)
    assert site.post("/signed", content=b"{}").text == "let in"
    assert site.post("/signed", content=b"{}", headers={"Host": "evil.example"}).status_code == 421
    assert site.post("/signed", content=b"{}", headers={"Origin": "https://evil.example"}).status_code == 403
    assert site.post("/signed", content=b"x" * 2_000_000).status_code == 413
    assert site.post("/other", content=b"{}").status_code == 401
