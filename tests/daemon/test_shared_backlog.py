"""Two daemons on one PostgreSQL with a large import: each episode is embedded once, by whoever is there."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hermes_agent.config import pid_file
from hermes_agent.config.paths import Home
from hermes_agent.config.pid_file import Daemon
from hermes_agent.daemon import process
from hermes_agent.embedders.unrelated import SENTENCES
from hermes_agent.ids import new_uid
from hermes_agent.memory import embedding
from hermes_agent.store import jobs
from tests.counts import count, record
from tests.daemon.conftest import PATIENCE_SECONDS, Machine, wait_until
from tests.embeddings_server import Held, Received, Server, Step, Vectors, serve
from tests.postgres import server_address

EPISODES = count(600, 3_000)
IN_A_SESSION = 50
BATCH = 16
TURNS = count(2, 6)
"""How often the daemon that works is ended, so that the other takes over."""
REQUESTS = 2 * EPISODES // BATCH // (TURNS + 2)
"""How many requests go by between."""


@dataclass(frozen=True)
class Shared:
    """Two machines with one memory, and the server that embeds for both; each has a key of its own there."""

    machines: dict[str, Machine]
    server: Server
    stops: list[Held]
    """Requests at which the server waits, in order."""

    @property
    def texts(self) -> dict[str, Counter[str]]:
        """How often each text of the memory came, by the machine that sent it."""
        came: dict[str, Counter[str]] = {name: Counter() for name in self.machines}
        for request in list(self.server.requests):
            came[_sender(request)].update(text for text in request.json["input"] if text not in SENTENCES)
        return came

    def at_work(self, stop: Held) -> Machine:
        """Wait until the server was asked for what it holds back, and return who asked."""
        assert stop.has_come.wait(PATIENCE_SECONDS)
        return self.machines[_sender(self.server.requests[-1])]

    def finish(self) -> Counter[str]:
        """Wait until nothing is missing, and return how often each text came."""
        app = next(iter(self.machines.values())).open()
        assert app.embedder is not None
        embedder = app.embedder
        wait_until(lambda: (found := embedding.health(app.store, embedder)).done == found.total == EPISODES)
        app.close()
        return sum(self.texts.values(), Counter())


@pytest.fixture
def shared(
    tmp_path: Path, machines: Callable[[Home], Machine], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shared]:
    """Two machines with a daemon each, whose memory holds an import that nobody has read yet."""
    stops = [Held() for _ in range(TURNS)]
    pace: list[Step] = []
    for stop in stops:
        pace += [*[Vectors()] * REQUESTS, stop]
    with serve(*pace, Vectors()) as server:
        settings = {
            "HERMES_MEMORY_BACKEND": "postgres",
            "HERMES_MEMORY_CONNECTION_STRING": server_address(),
            "HERMES_MEMORY_SCHEMA": f"h{new_uid().replace('-', '')}",
            "HERMES_MEMORY_EMBEDDINGS_PROVIDER": "openai",
            "HERMES_MEMORY_EMBEDDINGS_MODEL": "small",
            "HERMES_MEMORY_EMBEDDINGS_DIMENSIONS": "8",
            "HERMES_MEMORY_EMBEDDINGS_BATCH_SIZE": str(BATCH),
            "HERMES_MEMORY_EMBEDDINGS_BASE_URL": server.url,
            "HERMES_NO_JOBS": "1",
            # It is old: compressed, it would want no vectors.
            "HERMES_MEMORY_COMPRESSION_AFTER_DAYS": "0",
        }
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        pair = {name: machines(Home(tmp_path / name, "default")) for name in ("laptop", "server")}
        for name, machine in pair.items():
            machine.home.root.mkdir()
            machine.home.env_file.write_text(f"HERMES_API_KEY={name}\n")
        (tmp_path / "in.jsonl").write_text("".join(sessions()))
        pair["laptop"].run("sessions", "import", str(tmp_path / "in.jsonl"))
        for machine in pair.values():
            machine.run("start")
        yield Shared(pair, server, stops)
        for stop in stops:
            stop.may_go.set()


def sessions() -> Iterator[str]:
    """Write sessions in which every message is a text of its own."""
    for start in range(0, EPISODES, IN_A_SESSION):
        said = [
            {"role": role, "content": text_of(role, number), "timestamp": number + 1}
            for number in range(start, start + IN_A_SESSION)
            for role in ("user", "assistant")
        ]
        yield json.dumps({"id": f"session{start}", "started_at": 1, "messages": said}) + "\n"


def text_of(role: str, number: int) -> str:
    return f"{role} speaks of thing{number}"


ALL = {text_of(role, number) for role in ("user", "assistant") for number in range(EPISODES)}


def test_daemons_that_take_turns_embed_each_episode_once(shared: Shared) -> None:
    for stop in shared.stops:
        leaving = shared.at_work(stop)
        daemon = running(leaving)
        process.ask_to_end(daemon)
        stop.may_go.set()
        assert process.has_ended(leaving.home, daemon, PATIENCE_SECONDS)
        leaving.run("start")
    sent = shared.finish()
    record("daemons.episodes", EPISODES)
    record("daemons.twice", sum(1 for times in sent.values() if times > 1))
    assert set(sent) == ALL
    assert set(sent.values()) == {1}
    assert all(shared.texts.values()), "both had their share"


def test_after_a_kill_the_other_daemon_embeds_the_rest_and_no_more_than_a_batch_anew(shared: Shared) -> None:
    killed = shared.at_work(shared.stops[0])
    daemon, batch = running(killed), set(shared.server.requests[-1].json["input"])
    process.kill(daemon)
    assert process.has_ended(killed.home, daemon, PATIENCE_SECONDS)
    for stop in shared.stops:
        stop.may_go.set()
    app = killed.open()
    with app.store.write() as connection:
        # What it held is free after five minutes; a test has no time for that.
        jobs.end_leases(connection, daemon.worker)
    app.close()
    sent = shared.finish()
    assert set(sent) == ALL
    assert {text for text, times in sent.items() if times > 1} == batch
    assert max(sent.values()) == 2
    assert all(shared.texts.values()), "the other did the rest"


def running(machine: Machine) -> Daemon:
    found = pid_file.running(machine.home)
    assert found is not None
    return found


def _sender(request: Received) -> str:
    return request.headers["authorization"].removeprefix("Bearer ")
