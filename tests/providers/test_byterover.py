"""ByteRover: with a program that stands for `brv`; behind `proof` the same with the real one from npm."""

import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown, ProviderError, ProviderRefused, ToolError
from hermes_agent.providers import choose
from hermes_agent.providers.byterover import ByteRover
from hermes_agent.providers.provider import Surroundings
from tests import openai_server
from tests.conftest import Hermes
from tests.openai_server import Call, Plain, Received, Say, Use
from tests.providers import neighbours, service_server
from tests.providers.brv_program import GARBAGE
from tests.providers.service_server import Json

PROGRAM = Path(__file__).with_name("brv_program.py")


def curating(request: Received) -> Plain:
    """Play ByteRover's model: keep what it was given, word for word, under a name of its own."""
    messages = request.json["messages"]
    if messages[-1]["role"] == "tool":
        return Say("Curated.")
    found = re.search(r"__query_results_\w+", json.dumps(messages[1:]))
    if found is not None:
        answer = f"// Answer with what was found\nsetFinalResult(JSON.stringify({found[0]}))"
        return Use(Call("code_exec", json.dumps({"code": answer})))
    context = re.search(r"__curate_ctx_\w+", json.dumps(messages[1:]))
    if context is None:
        return Say("I know nothing of that.")
    code = f"""// Keep a sentence in people/told
(async () => {{
  const told = String({context[0]}).replace(/\\s+/g, ' ');
  const title = 'Told ' + told.length + ' ' + told.slice(0, 20).replace(/[^a-zA-Z]/g, '');
  console.log(await tools.curate([{{type: 'UPSERT', path: 'people/told', title, reason: 'told', summary: told,
    content: {{rawConcept: {{task: told}}, narrative: {{structure: told}}, facts: []}}}}]));
}})()"""
    return Use(Call("code_exec", json.dumps({"code": code})))


@contextmanager
def real(home: Path) -> Iterator[dict[str, str]]:
    """Get the real program ready, with its cloud and its model on loopback; yield what it needs to be told."""
    programs = neighbours.node_package("byterover", "byterover-cli@3.14.0")
    with ExitStack() as open_:
        cloud = open_.enter_context(service_server.serve(_cloud))
        model = open_.enter_context(openai_server.serve(curating))
        addresses = dict.fromkeys(
            [f"BRV_{name}_BASE_URL" for name in ("IAM", "COGIT", "BILLING", "LLM", "GIT_REMOTE")], cloud.url
        )
        home.mkdir(exist_ok=True)
        variables = {
            **addresses,
            "BRV_WEB_APP_URL": cloud.url,
            "BRV_DISABLE_AUTOUPDATE": "1",
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(home),
        }
        connect = ["providers", "connect", "openai-compatible", "--base-url", model.url, "--api-key", "x"]
        neighbours.done([str(programs / "brv"), *connect, "--model", "stub"], home, variables)
        open_.callback(_stop_server, home)
        yield variables


def _cloud(request: service_server.Received) -> Json:
    if "openid-configuration" not in request.path:
        return Json({}, 404)
    root = f"http://{request.headers['host']}"
    names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
    return Json(
        {"issuer": root, "response_types_supported": ["code"], **{name: f"{root}/{name}" for name in names}}
    )


def _stop_server(home: Path) -> None:
    with suppress(FileNotFoundError, ProcessLookupError):
        told = json.loads((home / ".local/share/brv/daemon.json").read_text())
        os.kill(told["pid"], signal.SIGTERM)


@pytest.fixture(scope="module", params=["stand-in", pytest.param("real", marks=pytest.mark.proof)])
def variables(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    folder = tmp_path_factory.mktemp("brv")
    if request.param == "real":
        with real(folder / "home") as told:
            yield told
    else:
        yield stand_in(folder)


def stand_in(folder: Path) -> dict[str, str]:
    program = folder / "brv"
    program.write_text(f"#!{sys.executable}\n{PROGRAM.read_text('utf-8')}", "utf-8")
    program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder)}


Make = Callable[..., ByteRover]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(variables: dict[str, str], play: str = "", **options: object) -> ByteRover:
        told = {**variables, "BRV_PLAY": play, "BRV_API_KEY": "brv-secret-key", "OTHER_API_KEY": "not-yours"}
        rover = ByteRover(Surroundings(tmp_path / "hermes", "default", options, told))
        rover.initialize("s1", hermes_home=str(tmp_path), platform="cli")
        return rover

    return made


@pytest.fixture
def memory(make: Make, variables: dict[str, str]) -> ByteRover:
    return make({name: value for name, value in variables.items() if name != "BRV_API_KEY"})


@pytest.fixture
def played(make: Make, tmp_path: Path) -> Callable[[str], ByteRover]:
    """The stand-in, with something that goes wrong."""
    return lambda play: make(stand_in(tmp_path), play)


def use(memory: ByteRover, tool: str, **args: Any) -> Any:
    return json.loads(memory.handle_tool_call(tool, args))


def test_it_is_found_by_its_name(tmp_path: Path) -> None:
    assert isinstance(choose.make("byterover", Surroundings(tmp_path)), ByteRover)


def test_what_is_remembered_is_found_and_can_be_forgotten(memory: ByteRover) -> None:
    kept = memory.remember("Anna prefers dark mode in the editor.")
    [line] = memory.prefetch("What mode does Anna prefer in the editor?").splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d: Anna prefers dark mode in the editor\.", line)
    [one] = memory.memories()
    assert one.id == kept and "Anna prefers dark mode in the editor." in one.text and "updatedAt" not in one.text
    memory.forget(kept)
    memory.forget(kept)
    assert list(memory.memories()) == []
    assert memory.prefetch("What mode does Anna prefer in the editor?") == ""


def test_a_turn_is_learned_from_and_brought_twice_is_there_once(memory: ByteRover) -> None:
    for _ in range(2):
        memory.sync_turn("I moved to Rome last week.", "Noted.", session_id="s1")
    [kept] = memory.memories()
    assert "User: I moved to Rome last week." in kept.text
    assert "Rome" in memory.prefetch("Where did I moved to, was it Rome?")


def test_the_notes_are_told(memory: ByteRover) -> None:
    memory.on_memory_write("add", "user", "Likes tea with milk.")
    memory.on_memory_write("remove", "user", "", {"old_text": "Likes tea with milk."})
    [kept] = memory.memories()
    assert "[User profile] Likes tea with milk." in kept.text


def test_each_tool_does_its_work(memory: ByteRover) -> None:
    assert [tool["name"] for tool in memory.get_tool_schemas()] == ["brv_query", "brv_curate", "brv_status"]
    told = use(memory, "brv_curate", content="Peppi maintains the Atlas backend.")
    assert told["result"] == "Memory curated successfully."
    assert [one.id for one in memory.memories()] == told["files"]
    assert "Peppi" in use(memory, "brv_query", query="Who maintains the Atlas backend?")["result"]
    unknown = use(memory, "brv_query", query="Zebra moonbase quartz?")
    assert unknown == {"result": "No relevant memories found."}
    assert use(memory, "brv_status")["status"]["cliVersion"] == "3.14.0"


@pytest.mark.parametrize(
    "text",
    ["我喜欢深色模式 🦊 sehr schön", "half \ud800 a pair, NUL \x00 too", "--help me -f out", "x y " * 5_000],
)
def test_any_text_is_taken(memory: ByteRover, text: str) -> None:
    assert memory.remember(text) in [one.id for one in memory.memories()]


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("brv_query", {}),
        ("brv_query", {"query": 7}),
        ("brv_curate", {"content": " "}),
        ("brv_curate", {"content": "x" * 20_001}),
        ("brv_dance", {}),
    ],
)
def test_a_wrong_call_of_a_tool_says_what_to_do(
    played: Callable[[str], ByteRover], tool: str, args: dict[str, Any]
) -> None:
    with pytest.raises(ToolError):
        played("").handle_tool_call(tool, args)


@pytest.mark.parametrize("name", ["../../config.yaml", "/etc/passwd", "../secret.md", "people"])
def test_only_files_of_the_tree_are_forgotten(
    played: Callable[[str], ByteRover], tmp_path: Path, name: str
) -> None:
    secret = tmp_path / "hermes" / "byterover" / ".brv" / "secret.md"
    memory = played("")
    memory.remember("Anna prefers dark mode in the editor.")
    secret.write_text("mine")
    with pytest.raises(ToolError):
        memory.forget(name)
    assert secret.exists()


def test_a_short_query_asks_nobody(played: Callable[[str], ByteRover]) -> None:
    memory = played("crash")
    assert (memory.prefetch(""), memory.prefetch("hello")) == ("", "")


def every_call(memory: ByteRover) -> list[Callable[[], object]]:
    return [
        lambda: memory.prefetch("What mode does Anna prefer?"),
        lambda: memory.remember("Anna prefers dark mode."),
        lambda: memory.sync_turn("I moved to Rome last week.", "Noted."),
        lambda: memory.on_memory_write("add", "user", "Likes tea with milk."),
        lambda: memory.handle_tool_call("brv_query", {"query": "What mode?"}),
    ]


@pytest.mark.parametrize("play", [play for play in GARBAGE if play != "keys"])
def test_an_answer_that_is_none_is_never_an_empty_memory(played: Callable[[str], ByteRover], play: str) -> None:
    for call in every_call(played(play)):
        with pytest.raises(ProviderDown, match="something else than it should"):
            call()


def test_an_answer_without_its_parts_is_told(played: Callable[[str], ByteRover]) -> None:
    for call in every_call(played("keys")):
        with pytest.raises(ProviderDown):
            call()


@pytest.mark.parametrize(
    ("play", "kind", "words"),
    [
        ("down", ProviderDown, "ECONNREFUSED"),
        ("crash", ProviderDown, "cannot read properties"),
        ("no provider", ProviderRefused, "No provider connected"),
        ("wrong key", ProviderRefused, "Invalid API key …"),
    ],
)
def test_what_failed_is_told_although_brv_ends_well(
    played: Callable[[str], ByteRover], play: str, kind: type[ProviderError], words: str
) -> None:
    for call in every_call(played(play)):
        with pytest.raises(kind, match=words) as failed:
            call()
        assert "brv-secret-key" not in str(failed.value)


def test_killed_in_the_middle_of_curating_is_down(played: Callable[[str], ByteRover]) -> None:
    with pytest.raises(ProviderDown, match="brv curate failed"):
        played("killed").remember("Anna prefers dark mode.")


def test_a_model_that_keeps_nothing_is_told_for_a_sentence_and_fine_for_a_turn(
    played: Callable[[str], ByteRover],
) -> None:
    memory = played("plain answer")
    memory.sync_turn("What time is it in Rome?", "Nine.")
    assert use(memory, "brv_curate", content="Nothing.")["files"] == []
    with pytest.raises(ProviderDown, match="kept nothing"):
        memory.remember("Anna prefers dark mode.")


def test_a_slow_one_is_not_waited_for(make: Make, tmp_path: Path) -> None:
    memory = make(stand_in(tmp_path), "slow", timeout_seconds=0.1)
    with pytest.raises(ProviderDown, match=r"brv search did not end within 0\.1 s"):
        memory.prefetch("What mode does Anna prefer?")


def test_keys_of_others_are_not_handed_on(played: Callable[[str], ByteRover], tmp_path: Path) -> None:
    played("environment").prefetch("What mode does Anna prefer?")
    told = json.loads((tmp_path / "hermes" / "byterover" / "environment.json").read_text())
    assert told["BRV_API_KEY"] == "brv-secret-key"
    assert "OTHER_API_KEY" not in told and "HOME" in told


def test_without_the_program_it_says_how_to_get_it(tmp_path: Path) -> None:
    memory = ByteRover(Surroundings(tmp_path, variables={"PATH": str(tmp_path)}, options={"command": "brv"}))
    assert not memory.is_available()
    with pytest.raises(ProviderRefused, match="not found") as refused:
        memory.initialize("s1")
    assert "npm install -g byterover-cli" in str(refused.value.hint)


def test_a_program_that_does_not_start_is_told(make: Make, tmp_path: Path) -> None:
    (tmp_path / "brv").write_text("#!/nowhere/at/all\n")
    (tmp_path / "brv").chmod(0o755)
    with pytest.raises(ProviderRefused, match="does not start"):
        make({"PATH": str(tmp_path)}).prefetch("What mode does Anna prefer?")


def test_an_encrypted_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "encryption.json").write_text("{}")
    memory = ByteRover(Surroundings(tmp_path, variables=stand_in(tmp_path)))
    assert not memory.is_available()
    with pytest.raises(ProviderRefused, match="plain files, and this home is encrypted"):
        memory.initialize("s1")


def test_learning_can_be_turned_off_here_or_where_the_public_product_has_it(make: Make, tmp_path: Path) -> None:
    (tmp_path / "hermes").mkdir()
    (tmp_path / "hermes" / "config.yaml").write_text("memory:\n  byterover:\n    auto_extract: false\n")
    quiet, learning = make(stand_in(tmp_path)), make(stand_in(tmp_path), auto_extract="true")
    for memory, count in ((quiet, 0), (learning, 2)):
        memory.sync_turn("I moved to Rome last week.", "Noted.")
        memory.on_memory_write("add", "user", "Likes tea with milk.")
        assert len(list(memory.memories())) == count


@pytest.mark.parametrize(("option", "value"), [("timeout_seconds", "long")])
def test_an_option_that_does_not_fit_is_told(make: Make, tmp_path: Path, option: str, value: str) -> None:
    with pytest.raises(ProviderRefused, match=option):
        make(stand_in(tmp_path), **{option: value})


def test_its_settings_are_described(played: Callable[[str], ByteRover]) -> None:
    memory = played("")
    fields = {field["key"]: field for field in memory.get_config_schema()}
    assert fields["api_key"]["env_var"] == "BRV_API_KEY"
    assert memory.is_available() and "brv_query" in memory.system_prompt_block()


def test_it_is_set_up_tried_and_told_of_turns(
    hermes: Hermes, own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", stand_in(tmp_path)["PATH"])
    assert hermes("config", "set", "memory.providerSeconds", "20").exit_code == 0
    assert hermes("memory", "setup", "byterover", "--no-input").exit_code == 0
    assert hermes("memory", "test").exit_code == 0
    said = hermes("chat", "-q", "I live in Oslo, in the north.")
    assert said.exit_code == 0 and "external memory" not in said.stderr
    told = " ".join(one.text for one in ByteRover(Surroundings(own_home.root)).memories())
    assert "User: I live in Oslo, in the north." in told and "[User profile] Lives in Oslo" in told
