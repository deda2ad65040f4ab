"""In whose memory a chat is: the home's own for its owner, a guest profile for everybody else.

A guest profile is a profile like any other (`hermes profile list`), made when somebody first writes. It shares
the owner's model, as an object, and nothing else: no notes, facts, skills, archive, settings or keys, also not
those of the environment. Its tools touch neither files nor commands.
"""

import threading
from collections import OrderedDict
from contextlib import ExitStack
from dataclasses import dataclass

from hermes_agent import clock
from hermes_agent.agent.desk import Desk
from hermes_agent.app import App
from hermes_agent.config import files, paths
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import (
    MEMORY_BACKEND,
    MEMORY_CONNECTION_STRING,
    MEMORY_CURATE_USER_NOTE,
    MEMORY_POOL_SIZE,
    MEMORY_SSL_MODE,
)
from hermes_agent.errors import UsageError
from hermes_agent.handlers import stepwise_handlers
from hermes_agent.jobs import learning, reflecting, worker
from hermes_agent.store import canonical, meta
from hermes_agent.store.store import Store

_MARK = "guest"
"""What the store of a guest says of whom it is."""
_MOST_OPEN = 32
_JOB_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Room:
    """Where a chat is held."""

    app: App
    desk: Desk
    is_guest: bool


class Guests:
    """The memories that chats are held in; those of guests are opened when they are needed."""

    def __init__(self, owner: App) -> None:
        self._owner = owner
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Room] = OrderedDict()
        self._in_use: dict[str, int] = {}

    def enter(self, profile: str, whose: str) -> Room:
        """Return where the chats of a profile are held, until `leave`; `whose` says who a guest is."""
        with self._lock:
            if profile == self._owner.home.profile:
                return Room(self._owner, self._owner.desk, is_guest=False)
            room = self._open.get(profile) or self._opened(profile, whose)
            self._open[profile] = room
            self._open.move_to_end(profile)
            self._in_use[profile] = self._in_use.get(profile, 0) + 1
            self._close_idle(_MOST_OPEN)
            return room

    def leave(self, profile: str) -> None:
        """Say that a chat needs its memory no longer for now."""
        with self._lock:
            if profile in self._in_use:
                self._in_use[profile] -= 1

    def close(self) -> None:
        """Let go of every memory of guests."""
        with self._lock:
            self._in_use.clear()
            self._close_idle(0)

    def _close_idle(self, most: int) -> None:
        for profile in list(self._open):
            if len(self._open) <= most:
                return
            if not self._in_use.get(profile):
                self._open.pop(profile).app.close()

    def _opened(self, profile: str, whose: str) -> Room:
        self._owner.refuse_lost()
        home = paths.home_of(profile)
        is_new = not home.root.exists()
        paths.ensure(home)
        if is_new and self._owner.settings[MEMORY_BACKEND] == "postgres":
            # For the owner who looks into it by `-p`: where it is, but not the address, which may be a key.
            files.write(home, MEMORY_BACKEND, "postgres")
        settings = load(home, with_environment=False)
        app = App(home, settings, store=self._store(home), model=self._owner.model)
        with ExitStack() as failed:
            failed.callback(app.close)
            _mark(app, whose, is_new=is_new)
            failed.pop_all()
        return Room(app, app.desk.for_guest(), is_guest=True)

    def _store(self, home: Home) -> Store | None:
        """Return where a guest's memory lies: on the owner's server, in a schema of its own, or in its home."""
        if self._owner.settings[MEMORY_BACKEND] != "postgres":
            return None
        from hermes_agent.store.postgres import Postgres, schema_name

        settings = self._owner.settings
        address = settings[MEMORY_CONNECTION_STRING]
        assert address is not None  # the owner's own store is there
        engine = Postgres(
            address, schema_name(home.profile), settings[MEMORY_POOL_SIZE], settings[MEMORY_SSL_MODE]
        )
        return Store(engine, owner=home.profile)


def _mark(app: App, whose: str, *, is_new: bool) -> None:
    """Make sure that a profile is this guest's, and not one that its owner made by hand under the same name."""
    with app.store.write() as connection:
        known = meta.get(connection, _MARK)
        if known is None and (is_new or canonical.is_empty(connection)):
            known = meta.put_first(connection, _MARK, whose)
    if known != whose:
        raise UsageError(
            f"The profile {app.home.profile!r} is there already and is not that of {whose}.",
            hint="Rename it: hermes profile rename",
        )


def look_after(app: App) -> None:
    """Do for a moment what follows from a guest's turn: no daemon works in their home."""
    end = clock.monotonic() + _JOB_SECONDS
    learning.enqueue_due(app.memory, is_curating=app.settings[MEMORY_CURATE_USER_NOTE])
    reflecting.enqueue_due(app.memory)
    for _ in worker.run_due(app.store, stepwise_handlers(app), is_over=lambda: clock.monotonic() >= end):
        pass
