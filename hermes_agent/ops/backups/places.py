"""Where backups of a home were put: the folders it kept them in, and files that were named by hand.

The store remembers each, so that what was forgotten is looked for in backups that lie elsewhere by now, too.
"""

import json
from pathlib import Path

from hermes_agent.config.paths import Home
from hermes_agent.store import meta
from hermes_agent.store.engine import Connection

_KEY = "backup_places"


def remember(connection: Connection, home: Home, place: Path) -> None:
    """Keep where a backup was put: its folder, or the file if it bears a name of its own.

    One in the home is told by its place there: the home may be moved.
    """
    told = str(place.relative_to(home.root) if place.is_relative_to(home.root) else place.absolute())
    known = _told(connection)
    if told not in known:
        meta.put(connection, _KEY, json.dumps([*known, told]))


def known_in(connection: Connection, home: Home) -> list[Path]:
    """Return all places, in the order in which they were first used."""
    return [home.root / one for one in _told(connection)]


def _told(connection: Connection) -> list[str]:
    return [str(one) for one in json.loads(meta.get(connection, _KEY) or "[]")]
