"""RetainDB over plain HTTP against a contract server on loopback."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown, ProviderRefused, ToolError
from hermes_agent.providers import choose
from hermes_agent.providers.provider import MemoryProvider, Surroundings
from hermes_agent.providers.retaindb import RetainDB
from tests.providers.retaindb_server import RetainDBServer
from tests.providers.vendor_server import DOWN, GARBAGE, Raw, Trouble, serving

TEA = "Mara drinks green tea in the morning."
_LONG = "Zeile mit Ümläuten, 日本語 und 🍵. " * 8_000


@pytest.fixture
def server() -> Iterator[RetainDBServer]:
    with serving(RetainDBServer()) as running:
        yield running


def _surroundings(server: RetainDBServer, home: Home, **options: object) -> Surroundings:
    variables = {"RETAINDB_API_KEY": server.key, "RETAINDB_BASE_URL": f"{server.url}/"}
    return Surroundings(home.root, options=options, variables=variables)


Make = Callable[..., RetainDB]


@pytest.fixture
def make(server: RetainDBServer, own_home: Home) -> Iterator[Make]:
    """Make providers with options, and shut them down at the end."""
    made: list[RetainDB] = []

    def one(surroundings: Surroundings | None = None, **options: object) -> RetainDB:
        made.append(RetainDB(surroundings or _surroundings(server, own_home, **options)))
        made[-1].initialize("s1", hermes_home=str(own_home.root), platform="cli")
        return made[-1]

    yield one
    for provider in made:
        provider.shutdown()


@pytest.fixture
def provider(make: Make) -> RetainDB:
    return make()


def _call(provider: MemoryProvider, tool: str, **args: object) -> dict[str, object]:
    answer = json.loads(provider.handle_tool_call(tool, args))
    assert isinstance(answer, dict)
    return answer


def _said(server: RetainDBServer) -> list[tuple[str, str]]:
    return [(one["role"], one["content"]) for session in server.sessions for one in session["messages"]]


def test_it_is_found_by_its_name(server: RetainDBServer, own_home: Home) -> None:
    provider = choose.make("retaindb", _surroundings(server, own_home))
    assert provider.name == "retaindb" and provider.is_available()
    assert server.requests == []


def test_without_a_key_the_public_service_is_not_available(own_home: Home) -> None:
    assert not RetainDB(Surroundings(own_home.root)).is_available()


def test_what_is_remembered_is_found_and_once_forgotten_is_gone(provider: RetainDB) -> None:
    kept = provider.remember(TEA)
    assert provider.prefetch("Which tea?") == f"2026-11-05: {TEA}"
    assert [(one.id, one.text) for one in provider.memories()] == [(kept, TEA)]
    provider.forget(kept)
    provider.forget(kept)
    assert provider.prefetch("Which tea?") == "" and list(provider.memories()) == []
    assert provider.remember(TEA) and provider.prefetch("Which tea?")


def test_remembering_the_same_twice_keeps_it_once(provider: RetainDB, server: RetainDBServer) -> None:
    assert provider.remember(TEA) == provider.remember(TEA)
    assert len(server.asked("POST", "/v1/memory")) == 1


def test_a_turn_is_ingested_into_its_session_and_learned_from(provider: RetainDB, server: RetainDBServer) -> None:
    when = [{"role": "user", "content": "I moved to Oslo.", "timestamp": "2026-11-01T10:00:00.000000Z"}]
    provider.sync_turn("I moved to Oslo.", "How is Oslo?", session_id="s9", messages=when)
    assert {one["timestamp"][:10] for one in server.sessions[0]["messages"]} == {"2026-11-01"}
    assert _said(server) == [("user", "I moved to Oslo."), ("assistant", "How is Oslo?")]
    assert server.sessions[0]["session_id"] == "s9"
    assert "I moved to Oslo." in provider.prefetch("Oslo")


@pytest.mark.parametrize("heeds_keys", [False, True])
def test_the_same_turn_twice_teaches_nothing_twice(
    provider: RetainDB, server: RetainDBServer, heeds_keys: bool
) -> None:
    server.heeds_keys = heeds_keys
    for _ in range(2):
        provider.sync_turn("I moved to Oslo.", "How is Oslo?", session_id="s1")
    assert list(server.memories.values()) == ["I moved to Oslo."]
    first, second = server.asked("POST", "/ingest/session")
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
    assert len(server.sessions) == (1 if heeds_keys else 2)


def test_an_account_that_may_not_wait_hands_the_turn_over(provider: RetainDB, server: RetainDBServer) -> None:
    server.may_wait = False
    provider.sync_turn("I moved to Oslo.", "Good.", session_id="s1")
    assert [one["write_mode"] for one in server.sessions] == ["async"]


def test_very_long_and_odd_texts_arrive_whole(provider: RetainDB, server: RetainDBServer) -> None:
    provider.sync_turn(_LONG, "a\0b \udc80 c", session_id="s1")
    assert "".join(text for role, text in _said(server) if role == "user") == _LONG.strip()
    assert _said(server)[-1] == ("assistant", "ab ? c")
    assert provider.prefetch(_LONG) == ""


def test_an_empty_query_and_an_empty_turn_ask_nobody(provider: RetainDB, server: RetainDBServer) -> None:
    assert provider.prefetch("  \n") == ""
    provider.sync_turn(" ", "", session_id="s1")
    assert server.requests == []


def test_a_note_becomes_a_memory_and_follows_it(provider: RetainDB, server: RetainDBServer) -> None:
    provider.on_memory_write("add", "user", TEA)
    provider.on_memory_write("add", "user", TEA)
    assert list(server.memories.values()) == [TEA]
    provider.on_memory_write("replace", "user", "Mara drinks coffee.", {"old_text": TEA})
    assert list(server.memories.values()) == ["Mara drinks coffee."]
    provider.on_memory_write("remove", "memory", "", {"old_text": "Mara drinks coffee."})
    assert server.memories == {}


def test_a_note_of_any_length_is_taken(provider: RetainDB, server: RetainDBServer) -> None:
    provider.on_memory_write("add", "user", _LONG)
    assert len(server.memories) == 1
    provider.on_memory_write("remove", "user", "", {"old_text": _LONG})
    assert server.memories == {}


def test_each_tool(provider: RetainDB, server: RetainDBServer) -> None:
    names = [str(schema["name"]) for schema in provider.get_tool_schemas()]
    kept = _call(provider, "retaindb_remember", content=TEA, memory_type="preference", importance=1)["kept"]
    assert server.asked("POST", "/v1/memory")[0].json["importance"] == 1
    row = {"id": kept, "when": "2026-11-05", "text": TEA}
    assert _call(provider, "retaindb_search", query="tea", top_k=99) == {"results": [row]}
    assert server.asked("POST", "/search")[0].json["top_k"] == 20
    assert _call(provider, "retaindb_profile") == {"memories": [row]}
    assert _call(provider, "retaindb_context", query="tea") == {"context": [TEA]}
    assert _call(provider, "retaindb_forget", memory_id=kept) == {"forgotten": kept}
    server.files = {"plan": "Plan for Oslo", "list": "x"}
    assert _call(provider, "retaindb_list_files", prefix="pl") == {"files": [{"id": "plan", "name": "plan.md"}]}
    assert "Plan for Oslo" in str(_call(provider, "retaindb_read_file", file_id="plan")["content"])
    assert _call(provider, "retaindb_ingest_file", file_id="plan") == {"ingested": "plan"}
    assert _call(provider, "retaindb_delete_file", file_id="plan") == {"deleted": "plan"}
    assert list(server.memories.values()) == ["Plan for Oslo"] and list(server.files) == ["list"]
    assert "retaindb_upload_file" not in names and len(names) == 9


@pytest.mark.parametrize(
    "args",
    [
        {"tool": "retaindb_search"},
        {"tool": "retaindb_remember", "content": "x", "memory_type": "secret"},
        {"tool": "retaindb_remember", "content": "x", "importance": 7},
        {"tool": "retaindb_remember", "content": "x" * 10_001},
        {"tool": "retaindb_forget", "memory_id": "../files/plan"},
        {"tool": "retaindb_read_file", "file_id": ".."},
        {"tool": "retaindb_read_file"},
        {"tool": "retaindb_upload_file", "local_path": "/etc/passwd"},
    ],
    ids=lambda args: str(args)[:60],
)
def test_arguments_that_do_not_fit_are_told_to_the_model(
    provider: RetainDB, server: RetainDBServer, args: dict[str, object]
) -> None:
    given = dict(args)
    with pytest.raises(ToolError):
        _call(provider, str(given.pop("tool")), **given)
    assert server.requests == []


def test_a_file_that_is_not_there_is_told_to_the_model(provider: RetainDB) -> None:
    with pytest.raises(ToolError, match="no file 'plan'"):
        _call(provider, "retaindb_read_file", file_id="plan")


def test_profiles_have_projects_of_their_own(server: RetainDBServer, own_home: Home, make: Make) -> None:
    server.project = "hermes-work"
    make(replace(_surroundings(server, own_home), profile="work")).remember(TEA)
    assert list(server.memories.values()) == [TEA]


def test_a_wrong_key_is_refused_without_repeating_it(server: RetainDBServer, own_home: Home, make: Make) -> None:
    variables = {"RETAINDB_API_KEY": "Bearer secret-but-wrong", "RETAINDB_BASE_URL": server.url}
    provider = make(Surroundings(own_home.root, variables=variables))
    with pytest.raises(ProviderRefused, match="does not accept the key") as refused:
        provider.prefetch("tea")
    assert "secret" not in f"{refused.value.message} {refused.value.hint}"
    assert server.requests[0].headers["x-api-key"] == "secret-but-wrong"


def _everything(provider: RetainDB) -> list[Callable[[], object]]:
    return [
        lambda: provider.prefetch("tea"),
        lambda: provider.sync_turn("a", "b", session_id="s1"),
        lambda: provider.remember("something else"),
        lambda: provider.forget("mem1"),
        lambda: list(provider.memories()),
        lambda: _call(provider, "retaindb_search", query="tea"),
        lambda: _call(provider, "retaindb_context", query="tea"),
        lambda: _call(provider, "retaindb_remember", content="tea"),
        lambda: _call(provider, "retaindb_list_files"),
        lambda: provider.on_memory_write("add", "user", "tea"),
    ]


@pytest.mark.parametrize("trouble", [*GARBAGE.values(), *DOWN.values()], ids=[*GARBAGE, *DOWN])
def test_trouble_is_told_as_such_and_never_as_nothing_found(
    server: RetainDBServer, make: Make, trouble: Trouble
) -> None:
    provider = make(timeout=15 if isinstance(trouble, Raw) else 0.2)
    server.trouble = trouble
    for work in _everything(provider):
        with pytest.raises(ProviderDown):
            work()
    server.trouble = None
    provider.sync_turn("a", "b", session_id="s1")
    assert _said(server) == [("user", "a"), ("assistant", "b")]


def test_no_server_at_all_is_down(own_home: Home, make: Make) -> None:
    with serving(RetainDBServer()) as gone:
        provider = make(_surroundings(gone, own_home))
    with pytest.raises(ProviderDown, match="cannot be reached"):
        provider.prefetch("tea")
