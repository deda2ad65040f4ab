"""A command of somebody elsewhere while it runs: what is typed for it, and what ends it."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2
import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.errors import NotFound
from hermes_agent.memory import facts, tokens
from hermes_agent.records.tokens import Scope
from hermes_agent.web.gate import MOST_FILES
from hermes_agent.web.problems import NotNow
from hermes_agent.web.runs import Runs, Terminals, Wanted
from tests.web.conftest import Doors, serving
from tests.web.talking import PATIENCE_SECONDS

RESET = {"arguments": ["memory", "reset"], "terminal": {"stdin": True}}


def client(app: App, address: str, name: str, scope: Scope = "admin") -> httpx2.Client:
    shown = tokens.create(app.store, name, scope).shown
    headers = {"Authorization": f"Bearer {shown}"}
    return httpx2.Client(base_url=address, headers=headers, trust_env=False, timeout=PATIENCE_SECONDS)


@contextmanager
def asking(laptop: httpx2.Client, **more: object) -> Iterator[tuple[str, Iterator[str]]]:
    """Run a command until it asks; yield its id and the lines that follow."""
    with laptop.stream("POST", "/api/run", json={**RESET, **more}) as response:
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


def test_one_token_does_not_take_all_places(app: App) -> None:
    with (
        serving(app) as address,
        client(app, address, "a") as greedy,
        client(app, address, "b") as other,
        ExitStack() as held,
    ):
        for _ in range(4):
            held.enter_context(asking(greedy))
        refused = greedy.post("/api/run", json=RESET)
        assert (refused.status_code, "of the token 'a' run already" in refused.text) == (429, True)
        with asking(other) as (run, _):
            assert run


def test_commands_that_ask_keep_no_file_of_others_out(app: App) -> None:
    large = b64encode(b" " * 1_200_000).decode()
    with (
        serving(app) as address,
        client(app, address, "a") as one,
        client(app, address, "b") as other,
        ExitStack() as held,
    ):
        for _ in range(MOST_FILES):
            held.enter_context(asking(one, files={"large.json": large}))
        sent = other.post("/api/run", json={"arguments": ["status", "--json"], "stdin": large})
        assert sent.status_code == 200


def test_a_client_that_leaves_ends_its_command(app: App) -> None:
    facts.add(app.store, "It rains.")
    with serving(app) as address, client(app, address, "a") as laptop:
        with asking(laptop) as (run, _):
            pass
        deadline = clock.monotonic() + PATIENCE_SECONDS
        while laptop.post(f"/api/run/{run}/input", json={"data": ""}).status_code != 404:
            assert clock.monotonic() < deadline
    assert facts.recent(app.store, 5)


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_a_command_ends_with_its_token(app: App, end: str) -> None:
    facts.add(app.store, "It rains.")
    with serving(app) as address, client(app, address, "a") as laptop, asking(laptop) as (_, lines):
        if end == "revoked":
            tokens.revoke(app.store, "a")
        else:
            with app.store.write() as connection:
                connection.exec_driver_sql("UPDATE tokens SET expires_at = 1 WHERE name = 'a'")
        said, ended = (json.loads(line) for line in list(lines)[-2:])
    assert b"was revoked, or has expired" in b64decode(said["stderr"]) and ended == {"exit": 1}
    assert facts.recent(app.store, 5)


@pytest.mark.parametrize("more", [{"stdin": "!!!!"}, {"files": {"m.json": "a b!"}}, {"stdin": "YQ"}])
def test_what_is_no_base64_is_refused(doors: Doors, more: dict[str, object]) -> None:
    answer = doors.program().post("/api/run", json={"arguments": ["status"], **more})
    assert answer.status_code == 422 and "not base64" in answer.text


def test_the_server_tells_who_it_is(app: App) -> None:
    with serving(app) as address, client(app, address, "a", "read") as laptop:
        told = laptop.get("/api/server").json()
    assert told["profile"] == "default" and told["token"] == {"name": "a", "scope": "read"}


def test_what_is_typed_for_a_command_that_ended_goes_nowhere(app: App, tmp_path: Path) -> None:
    facts.add(app.store, "It rains.")
    token = tokens.create(app.store, "a", "admin").token
    runs = Runs(app)
    run = runs.start(Wanted(["memory", "reset"], Terminals(stdin=True)), token)
    run.close()
    deadline = clock.monotonic() + PATIENCE_SECONDS
    with pytest.raises(NotFound):
        while clock.monotonic() < deadline:
            runs.find(run.id, token)
    others = [tmp_path / str(number) for number in range(20)]
    with ExitStack() as stack:
        for one in others:
            stack.enter_context(one.open("wb"))
        with pytest.raises(NotNow):
            run.type(b"y\n", is_end=False)
    assert [one.read_bytes() for one in others] == [b""] * len(others)


def test_commands_end_with_the_server(app: App) -> None:
    facts.add(app.store, "It rains.")
    served = ExitStack()
    with served, client(app, served.enter_context(serving(app)), "a") as laptop, asking(laptop):
        folders = set(app.home.root.glob(".passing-*"))
        running = [one for one in Path("/proc").glob("[0-9]*") if _folder(one) in folders]
        assert running
        served.close()
        assert not [one for one in running if _folder(one) in folders]
    assert facts.recent(app.store, 5)


def _folder(process: Path) -> Path | None:
    try:
        return (process / "cwd").readlink()
    except OSError:
        return None
