"""A process that opens a store, counts the statements that takes, and may kill itself before one of them.

On SQLite the driver's own trace is listened to: it names every statement, also those that FTS5 and
our PRAGMAs run, `BEGIN` and `COMMIT` among them. It tells `begun` at the first one, `committing` at each
COMMIT, and `done STATEMENTS` once the store is open; then it waits to be killed.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import sqlalchemy
from alembic import command as command  # Imported here so that a forked process need not.
from sqlalchemy import event

from hermes_agent.store.sqlite import driver
from tests.proof.places import open_at, tell


def migrate(place: str, kill_at: str, way: str = "tell", owner: str = "default") -> None:
    """Open the store; die before the statement of that number, 0 for never.

    `way` is `tell`, or `wait`: say `ready`, begin when a line comes, and leave when the store is open.
    """
    if way == "wait":
        tell("ready")
        sys.stdin.readline()
    count = _Count(int(kill_at))
    if place.startswith("postgres"):
        event.listen(sqlalchemy.Engine, "before_cursor_execute", _listener(count))
    else:
        _trace(count)
    store = open_at(place, owner)
    with store.read():
        pass
    tell("done", str(count.number))
    if way == "wait":
        store.close()
    else:
        signal.pause()


class _Count:
    """Counts statements and kills the process before one of them."""

    def __init__(self, kill_at: int) -> None:
        self.number = 0
        self.kill_at = kill_at

    def __call__(self, statement: str) -> None:
        self.number += 1
        if self.number == 1:
            tell("begun")
        if statement.upper().startswith("COMMIT"):
            tell("committing")
        if self.number == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


# Any: SQLAlchemy hands its listeners six values, of which one is needed.
def _listener(count: _Count) -> Callable[..., None]:
    def listen(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        count(statement)

    return listen


def _trace(count: _Count) -> None:
    """Have every connection of the driver tell its statements, from the first PRAGMA on."""
    module = driver()
    connect = module.connect

    # Any: the arguments and the connection of a driver chosen at run time.
    def traced(*arguments: Any, **options: Any) -> Any:
        connection = connect(*arguments, **options)
        connection.set_trace_callback(count)
        return connection

    module.connect = traced  # type: ignore[attr-defined]
