"""A command of somebody elsewhere while it runs: what is typed for it, and what ends it."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.memory import facts, tokens
from hermes_agent.records.tokens import Scope
from tests.web.conftest import serving
from tests.web.talking import PATIENCE_SECONDS

RESET = {"arguments": ["memory", "reset"], "terminal": {"stdin": True}}


def client(app: App, address: str, name: str, scope: Scope = "admin") -> httpx2.Client:
    shown = tokens.create(app.store, name, scope).shown
    headers = {"Authorization": f"Bearer {shown}"}
    return httpx2.Client(base_url=address, headers=headers, trust_env=False, timeout=PATIENCE_SECONDS)


@contextmanager
def asking(laptop: httpx2.Client) -> Iterator[tuple[str, Iterator[str]]]:
    """Run a command until it asks; yield its id and the lines that follow."""
    with laptop.stream("POST", "/api/run", json=RESET) as response:
        assert response.status_code == 200, response.read()
        lines = response.iter_lines()
        run = str(json.loads(next(lines))["run"])
        said = b""
        while b"[y/N]" not in said:
            said += b64decode(json.loads(next(lines)).get("stderr", ""))
        yield run, lines


def test_what_is_typed_reaches_the_command_that_asked_and_only_from_its_token(app: App) -> None:
    facts.add(app.store, "It rains.")
    with (
        serving(app) as address,
        client(app, address, "a") as laptop,
        client(app, address, "b") as other,
        asking(laptop) as (run, lines),
    ):
        typed = {"data": b64encode(b"n\n").decode()}
        assert other.post(f"/api/run/{run}/input", json=typed).status_code == 404
        assert laptop.post(f"/api/run/{run}/input", json=typed).status_code == 200
        assert json.loads(list(lines)[-1]) == {"exit": 0}
    assert facts.recent(app.store, 5)


def test_a_client_that_leaves_ends_its_command(app: App) -> None:
    facts.add(app.store, "It rains.")
    with serving(app) as address, client(app, address, "a") as laptop:
        with asking(laptop) as (run, _):
            pass
        deadline = clock.monotonic() + PATIENCE_SECONDS
        while laptop.post(f"/api/run/{run}/input", json={"data": ""}).status_code != 404:
            assert clock.monotonic() < deadline
    assert facts.recent(app.store, 5)


def test_the_server_tells_who_it_is(app: App) -> None:
    with serving(app) as address, client(app, address, "a", "read") as laptop:
        told = laptop.get("/api/server").json()
    assert told["profile"] == "default" and told["token"] == {"name": "a", "scope": "read"}
