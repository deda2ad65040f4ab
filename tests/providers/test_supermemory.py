"""Supermemory, with its official client against a contract server on loopback."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown, ProviderRefused, ToolError
from hermes_agent.providers import choose
from hermes_agent.providers.provider import MemoryProvider, Surroundings
from hermes_agent.providers.supermemory import Supermemory
from tests.providers.supermemory_server import SupermemoryServer
from tests.providers.vendor_server import DOWN, GARBAGE, Raw, Trouble, serving

TEA = "Mara drinks green tea in the morning."
_LONG = "Zeile mit Ümläuten, 日本語 und 🍵. " * 8_000


@pytest.fixture
def server() -> Iterator[SupermemoryServer]:
    with serving(SupermemoryServer()) as running:
        yield running


def _surroundings(server: SupermemoryServer, home: Home, **options: object) -> Surroundings:
    variables = {"SUPERMEMORY_API_KEY": server.key, "SUPERMEMORY_BASE_URL": server.url}
    return Surroundings(home.root, options=options, variables=variables)


Make = Callable[..., Supermemory]


@pytest.fixture
def make(server: SupermemoryServer, own_home: Home) -> Iterator[Make]:
    """Make providers with options, and shut them down at the end."""
    made: list[Supermemory] = []

    def one(surroundings: Surroundings | None = None, **options: object) -> Supermemory:
        made.append(Supermemory(surroundings or _surroundings(server, own_home, **options)))
        made[-1].initialize("s1", hermes_home=str(own_home.root), platform="cli")
        return made[-1]

    yield one
    for provider in made:
        provider.shutdown()


@pytest.fixture
def provider(make: Make) -> Supermemory:
    return make()


def _call(provider: MemoryProvider, tool: str, **args: object) -> dict[str, object]:
    answer = json.loads(provider.handle_tool_call(tool, args))
    assert isinstance(answer, dict)
    return answer


def _contents(server: SupermemoryServer) -> list[str]:
    return [one.content for one in server.documents.get("hermes", {}).values()]


def test_it_is_found_by_its_name(server: SupermemoryServer, own_home: Home) -> None:
    provider = choose.make("supermemory", _surroundings(server, own_home))
    assert provider.name == "supermemory" and provider.is_available()
    assert server.requests == []


def test_without_a_key_it_is_not_available_and_says_so(own_home: Home, make: Make) -> None:
    provider = make(Surroundings(own_home.root))
    assert not provider.is_available()
    with pytest.raises(ProviderRefused, match="needs a key"):
        provider.prefetch("tea")


def test_what_is_remembered_is_found_and_once_forgotten_is_gone(provider: Supermemory) -> None:
    kept = provider.remember(TEA)
    assert provider.prefetch("Which tea?").splitlines() == [f"2026-11-03: {TEA}", TEA]
    assert [one.text for one in provider.memories()] == [TEA]
    provider.forget(kept)
    provider.forget(kept)
    assert provider.prefetch("Which tea?") == ""
    assert list(provider.memories()) == []


def test_a_memory_is_forgotten_by_the_id_it_is_listed_with(provider: Supermemory) -> None:
    provider.remember(TEA)
    for one in list(provider.memories()):
        provider.forget(one.id)
        provider.forget(one.id)
    assert list(provider.memories()) == [] and provider.prefetch("Which tea?") == ""


def test_all_memories_are_listed_page_by_page(provider: Supermemory) -> None:
    texts = [f"Fact number {count}." for count in range(230)]
    for text in texts:
        provider.remember(text)
    assert [one.text for one in provider.memories()] == texts


def test_the_profile_comes_with_the_first_message_of_a_conversation_only(
    provider: Supermemory, server: SupermemoryServer
) -> None:
    provider.remember(TEA)
    assert provider.prefetch("a", session_id="s1") == TEA
    provider.on_session_switch("s2")
    assert provider.prefetch("a", session_id="s2") == TEA
    assert provider.prefetch("a", session_id="s1") == ""
    assert len(server.asked("POST", "/profile")) == 2


def test_a_turn_becomes_a_document_once(provider: Supermemory, server: SupermemoryServer) -> None:
    for session in ("s1", "s1", "s2"):
        provider.sync_turn("I moved to Oslo.", "How is Oslo?", session_id=session)
    assert _contents(server) == ["User: I moved to Oslo.\n\nAssistant: How is Oslo?"] * 2
    assert server.statuses == ["queued", "done", "queued"]
    assert [one.metadata["session"] for one in server.documents["hermes"].values()] == ["s1", "s2"]


def test_very_long_and_odd_texts_arrive_whole(provider: Supermemory, server: SupermemoryServer) -> None:
    provider.sync_turn(_LONG, "a\0b \udc80 c", session_id="s1")
    assert "".join(_contents(server)) == f"User: {_LONG}\n\nAssistant: ab ? c"
    assert all(len(one) <= 100_000 for one in _contents(server))
    assert provider.prefetch(_LONG)


def test_an_empty_query_and_an_empty_turn_ask_nobody(provider: Supermemory, server: SupermemoryServer) -> None:
    assert provider.prefetch("  \n") == ""
    provider.sync_turn(" ", "", session_id="s1")
    assert server.requests == []


def test_a_note_becomes_a_document_and_follows_it(provider: Supermemory, server: SupermemoryServer) -> None:
    provider.on_memory_write("add", "user", TEA)
    provider.on_memory_write("add", "user", TEA)
    assert _contents(server) == [TEA]
    provider.on_memory_write("replace", "user", "Mara drinks coffee.", {"old_text": TEA})
    assert _contents(server) == ["Mara drinks coffee."]
    provider.on_memory_write("remove", "memory", "", {"old_text": "Mara drinks coffee."})
    assert _contents(server) == []


def test_the_four_tools_and_their_names_with_hyphens(provider: Supermemory, server: SupermemoryServer) -> None:
    names = [schema["name"] for schema in provider.get_tool_schemas()]
    assert names == [f"supermemory_{verb}" for verb in ("store", "search", "forget", "profile")]
    kept = _call(provider, "supermemory-store", content=TEA, metadata={"topic": "drinks"})["kept"]
    assert server.documents["hermes"][str(kept)].metadata["topic"] == "drinks"
    found = _call(provider, "supermemory_search", query="tea", limit=1)["results"]
    assert isinstance(found, list) and [one["text"] for one in found] == [TEA]
    assert _call(provider, "supermemory_profile", query="tea") == {
        "static": [TEA],
        "dynamic": [],
        "memories": [TEA, TEA],
    }
    provider.remember("Mara has a green bike.")
    both = _call(provider, "supermemory_forget", query="green")
    assert both["forgotten"] == [] and len(list(provider.memories())) == 2
    assert _call(provider, "supermemory_forget", query="bike")["text"] == "Mara has a green bike."
    assert _call(provider, "supermemory_forget", id=found[0]["id"]) == {"forgotten": [found[0]["id"]]}
    assert list(provider.memories()) == []


@pytest.mark.parametrize(
    "args",
    [
        {"tool": "supermemory_search"},
        {"tool": "supermemory_search", "query": "x", "limit": [1]},
        {"tool": "supermemory_store", "content": "x", "metadata": "y"},
        {"tool": "supermemory_store", "content": "x" * 100_001},
        {"tool": "supermemory_forget"},
        {"tool": "supermemory_forget", "id": "../hermes"},
        {"tool": "supermemory_forget", "id": "a", "query": "b"},
        {"tool": "supermemory_dream"},
    ],
    ids=str,
)
def test_arguments_that_do_not_fit_are_told_to_the_model(
    provider: Supermemory, server: SupermemoryServer, args: dict[str, object]
) -> None:
    given = dict(args)
    with pytest.raises(ToolError):
        _call(provider, str(given.pop("tool")), **given)
    assert server.requests == []


def test_options_switch_recall_and_capture_off(server: SupermemoryServer, make: Make) -> None:
    provider = make(auto_recall=False, auto_capture="off")
    assert provider.prefetch("tea") == ""
    provider.sync_turn("a", "b", session_id="s1")
    assert server.requests == []


def test_the_file_of_the_public_product_is_read_and_gives_way(
    server: SupermemoryServer, own_home: Home, make: Make
) -> None:
    own_home.root.mkdir()
    written = {"container_tag": "box {identity}", "search_mode": "documents", "max_recall_results": 3}
    (own_home.root / "supermemory.json").write_text(json.dumps(written))
    provider = make(replace(_surroundings(server, own_home, max_recall_results=2), profile="work"))
    provider.remember(TEA)
    provider.prefetch("tea")
    (namespace,) = server.documents
    assert namespace.startswith("box-work-")
    asked = server.asked("POST", "/search")[0].json
    assert (asked["limit"], asked["searchMode"]) == (2, "chunks")


def test_profiles_have_namespaces_of_their_own(server: SupermemoryServer, own_home: Home, make: Make) -> None:
    make(replace(_surroundings(server, own_home), profile="work")).remember(TEA)
    assert list(server.documents) == ["hermes-work"]


def test_a_wrong_key_is_refused_without_repeating_it(
    server: SupermemoryServer, own_home: Home, make: Make
) -> None:
    variables = {"SUPERMEMORY_API_KEY": "secret-but-wrong", "SUPERMEMORY_BASE_URL": server.url}
    provider = make(Surroundings(own_home.root, variables=variables))
    with pytest.raises(ProviderRefused, match="does not accept the key") as refused:
        provider.prefetch("tea")
    assert "secret" not in f"{refused.value.message} {refused.value.hint}"


def _everything(provider: Supermemory) -> list[Callable[[], object]]:
    return [
        lambda: provider.prefetch("tea"),
        lambda: provider.sync_turn("a", "b", session_id="s1"),
        lambda: provider.remember("something else"),
        lambda: provider.forget("mem1"),
        lambda: list(provider.memories()),
        lambda: _call(provider, "supermemory_search", query="tea"),
        lambda: _call(provider, "supermemory_profile"),
        lambda: _call(provider, "supermemory_forget", query="tea"),
        lambda: provider.on_memory_write("add", "user", "tea"),
    ]


@pytest.mark.parametrize("trouble", [*GARBAGE.values(), *DOWN.values()], ids=[*GARBAGE, *DOWN])
def test_trouble_is_told_as_such_and_never_as_nothing_found(
    server: SupermemoryServer, make: Make, trouble: Trouble
) -> None:
    provider = make(api_timeout=5 if isinstance(trouble, Raw) else 0.5)
    server.trouble = trouble
    for work in _everything(provider):
        with pytest.raises(ProviderDown):
            work()
    server.trouble = None
    provider.sync_turn("a", "b", session_id="s1")
    assert _contents(server) == ["User: a\n\nAssistant: b"]


def test_no_server_at_all_is_down(own_home: Home, make: Make) -> None:
    with serving(SupermemoryServer()) as gone:
        provider = make(_surroundings(gone, own_home))
    with pytest.raises(ProviderDown, match="cannot be reached"):
        provider.prefetch("tea")
