"""Where backups of a home were put: the folders it kept them in, and files that were named by hand.

The store remembers each, so that what was forgotten is looked for in backups that lie elsewhere by now, too.
"""

import json
from pathlib import Path

from hermes_agent.store import meta
from hermes_agent.store.engine import Connection

_KEY = "backup_places"


def remember(connection: Connection, place: Path) -> None:
    """Keep where a backup was put: its folder, or the file if it bears a name of its own."""
    known = known_in(connection)
    if place.absolute() not in known:
        meta.put(connection, _KEY, json.dumps([str(one) for one in (*known, place.absolute())]))


def known_in(connection: Connection) -> list[Path]:
    """Return all places, in the order in which they were first used."""
    return [Path(one) for one in json.loads(meta.get(connection, _KEY) or "[]")]
