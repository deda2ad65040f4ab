"""The homes that this process has unlocked, and which files in them are to be sealed.

Kept for the whole process: a key is derived once however often a home is opened, and whoever writes a file of a
home cannot forget to pass the key on.
"""

import threading
from collections.abc import Iterable
from pathlib import Path

from hermes_agent.crypto.keys import Keys

_PROGRAMS = "scripts"

_guard = threading.Lock()
_places: dict[Path, Keys] = {}
_by_id: dict[bytes, Keys] = {}


def unlock(places: Iterable[Path], keys: Keys) -> None:
    """Let what is written to these files, or below these folders, be sealed; sealed ones can be read then."""
    with _guard:
        _by_id[keys.id] = keys
        for place in places:
            _places[place.resolve()] = keys


def lock(places: Iterable[Path]) -> None:
    """Let what is written to these files, or below these folders, be plain; sealed ones can still be read."""
    with _guard:
        for place in places:
            _places.pop(place.resolve(), None)


def forget() -> None:
    """Let go of every key."""
    with _guard:
        _places.clear()
        _by_id.clear()


def of_id(id: bytes) -> Keys | None:
    """Return the keys of that id; None if no home that has them was unlocked."""
    return _by_id.get(id)


def of_file(path: Path) -> Keys | None:
    """Return the keys that a file is to be sealed with, None if it is to be plain; a link is taken for a file."""
    if not _places:
        return None
    target = path.parent.resolve() / path.name
    with _guard:
        place = next((one for one in (target, *target.parents) if one in _places), None)
    return None if place is None or is_program(target.relative_to(place)) else _places.get(place)


def is_program(inside: Path) -> bool:
    """Tell whether a file, by its path inside a folder, is a program of a skill: whoever starts it has no key."""
    return _PROGRAMS in inside.parts[:-1]
