"""Homes of every kind, filled in every place that can hold a word, and read back byte by byte.

A kind of home is a name in `KINDS`.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import select

from hermes_agent.app import App
from hermes_agent.config import private
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.crypto import keys, unlocked
from hermes_agent.ids import new_uid
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.reflections import NewReflection
from hermes_agent.store import bodies, jobs, journal, messages, reflections, sessions, skills, tables
from hermes_agent.store.engine import Engine
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.postgres import server_address

KINDS = ("plain", "packed", "encrypted", "postgres")
RUN = 12


@contextmanager
def opened(kind: str, folder: Path) -> Iterator[App]:
    """Open a new home of a kind."""
    home = Home(folder / f"home-{new_uid()}", "default")
    ensure(home)
    engine: Engine = Sqlite(home.state_db, cache=home.cache)
    if kind == "postgres":
        engine = Postgres(server_address(), schema_name(new_uid()))
    if kind == "encrypted":
        made = keys.new()
        unlocked.unlock(home.sealed, made)
        engine = Sqlite(home.state_db, key=made.database)
    app = App(home, load(home), store=Store(engine, "default"))
    try:
        yield app
    finally:
        app.close()


def fill(app: App, secret: str, other: str, kind: str) -> str:
    """Say a secret, quote it wherever memory may quote something, and say other things beside it."""
    memory, store, home = app.memory, app.store, app.home
    name = memory.begin(NewSession("cli", title=f"About {secret}"[:90]))
    memory.append(name, NewMessage("user", f"{secret}"))
    memory.append(
        name, NewMessage("assistant", f"You said: {secret}", reasoning=f"Hm. {secret}", sent=f"Sent {secret}")
    )
    place = memory.begin(NewSession("cli"))
    memory.append(place, NewMessage("user", other))
    memory.append(place, NewMessage("assistant", f"Fine day today. As recalled: {secret} Bye now."))
    memory.append(place, NewMessage("tool", f"found: {secret}", tool_name="recall", tool_call_id="c1"))
    calls = [{"name": "note", "arguments": {"text": secret}}]
    memory.append(place, NewMessage("assistant", None, tool_calls=calls, sent=f"<memory>{secret}</memory>"))
    with store.write() as connection:
        said = list(messages.of_session(connection, name))
        sessions.set_prompt(connection, place, f"You know that {secret}")
        jobs.add(connection, "learn", "some", {"text": secret})
        journal.write(
            connection, NewEntry("decision.made", place, f"Decided: {secret}", cause=secret, after={"a": secret})
        )
        lesson = NewReflection(
            session_id=name,
            message_uid=said[0].uid,
            task=secret,
            task_type="coding",
            outcome="done",
            worked=[secret],
            differently=[],
            source_class="user",
            began_at=said[0].said_at,
            ended_at=said[0].said_at,
            written_by="rules",
        )
        reflections.add(connection, lesson, None)
        skills.put(
            connection,
            "a-skill",
            {"SKILL.md": f"# Do\n{secret}\nGo on.\n"},
            category=None,
            state="archived",
            made_by="agent",
        )
        if kind == "packed":
            bodies.pack_all(connection, store.engine, range(1, messages.last_id(connection) + 1))
    app.notebook.kept("memory").file.write(f"{secret}\n§\nAn entry that stays.")
    app.notebook.reconcile()
    home.logs.mkdir(exist_ok=True)
    home.daemon_log.write_bytes(f"before\nfailed: {secret}\nafter\n".encode("utf-8", "replace"))
    home.chat_history.write_bytes(f"+{secret}\n+ls\n".encode("utf-8", "replace"))
    home.outputs.mkdir(parents=True, exist_ok=True)
    (home.outputs / "1.txt").write_bytes(secret.encode("utf-8", "replace"))
    return name


def everything(app: App) -> Iterator[bytes]:
    """Yield every file of a home raw, and every text of its store opened and unpacked."""
    for folder, _, names in os.walk(app.home.root):
        for name in names:
            yield (Path(folder) / name).read_bytes()
            yield private.read(Path(folder) / name)
    with app.store.read() as connection:
        for table in tables.metadata.tables.values():
            for row in connection.execute(select(table)):
                yield "\n".join(text for value in row for text in _texts(value)).encode("utf-8", "surrogatepass")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        yield json.dumps(value, ensure_ascii=False)
        yield json.dumps(value)
