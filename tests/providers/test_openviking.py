"""OpenViking: against a server with its API on loopback; behind `proof` the same against its own server."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy
import pytest
from numpy.typing import NDArray

from hermes_agent.errors import ProviderDown, ProviderRefused, ToolError
from hermes_agent.providers import choose
from hermes_agent.providers.openviking import OpenViking
from hermes_agent.providers.provider import Kept, Surroundings
from tests import embeddings_server, openai_server
from tests.conftest import Hermes
from tests.embeddings_server import Vectors, vector_of
from tests.providers import neighbours
from tests.providers.openviking_server import KEY, Space, openviking
from tests.providers.service_server import Break, Hang, Json, Raw, Server, garbage, serve

_START_SECONDS = 120


def of_words(text: str, dimensions: int) -> NDArray[numpy.float32]:
    """Embed a text so that texts with the same words are near to each other."""
    total = numpy.zeros(dimensions, numpy.float32)
    for word in text.lower().split():
        total += vector_of(word.strip(".,?!"), dimensions)
    return total


def learning(request: openai_server.Received) -> openai_server.Plain:
    """Play OpenViking's model: asked what a conversation teaches, it writes the program that keeps one thing."""
    if "create_preferences" not in request.body.decode():
        return openai_server.Say("A short summary.")
    program = (
        'sdk.create_preferences(user="user", topic="home", content="Rents a flat near the Tiber.")\nsdk.commit()'
    )
    return openai_server.Say(program)


@contextmanager
def real(folder: Path) -> Iterator[str]:
    """Run OpenViking's own server, with models on loopback; yield its address."""
    programs = neighbours.installed("openviking", "openviking==0.5.2")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        embeddings_server.serve(Vectors(64, made=of_words)) as embedder,
        openai_server.serve(learning) as model,
    ):
        dense = {"provider": "openai", "api_base": embedder.url, "api_key": "x", "model": "stub", "dimension": 64}
        storage = {"workspace": str(folder / "workspace"), "vectordb": {"name": "context", "backend": "local"}}
        settings = {
            "server": {"host": "127.0.0.1", "port": port},
            "storage": {**storage, "agfs": {"backend": "local"}},
            "embedding": {"dense": dense},
            "vlm": {"provider": "openai", "api_base": model.url, "api_key": "x", "model": "stub"},
        }
        (folder / "ov.conf").write_text(json.dumps(settings))
        command = [str(programs / "openviking-server"), "--config", str(folder / "ov.conf")]
        with neighbours.running(command, folder / "log", HOME=str(folder)) as server:
            end = time.monotonic() + _START_SECONDS
            while not _is_open(port):
                assert server.poll() is None and time.monotonic() < end, (folder / "log").read_text()
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"


def _is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module", params=["contract", pytest.param("real", marks=pytest.mark.proof)])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "real":
        with real(tmp_path_factory.mktemp("openviking")) as address:
            yield address
    else:
        with openviking() as (server, _):
            yield server.url


Make = Callable[..., OpenViking]


@pytest.fixture
def viking(tmp_path: Path) -> Iterator[Make]:
    opened: list[OpenViking] = []

    def make(address: str, options: dict[str, object] | None = None, **variables: str) -> OpenViking:
        told = {"OPENVIKING_ENDPOINT": address, **variables}
        made = OpenViking(Surroundings(tmp_path, "default", options or {}, told))
        made.initialize("s1", hermes_home=str(tmp_path), platform="cli")
        opened.append(made)
        return made

    yield make
    for one in opened:
        one.shutdown()


@pytest.fixture
def memory(viking: Make, address: str) -> OpenViking:
    """A user of its own."""
    return viking(address, OPENVIKING_USER=f"user{uuid4().hex[:8]}")


@pytest.fixture
def contract() -> Iterator[tuple[Server, dict[str, Space]]]:
    with openviking() as running:
        yield running


def use(memory: OpenViking, tool: str, **args: Any) -> Any:
    return json.loads(memory.handle_tool_call(tool, args))


def test_it_is_found_by_its_name(tmp_path: Path) -> None:
    assert isinstance(choose.make("openviking", Surroundings(tmp_path)), OpenViking)


def test_what_is_remembered_is_found_and_can_be_forgotten(memory: OpenViking) -> None:
    kept = memory.remember("Anna prefers dark mode in the editor.")
    memory.remember("The tax office opens at nine.")
    assert "Anna prefers dark mode in the editor." in memory.prefetch("does Anna prefer dark mode?").splitlines()
    assert Kept(kept, "Anna prefers dark mode in the editor.") in memory.memories()
    memory.forget(kept)
    memory.forget(kept)
    assert "Anna" not in memory.prefetch("does Anna prefer dark mode?")
    assert "Anna prefers dark mode in the editor." not in [one.text for one in memory.memories()]


def test_the_same_twice_is_there_once(memory: OpenViking) -> None:
    assert memory.remember("Likes tea.") == memory.remember(" Likes tea. ")
    memory.on_memory_write("add", "user", "Likes cake.")
    memory.on_memory_write("add", "user", "Likes cake.")
    assert sorted(one.text for one in memory.memories() if "Likes" in one.text) == ["Likes cake.", "Likes tea."]


def test_the_notes_are_followed(memory: OpenViking) -> None:
    memory.on_memory_write("add", "user", "Likes tea.")
    memory.on_memory_write("add", "memory", "Likes nothing here.")
    for _ in range(2):
        memory.on_memory_write("replace", "user", "Likes coffee.", {"old_text": "Likes tea."})
        memory.on_memory_write("remove", "memory", "", {"old_text": "Likes nothing here."})
    [kept] = [one for one in memory.memories() if "Likes" in one.text]
    assert kept.text == "Likes coffee." and "/preferences/" in kept.id


def test_a_conversation_that_ends_is_committed_and_an_unknown_one_is_no_matter(memory: OpenViking) -> None:
    for _ in range(2):
        memory.sync_turn("I moved to Rome.", "Noted.", session_id="s1")
    for _ in range(2):
        memory.on_session_end([])
    memory.on_session_switch("never-said-anything")
    memory.on_session_end([])


@pytest.mark.proof
@pytest.mark.parametrize("address", ["real"], indirect=True)
def test_the_server_learns_from_a_conversation_that_ended(memory: OpenViking) -> None:
    memory.sync_turn("I rent a flat near the Tiber now.", "Noted.", session_id="learned")
    memory.on_session_switch("learned")
    memory.on_session_end([])
    end = time.monotonic() + _START_SECONDS
    while "Tiber" not in memory.prefetch("Who rents a flat near the Tiber?"):
        assert time.monotonic() < end
        time.sleep(0.5)


def test_a_turn_that_is_brought_twice_is_there_once(
    viking: Make, contract: tuple[Server, dict[str, Space]]
) -> None:
    server, spaces = contract
    memory = viking(server.url, OPENVIKING_USER="anna")
    for _ in range(2):
        memory.sync_turn("I moved to Rome.", "Noted.", session_id="chat/1")
        memory.sync_turn("It is warm.", "Good.", session_id="chat/1")
    memory.sync_turn("", "", session_id="chat/1")
    [messages] = spaces["anna"].sessions.values()
    assert [part["text"] for message in messages for part in message["parts"]] == [
        *("I moved to Rome.", "Noted.", "It is warm.", "Good.")
    ]
    memory.on_session_switch("chat/1")
    memory.on_session_end([])
    assert len(spaces["anna"].commits) == 1


def test_each_tool_does_its_work(memory: OpenViking) -> None:
    uri = use(memory, "viking_remember", content="Peppi maintains Atlas.", category="case")["uri"]
    assert "/memories/cases/" in uri
    for mode in ("auto", "fast", "deep"):
        found = use(memory, "viking_search", query="who maintains Atlas", mode=mode, limit=3)["results"]
        assert uri in [one["uri"] for one in found]
    above = uri.rsplit("/", 2)[0]
    assert uri in [one["uri"] for one in use(memory, "viking_search", query="Atlas", scope=above)["results"]]
    assert use(memory, "viking_read", uri=uri)["results"] == [{"uri": uri, "content": "Peppi maintains Atlas."}]
    assert len(use(memory, "viking_read", uris=[uri, above], level="abstract")["results"]) == 2
    assert uri in [one["uri"] for one in use(memory, "viking_browse", action="tree", path=above)["entries"]]
    assert use(memory, "viking_browse", action="list", path=above)["entries"]
    assert use(memory, "viking_browse", action="stat", path=uri)["isDir"] is False
    assert use(memory, "viking_forget", uri=uri) == {"forgotten": True}
    with pytest.raises(ToolError, match="There is nothing"):
        memory.handle_tool_call("viking_read", {"uri": uri})


def test_a_page_can_be_added(viking: Make, contract: tuple[Server, dict[str, Space]]) -> None:
    server, _ = contract
    added = use(
        viking(server.url), "viking_add_resource", url="https://example.org", reason="r", wait=True, timeout=5
    )
    assert added == {"uri": "viking://resources/page", "status": "success"}
    assert server.requests[-1].json == {
        "path": "https://example.org", "reason": "r", "wait": True, "timeout": 5.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("viking_search", {}),
        ("viking_search", {"query": "x", "mode": "slow"}),
        ("viking_search", {"query": "x", "scope": "/etc"}),
        ("viking_read", {}),
        ("viking_read", {"uri": "file:///etc/passwd"}),
        ("viking_read", {"uris": ["viking://a", "viking://b", "viking://c", "viking://d"]}),
        ("viking_browse", {"action": "explode"}),
        ("viking_browse", {"action": "list", "path": "viking://user/nobody/at/all"}),
        ("viking_remember", {"content": "  "}),
        ("viking_remember", {"content": "x", "category": "secret"}),
        ("viking_forget", {"uri": "viking://resources/all"}),
        ("viking_forget", {"uri": "viking://user/somebody/memories/else.md"}),
        ("viking_add_resource", {"url": "/etc/passwd"}),
        ("viking_dance", {}),
    ],
)
def test_a_wrong_call_of_a_tool_says_what_to_do(memory: OpenViking, tool: str, args: dict[str, Any]) -> None:
    with pytest.raises(ToolError):
        memory.handle_tool_call(tool, args)


@pytest.mark.parametrize("text", ["我喜欢深色模式 🦊", "half \ud800 a pair", "long " * 20_000])
def test_any_text_is_taken(memory: OpenViking, text: str) -> None:
    kept = memory.remember(text)
    memory.sync_turn(text, text, session_id="long")
    assert kept in [one.id for one in memory.memories()]


def test_many_memories_are_listed_page_by_page(viking: Make, contract: tuple[Server, dict[str, Space]]) -> None:
    server, spaces = contract
    memory = viking(server.url, OPENVIKING_USER="anna")
    spaces["anna"] = Space({f"viking://user/anna/memories/events/{n:03}.md": f"Event {n}" for n in range(450)})
    assert len(list(memory.memories())) == 450


def test_a_new_user_has_no_memories(viking: Make, contract: tuple[Server, dict[str, Space]]) -> None:
    server, _ = contract
    memory = viking(server.url, OPENVIKING_USER="anna")
    assert (list(memory.memories()), memory.prefetch("Anna"), memory.prefetch("  ")) == ([], "", "")


def test_a_key_stands_for_a_user_and_a_wrong_one_is_the_owners_to_mend(
    viking: Make, contract: tuple[Server, dict[str, Space]]
) -> None:
    server, spaces = contract
    viking(server.url, OPENVIKING_API_KEY=KEY, OPENVIKING_AGENT="hermes").remember("Likes tea.")
    assert list(spaces) == ["keyed"]
    assert server.requests[-1].headers["x-openviking-actor-peer"] == "hermes"
    with pytest.raises(ProviderRefused, match="does not accept the key") as refused:
        viking(server.url, OPENVIKING_API_KEY="another-secret").prefetch("tea")
    assert "another-secret" not in str(refused.value)
    assert "OPENVIKING_API_KEY" in str(refused.value.hint)


def test_the_file_of_its_own_command_is_read_where_nothing_else_is_said(
    tmp_path: Path, contract: tuple[Server, dict[str, Space]]
) -> None:
    server, spaces = contract
    path = tmp_path / "ovcli.conf"
    path.write_text(json.dumps({"url": server.url, "user": "from-the-file"}))
    memory = OpenViking(Surroundings(tmp_path, variables={"OPENVIKING_CLI_CONFIG_FILE": str(path)}))
    assert memory.is_available()
    memory.remember("Likes tea.")
    memory.shutdown()
    assert list(spaces) == ["from-the-file"]
    path.write_text("no JSON")
    with pytest.raises(ProviderRefused, match="cannot be read as JSON"):
        OpenViking(Surroundings(tmp_path, variables={"OPENVIKING_CLI_CONFIG_FILE": str(path)}))


@pytest.mark.parametrize("option", ["recall_limit", "recall_score_threshold"])
def test_an_option_that_does_not_fit_is_told(viking: Make, option: str) -> None:
    with pytest.raises(ProviderRefused, match=option):
        viking("http://localhost:1", {option: "much"})


def every_call(memory: OpenViking) -> list[Callable[[], object]]:
    return [
        lambda: memory.prefetch("Anna"),
        lambda: memory.remember("Anna"),
        lambda: list(memory.memories()),
        lambda: memory.sync_turn("a", "b"),
        lambda: memory.on_session_end([]),
        lambda: memory.forget("viking://user/anna/memories/a.md"),
        lambda: memory.on_memory_write("add", "user", "Likes tea."),
        lambda: memory.handle_tool_call("viking_search", {"query": "x"}),
        lambda: memory.handle_tool_call("viking_browse", {"action": "tree"}),
        lambda: memory.handle_tool_call("viking_read", {"uri": "viking://user/anna/memories/a.md"}),
    ]


def begun(viking: Make, server: Server) -> OpenViking:
    """Return the provider after it was answered once, so that it knows its user."""
    memory = viking(server.url, OPENVIKING_USER="anna")
    memory.prefetch("Anna")
    memory.sync_turn("What was said before.", "Yes.", session_id="s1")
    return memory


@garbage
def test_an_answer_that_is_none_is_never_an_empty_memory(
    viking: Make, contract: tuple[Server, dict[str, Space]], wrong: Raw | Json
) -> None:
    server, _ = contract
    for memory in (begun(viking, server), viking(server.url)):
        server.goes_wrong = wrong
        for call in every_call(memory):
            with pytest.raises(ProviderDown, match="something else than it should"):
                call()
        server.goes_wrong = None


@pytest.mark.parametrize(
    "result",
    [None, 7, {"memories": 3}, {"memories": ["x"]}, {"memories": [{"uri": 1, "abstract": "x"}]}, [{"name": "x"}]],
)
def test_a_result_of_another_kind_is_told(
    viking: Make, contract: tuple[Server, dict[str, Space]], result: object
) -> None:
    server, _ = contract
    memory = begun(viking, server)
    server.goes_wrong = Json({"status": "ok", "result": result})
    for call in (lambda: memory.prefetch("Anna"), lambda: list(memory.memories())):
        with pytest.raises(ProviderDown, match="something else than it should"):
            call()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Break(), "broke off"),
        (Json({"status": "error", "error": {"code": "X", "message": "no room"}}, 500), "It says: no room"),
        (Raw(b"slow down", 429), "busy"),
    ],
)
def test_trouble_passes(viking: Make, contract: tuple[Server, dict[str, Space]], wrong: Any, words: str) -> None:
    server, _ = contract
    memory = begun(viking, server)
    server.goes_wrong = wrong
    for call in every_call(memory):
        with pytest.raises(ProviderDown, match=words):
            call()
    server.goes_wrong = None
    assert memory.remember("Anna")


def test_a_slow_server_is_not_waited_for(viking: Make, contract: tuple[Server, dict[str, Space]]) -> None:
    server, _ = contract
    memory = begun(viking, server)
    memory = viking(server.url, {"timeout_seconds": "0.2"}, OPENVIKING_USER="anna")
    server.goes_wrong = Hang()
    with pytest.raises(ProviderDown, match="did not answer within 0.2 s"):
        memory.prefetch("Anna")


def test_a_server_that_is_not_there_is_down(viking: Make) -> None:
    with serve(lambda request: Json({})) as gone:
        pass
    for call in every_call(viking(gone.url)):
        with pytest.raises(ProviderDown, match="cannot be reached"):
            call()


def test_its_settings_are_described(viking: Make) -> None:
    memory = viking("http://localhost:1")
    fields = {field["key"]: field for field in memory.get_config_schema()}
    assert fields["api_key"]["secret"] and fields["endpoint"]["default"] == "http://127.0.0.1:1933"
    assert "viking_search" in memory.system_prompt_block()


def test_it_is_set_up_tried_and_told_of_turns(
    hermes: Hermes, contract: tuple[Server, dict[str, Space]], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, spaces = contract
    monkeypatch.setenv("OPENVIKING_USER", "anna")
    assert hermes("config", "set", "memory.providerSeconds", "20").exit_code == 0
    assert hermes("memory", "setup", "openviking", "--no-input", "--set", f"endpoint={server.url}").exit_code == 0
    assert hermes("memory", "test").exit_code == 0
    server.goes_wrong = Raw(b"<html>Welcome to the hotel</html>")
    said = hermes("chat", "-q", "I live in Oslo.")
    assert said.exit_code == 0 and said.stderr.count("something else than it should") == 1
    server.goes_wrong = None
    (job, *_) = [one for one in json.loads(hermes("jobs", "list", "--json").stdout) if one["kind"] == "deliver"]
    assert hermes("jobs", "retry", str(job["id"])).exit_code == 0
    assert hermes("jobs", "run").exit_code == 0
    assert any(
        "I live in Oslo." in str(one.json) for one in server.requests if one.path.endswith("/messages/batch")
    )
    assert len(spaces["anna"].commits) == 1
    assert "Lives in Oslo" in spaces["anna"].files.values()
