"""A memory service of one's own: the example of the docs is run for real; what can go wrong is told in words."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import jsonschema
import pytest
from ruamel.yaml import YAML

from hermes_agent.errors import ProviderDown, ProviderError, ProviderRefused, ProviderUnwilling, ToolError
from hermes_agent.providers import choose
from hermes_agent.providers.custom import Custom
from hermes_agent.providers.provider import Kept, Surroundings
from tests.conftest import Hermes
from tests.providers.service_server import Break, Hang, Json, Raw, Received, Server, garbage, serve

ROOT = Path(__file__).parents[2]
OPENAPI = YAML(typ="safe").load((ROOT / "docs/reference/custom-provider.openapi.yaml").read_text("utf-8"))
KEY = "a-very-secret-key"


@contextmanager
def example(folder: Path) -> Iterator[str]:
    """Run the example server of the docs as its docstring says; yield its address."""
    command = [sys.executable, "-m", "uvicorn", "memory_server:app", "--host", "127.0.0.1", "--port", "0"]
    variables = {**os.environ, "MEMORY_KEY": KEY, "MEMORY_FILE": str(folder / "memory.db")}
    with subprocess.Popen(
        command, cwd=ROOT / "docs/examples", env=variables, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        try:
            yield next(
                found[0] for line in server.stderr if (found := re.search(r"http://127\.0\.0\.1:\d+", line))
            )
        finally:
            server.kill()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with example(tmp_path_factory.mktemp("example")) as address:
        yield address


class Make(Protocol):
    """Makes the provider; each folder is a profile of its own to the service."""

    def __call__(self, address: str, folder: Path, key: str = KEY, **options: object) -> Custom: ...


@pytest.fixture
def custom() -> Iterator[Make]:
    opened: list[Custom] = []

    def make(address: str, folder: Path, key: str = KEY, **options: object) -> Custom:
        variables = {"CUSTOM_MEMORY_BASE_URL": address, "CUSTOM_MEMORY_API_KEY": key}
        made = Custom(Surroundings(folder, folder.name, options, variables))
        made.initialize("s1", hermes_home=str(folder), platform="cli")
        opened.append(made)
        return made

    yield make
    for one in opened:
        one.shutdown()


@pytest.fixture
def memory(custom: Make, address: str, tmp_path: Path) -> Custom:
    return custom(address, tmp_path)


def texts(memory: Custom) -> list[str]:
    return [one.text for one in memory.memories()]


def test_it_is_found_by_its_name(tmp_path: Path) -> None:
    assert isinstance(choose.make("custom", Surroundings(tmp_path)), Custom)


def test_what_is_remembered_is_found_and_can_be_forgotten(memory: Custom) -> None:
    kept = memory.remember("Anna prefers dark mode.")
    memory.remember("The office opens at nine.")
    [line] = memory.prefetch("which mode does Anna like?").splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d: Anna prefers dark mode\.", line)
    assert Kept(kept, "Anna prefers dark mode.") in memory.memories()
    memory.forget(kept)
    memory.forget(kept)
    assert texts(memory) == ["The office opens at nine."]
    assert memory.prefetch("Anna") == ""


def test_a_turn_that_is_brought_twice_is_kept_once(memory: Custom) -> None:
    for _ in range(2):
        memory.sync_turn("I moved to Rome.", "Noted.", session_id="s7")
    assert texts(memory) == ["User: I moved to Rome.\nAssistant: Noted."]
    memory.sync_turn("I moved to Rome.", "Noted.", session_id="s8")
    assert len(texts(memory)) == 2
    assert "Rome" in memory.prefetch("where is Rome?", session_id="s9")


def test_the_notes_are_followed(memory: Custom) -> None:
    for _ in range(2):
        memory.on_memory_write("add", "user", "Likes tea.")
        memory.on_memory_write("add", "memory", "The server is Orion.")
    for _ in range(2):
        memory.on_memory_write("replace", "user", "Likes coffee.", {"old_text": "Likes tea."})
        memory.on_memory_write("remove", "memory", "", {"old_text": "The server is Orion."})
    assert texts(memory) == ["Likes coffee."]


def test_the_tools_recall_remember_and_forget(memory: Custom) -> None:
    assert [tool["name"] for tool in memory.get_tool_schemas()] == [
        "custom_recall",
        "custom_remember",
        "custom_forget",
    ]
    kept = json.loads(memory.handle_tool_call("custom_remember", {"text": "Peppi is on call."}))["id"]
    [found] = json.loads(memory.handle_tool_call("custom_recall", {"query": "call", "limit": 3}))["memories"]
    assert (found["id"], found["text"]) == (kept, "Peppi is on call.")
    assert json.loads(memory.handle_tool_call("custom_forget", {"id": kept})) == {"forgotten": True}
    assert texts(memory) == []


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("custom_recall", {}),
        ("custom_recall", {"query": "x", "limit": "many"}),
        ("custom_remember", {"text": ""}),
        ("custom_forget", {"id": 3}),
        ("custom_dance", {}),
    ],
)
def test_a_wrong_call_of_a_tool_says_what_to_do(memory: Custom, tool: str, args: dict[str, Any]) -> None:
    with pytest.raises(ToolError):
        memory.handle_tool_call(tool, args)


def test_many_memories_are_listed_page_by_page(memory: Custom) -> None:
    told = {f"Fact number {number}." for number in range(120)}
    for text in told:
        memory.remember(text)
    found = texts(memory)
    assert (len(found), set(found)) == (120, told)


@pytest.mark.parametrize("text", ["我喜欢深色模式 🦊", "half \ud800 a pair", "NUL \x00 inside", "long " * 100_000])
def test_any_text_is_taken(memory: Custom, text: str) -> None:
    memory.remember(text)
    memory.sync_turn(text, text)
    assert texts(memory)


def test_profiles_do_not_see_each_other(custom: Make, address: str, tmp_path: Path) -> None:
    for name in ("work", "play"):
        (tmp_path / name).mkdir()
    custom(address, tmp_path / "work").remember("Anna prefers dark mode.")
    assert custom(address, tmp_path / "play").prefetch("Anna") == ""


def test_an_empty_query_asks_nobody(custom: Make, tmp_path: Path) -> None:
    with serve(lambda request: Json({})) as server:
        assert custom(server.url, tmp_path).prefetch("  ") == ""
        assert server.requests == []


def test_a_wrong_key_is_the_owners_to_mend_and_not_repeated(custom: Make, address: str, tmp_path: Path) -> None:
    wrong = custom(address, tmp_path, key="another-secret")
    with pytest.raises(ProviderRefused, match="does not accept the key") as refused:
        wrong.remember("Anna prefers dark mode.")
    assert "another-secret" not in str(refused.value)
    assert "CUSTOM_MEMORY_API_KEY" in str(refused.value.hint)


@pytest.mark.parametrize("key", ["new\nline", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_told_at_the_start(custom: Make, tmp_path: Path, key: str) -> None:
    with pytest.raises(ProviderRefused, match="characters that no key has"):
        custom("http://localhost:1", tmp_path, key=key)


@pytest.mark.parametrize(
    "address", ["", "localhost:8900", "http://me:pw@localhost", "ftp://x", "http://[", "http://x:0"]
)
def test_a_wrong_address_is_told_at_the_start(custom: Make, tmp_path: Path, address: str) -> None:
    with pytest.raises(ProviderRefused, match="address") as refused:
        custom(address, tmp_path)
    assert "pw" not in str(refused.value)


@pytest.mark.parametrize(("option", "value"), [("limit", "many"), ("timeout_seconds", "long")])
def test_an_option_that_does_not_fit_is_told(custom: Make, tmp_path: Path, option: str, value: object) -> None:
    with pytest.raises(ProviderRefused, match=option):
        custom("http://localhost:1", tmp_path, KEY, **{option: value})


def every_call(memory: Custom) -> list[Any]:
    return [
        lambda: memory.prefetch("Anna"),
        lambda: memory.remember("Anna"),
        lambda: list(memory.memories()),
        lambda: memory.handle_tool_call("custom_recall", {"query": "x"}),
    ]


@pytest.fixture
def server() -> Iterator[Server]:
    with serve(lambda request: Json({"memories": [], "id": "1"})) as server:
        yield server


@garbage
def test_an_answer_that_is_none_is_never_an_empty_memory(
    custom: Make, server: Server, tmp_path: Path, wrong: Raw | Json
) -> None:
    server.goes_wrong = wrong
    for call in every_call(custom(server.url, tmp_path)):
        with pytest.raises(ProviderDown, match="something else than it should"):
            call()


@pytest.mark.parametrize(
    "memories", [[{"id": "1"}], [{"id": 1, "text": "x"}], ["x"], [{"id": "1", "text": ["x"]}]]
)
def test_a_memory_without_its_parts_is_refused(
    custom: Make, server: Server, tmp_path: Path, memories: list[object]
) -> None:
    server.goes_wrong = Json({"memories": memories})
    with pytest.raises(ProviderDown):
        custom(server.url, tmp_path).prefetch("Anna")


def test_more_memories_than_were_asked_for_are_left(custom: Make, server: Server, tmp_path: Path) -> None:
    server.goes_wrong = Json({"memories": [{"id": str(n), "text": f"Anna {n}"} for n in range(50)]})
    memory = custom(server.url, tmp_path, limit=3)
    assert memory.prefetch("Anna").splitlines() == ["Anna 0", "Anna 1", "Anna 2"]
    found = json.loads(memory.handle_tool_call("custom_recall", {"query": "Anna", "limit": 2}))
    assert len(found["memories"]) == 2


def test_pages_that_go_in_a_circle_end(custom: Make, server: Server, tmp_path: Path) -> None:
    server.goes_wrong = Json({"memories": [], "next": "again"})
    with pytest.raises(ProviderDown):
        list(custom(server.url, tmp_path).memories())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Break(), "broke off"),
        (Hang(), "did not answer within 0.2 s"),
        (Json({"detail": "come back later"}, 503), "trouble \\(503\\). It says: come back later"),
        (Raw(b"slow down", 429), "busy"),
    ],
)
def test_trouble_passes(custom: Make, server: Server, tmp_path: Path, wrong: Any, words: str) -> None:
    memory = custom(server.url, tmp_path, timeout_seconds=0.2)
    server.goes_wrong = wrong
    for call in (*every_call(memory), lambda: memory.sync_turn("a", "b"), lambda: memory.forget("1")):
        with pytest.raises(ProviderDown, match=words):
            call()
    server.goes_wrong = None
    assert memory.remember("Anna") == "1"


def test_a_server_that_is_not_there_is_down(custom: Make, tmp_path: Path) -> None:
    with serve(lambda request: Json({})) as gone:
        pass
    with pytest.raises(ProviderDown, match="cannot be reached"):
        custom(gone.url, tmp_path).prefetch("Anna")


@pytest.mark.parametrize(
    ("status", "kind"),
    [(302, ProviderRefused), (400, ProviderUnwilling), (404, ProviderRefused), (422, ProviderUnwilling)],
)
def test_a_request_that_is_not_understood_is_the_owners_to_mend_or_never_taken(
    custom: Make, server: Server, tmp_path: Path, status: int, kind: type[ProviderError]
) -> None:
    server.goes_wrong = Json({"detail": f"no, {KEY}"}, status)
    with pytest.raises(kind, match=str(status)) as refused:
        custom(server.url, tmp_path).sync_turn("a", "b")
    assert KEY not in str(refused.value)


def test_a_turn_that_is_too_long_for_the_service_is_not_brought_again(
    custom: Make, server: Server, tmp_path: Path
) -> None:
    server.goes_wrong = Json({"detail": "at most 1 MB"}, 413)
    with pytest.raises(ToolError, match="too long for it. It says: at most 1 MB"):
        custom(server.url, tmp_path).sync_turn("a", "b")


def test_what_is_unknown_to_the_service_is_forgotten(custom: Make, server: Server, tmp_path: Path) -> None:
    server.goes_wrong = Json({"detail": "unknown"}, 404)
    custom(server.url, tmp_path).forget("1")


def schema(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}", "components": OPENAPI["components"]}


def test_what_is_sent_is_what_the_openapi_file_says(custom: Make, tmp_path: Path) -> None:
    def answer(request: Received) -> Json:
        name = {"/recall": "Recall", "/sync": "Sync", "/remember": "Remember", "/forget": "Forget"}[request.path]
        jsonschema.validate(request.json, schema(name))
        return Json({"memories": [{"id": "1", "text": "x", "date": None}], "id": "1"})

    with serve(answer) as server:
        memory = custom(server.url, tmp_path)
        assert memory.prefetch("Anna", session_id="s1") == "x"
        assert list(memory.memories()) == [Kept("1", "x")]
        memory.sync_turn("a", "b", session_id="s1")
        memory.on_memory_write("replace", "user", "new", {"old_text": "old"})
        memory.forget(memory.remember("Anna"))
        assert {request.path for request in server.requests} == set(OPENAPI["paths"])
        assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}


def test_the_example_answers_as_the_openapi_file_says(memory: Custom, address: str, tmp_path: Path) -> None:
    import httpx2

    memory.remember("Anna prefers dark mode.")
    with httpx2.Client(base_url=address, headers={"Authorization": f"Bearer {KEY}"}, trust_env=False) as client:
        shared = {"profile": tmp_path.name}
        for query in ("", "Anna"):
            found = client.post("/recall", json={**shared, "query": query, "limit": 5}).json()
            assert found["memories"]
            jsonschema.validate(found, schema("Found"))
        kept = client.post("/remember", json={**shared, "text": "x", "key": "k"}).json()
        jsonschema.validate(kept, schema("KeptId"))
        described = client.get("/openapi.json").json()["paths"]
    assert set(described) == set(OPENAPI["paths"])


def test_its_settings_are_described(memory: Custom) -> None:
    fields = {field["key"]: field for field in memory.get_config_schema()}
    assert fields["api_key"]["secret"] and fields["api_key"]["env_var"] == "CUSTOM_MEMORY_API_KEY"
    assert memory.is_available()


def test_it_is_set_up_tried_and_told_of_turns(
    custom: Make, hermes: Hermes, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUSTOM_MEMORY_API_KEY", KEY)
    assert hermes("config", "set", "memory.providerSeconds", "20").exit_code == 0
    assert hermes("memory", "setup", "custom", "--no-input", "--set", f"base_url={address}").exit_code == 0
    assert hermes("memory", "test").exit_code == 0
    said = hermes("chat", "-q", "I live in Oslo.")
    assert said.exit_code == 0 and "external memory" not in said.stderr
    told = texts(custom(address, tmp_path / "default"))
    assert "Lives in Oslo" in told and any(text.startswith("User: I live in Oslo.") for text in told)
