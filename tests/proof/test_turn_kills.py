"""Turns killed with SIGKILL while they stream and use tools: every finished step is there, the session goes on."""

import json
import signal
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.agent.window import calls_of
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor
from tests.counts import count, record
from tests.fakes import ScriptedModel, reply
from tests.openai_server import Call, Say, Step, Use, serve
from tests.proof.processes import Nursery, seeded, spin

_MOST_LINES = 40
_LONGEST_SPIN_SECONDS = 0.02
_STEPS = 20_000


def script() -> Iterator[Step]:
    """Alternate notes, files and words; each step fits whatever was asked."""
    for number in range(_STEPS):
        fact = {"action": "add", "target": "memory", "content": f"fact {number} stands."}
        yield Use(Call("memory", json.dumps(fact), id=f"m{number}"))
        file = {"path": f"file{number % 7}.txt", "content": f"line {number}\n" * 40}
        yield Use(Call("write_file", json.dumps(file), id=f"w{number}"))
        yield Say(*(f"word{number}x{place} " for place in range(8)))


def test_a_killed_turn_keeps_every_finished_step(
    own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure(own_home)
    folder = tmp_path / "work"
    folder.mkdir()
    kills = count(6, 100)
    chance = seeded("turn kills")
    lost: list[str] = []
    with serve(*script()) as server:
        monkeypatch.setenv("HERMES_BASE_URL", server.url)
        monkeypatch.setenv("HERMES_MODEL", "scripted")
        monkeypatch.setenv("HERMES_MEMORY_MEMORY_CHAR_LIMIT", "1000000")
        with Nursery() as nursery:
            session_id = ""
            for number in range(kills):
                # Every second one goes on with what the one before left behind.
                resumed = session_id if number % 2 else ""
                talker = nursery.begin("talk", f"talker{number}", str(folder), resumed)
                told: list[str] = []
                last = chance.randrange(1, _MOST_LINES)
                for line in talker.tell():
                    told.append(line)
                    if len(told) > last:
                        break
                else:
                    pytest.fail(f"the talker ended by itself with {talker.status}: {told[-5:]}")
                spin(chance.uniform(0, _LONGEST_SPIN_SECONDS))
                told += talker.kill()
                assert talker.status == -signal.SIGKILL
                session_id, losses = examine(own_home, told, kills_so_far=2 if resumed else 1)
                lost += [f"kill {number}: {loss}" for loss in losses]
    record("kill.turn.kills", kills)
    record("kill.turn.lost", len(lost))
    assert lost == []


def examine(home: Home, told: list[str], *, kills_so_far: int) -> tuple[str, list[str]]:
    """Compare what a talker told with what the home holds, then go on with its session."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for line in told:
        kind, _, rest = line.partition(" ")
        by_kind[kind].append(rest)
    (session_id,) = set(by_kind["session"])
    model = ScriptedModel([reply("Here I am.")])
    app = App(home, load(home), model=model)
    app.notebook.reconcile()
    losses = [*missing(app.memory, session_id, by_kind), *broken_notes(app, by_kind["result"])]
    losses += doctor.check(app.store).problems
    conversation = Conversation(app.desk, Opening("cli", home.root))
    conversation.resume(session_id)
    if conversation.ask("Are you there?").text != "Here I am.":
        losses.append("the session did not go on")
    open_calls = [line for line in model.requests[0].lines if "No result was recorded" in str(line)]
    if len(open_calls) > kills_so_far:
        losses.append(f"{len(open_calls)} calls without a result; each kill can have stopped one")
    app.close()
    return session_id, losses


def missing(memory: Memory, session_id: str, told: dict[str, list[str]]) -> Iterator[str]:
    """Name what was told and is not in the archive."""
    kept = list(memory.messages(session_id))
    said = {message.content for message in kept if message.role == "user"}
    answers = {message.content for message in kept if message.role == "assistant"}
    calls = {call.id: call.arguments for message in kept for call in calls_of(message.tool_calls)}
    results = {calls.get(message.tool_call_id or "") for message in kept if message.role == "tool"}
    yield from (f"not kept as said: {text}" for text in set(told["said"]) - said)
    yield from (f"not kept as answered: {text}" for text in set(told["answered"]) - answers)
    yield from (f"not kept as called: {text}" for text in set(told["called"]) - set(calls.values()))
    yield from (f"not kept as result: {text}" for text in set(told["result"]) - results)


def broken_notes(app: App, results: list[str]) -> Iterator[str]:
    """Name notes that are half-written, lost, or not what the store says."""
    entries = app.notebook.entries("memory")
    for entry in entries:
        if not (entry.startswith("fact ") and entry.endswith(" stands.")):
            yield f"half a note: {entry!r}"
    for arguments in results:
        content = json.loads(arguments).get("content", "")
        if content.startswith("fact ") and content not in entries:
            yield f"an acknowledged note is gone: {content}"
