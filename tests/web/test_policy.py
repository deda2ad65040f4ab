"""Which right each route of the API needs, and that nothing is read or written without it."""

from collections.abc import Iterator, Mapping

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.testclient import TestClient

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import profiles
from hermes_agent.config.load import load
from hermes_agent.memory import tokens
from hermes_agent.store import canonical
from hermes_agent.web.callers import Needs
from tests.web.conftest import ADDRESS, Doors
from tests.web.filled import NAMES, fill

OPEN = {"/health", "/login", "/static", "/api/openapi.json"}
READ, WRITE, ADMIN = "read", "write", "admin"
RIGHTS: Mapping[str, str] = {
    "GET /api/sessions": READ,
    "GET /api/sessions/search": READ,
    "GET /api/sessions/counts": READ,
    "GET /api/sessions/{name}": READ,
    "GET /api/sessions/{name}/messages": READ,
    "PATCH /api/sessions/{name}": WRITE,
    "DELETE /api/sessions/{name}": WRITE,
    "GET /api/messages/{name}": READ,
    "GET /api/search": READ,
    "POST /api/context": READ,
    "GET /api/facts": READ,
    "POST /api/facts": WRITE,
    "GET /api/facts/conflicts": READ,
    "GET /api/facts/{name}": READ,
    "GET /api/facts/{name}/source": READ,
    "GET /api/facts/{name}/history": READ,
    "PATCH /api/facts/{name}": WRITE,
    "POST /api/facts/{name}/split": WRITE,
    "DELETE /api/facts/{name}": WRITE,
    "GET /api/episodes": READ,
    "GET /api/episodes/{name}": READ,
    "GET /api/summaries": READ,
    "GET /api/summaries/{name}": READ,
    "GET /api/summaries/{name}/messages": READ,
    "GET /api/reflections": READ,
    "GET /api/reflections/{name}": READ,
    "DELETE /api/reflections/{name}": WRITE,
    "GET /api/user": READ,
    "GET /api/journal": READ,
    "GET /api/journal/diff": READ,
    "GET /api/journal/{name}": READ,
    "POST /api/journal/{name}/undo": WRITE,
    "GET /api/events": READ,
    "GET /api/skills": READ,
    "POST /api/skills": WRITE,
    "GET /api/skills/{name}": READ,
    "PUT /api/skills/{name}": WRITE,
    "DELETE /api/skills/{name}": WRITE,
    "POST /api/skills/{name}/archive": WRITE,
    "POST /api/skills/{name}/restore": WRITE,
    "GET /api/skills/{name}/history": READ,
    "GET /api/skills/{name}/diff": READ,
    "GET /api/notes": READ,
    "GET /api/notes/prompt": READ,
    "GET /api/notes/removed": READ,
    "GET /api/notes/{note}": READ,
    "PUT /api/notes/{note}": WRITE,
    "POST /api/notes/{note}/entries": WRITE,
    "GET /api/notes/{note}/history": READ,
    "GET /api/review": READ,
    "GET /api/review/{name}": READ,
    "POST /api/review/{name}/accept": WRITE,
    "POST /api/review/{name}/reject": WRITE,
    "GET /api/jobs": READ,
    "GET /api/jobs/{number}": READ,
    "POST /api/jobs/{number}/retry": WRITE,
    "POST /api/jobs/run": ADMIN,
    "GET /api/status": READ,
    "GET /api/status/counts": READ,
    "GET /api/cost": READ,
    "GET /api/selftests": READ,
    "POST /api/forget/preview": ADMIN,
    "POST /api/forget": ADMIN,
    "POST /api/forget/finish": ADMIN,
    "GET /api/receipts": ADMIN,
    "GET /api/receipts/{name}": ADMIN,
    "POST /api/receipts/{name}/verify": ADMIN,
    "POST /api/receipts/{name}/unblock": ADMIN,
    "GET /api/export": ADMIN,
    "GET /api/export/sessions": ADMIN,
    "POST /api/import": ADMIN,
    "POST /api/import/sessions": ADMIN,
    "GET /api/backups": ADMIN,
    "POST /api/backups": ADMIN,
    "POST /api/backups/{name}/verify": ADMIN,
    "GET /api/settings": ADMIN,
    "GET /api/settings/{name}": ADMIN,
    "PUT /api/settings/{name}": ADMIN,
    "DELETE /api/settings/{name}": ADMIN,
    "GET /api/tokens": ADMIN,
    "POST /api/tokens": ADMIN,
    "DELETE /api/tokens/{name}": ADMIN,
    "GET /api/profiles": ADMIN,
}
"""The right that each route of the API needs; a new route is added here on purpose."""

BODIES: Mapping[str, object] = {
    "PATCH /api/sessions/{name}": {"title": "Another title"},
    "POST /api/context": {"task": "Which database?"},
    "POST /api/facts": {"text": "The moon is made of cheese"},
    "PATCH /api/facts/{name}": {"text": "The office is in Rome"},
    "POST /api/skills": {"name": "steal", "content": "---\nname: steal\ndescription: Steal.\n---\n\n1. Steal.\n"},
    "PUT /api/skills/{name}": {"content": "---\nname: deploy\ndescription: Other.\n---\n\n1. Steal.\n"},
    "PUT /api/notes/{note}": {"text": "Likes cheese"},
    "POST /api/notes/{note}/entries": {"operations": [{"action": "add", "content": "Likes cheese"}]},
    "POST /api/forget/preview": {"id": "fact:001"},
    "POST /api/forget": {"id": "fact:001"},
    "PUT /api/settings/{name}": {"value": "Europe/Oslo"},
    "POST /api/tokens": {"name": "thief", "scope": "admin"},
    "POST /api/import": {},
    "POST /api/import/sessions": {},
}


@pytest.fixture
def no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a token ask as often as it likes."""
    monkeypatch.setenv("HERMES_WEB_REQUESTS_PER_MINUTE", "0")
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "none")


def needed(dependant: Dependant) -> Iterator[str]:
    """Yield the rights that a route asks for."""
    if isinstance(dependant.call, Needs):
        yield dependant.call.scope
    for one in dependant.dependencies:
        yield from needed(one)


def routes(site: FastAPI) -> dict[str, list[str]]:
    """Return the rights of each route, by method and path."""
    return {
        f"{method} {route.path}": list(needed(route.dependant))
        for route in iter_route_contexts(site.routes)
        if isinstance(route.original_route, APIRoute)
        for method in route.methods or ()
    }


def rights(site: FastAPI, prefix: str = "/api/") -> dict[str, str]:
    """Return the right of each route below a prefix."""
    return {name: found[0] for name, found in routes(site).items() if prefix in name and len(found) == 1}


def test_every_route_asks_for_exactly_one_right(doors: Doors) -> None:
    site = doors.site.app
    assert isinstance(site, FastAPI)
    for name, found in routes(site).items():
        assert len(found) == (0 if name.split()[1] in OPEN else 1), name
    for route in iter_route_contexts(site.routes):
        assert isinstance(route.original_route, APIRoute) or route.path in OPEN, route.path


def test_each_route_of_the_api_needs_the_right_it_should(doors: Doors) -> None:
    assert isinstance(doors.site.app, FastAPI)
    found = rights(doors.site.app)
    assert {name: right for name, right in found.items() if not name.split()[1].startswith("/api/chat")} == RIGHTS


def state(app: App) -> object:
    """Return everything that is kept, but when a token was used last."""
    with app.store.read() as connection:
        rows = {name: list(canonical.rows(connection, name)) for name in canonical.TABLES}
    files = {
        str(path): path.read_bytes()
        for folder in (app.home.skills, app.home.workspace)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    settings = {path.name: path.read_bytes() for path in app.home.root.glob("config.*")}
    live = [(one.name, one.revoked_at) for one in tokens.every(app.store)]
    return rows, files, settings, live


def ask(client: TestClient, name: str) -> tuple[int, str]:
    """Ask a route for a thing that is there, as if it were allowed."""
    method, path = name.split()
    kind = path.split("/")[2]
    for part in ("{name}", "{note}", "{number}"):
        path = path.replace(part, NAMES.get(kind, "1"))
    query = {"q": "dog"} | ({"from": "yesterday"} if kind == "journal" else {})
    answer = client.request(method, path, params=query, json=BODIES.get(name), headers={"If-Match": "*"})
    return answer.status_code, answer.text


def stranger(doors: Doors, shown: str, address: str) -> TestClient:
    """Return somebody who shows a token from an address: of each only some guesses are taken."""
    headers = {"Authorization": f"Bearer {shown}"} if shown else {}
    return TestClient(doors.site.app, base_url=ADDRESS, headers=headers, client=(address, 1))


def wrong_tokens(app: App) -> Iterator[tuple[str, str]]:
    """Yield tokens that open nothing: none, a wrong one, an expired, a revoked, a link's, another profile's."""
    yield "none", ""
    yield "wrong", "hermes_" + "x" * 43
    made = tokens.create(app.store, "expired", "admin", clock.now() + 3_600 * clock.MICROSECONDS)
    with app.store.write() as connection:
        connection.exec_driver_sql("UPDATE tokens SET expires_at = 1 WHERE name = 'expired'")
    yield "expired", made.shown
    gone = tokens.create(app.store, "revoked", "admin")
    tokens.revoke(app.store, "revoked")
    yield "revoked", gone.shown
    yield "link", tokens.create_link(app.store).shown
    home = profiles.create("other", ())
    other = App(home, load(home))
    yield "of another profile", tokens.create(other.store, "theirs", "admin").shown
    other.close()


def test_what_opens_nothing_reads_and_writes_nothing(no_limit: None, doors: Doors) -> None:
    fill(doors.app)
    found = list(wrong_tokens(doors.app))
    before = state(doors.app)
    for told, shown in found:
        for number, name in enumerate(RIGHTS):
            client = stranger(doors, shown, f"{told}, {number // 15}")
            status, text = ask(client, name)
            assert status == 401, (told, name, text)
            assert "Oslo" not in text
    assert state(doors.app) == before


def test_a_lesser_right_reads_and_writes_nothing(no_limit: None, doors: Doors) -> None:
    fill(doors.app)
    reader, writer = doors.program("read"), doors.program("write")
    before = state(doors.app)
    for name, right in RIGHTS.items():
        for client in [reader] * (right != READ) + [writer] * (right == ADMIN):
            status, text = ask(client, name)
            assert status == 403, (name, text)
            assert "Oslo" not in text
    assert state(doors.app) == before


def test_reading_writes_nothing(no_limit: None, doors: Doors) -> None:
    fill(doors.app)
    reader = doors.program("read")
    doors.app.sync_skills()
    before = state(doors.app)
    for name, right in RIGHTS.items():
        if right == READ:
            status, text = ask(reader, name)
            assert status == 200, (name, text)
    assert state(doors.app) == before


def test_the_document_is_open_and_holds_no_secret(doors: Doors) -> None:
    answer = doors.stranger().get("/api/openapi.json")
    assert answer.status_code == 200
    told = answer.json()
    assert told["components"]["securitySchemes"]["HTTPBearer"]["scheme"] == "bearer"
    assert str(doors.app.home.root) not in answer.text
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            if path.startswith("/api/"):
                assert operation["security"] and operation["tags"] and operation["description"], (method, path)
                assert {"401", "403", "404", "422", "429"} <= operation["responses"].keys(), (method, path)
