"""What document 002 prints, as printed: the settings blocks, `config set`, `db migrate`, facts, the store."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes
from tests.openai_server import Call, Say, Use, serve
from tests.postgres import server_address

SQLITE = """{
  "memory": {
    "backend": "sqlite",
    "path": "~/.hermes/memory.db",
    "vacuumSchedule": "weekly",   // auto-vacuum to reclaim space
    "walMode": true               // write-ahead logging for better concurrency
  }
}"""
POSTGRES = """{
  "memory": {
    "backend": "postgres",
    "connectionString": "${HERMES_DB_URL}",
    // e.g. postgres://user:password@localhost:5432/hermes
    "poolSize": 5,
    "sslMode":  "require"
  }
}"""
RETRIEVAL = """{
  "memory": {
    "retrieval": {
      "contextBudgetTokens": 20000,  // how many tokens of memory to inject per task
      "recencyEpisodes":    3,       // always include N most recent
      "semanticTopK":       5,       // semantic search result count
      "minRelevanceScore":  0.65     // discard results below this similarity threshold
    }
  }
}"""
EMBEDDINGS = """{
  "memory": {
    "embeddings": {
      "provider":   "anthropic",           // anthropic | openai | local
      "model":      "text-embedding-3-small",  // used if provider is openai
      // For Anthropic, uses the built-in embedding endpoint
      // For local: use ollama with nomic-embed-text
      "dimensions": 1536,
      "batchSize":  100   // embed up to 100 episodes per batch job
    }
  }
}"""


@pytest.fixture
def config(own_home: Home) -> Path:
    own_home.root.mkdir()
    return own_home.config_json


def test_the_sqlite_block_loads_and_its_path_is_the_store(hermes: Hermes, config: Path, own_home: Home) -> None:
    config.write_text(SQLITE)
    assert hermes("chat", "-q", "hello").exit_code == 0
    assert own_home.memory_db_link.is_symlink()
    assert own_home.memory_db_link.resolve() == own_home.state_db.resolve()
    assert hermes("config", "get", "memory.vacuumSchedule").stdout == "weekly\n"


def test_the_stores_file_can_be_copied(hermes: Hermes, own_home: Home, tmp_path: Path) -> None:
    hermes("chat", "-q", "My name is Ada.")
    shutil.copy(own_home.memory_db_link, tmp_path / "copy.db")
    connection = driver().connect(tmp_path / "copy.db")
    assert connection.execute("SELECT content FROM messages WHERE role = 'user'").fetchall() == [
        ("My name is Ada.",)
    ]
    connection.close()


def test_the_postgres_block_loads(hermes: Hermes, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Only sslMode differs: the server of the tests speaks over a socket, where there is no TLS.
    config.write_text(POSTGRES.replace("require", "prefer"))
    monkeypatch.setenv("HERMES_DB_URL", server_address().replace("postgresql://", "postgres://"))
    monkeypatch.setenv("HERMES_MEMORY_SCHEMA", f"documents_{os.getpid()}")
    assert hermes("db", "migrate").exit_code == 0
    assert hermes("sessions", "list").exit_code == 0


@pytest.mark.parametrize("block", [RETRIEVAL, EMBEDDINGS])
def test_the_other_blocks_load(hermes: Hermes, config: Path, block: str) -> None:
    config.write_text(block)
    outcome = hermes("config", "show")
    assert (outcome.exit_code, outcome.stderr) == (0, "")


def test_the_printed_settings_commands_work(hermes: Hermes) -> None:
    assert hermes("config", "set", "memory.embeddings.provider", "ollama").exit_code == 0
    assert hermes("config", "set", "memory.embeddings.model", "nomic-embed-text").exit_code == 0
    assert hermes("config", "get", "memory.embeddings.provider").stdout == "ollama\n"


def test_the_printed_facts_are_added_listed_and_deleted(hermes: Hermes) -> None:
    printed = (
        "User's timezone is Europe/London (UTC+1 in summer)",
        "Primary project is 'Atlas' — B2B SaaS, Python/PostgreSQL stack",
        "Preferred report format: executive summary first, bullet points, tables",
    )
    for number, text in enumerate(printed, start=1):
        assert hermes("memory", "fact", "add", text).stdout == f"[fact:{number:03}] {text}\n"
    listed = hermes("memory", "facts", "list", "--recent", "20")
    assert (listed.exit_code, listed.stdout.splitlines()) == (
        0,
        [f"[fact:{number:03}] {text}" for number, text in enumerate(printed, start=1)],
    )
    assert hermes("memory", "fact", "delete", "fact:003").exit_code == 0
    assert printed[2] not in hermes("memory", "facts", "list", "--recent", "20").stdout
    assert hermes("memory", "fact", "delete", "fact:044").exit_code == 2


def test_what_is_learned_and_added_is_listed_as_printed(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    hermes("chat", "-q", "I prefer bullet points.")
    assert hermes("jobs", "run").exit_code == 0
    added = (
        'Project "Atlas" uses Python 3.12 and PostgreSQL',
        "User's GitHub username is: your-handle",
        "Deadline for Q2 report: 2026-06-30",
    )
    for text in added:
        hermes("memory", "fact", "add", text)
    assert hermes("memory", "facts", "list", "--recent", "20").stdout.splitlines() == [
        "[fact:001] User prefers bullet points (confidence: high)",
        *(f"[fact:{number:03}] {text}" for number, text in enumerate(added, start=2)),
    ]
    assert hermes("memory", "fact", "delete", "fact:003").stdout == f"Deleted: [fact:003] {added[1]}\n"
    assert "fact:003" not in hermes("memory", "facts", "list", "--recent", "20").stdout


def test_the_printed_searches_find(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    hermes("memory", "fact", "add", 'Project "Atlas" uses Python 3.12 and PostgreSQL')
    hermes("memory", "fact", "add", "Deadline for Q2 report: 2026-06-30")
    hermes("chat", "-q", "Our GitHub organisation got a new name")
    assert "[fact:001]" in hermes("memory", "search", "Atlas project").stdout
    deadline = hermes("memory", "search", "--type", "facts", "deadline")
    assert (deadline.exit_code, deadline.stdout.startswith("[fact:002]")) == (0, True)
    assert ">>>Deadline<<< for Q2 report: 2026-06-30\n" in deadline.stdout
    github = hermes("memory", "search", "--type", "episodes", "GitHub")
    assert (github.exit_code, github.stdout.startswith("[episode:1]")) == (0, True)


def test_the_printed_status_has_its_lines_first(hermes: Hermes) -> None:
    lines = hermes("memory", "status", "--verbose").stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:7]] == [
        "Episodes",
        "Facts",
        "Reflections",
        "Embeddings",
        "DB size",
        "Last vacuum",
        "Last compression",
    ]
    assert lines[0] == "Episodes: 0 (raw: 0, compressed: 0)"
    assert lines[3] == "Embeddings: 0 episode + 0 fact vectors"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memory.retrieval.contextBudgetTokens", "40000"),
        ("memory.retrieval.recencyEpisodes", "4"),
        ("memory.retrieval.semanticTopK", "7"),
        ("memory.retrieval.minRelevanceScore", "0.5"),
        ("memory.embeddings.model", "text-embedding-3-small"),
        ("memory.embeddings.dimensions", "1536"),
        ("memory.embeddings.batchSize", "50"),
    ],
)
def test_each_printed_setting_can_be_set_by_command(hermes: Hermes, name: str, value: str) -> None:
    assert hermes("config", "set", name, value).exit_code == 0
    assert hermes("config", "get", name).stdout == f"{value}\n"


def test_memory_is_compacted_by_the_printed_command(hermes: Hermes) -> None:
    told = hermes("memory", "compact")
    assert (told.exit_code, told.stdout) == (0, "Nothing is old enough to be compressed.\n")


def test_lessons_are_listed_by_the_printed_command(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert hermes("memory", "reflections", "list").exit_code == 0
    monkeypatch.chdir(tmp_path)
    (tmp_path / "settings.toml").write_text("port = 80\n")
    wrong, right = (
        Use(Call("read_file", json.dumps({"path": path}))) for path in ("config.toml", "settings.toml")
    )
    with serve(wrong, right, Say("The port is 80.")) as server:
        monkeypatch.setenv("HERMES_BASE_URL", server.url)
        assert hermes("chat", "-q", "Read the settings of the web shop").exit_code == 0
    monkeypatch.delenv("HERMES_BASE_URL")
    assert hermes("jobs", "run").exit_code == 0
    told = hermes("memory", "reflections", "list").stdout.splitlines()
    heading = r"reflection:001  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  research, done: Read the settings of the web shop"
    assert re.fullmatch(heading, told[0])
    assert told[1].endswith("read_file settings.toml worked.")


def test_memory_is_exported_and_imported_by_the_printed_commands(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hermes("memory", "fact", "add", "Deadline for Q2 report: 2026-06-30")
    assert hermes("memory", "export", "--output", "~/hermes-memory-export.json").exit_code == 0
    before = hermes("memory", "facts", "list").stdout
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "new machine"))
    assert hermes("memory", "import", "~/hermes-memory-export.json").exit_code == 0
    assert hermes("memory", "facts", "list").stdout == before
    hermes("jobs", "run")
    vectors = json.loads(hermes("memory", "status", "--json").stdout)["vectors"]
    assert vectors["done"] == vectors["total"] > 0
