"""What is deleted leaves no copy of its vectors in the cache folder, whichever door it leaves by."""

from collections.abc import Callable

import numpy
import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.embedders.local import Local
from hermes_agent.handlers import stepwise_handlers
from hermes_agent.jobs import embedding as job
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import embedding, episodes
from hermes_agent.memory.embedding import Spoken
from hermes_agent.public.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import messages, sessions
from hermes_agent.store.matrix_source import quantise
from tests.conftest import Hermes
from tests.jobs.test_embedding import talk

OTHERS = 300
SAID = [Spoken("user", "the combination of the safe is 4711"), Spoken("assistant", "I have noted it")]

Door = Callable[[Hermes, Home], None]


def by_command(hermes: Hermes, home: Home) -> None:
    assert hermes("sessions", "delete", "secret", "--yes").exit_code == 0


def by_python(hermes: Hermes, home: Home) -> None:
    memory = Memory(home.root)
    assert memory.delete(["secret"], cause="a test") == 1
    memory.close()


def by_the_calendar(hermes: Hermes, home: Home) -> None:
    assert hermes("config", "set", "sessions.autoPrune", "true").exit_code == 0
    assert hermes("jobs", "run").exit_code == 0


@pytest.mark.parametrize("leave", [by_command, by_python, by_the_calendar])
def test_of_a_deleted_session_no_vector_is_left_in_the_cache_folder(
    leave: Door, hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    ensure(own_home)
    remember(own_home)
    (file,) = own_home.cache.glob("vectors-*")
    trace = made_of(SAID)
    assert trace in file.read_bytes()
    leave(hermes, own_home)
    left = [path.read_bytes() for path in own_home.cache.rglob("*") if path.is_file()]
    assert left and not any(trace in data for data in left)
    assert made_of([Spoken("user", "tell me of the harbour0"), Spoken("assistant", "the harbour0 is old")]) in (
        file.read_bytes()
    )


def remember(home: Home) -> None:
    """Keep and embed much, and in it a session that ended long ago."""
    app = App(home, load(home))
    talk(app.store, OTHERS)
    with app.store.write() as connection:
        sessions.create(connection, NewSession(id="secret", started_at=1))
        said = [NewMessage(one.role, one.text, said_at=1) for one in SAID]
        messages.append(connection, app.store.engine, "secret", said)
        sessions.end(connection, "secret", "done", at=2)
        episodes.record(connection, app.store.engine, "secret", None)
    job.enqueue_due(app.store, Local())
    assert {outcome.ending for outcome in run_due(app.store, stepwise_handlers(app))} <= {"done", "paused"}
    app.close()


def made_of(said: list[Spoken]) -> bytes:
    """Return an exchange's vector as the file holds it."""
    (prepared,) = embedding.prepare(Local(), [said])
    kept = prepared.vector.astype(numpy.float16).astype(numpy.float32)
    return bytes(quantise(kept[None, :])[0].tobytes())
