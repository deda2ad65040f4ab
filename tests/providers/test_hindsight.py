"""Hindsight by its contract, driven by its official client; `test_hindsight_real.py` asks its real server."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown, ProviderRefused, ToolError
from hermes_agent.notes import screening
from hermes_agent.providers import choose
from hermes_agent.providers.hindsight import Hindsight
from hermes_agent.providers.provider import Surroundings
from tests.conftest import Hermes
from tests.providers.faulty_rest import GARBAGE, Cut, Fail, Fault, Hang, serving
from tests.providers.hindsight_server import KEY, HindsightServer

_LONG = "Ünïcødé 漢字 🦊 " * 3_000 + "ende"


@pytest.fixture
def server() -> Iterator[HindsightServer]:
    with serving(HindsightServer()) as running:
        yield running


@pytest.fixture
def at(own_home: Home, server: HindsightServer) -> Surroundings:
    options = {"api_url": server.url, "timeout": 1}
    return Surroundings(own_home.root, options=options, variables={"HINDSIGHT_API_KEY": KEY})


def _made(at: Surroundings, **options: object) -> Hindsight:
    provider = choose.make("hindsight", replace(at, options={**at.options, **options}))
    assert isinstance(provider, Hindsight)
    provider.initialize("s1", hermes_home=str(at.folder), platform="cli", agent_identity="work")
    return provider


@pytest.fixture
def hindsight(at: Surroundings) -> Hindsight:
    return _made(at)


def _call(hindsight: Hindsight, tool: str, **args: object) -> dict[str, object]:
    answer = json.loads(hindsight.handle_tool_call(tool, dict(args)))
    assert isinstance(answer, dict)
    return answer


def test_nothing_is_found_before_there_is_a_bank(hindsight: Hindsight) -> None:
    assert hindsight.prefetch("what is the cat called") == ""
    assert list(hindsight.memories()) == []
    assert _call(hindsight, "hindsight_reflect", query="who am I") == {"answer": ""}
    hindsight.forget("never-kept")


def test_a_sentence_is_found_until_it_is_forgotten(hindsight: Hindsight) -> None:
    kept = hindsight.remember("The cat is called Minka")
    assert hindsight.prefetch("what is the cat called") == "2026-03-04: The cat is called Minka"
    assert [(one.id, one.text) for one in hindsight.memories()] == [(kept, "The cat is called Minka")]
    hindsight.forget(kept)
    hindsight.forget(kept)
    assert hindsight.prefetch("what is the cat called") == ""
    assert list(hindsight.memories()) == []


def test_what_comes_twice_is_kept_once(hindsight: Hindsight) -> None:
    for _ in range(2):
        hindsight.sync_turn("My sister lives in Oslo", "Noted.", session_id="s1")
        hindsight.remember("The cat is called Minka")
    texts = [one.text for one in hindsight.memories()]
    assert texts == ["User: My sister lives in Oslo\n\nAssistant: Noted.", "The cat is called Minka"]
    hindsight.sync_turn("My sister lives in Oslo", "Noted.", session_id="s2")
    assert len(list(hindsight.memories())) == 3


def test_a_memory_is_one_line(hindsight: Hindsight) -> None:
    hindsight.sync_turn("My sister lives in Oslo", "Noted.")
    line = hindsight.prefetch("where does my sister live")
    assert line == "2026-03-04: User: My sister lives in Oslo Assistant: Noted."


def test_each_tool_works(hindsight: Hindsight, server: HindsightServer) -> None:
    kept = _call(hindsight, "hindsight_retain", content="Tea with milk", context="breakfast", tags=["food"])
    fact = server.banks["hermes"][str(kept["retained"])]
    assert (fact["context"], fact["tags"]) == ("breakfast", ["food"])
    assert _call(hindsight, "hindsight_recall", query="tea") == {"results": ["2026-03-04: Tea with milk"]}
    assert _call(hindsight, "hindsight_reflect", query="what do I drink?") == {"answer": "Tea with milk"}


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("hindsight_recall", {}),
        ("hindsight_recall", {"query": "?!"}),
        ("hindsight_reflect", {"query": 3}),
        ("hindsight_retain", {"content": "x", "tags": "food"}),
        ("hindsight_retain", {"content": "x", "context": 3}),
        ("hindsight_forget", {}),
    ],
)
def test_the_model_is_told_what_is_wrong_with_its_arguments(
    hindsight: Hindsight, tool: str, args: dict[str, object]
) -> None:
    with pytest.raises(ToolError):
        hindsight.handle_tool_call(tool, args)


def test_changes_of_notes_reach_the_copies(hindsight: Hindsight) -> None:
    hindsight.on_memory_write("add", "user", "Prefers trains")
    hindsight.on_memory_write("replace", "user", "Prefers night trains", {"old_text": "Prefers trains"})
    assert [one.text for one in hindsight.memories()] == ["Prefers night trains"]
    hindsight.on_memory_write("remove", "user", "", {"old_text": "Prefers night trains"})
    assert list(hindsight.memories()) == []


def test_a_fact_without_a_document_of_ours_is_hidden(hindsight: Hindsight, server: HindsightServer) -> None:
    hindsight.remember("The cat is called Minka")
    (fact,) = server.banks["hermes"].values()
    hindsight.forget(fact["id"])
    assert hindsight.prefetch("what is the cat called") == ""


@pytest.mark.parametrize("query", ["", " \n", "?!"])
def test_nothing_is_asked_without_a_word(hindsight: Hindsight, server: HindsightServer, query: str) -> None:
    assert hindsight.prefetch(query) == ""
    assert server.asked == []


def test_texts_that_no_server_takes_are_mended(hindsight: Hindsight) -> None:
    kept = hindsight.remember("cat \0 \ud800 Minka")
    assert [(one.id, one.text) for one in hindsight.memories()] == [(kept, "cat  ? Minka")]
    assert "Minka" in hindsight.prefetch("cat \ud800")


def test_long_and_foreign_texts_survive(hindsight: Hindsight) -> None:
    hindsight.remember(_LONG)
    hindsight.sync_turn(_LONG, _LONG)
    assert _LONG in [one.text for one in hindsight.memories()]
    assert all(len(line) < 600 for line in hindsight.prefetch(_LONG).splitlines())


def test_all_pages_are_listed(hindsight: Hindsight, server: HindsightServer) -> None:
    hindsight.remember("The cat is called Minka")
    fact = next(iter(server.banks["hermes"].values()))
    server.banks["hermes"] = {f"d{n}": {**fact, "document_id": f"d{n}"} for n in range(250)}
    assert len({one.id for one in hindsight.memories()}) == 250


@pytest.mark.parametrize("fault", [Fail(500), Fail(503), Fail(429), Hang(), Cut(), *GARBAGE], ids=repr)
def test_a_server_in_trouble_is_down_and_not_empty(
    hindsight: Hindsight, server: HindsightServer, fault: Fault
) -> None:
    hindsight.remember("The cat is called Minka")
    for ask in (
        lambda: hindsight.prefetch("what is the cat called"),
        lambda: hindsight.sync_turn("My sister lives in Oslo", "Noted."),
        lambda: list(hindsight.memories()),
        lambda: hindsight.handle_tool_call("hindsight_reflect", {"query": "who am I"}),
    ):
        server.faults.append(fault)
        with pytest.raises(ProviderDown):
            ask()
    assert "Minka" in hindsight.prefetch("what is the cat called")


def test_a_wrong_key_is_the_owners_to_mend(at: Surroundings) -> None:
    with pytest.raises(ProviderRefused) as refused:
        _made(replace(at, variables={"HINDSIGHT_API_KEY": "wrong-one"})).prefetch("cat")
    assert refused.value.hint
    assert "wrong-one" not in str(refused.value)
    with pytest.raises(ProviderRefused, match="needs a key"):
        _made(Surroundings(at.folder)).prefetch("cat")


@pytest.mark.parametrize("path", ["/elsewhere", "nowhere://x"])
def test_a_wrong_address_is_no_empty_memory(at: Surroundings, server: HindsightServer, path: str) -> None:
    url = path if "://" in path else server.url + path
    with pytest.raises((ProviderRefused, ProviderDown)):
        _made(at, api_url=url).prefetch("cat")


def test_a_server_that_is_gone(at: Surroundings) -> None:
    with serving(HindsightServer()) as gone:
        url = gone.url
    with pytest.raises(ProviderDown, match="cannot be reached"):
        _made(at, api_url=url).sync_turn("Hello", "Hi")


def test_many_threads_may_ask(hindsight: Hindsight) -> None:
    threads = [threading.Thread(target=hindsight.remember, args=(f"Fact {number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(hindsight.memories())) == 8


def test_each_profile_may_have_a_bank(at: Surroundings, server: HindsightServer) -> None:
    hindsight = _made(at, bank_id_template="hermes-{profile}-{session}")
    hindsight.remember("The cat is called Minka")
    hindsight.on_session_switch("s/2")
    hindsight.remember("The dog is called Rex")
    assert list(server.banks) == ["hermes-work-s1", "hermes-work-s-2"]
    with pytest.raises(ProviderRefused, match="bank_id_template"):
        _made(at, bank_id_template="{nobody}")


def test_what_the_settings_turn_off_stays_off(at: Surroundings, server: HindsightServer) -> None:
    assert _made(at, memory_mode="context").get_tool_schemas() == []
    _made(at, auto_retain="false").sync_turn("Hello", "Hi")
    assert _made(at, auto_recall=False).prefetch("cat") == ""
    assert _made(at, memory_mode="tools").prefetch("cat") == ""
    assert server.asked == []


def test_the_answer_instead_of_facts(at: Surroundings) -> None:
    hindsight = _made(at, recall_prefetch_method="reflect")
    hindsight.remember("The cat is called Minka")
    assert hindsight.prefetch("what is the cat called") == "The cat is called Minka"


def test_settings_of_the_public_product_are_read(at: Surroundings, server: HindsightServer) -> None:
    (at.folder / "hindsight").mkdir(parents=True)
    file = at.folder / "hindsight" / "config.json"
    file.write_text(json.dumps({"mode": "local", "api_url": server.url, "bank_id": "ann", "retain_tags": "a,b"}))
    bare = replace(at, options={})
    assert bare.options == {}
    _made(bare).remember("The cat is called Minka")
    assert [one["tags"] for one in server.banks["ann"].values()] == [["a", "b"]]
    file.write_text("[]")
    with pytest.raises(ProviderRefused, match="config.json"):
        _made(bare)


def test_what_is_available_is_known_without_asking(own_home: Home) -> None:
    assert not Hindsight(Surroundings(own_home.root)).is_available()
    assert Hindsight(Surroundings(own_home.root, options={"mode": "local"})).is_available()
    assert Hindsight(Surroundings(own_home.root, variables={"HINDSIGHT_API_KEY": KEY})).is_available()


def test_what_it_says_of_itself_may_stand_in_the_prompt(own_home: Home) -> None:
    said = Hindsight(Surroundings(own_home.root)).system_prompt_block()
    assert "hindsight_" in said
    assert not screening.find(said, "foreign")


def test_it_is_set_up_and_tried_from_the_command_line(
    server: HindsightServer, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HINDSIGHT_API_KEY", KEY)
    done = hermes("memory", "setup", "hindsight", "--no-input", "--set", f"api_url={server.url}")
    assert (done.exit_code, done.stderr) == (0, "")
    tried = hermes("memory", "test", "--json")
    assert tried.exit_code == 0, tried.stderr
    trial = json.loads(tried.stdout)
    assert (trial["is_kept"], trial["is_found"], trial["is_forgotten"]) == (True, True, True)
    assert server.banks == {"hermes": {}}
