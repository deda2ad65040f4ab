"""Which right each route needs, and that nothing is read or written without it."""

from collections.abc import Iterator, Mapping

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import profiles
from hermes_agent.config.load import load
from hermes_agent.memory import facts, quarantine, reflections, skills, tokens, trait_changes
from hermes_agent.store import canonical
from hermes_agent.web.behind import Behind, Mounted
from hermes_agent.web.commands import DECISIONS, Served
from hermes_agent.web.gate import FILES_NEED
from hermes_agent.web.rights import needed
from hermes_agent.web.site import build
from tests.web.conftest import ADDRESS, Doors
from tests.web.filled import NAMES, SESSION, fill
from tests.web.rights import ACTS, ADMIN, OPEN, OWNERS, PAGES, READ, RIGHTS, WRITE

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

NOT_ASKED = {"POST /api/run", "POST /api/run/{run}/input"}
"""What runs a command: each command has a right of its own (`web/commands.py`)."""

CHANGES_NOTHING = {"model test", "memory selftest"}
"""What costs something and changes nothing that is remembered; the API has no such route."""

QUERIES: Mapping[str, Mapping[str, str]] = {
    "GET /map/thing": {"name": "Atlas"},
    "GET /data/forget": {"what": "id", "value": "fact:001"},
    "GET /data/reset": {"target": "facts"},
    "GET /journal/diff": {"from": "yesterday"},
    "GET /skills/{name}/remove": {"file": "references/ports.md"},
}


@pytest.fixture
def no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a token ask as often as it likes."""
    monkeypatch.setenv("HERMES_WEB_REQUESTS_PER_MINUTE", "0")
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "none")


def routes(site: FastAPI) -> dict[str, list[str]]:
    """Return the rights of each route, by method and path."""
    return {
        f"{method} {route.path}": [one.scope for one in needed(route.dependant)]
        for route in iter_route_contexts(site.routes)
        if isinstance(route.original_route, APIRoute)
        for method in route.methods or ()
    }


def test_every_route_asks_for_exactly_one_right(doors: Doors) -> None:
    site = doors.site.app
    assert isinstance(site, FastAPI)
    for name, found in routes(site).items():
        assert len(found) == (0 if name.split()[1] in OPEN else 1), name
    for route in iter_route_contexts(site.routes):
        assert isinstance(route.original_route, APIRoute) or route.path in OPEN, route.path


def test_each_route_needs_the_right_it_should(doors: Doors) -> None:
    assert isinstance(doors.site.app, FastAPI)
    found = {name: needs[0] for name, needs in routes(doors.site.app).items() if needs}
    assert found == {**RIGHTS, **PAGES}


@pytest.mark.parametrize("act", ACTS)
def test_an_act_needs_the_same_right_at_each_door(act: str) -> None:
    route, page, command = ACTS[act]
    found = {RIGHTS.get(route or ""), PAGES.get(page or "")}
    decision = None if command is None else DECISIONS[command]
    # A command acts with the owner's word, so it needs what a program needs to speak for the owner.
    if isinstance(decision, Served):
        assert route not in OWNERS or decision.scope == ADMIN, command
        found.add(WRITE if route in OWNERS else decision.scope)
    assert len(found - {None}) == 1, found


def test_what_may_be_run_with_a_lesser_token_is_what_the_api_lets_it_do() -> None:
    asked = {command: route for route, _, command in ACTS.values()}
    for command, decision in DECISIONS.items():
        if isinstance(decision, Served) and decision.scope == WRITE:
            assert command in CHANGES_NOTHING or asked.get(command) in RIGHTS.keys() - OWNERS, command


def test_every_command_that_takes_a_file_needs_the_right_to_send_one() -> None:
    scopes = {one.scope for one in DECISIONS.values() if isinstance(one, Served) and one.sends}
    assert scopes == {FILES_NEED}


def test_a_program_speaks_nowhere_for_its_owner(no_limit: None, doors: Doors) -> None:
    fill(doors.app)
    program = doors.program("write")
    program.get("/api/skills")
    before = owners_words(doors.app)
    for name in OWNERS:
        status, text = ask(program, name)
        assert status in (200, 201, 202, 403, 422), (name, text)
    assert owners_words(doors.app) == before


def owners_words(app: App) -> object:
    """Return what only the owner changes: their facts, the notes, the skills, the reflections, what was said."""
    mine = [one for one in facts.recent(app.store, 100, with_ended=True) if facts.is_owners(one)]
    notes = {note: app.notebook.text(note) for note in ("soul", "user", "memory")}
    skill_files = {str(path): path.read_bytes() for path in app.home.skills.rglob("*") if path.is_file()}
    learned = [one.state for one in reflections.recent(app.store, 100)]
    waiting = [(one.name, one.state) for one in quarantine.waiting(app.store, 100, None) if one.kind == "message"]
    return mine, notes, skill_files, learned, waiting, app.memory.session(SESSION)


def test_what_is_mounted_needs_a_token_that_may_read(doors: Doors) -> None:
    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("let in")(scope, receive, send)

    site = build(doors.app, mounted=[Mounted("/mcp", inner)])
    (route,) = (one for one in site.routes if isinstance(one, Route) and one.path == "/mcp")
    assert isinstance(route.app, Behind)
    assert stranger(Doors(doors.app, TestClient(site)), "", "somebody").post("/mcp").status_code == 401
    assert Doors(doors.app, TestClient(site)).program("read").post("/mcp").text == "let in"


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
    kind = path.split("/")[2 if path.startswith("/api/") else 1]
    for part in ("{name}", "{name:path}", "{note}", "{number}", "{key}", "{uid}", "{turn}", "{run}"):
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
        for number, name in enumerate([*RIGHTS, *PAGES]):
            client = stranger(doors, shown, f"{told}, {number // 15}")
            status, text = ask(client, name)
            assert status == 401, (told, name, text)
            assert "Oslo" not in text
    assert state(doors.app) == before


def test_a_lesser_right_reads_and_writes_nothing(no_limit: None, doors: Doors) -> None:
    fill(doors.app)
    reader, writer = doors.program("read"), doors.program("write")
    before = state(doors.app)
    for name, right in {**RIGHTS, **PAGES}.items():
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
        if right == READ and name not in NOT_ASKED:
            status, text = ask(reader, name)
            assert status == 200, (name, text)
    assert state(doors.app) == before


def looked_at(app: App) -> Mapping[str, str]:
    """Return what the parts of the addresses of pages are called."""
    (trait, *_) = trait_changes.every(app.store, app.zone)
    (version, *_) = app.notebook.history("user", 1)
    return {"{key}": trait_changes.key_of(trait), "{uid}": version.uid, "{number}": "1", "{note}": "user"}


def test_looking_at_pages_writes_nothing(no_limit: None, doors: Doors) -> None:
    fill(doors.app)
    facts.add(doors.app.store, "I live in Oslo")
    skills.write_file(doors.app.store, doors.app.home.skills, "deploy", "references/ports.md", "80 and 443\n")
    parts = looked_at(doors.app)
    reader, admin = doors.browser("read"), doors.browser("admin")
    token = str(tokens.create(doors.app.store, "a program", "read").token.id)
    doors.app.sync_skills()
    before = state(doors.app)
    for name, right in PAGES.items():
        method, path = name.split()
        if method == "GET":
            kind = path.split("/")[1]
            names = {"{name:path}": NAMES["sessions"], "{name}": NAMES.get(kind, "1")}
            names |= {"{number}": token} if kind == "tokens" else {}
            for part, called in {**parts, **names}.items():
                path = path.replace(part, called)
            answer = (reader if right == READ else admin).get(path, params=QUERIES.get(name, {}))
            assert answer.status_code == 200, (name, answer.text)
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
