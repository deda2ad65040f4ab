"""Mem0 in its three ways: the platform and a server of one's own by their contract, its library for real.

The library runs in this process with Qdrant's files in the home; its language model and its embedder are servers
on loopback that speak OpenAI's language.
"""

import json
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy
import pytest
from numpy.typing import NDArray

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown, ProviderRefused, ToolError
from hermes_agent.notes import screening
from hermes_agent.providers import choose
from hermes_agent.providers.mem0 import Mem0
from hermes_agent.providers.provider import Surroundings
from tests import embeddings_server, openai_server
from tests.conftest import Hermes
from tests.providers.faulty_rest import GARBAGE, Body, Cut, Fail, Fault, Hang, serving
from tests.providers.mem0_server import KEY, Mem0Server

_LONG = "Ünïcødé 漢字 🦊 " * 3_000 + "ende"


def _words(text: str, dimensions: int) -> NDArray[numpy.float32]:
    """Embed by words: texts that share some are near."""
    vector = numpy.full(dimensions, 0.01, dtype="<f4")
    for word in text.lower().split():
        vector[sum(word.encode()) % dimensions] += 1
    return vector


def _inferred(request: openai_server.Received) -> openai_server.Say:
    """Find what Mem0's prompt asks for: the user's words, as they are."""
    prompt = request.json["messages"][-1]["content"]
    said = [line.partition("user: ")[2] for line in prompt.splitlines() if "user: " in line]
    memories = [{"id": str(index), "text": text[:200], "linked_memory_ids": []} for index, text in enumerate(said)]
    return openai_server.Say(json.dumps({"memory": memories}))


class Way:
    """One of the three ways, with what a test may do to its server."""

    def __init__(self, surroundings: Surroundings, break_next: Callable[[Fault], None]) -> None:
        self.surroundings = surroundings
        self.break_next = break_next

    def made(self, **options: object) -> Mem0:
        changed = replace(self.surroundings, options={**self.surroundings.options, **options})
        provider = choose.make("mem0", changed)
        assert isinstance(provider, Mem0)
        provider.initialize("s1", hermes_home=str(changed.folder), platform="cli")
        return provider


@contextmanager
def _hosted(home: Home, option: str) -> Iterator[Way]:
    with serving(Mem0Server()) as server:
        options = {option: server.url, "timeout": 1}
        yield Way(Surroundings(home.root, options=options, variables={"MEM0_API_KEY": KEY}), server.faults.append)


@contextmanager
def _on_this_machine(home: Home) -> Iterator[Way]:
    vectors = embeddings_server.Vectors(64, made=_words)
    with openai_server.serve(_inferred) as model, embeddings_server.serve(vectors) as embedder:

        def break_next(fault: Fault) -> None:
            step: embeddings_server.Step
            match fault:
                case Fail(status):
                    step = embeddings_server.Fail(status)
                case Hang():
                    step = embeddings_server.Hang()
                case Body(body, content_type):
                    step = embeddings_server.Raw(body, content_type)
                case Cut():
                    step = embeddings_server.Raw(b'{"object": "list", "data": [', "application/json")
            embedder.script = [*[vectors] * len(embedder.requests), step, vectors]

        oss = {
            "llm": {"provider": "openai", "config": {"model": "m", "openai_base_url": model.url}},
            "embedder": {
                "provider": "openai",
                "config": {"model": "e", "openai_base_url": embedder.url, "embedding_dims": 64},
            },
        }
        options = {"mode": "oss", "oss": oss, "timeout": 1}
        yield Way(Surroundings(home.root, options=options, variables={"OPENAI_API_KEY": "k"}), break_next)


@pytest.fixture(params=["platform", "host", "oss"])
def way(request: pytest.FixtureRequest, own_home: Home) -> Iterator[Way]:
    option = "platform_url" if request.param == "platform" else "host"
    with _on_this_machine(own_home) if request.param == "oss" else _hosted(own_home, option) as made:
        yield made


@pytest.fixture
def mem0(way: Way) -> Iterator[Mem0]:
    provider = way.made()
    yield provider
    provider.shutdown()


def _call(mem0: Mem0, tool: str, **args: object) -> dict[str, object]:
    answer = json.loads(mem0.handle_tool_call(tool, dict(args)))
    assert isinstance(answer, dict)
    return answer


def test_a_sentence_is_found_until_it_is_forgotten(mem0: Mem0) -> None:
    kept = mem0.remember("The cat is called Minka")
    assert "The cat is called Minka" in mem0.prefetch("what is the cat called")
    mem0.forget(kept)
    mem0.forget(kept)
    assert "Minka" not in mem0.prefetch("what is the cat called")
    assert list(mem0.memories()) == []


def test_the_same_sentence_is_kept_once(mem0: Mem0) -> None:
    assert mem0.remember("The cat is called Minka") == mem0.remember("The cat is called Minka")
    assert [one.text for one in mem0.memories()] == ["The cat is called Minka"]


def test_a_turn_is_looked_through_and_twice_keeps_one_memory(mem0: Mem0) -> None:
    for _ in range(2):
        mem0.sync_turn("My sister lives in Oslo", "Noted.", session_id="s1")
    assert [one.text for one in mem0.memories()] == ["My sister lives in Oslo"]
    line = mem0.prefetch("where does my sister live")
    assert line.endswith(": My sister lives in Oslo")
    assert "\n" not in line


def test_each_tool_works(mem0: Mem0) -> None:
    added = _call(mem0, "mem0_add", content="Tea with milk")["memory_id"]
    assert _call(mem0, "mem0_update", memory_id=added, text="Tea with lemon") == {"updated": added}
    found = _call(mem0, "mem0_search", query="tea with", top_k=500)["results"]
    assert isinstance(found, list)
    assert [(one["id"], one["memory"]) for one in found] == [(added, "Tea with lemon")]
    assert _call(mem0, "mem0_delete", memory_id=added) == {"deleted": added}
    for unknown in (added, "nonsense"):
        with pytest.raises(ToolError, match="no memory"):
            _call(mem0, "mem0_delete", memory_id=unknown)


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("mem0_search", {}),
        ("mem0_search", {"query": "x", "top_k": "many"}),
        ("mem0_add", {"content": " "}),
        ("mem0_update", {"memory_id": "1"}),
        ("mem0_forget", {}),
    ],
)
def test_the_model_is_told_what_is_wrong_with_its_arguments(
    own_home: Home, tool: str, args: dict[str, object]
) -> None:
    with pytest.raises(ToolError):
        Mem0(Surroundings(own_home.root)).handle_tool_call(tool, args)


def test_changes_of_notes_reach_the_copies(mem0: Mem0) -> None:
    mem0.on_memory_write("add", "user", "Prefers trains")
    mem0.on_memory_write("replace", "user", "Prefers night trains", {"old_text": "Prefers trains"})
    assert [one.text for one in mem0.memories()] == ["Prefers night trains"]
    mem0.on_memory_write("remove", "user", "", {"old_text": "Prefers night trains"})
    assert list(mem0.memories()) == []


def test_nothing_is_asked_for_an_empty_query(own_home: Home) -> None:
    unreachable = Surroundings(own_home.root, options={"host": "http://127.0.0.1:9"})
    assert Mem0(unreachable).prefetch(" \n ") == ""


def test_texts_that_no_server_takes_are_mended(mem0: Mem0) -> None:
    mem0.remember("cat \0 \ud800 Minka")
    mem0.sync_turn("dog \0 \ud800 Rex", "\udfff")
    assert sorted(one.text for one in mem0.memories()) == ["cat  ? Minka", "dog  ? Rex"]
    assert "Minka" in mem0.prefetch("cat \ud800")


def test_long_and_foreign_texts_survive(mem0: Mem0) -> None:
    text = f"{_LONG[:20_000]} ende"
    kept = mem0.remember(text)
    assert [(one.id, one.text) for one in mem0.memories()] == [(kept, text)]
    assert len(mem0.prefetch("ünïcødé 漢字")) < 600
    mem0.sync_turn(_LONG, _LONG)


@pytest.mark.parametrize("fault", [Fail(500), Fail(503), Fail(429), Hang(), Cut(), *GARBAGE], ids=repr)
def test_a_server_in_trouble_is_down_and_not_empty(way: Way, mem0: Mem0, fault: Fault) -> None:
    mem0.remember("The cat is called Minka")
    way.break_next(fault)
    with pytest.raises(ProviderDown):
        mem0.prefetch("what is the cat called")
    assert "Minka" in mem0.prefetch("what is the cat called")
    way.break_next(fault)
    with pytest.raises(ProviderDown):
        mem0.sync_turn("My sister lives in Oslo", "Noted.")
    mem0.sync_turn("My sister lives in Oslo", "Noted.")
    assert "Oslo" in mem0.prefetch("where does my sister live")


def test_a_wrong_key_is_the_owners_to_mend(way: Way, mem0: Mem0) -> None:
    mem0.prefetch("cat")
    way.break_next(Fail(401))
    with pytest.raises(ProviderRefused) as refused:
        mem0.prefetch("what is the cat called")
    assert "key" in refused.value.message
    assert refused.value.hint
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("option", ["platform_url", "host"])
def test_a_server_that_refuses_the_key_or_is_gone(own_home: Home, option: str) -> None:
    with _hosted(own_home, option) as way:
        wrong = Mem0(replace(way.surroundings, variables={"MEM0_API_KEY": "other"}))
        with pytest.raises(ProviderRefused):
            wrong.prefetch("cat")
    gone = Mem0(way.surroundings)
    with pytest.raises(ProviderDown):
        gone.prefetch("cat")
    for mem0 in (wrong, gone):
        mem0.shutdown()


@pytest.mark.parametrize("fault", [Fail(500), Hang(), Cut(), *GARBAGE[:1], *GARBAGE[3:]], ids=repr)
def test_the_platform_in_trouble_when_it_is_first_asked(own_home: Home, fault: Fault) -> None:
    with _hosted(own_home, "platform_url") as way:
        mem0 = way.made()
        way.break_next(fault)
        with pytest.raises(ProviderDown):
            mem0.prefetch("cat")
        assert mem0.prefetch("cat") == ""
        mem0.shutdown()


def test_the_platform_tells_the_id_later(own_home: Home) -> None:
    with serving(Mem0Server(is_queued=True)) as server:
        options = {"platform_url": server.url}
        mem0 = Mem0(Surroundings(own_home.root, options=options, variables={"MEM0_API_KEY": KEY}))
        assert mem0.remember("The cat is called Minka") in server.memories
        mem0.shutdown()


def test_the_platform_lists_all_pages(own_home: Home) -> None:
    with _hosted(own_home, "platform_url") as way:
        mem0 = way.made()
        for number in range(205):
            mem0.sync_turn(f"Fact {number}", "")
        assert len(list(mem0.memories())) == 205
        mem0.shutdown()


def test_users_do_not_see_each_other(way: Way) -> None:
    alice, bob = way.made(), way.made(user_id="bob")
    alice.remember("The cat is called Minka")
    assert bob.prefetch("what is the cat called") == ""
    alice.shutdown()
    bob.shutdown()


def test_the_way_is_chosen_as_in_the_public_product(own_home: Home) -> None:
    own_home.root.mkdir(exist_ok=True)
    at = Surroundings(own_home.root)
    assert not Mem0(at).is_available()
    assert Mem0(replace(at, variables={"MEM0_API_KEY": KEY})).is_available()
    assert Mem0(replace(at, variables={"MEM0_HOST": "http://127.0.0.1:9"})).is_available()
    (own_home.root / "mem0.json").write_text('{"mode": "oss", "user_id": "ann", "host": "http://127.0.0.1:9"}')
    assert Mem0(at).is_available()
    assert Mem0(at).backup_paths() == [str(own_home.root / "mem0" / "qdrant")]
    (own_home.root / "mem0.json").write_text("{")
    with pytest.raises(ProviderRefused, match="mem0.json"):
        Mem0(at)


def test_no_plain_files_lie_in_an_encrypted_home(own_home: Home) -> None:
    with _on_this_machine(own_home) as way:
        own_home.root.mkdir(exist_ok=True)
        own_home.encryption.write_text("{}")
        mem0 = way.made()
        assert not mem0.is_available()
        with pytest.raises(ProviderRefused, match="encrypted"):
            mem0.sync_turn("My sister lives in Oslo", "Noted.")
        assert not (own_home.root / "mem0" / "qdrant").exists()


def test_what_a_model_says_that_mem0_cannot_read_loses_no_turn(own_home: Home) -> None:
    with _on_this_machine(own_home) as way, openai_server.serve(openai_server.Say("Sure!"), _inferred) as model:
        oss = json.loads(json.dumps(way.surroundings.options["oss"]))
        oss["llm"]["config"]["openai_base_url"] = model.url
        mem0 = way.made(oss=oss)
        with pytest.raises(ProviderDown):
            mem0.sync_turn("My sister lives in Oslo", "Noted.")
        mem0.sync_turn("My sister lives in Oslo", "Noted.")
        assert [one.text for one in mem0.memories()] == ["My sister lives in Oslo"]
        mem0.shutdown()


def test_a_key_of_openrouter_sends_nothing_elsewhere(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "or")
    with _on_this_machine(own_home) as way:
        variables = {**way.surroundings.variables, "OPENROUTER_API_KEY": "or"}
        mem0 = Mem0(replace(way.surroundings, variables=variables))
        mem0.sync_turn("My sister lives in Oslo", "Noted.")
        assert len(list(mem0.memories())) == 1
        mem0.shutdown()


def _remember_elsewhere(surroundings: Surroundings, texts: list[str]) -> None:
    mem0 = Mem0(surroundings)
    for text in texts:
        mem0.remember(text)


def test_two_processes_share_the_local_files(own_home: Home) -> None:
    with _on_this_machine(own_home) as way:
        here, there = [[f"{who} knows {number}" for number in range(5)] for who in ("Ann", "Bob")]
        process = multiprocessing.get_context("spawn").Process(
            target=_remember_elsewhere, args=(way.surroundings, there)
        )
        process.start()
        mem0 = way.made()
        for text in here:
            mem0.remember(text)
        process.join()
        assert process.exitcode == 0
        assert sorted(one.text for one in mem0.memories()) == sorted(here + there)
        mem0.shutdown()


def test_no_text_stays_beside_the_vector_store(own_home: Home) -> None:
    with _on_this_machine(own_home) as way:
        mem0 = way.made()
        mem0.sync_turn("My sister lives in Oslo", "Noted.")
        mem0.shutdown()
        files = [file for file in (own_home.root / "mem0").rglob("*") if file.is_file()]
        holding = [file for file in files if b"Oslo" in file.read_bytes()]
        assert {file.relative_to(own_home.root).parts[1] for file in holding} == {"qdrant"}
        assert not (Path.home() / ".mem0").exists()


def test_what_it_says_of_itself_may_stand_in_the_prompt(own_home: Home) -> None:
    said = Mem0(Surroundings(own_home.root)).system_prompt_block()
    assert "mem0_" in said
    assert not screening.find(said, "foreign")


def test_it_is_set_up_and_tried_from_the_command_line(
    own_home: Home, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEM0_API_KEY", KEY)
    own_home.root.mkdir()
    own_home.config_yaml.write_text("memory:\n  providers:\n    mem0:\n      timeout: 7\n")
    with serving(Mem0Server()) as server:
        done = hermes("memory", "setup", "mem0", "--no-input", "--set", f"host={server.url}")
        assert (done.exit_code, done.stderr) == (0, "")
        tried = hermes("memory", "test", "--json")
        assert tried.exit_code == 0, tried.stderr
        trial = json.loads(tried.stdout)
        assert (trial["is_kept"], trial["is_found"], trial["is_forgotten"]) == (True, True, True)
        assert server.memories == {}
    # What setup does not ask for stays as it was.
    assert '"timeout": 7' in own_home.config_yaml.read_text()


def test_this_machine_is_set_up_from_the_command_line(
    own_home: Home, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with embeddings_server.serve(embeddings_server.Vectors(1536, made=_words)) as embedder:
        given = ("mode=oss", f"base_url={embedder.url}")
        done = hermes("memory", "setup", "mem0", "--no-input", *(word for one in given for word in ("--set", one)))
        assert (done.exit_code, done.stderr) == (0, "")
        tried = hermes("memory", "test", "--json")
        assert tried.exit_code == 0, tried.stderr
        assert (own_home.root / "mem0" / "qdrant").is_dir()
