"""Choose the engine of a home's memory from its settings."""

import os

from hermes_agent.config import paths, renaming
from hermes_agent.config import settings as names
from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home
from hermes_agent.config.store_path import store_path
from hermes_agent.crypto.keys import Keys
from hermes_agent.errors import SettingError
from hermes_agent.store.engine import Engine


def engine(home: Home, settings: Settings, keys: Keys | None) -> Engine:
    """Return the database that the memory is in, with its key if the home is encrypted."""
    # Imported here: one is used, and each costs start-up time.
    if settings[names.MEMORY_BACKEND] == "postgres":
        from hermes_agent.store.postgres import Postgres, schema_name

        address = settings[names.MEMORY_CONNECTION_STRING]
        if address is None:
            raise SettingError(
                "memory.backend is postgres, but memory.connectionString is not set.",
                hint='Run: hermes config set memory.connectionString "${HERMES_DB_URL}"',
            )
        former = renaming.former_name(home)
        return Postgres(
            address,
            settings[names.MEMORY_SCHEMA] or schema_name(home.profile),
            settings[names.MEMORY_POOL_SIZE],
            settings[names.MEMORY_SSL_MODE],
            former_schema=former and schema_name(former),
        )
    from hermes_agent.store.sqlite import Sqlite

    path = store_path(settings, home)
    if path == home.state_db:
        paths.link(home.memory_db_link, path)
    return Sqlite(
        path,
        settings[names.MEMORY_BUSY_TIMEOUT_SECONDS],
        settings[names.MEMORY_WAL_MODE],
        # On a disk that may only be read (a backup's, another machine's) what is there can be read all the same.
        is_readonly=path.exists() and not os.access(path.parent, os.W_OK),
        # The meaning of a text can be guessed from its vector: no copy of it leaves the encrypted file.
        cache=home.cache if keys is None else None,
        key=None if keys is None else keys.database,
    )
