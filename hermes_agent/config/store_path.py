"""Which file the SQLite store is."""

from pathlib import Path

from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home, expand
from hermes_agent.config.settings import MEMORY_PATH


def store_path(settings: Settings, home: Home) -> Path:
    """Return the file of the SQLite store: `memory.path`, relative to the home, or its `state.db`.

    Guides call the store `~/.hermes/memory.db`. In a home that name is a link to `state.db` and means it,
    also while the link is not there yet; only a real file of that name is a store of its own.
    """
    written = settings[MEMORY_PATH]
    if written is None:
        return home.state_db
    path = expand(written, relative_to=home.root)
    link = home.memory_db_link
    is_link_name = path.name == link.name and path.parent.resolve() == link.parent.resolve()
    if is_link_name and (not link.exists() or link.resolve() == home.state_db.resolve()):
        return home.state_db
    return path
