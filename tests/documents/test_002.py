"""What document 002 prints, as printed: the settings blocks, `config set`, `db migrate`, the store's place."""

import os
import shutil
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes
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
