"""The composition root: from a home and its settings to the objects that work in it.

The only module that builds things. Everything is made when it is first asked for, so that a
command pays only for what it uses.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from hermes_agent.config import paths
from hermes_agent.config import settings as names
from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home
from hermes_agent.config.store_path import store_path
from hermes_agent.errors import SettingError
from hermes_agent.memory.memory import Memory
from hermes_agent.store.engine import Engine
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.jobs.worker import Handler


class App:
    """What works in one home."""

    def __init__(self, home: Home, settings: Settings) -> None:
        self.home = home
        self.settings = settings

    @cached_property
    def store(self) -> Store:
        """The profile's database; it opens, and migrates, when it is first used."""
        return Store(self._engine, owner=self.home.profile)

    @cached_property
    def memory(self) -> Memory:
        """The memory of this profile."""
        return Memory(self.store, self.home.profile, self.zone)

    @cached_property
    def zone(self) -> ZoneInfo | None:
        """The time zone people read times in; None is the machine's."""
        name = self.settings[names.DISPLAY_TIME_ZONE]
        return None if name is None else ZoneInfo(name)

    @cached_property
    def handlers(self) -> "Mapping[str, Handler]":
        """What each kind of job does."""
        from hermes_agent.jobs import upkeep

        return upkeep.handlers(self.memory, self.settings)

    def close(self) -> None:
        """Let go of the database."""
        if "store" in self.__dict__:
            self.store.close()

    @cached_property
    def _engine(self) -> Engine:
        # Imported here: one engine is used, and each costs start-up time.
        if self.settings[names.MEMORY_BACKEND] == "postgres":
            from hermes_agent.store.postgres import Postgres, schema_name

            address = self.settings[names.MEMORY_CONNECTION_STRING]
            if address is None:
                raise SettingError(
                    "memory.backend is postgres, but memory.connectionString is not set.",
                    hint='Run: hermes config set memory.connectionString "${HERMES_DB_URL}"',
                )
            return Postgres(
                address,
                self.settings[names.MEMORY_SCHEMA] or schema_name(self.home.profile),
                self.settings[names.MEMORY_POOL_SIZE],
                self.settings[names.MEMORY_SSL_MODE],
            )
        from hermes_agent.store.sqlite import Sqlite

        paths.ensure(self.home)
        path = store_path(self.settings, self.home)
        if path == self.home.state_db:
            paths.link(self.home.memory_db_link, path)
        return Sqlite(
            path,
            self.settings[names.MEMORY_BUSY_TIMEOUT_SECONDS],
            self.settings[names.MEMORY_WAL_MODE],
        )
