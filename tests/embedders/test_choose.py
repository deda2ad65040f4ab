"""Who embeds: decided from a settings file and variables alone."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.embedders.remote import Remote
from hermes_agent.errors import EmbedderDown, SettingError
from tests.conftest import Hermes
from tests.documents.test_002 import EMBEDDINGS
from tests.embedders.conftest import Choose
from tests.embeddings_server import Vectors, serve

KEY = "not-a-real-key"


def test_with_nothing_set_the_local_one_embeds(decide: Choose) -> None:
    chosen = decide()
    assert chosen.embedder is not None
    assert chosen.embedder.fingerprint == "local/wordllama-l2-supercat@0.4/256/plain-1"
    assert chosen.embedder.is_local


def test_none_embeds_nothing_and_that_is_no_problem(decide: Choose) -> None:
    chosen = decide({"provider": "none"})
    assert (chosen.embedder, chosen.notices, chosen.problem) == (None, (), None)


@pytest.mark.parametrize(
    ("provider", "variable", "fingerprint"),
    [
        ("openai", "OPENAI_API_KEY", "openai/text-embedding-3-small@1/1536/plain-1"),
        ("voyage", "VOYAGE_API_KEY", "voyage/voyage-3.5@1/1024/typed-1"),
        ("ollama", "UNUSED", "ollama/nomic-embed-text@1/768/nomic-1"),
        ("minilm", "UNUSED", "minilm/all-minilm-l6-v2-int8@8199be6f/384/plain-1"),
    ],
)
def test_each_provider_has_a_default_model(decide: Choose, provider: str, variable: str, fingerprint: str) -> None:
    chosen = decide({"provider": provider}, **{variable: KEY})
    assert chosen.embedder is not None
    assert chosen.embedder.fingerprint == fingerprint
    assert not chosen.embedder.is_local
    assert chosen.notices == ()


@pytest.mark.parametrize(("provider", "variable"), [("openai", "OPENAI_API_KEY"), ("voyage", "VOYAGE_API_KEY")])
def test_a_missing_key_is_a_problem_to_show(decide: Choose, provider: str, variable: str) -> None:
    chosen = decide({"provider": provider}, **{variable: "  "})
    assert chosen.embedder is None
    assert isinstance(chosen.problem, EmbedderDown)
    assert variable in chosen.problem.message
    assert variable in (chosen.problem.hint or "")


def test_a_key_that_cannot_stand_in_a_header_is_a_problem(decide: Choose) -> None:
    problem = decide({"provider": "openai"}, OPENAI_API_KEY="schlüssel\n").problem
    assert problem is not None
    assert "schl" not in f"{problem.message} {problem.hint}"


def test_002s_block_loads_unchanged_and_says_what_it_leaves_out(own_home: Home, decide: Choose) -> None:
    own_home.root.mkdir()
    own_home.config_json.write_text(EMBEDDINGS)
    chosen = decide(VOYAGE_API_KEY=KEY)
    assert chosen.embedder is not None
    assert chosen.embedder.fingerprint == "voyage/voyage-3.5@1/1024/typed-1"
    assert chosen.notices == (
        "Anthropic has no embedder of its own; memory.embeddings.provider anthropic means voyage.",
        "Voyage does not have 'text-embedding-3-small' (a model of OpenAI) and 1,536 dimensions; "
        "voyage-3.5 with 1,024 dimensions is used.",
    )


@pytest.mark.parametrize(
    ("provider", "fingerprint", "left_out"),
    [
        ("openai", "openai/text-embedding-3-small@1/1536/plain-1", 0),
        ("local", "local/wordllama-l2-supercat@0.4/256/plain-1", 1),
        ("minilm", "minilm/all-minilm-l6-v2-int8@8199be6f/384/plain-1", 1),
        ("ollama", "ollama/nomic-embed-text@1/768/nomic-1", 1),
    ],
)
def test_002s_block_loads_with_its_other_providers(
    own_home: Home, decide: Choose, provider: str, fingerprint: str, left_out: int
) -> None:
    own_home.root.mkdir()
    own_home.config_json.write_text(EMBEDDINGS.replace('"anthropic",', f'"{provider}",'))
    chosen = decide(OPENAI_API_KEY=KEY)
    assert chosen.embedder is not None
    assert chosen.embedder.fingerprint == fingerprint
    assert len(chosen.notices) == left_out


def test_002s_block_without_a_key_still_says_who_is_meant(own_home: Home, decide: Choose) -> None:
    own_home.root.mkdir()
    own_home.config_json.write_text(EMBEDDINGS)
    chosen = decide(ANTHROPIC_API_KEY=KEY)
    assert chosen.embedder is None
    assert chosen.problem is not None
    assert "VOYAGE_API_KEY" in chosen.problem.message
    assert "means voyage" in chosen.notices[0]


@pytest.mark.parametrize(
    ("provider", "model", "dimensions", "fingerprint"),
    [
        ("openai", "text-embedding-3-large", 256, "openai/text-embedding-3-large@1/256/plain-1"),
        ("openai", "text-embedding-4", 2_000, "openai/text-embedding-4@1/2000/plain-1"),
        ("voyage", "voyage-code-3", 2_048, "voyage/voyage-code-3@1/2048/typed-1"),
        ("ollama", "nomic-embed-text:latest", None, "ollama/nomic-embed-text@1/768/nomic-1"),
        ("ollama", "nomic-embed-text:v1.5", None, "ollama/nomic-embed-text:v1.5@1/768/nomic-1"),
        ("ollama", "mxbai-embed-large", None, "ollama/mxbai-embed-large@1/1024/searching-1"),
        ("ollama", "hf.co/someone/model:Q8", 512, "ollama/hf.co/someone/model:Q8@1/512/plain-1"),
    ],
)
def test_another_model_and_length_are_followed(
    decide: Choose, provider: str, model: str, dimensions: int | None, fingerprint: str
) -> None:
    given = {"provider": provider, "model": model} | ({} if dimensions is None else {"dimensions": dimensions})
    chosen = decide(given, OPENAI_API_KEY=KEY, VOYAGE_API_KEY=KEY)
    assert chosen.embedder is not None
    assert (chosen.embedder.fingerprint, chosen.notices) == (fingerprint, ())


def test_a_model_that_nobody_knows_needs_its_length(decide: Choose) -> None:
    chosen = decide({"provider": "ollama", "model": "mystery"})
    assert chosen.embedder is None
    assert chosen.problem is not None
    assert "memory.embeddings.dimensions" in (chosen.problem.hint or "")


def test_a_server_that_speaks_openais_language_may_have_any_model(decide: Choose) -> None:
    given = {"provider": "openai", "model": "nomic-embed-text", "baseUrl": "http://localhost:1234"}
    chosen = decide(given)
    assert chosen.embedder is not None
    assert (chosen.embedder.fingerprint, chosen.notices) == ("openai/nomic-embed-text@1/768/nomic-1", ())


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("HOST:PORT", ""),
        ("http://HOST:PORT", ""),
        (":PORT", ""),
        ("0.0.0.0:PORT", ""),
        ("http://HOST:PORT/v1/", ""),
        ("http://HOST:PORT/proxied", "/proxied"),
    ],
)
def test_ollamas_own_variable_says_where_it_is(decide: Choose, host: str, path: str) -> None:
    with serve(Vectors(768)) as server:
        place = host.replace("HOST", "127.0.0.1").replace("PORT", str(server.port))
        embedder = decide({"provider": "ollama"}, OLLAMA_HOST=place).embedder
        assert embedder is not None
        embedder.embed(["text"])
    assert server.requests[0].path == f"{path}/api/embed"


@pytest.mark.parametrize(
    "url", ["localhost:99999x", "ftp://host", "http://", "http://user:pass@host/v1", "http://["]
)
def test_an_address_that_is_none_is_a_wrong_setting(decide: Choose, url: str) -> None:
    with pytest.raises(SettingError, match="baseUrl") as refused:
        decide({"provider": "openai", "baseUrl": url})
    assert "pass@" not in refused.value.message


def test_a_vendors_key_goes_only_to_the_vendor_and_to_the_address_beside_it(decide: Choose) -> None:
    keys = {"OPENAI_API_KEY": "theirs", "HERMES_API_KEY": "ours"}
    with serve(Vectors(1_536)) as server:
        beside = decide({"provider": "openai"}, OPENAI_BASE_URL=server.url, **keys).embedder
        own = decide({"baseUrl": server.url}, OPENAI_BASE_URL="http://localhost:1/v1", **keys).embedder
        assert beside is not None
        assert own is not None
        beside.embed(["text"])
        own.embed(["text"])
    assert [request.headers["authorization"] for request in server.requests] == ["Bearer theirs", "Bearer ours"]


def test_an_unknown_provider_is_refused_with_the_nearest_name(hermes: Hermes, decide: Choose) -> None:
    outcome = hermes("config", "set", "memory.embeddings.provider", "opanai")
    assert outcome.exit_code == 2
    assert "did you mean openai?" in outcome.stderr
    with pytest.raises(SettingError, match="did you mean ollama"):
        decide({"provider": "olama"})


def test_the_app_builds_it_from_the_home_with_the_key_of_the_env_file(own_home: Home, decide: Choose) -> None:
    with serve(Vectors(1_536)) as server:
        decide({"provider": "openai"}, OPENAI_API_KEY=KEY)
        own_home.env_file.write_text(f"OPENAI_API_KEY={KEY}\nOPENAI_BASE_URL={server.url}\n")
        own_home.env_file.chmod(0o600)
        app = App(own_home, load(own_home))
        assert isinstance(app.embedder, Remote)
        assert app.embedder is app.embedder_choice.embedder
        app.embedder.embed(["text"])
        app.close()
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("module", ["hermes_agent.cli.main", "hermes_agent.embedders.choose"])
def test_what_only_chooses_imports_nothing_heavy(module: str) -> None:
    heavy = "('numpy', 'tokenizers', 'onnxruntime', 'httpx2', 'importlib.metadata')"
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert outcome.stdout == "[]\n"


def test_a_name_of_ours_cannot_be_taken(decide: Choose, install: Callable[..., None], own_home: Home) -> None:
    install("def make(settings): raise SystemExit('taken')")
    entry = own_home.root.parent.parent / "site" / "acme_embedder-1.0.dist-info" / "entry_points.txt"
    entry.write_text("[hermes_agent.embedders]\nlocal = acme_embedder:make\n")
    chosen = decide({"provider": "local"})
    assert chosen.embedder is not None
    assert chosen.embedder.name == "local:wordllama-l2-supercat"
