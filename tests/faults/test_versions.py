"""Two versions of the program on one home: the older one refuses what the newer one made, and touches nothing."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import NewerStore
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.sqlite import driver
from hermes_agent.store.store import Store
from tests.conftest import Hermes
from tests.engines import ENGINES, opened
from tests.faults.recording import Tally
from tests.store.shapes.make_shape import FOLDER as SHAPES

_NEWER = text(f"UPDATE schema_version SET version = {HEAD + 1}")
_COMMANDS = (
    ("chat", "-q", "I live in Oslo."),
    ("memory", "fact", "add", "I have a boat"),
    ("notes", "add", "user", "Likes figs"),
    ("memory", "export"),
    ("backup", "create"),
    ("db", "migrate"),
    ("jobs", "run"),
)


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from opened(request.param, tmp_path)


def test_a_program_that_has_the_store_open_writes_nothing_once_a_newer_one_changed_it(store: Store) -> None:
    tally = Tally("upgraded")
    memory = Memory(store, "default")
    session = memory.begin(NewSession(id="s"))
    memory.append(session, NewMessage("user", "said before"))
    with store.write() as connection:
        connection.execute(_NEWER)
    with pytest.raises(NewerStore, match="knows shapes up to") as refused:
        memory.append(session, NewMessage("user", "said after"))
    kept = [message.content for message in memory.messages("s")]
    tally.add(
        "a message", [] if kept == ["said before"] else [f"kept: {kept}"], [f"Error: {refused.value.message}"]
    )
    tally.close()


def test_a_store_of_a_newer_version_is_refused_by_every_command(hermes: Hermes, own_home: Home) -> None:
    tally = Tally("newer")
    assert hermes("notes", "add", "user", "Has a dog").exit_code == 0
    connection = driver().connect(own_home.state_db)
    connection.execute(_NEWER.text)
    connection.commit()
    connection.close()
    before = own_home.state_db.read_bytes()
    for command in _COMMANDS:
        done = hermes(*command)
        is_plain = done.exit_code == 1 and "knows shapes up to" in done.stderr and "Traceback" not in done.stderr
        wrong = [] if is_plain else [f"it ended with {done.exit_code}: {done.stderr}"]
        wrong += [] if own_home.state_db.read_bytes() == before else ["the store was changed"]
        tally.add(" ".join(command[:2]), wrong, [_first(done.stderr)])
    tally.close()


def test_an_older_store_is_migrated_while_an_older_process_reads_it(hermes: Hermes, own_home: Home) -> None:
    """What the reader sees does not change under it; what it holds keeps nobody from migrating."""
    tally = Tally("older")
    for shape in sorted(SHAPES.glob("*.db")):
        for path in own_home.root.glob("state.db*"):
            path.unlink()
        ensure(own_home)
        shutil.copy(shape, own_home.state_db)
        reader = driver().connect(own_home.state_db, isolation_level=None)
        reader.execute("PRAGMA journal_mode = WAL")
        reader.execute("BEGIN")
        count = "SELECT count(*), max(id) FROM messages"
        before = reader.execute(count).fetchone()
        migrated = hermes("db", "migrate")
        wrong = [] if migrated.exit_code == 0 else [migrated.stderr]
        wrong += [] if reader.execute(count).fetchone() == before else ["the reader saw something change"]
        reader.execute("COMMIT")
        wrong += [] if reader.execute(count).fetchone() == before else ["messages are missing"]
        reader.close()
        wrong += [] if hermes("db", "check").exit_code == 0 else ["it is not well"]
        tally.add(f"shape {shape.stem}", wrong)
    tally.close()


def _first(stderr: str) -> str:
    return stderr.strip().splitlines()[0] if stderr.strip() else ""
