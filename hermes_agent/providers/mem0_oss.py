"""Mem0's library in this process: the models and the vector store that the settings name.

Its usual vector store are Qdrant's local files, which only one process may have open. So they are opened for
each single operation, under a lock: a chat and the daemon take turns, and nobody holds them while a model thinks.
That reads the files each time (measured: 0.3 s for 1,000 memories); for many more there are Qdrant's server and
pgvector.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hermes_agent.config import paths
from hermes_agent.config.replace import locked
from hermes_agent.errors import ProviderDown, ProviderRefused
from hermes_agent.providers.mem0_stores import (
    UNEXPECTED,
    Found,
    Json,
    Messages,
    NotThere,
    Whose,
    garbage,
    id_of,
    refuse_garbage,
    results,
)
from hermes_agent.providers.provider import Surroundings

OPENAI = "https://api.openai.com/v1"
EMBEDDER = "text-embedding-3-small"
_DIMENSIONS = {
    "text-embedding-3-large": 3072,
    "nomic-embed-text": 768,
    "nomic-embed-text:latest": 768,
    "mxbai-embed-large": 1024,
    "bge-m3": 1024,
    "all-minilm": 384,
}


class OnThisMachine:
    """Mem0's library in this process, with the models and the vector store that the settings name."""

    def __init__(self, config: Mapping[str, Json], timeout_seconds: float) -> None:
        from mem0 import Memory
        from mem0.configs.base import MemoryConfig
        from openai import OpenAI, OpenAIError

        self._clients: list[OpenAI] = []
        try:
            checked = MemoryConfig(**config)
            vectors = checked.vector_store
            if vectors.provider == "qdrant" and not (vectors.config.host or vectors.config.url):
                vectors.config.client = _LocalFiles(Path(vectors.config.path))
            self._memory = Memory(checked)
        except (ImportError, OpenAIError, *UNEXPECTED) as error:
            # Its own words may hold the keys of the settings.
            raise ProviderRefused(
                f"Mem0 cannot start with these settings ({type(error).__name__}).",
                hint="See memory.providers.mem0.oss: llm, embedder, vector_store, and OPENAI_API_KEY.",
            ) from error
        for part in (self._memory.llm, self._memory.embedding_model):
            client = vars(part).get("client")
            if isinstance(client, OpenAI):  # it waits ten minutes, three times
                part.client = client.with_options(timeout=timeout_seconds, max_retries=0)
                self._clients.append(part.client)
        self._memory.llm = _Careful(self._memory.llm)

    def search(self, query: str, whose: Whose, most: int, is_reranked: bool) -> list[Found]:
        filters = {"user_id": whose.user_id}
        with _of_library():
            return results(self._memory.search(query, filters=filters, top_k=most, rerank=is_reranked))

    def add(self, messages: Messages, whose: Whose, is_verbatim: bool) -> str:
        with _of_library():
            answer = self._memory.add(list(messages), infer=not is_verbatim, **whose.written())
            return id_of(answer) or refuse_garbage() if is_verbatim else ""

    def update(self, memory_id: str, text: str) -> None:
        self._need(memory_id)
        with _of_library():
            self._memory.update(memory_id, text=text)

    def delete(self, memory_id: str) -> None:
        self._need(memory_id)
        with _of_library():
            self._memory.delete(memory_id)

    def all(self, whose: Whose) -> Iterator[Found]:
        with _of_library():
            found = results(self._memory.get_all(filters={"user_id": whose.user_id}, top_k=1_000_000))
        yield from found

    def close(self) -> None:
        self._memory.close()
        for client in self._clients:
            client.close()

    def _need(self, memory_id: str) -> None:
        try:
            is_there = self._memory.get(memory_id) is not None
        except ValueError:  # Qdrant, of what is no UUID
            is_there = False
        if not is_there:
            raise NotThere(f"Mem0 has no memory {memory_id}.")


class _LocalFiles:
    """Stands for Qdrant's client: opens its files for one operation, closes them, and lets others wait."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def create_payload_index(self, **_: Json) -> None:
        """Do nothing: local files have no such index and would warn about it."""

    def __getattr__(self, name: str) -> Json:
        if name.startswith("_"):
            raise AttributeError(name)

        def operate(*args: Json, **kwargs: Json) -> Json:
            from qdrant_client import QdrantClient

            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with locked(self.path.with_name(f"{self.path.name}.lock")):
                client = QdrantClient(path=str(self.path))
                try:
                    return getattr(client, name)(*args, **kwargs)
                finally:
                    client.close()

        return operate


class _Careful:
    """A language model whose answers Mem0 can read: of others it would keep nothing, and say nothing."""

    def __init__(self, model: Json) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Json:
        return getattr(self._model, name)

    def generate_response(self, *args: Json, **kwargs: Json) -> Json:
        from mem0.memory.utils import extract_json, remove_code_blocks

        answer = self._model.generate_response(*args, **kwargs)
        if not isinstance(json.loads(extract_json(remove_code_blocks(answer)), strict=False)["memory"], list):
            raise ValueError("memory is no list")
        return answer


def config_of(found: Surroundings) -> Mapping[str, Any]:
    """Return what Mem0's library is made from: what the settings say, ours in the gaps."""
    given = found.options.get("oss") or {}
    if not isinstance(given, Mapping):
        raise ProviderRefused("memory.providers.mem0.oss is no table.", hint="It has llm, embedder, vector_store.")
    llm, embedder = (_completed(part_of(given, name, "openai"), name, found) for name in ("llm", "embedder"))
    if llm["provider"] == "openai" and "OPENROUTER_API_KEY" in found.variables:
        # Mem0 would ask OpenRouter instead of what the settings name, whenever that variable is set.
        llm = {**llm, "provider": "openai_structured"}
    vectors = part_of(given, "vector_store", "qdrant")
    dimensions = embedder["config"].get("embedding_dims") or _DIMENSIONS.get(embedder["config"].get("model"))
    config = {**({"embedding_model_dims": dimensions} if dimensions else {}), **vectors["config"]}
    if vectors["provider"] == "qdrant" and not config.keys() & {"host", "url"}:
        path = config.get("path")
        config["path"] = str(paths.expand(str(path)) if path else found.folder / "mem0" / "qdrant")
    # Nothing on disk: Mem0's history keeps the text of what was deleted, and the last messages as they were.
    return {
        "history_db_path": ":memory:",
        **given,
        "llm": llm,
        "embedder": embedder,
        "vector_store": {**vectors, "config": config},
    }


def part_of(given: Mapping[str, Any], name: str, provider: str = "") -> dict[str, Any]:
    part = given.get(name) or {}
    config = part.get("config") if isinstance(part, Mapping) else None
    if not isinstance(part, Mapping) or not isinstance(config or {}, Mapping):
        raise ProviderRefused(f"memory.providers.mem0.oss.{name} is no table.", hint="It has provider and config.")
    return {"provider": provider, **part, "config": dict(config or {})}


def _completed(part: dict[str, Any], name: str, found: Surroundings) -> dict[str, Any]:
    """Fill in what `hermes memory setup` asked for, and the key, which Mem0 does not read from the home's .env."""
    if part["provider"] != "openai":
        return part
    known = {
        "api_key": found.variables.get("OPENAI_API_KEY"),
        "openai_base_url": found.text("base_url") or found.variables.get("OPENAI_BASE_URL"),
        "model": found.text(f"{name}_model"),
    }
    return {**part, "config": {**{key: value for key, value in known.items() if value}, **part["config"]}}


@contextmanager
def _of_library() -> Iterator[None]:
    """Say in our words what went wrong with the models that Mem0 asks from this machine."""
    from mem0.exceptions import MemoryError as LibraryError
    from openai import OpenAIError

    try:
        yield
    except (OpenAIError, LibraryError) as error:
        raise _of_model(error.__cause__ if isinstance(error, LibraryError) else error) from error
    except UNEXPECTED as error:
        raise garbage() from error


def _of_model(error: BaseException | None) -> ProviderDown | ProviderRefused:
    from openai import AuthenticationError, PermissionDeniedError

    if isinstance(error, AuthenticationError | PermissionDeniedError):
        return ProviderRefused(
            "The model or the embedder of Mem0 refuses the key.",
            hint="Set OPENAI_API_KEY, or api_key in memory.providers.mem0.oss.",
        )
    return ProviderDown(f"The model or the embedder of Mem0 failed ({type(error).__name__}).")
