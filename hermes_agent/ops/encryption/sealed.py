"""Which files of a home are sealed, and which of these nobody could open any more without the key they have now.

A sealed file opens only under the name it was sealed with. Before a key is let go of, every file that needs it
must open: one that was renamed by hand, damaged or closed to us is named, and the key is kept.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hermes_agent.config.paths import Home
from hermes_agent.config.replace import is_lock
from hermes_agent.crypto import sealing
from hermes_agent.crypto.keys import Keys
from hermes_agent.errors import HermesError

_FRESH = re.compile(r"\.(.+)\.[a-z0-9_]{8}")
"""How a file is called that is being written, until it takes the place of the one whose name is in it."""

_OURS = (".md", ".in-step")


def sealed_files(home: Home) -> Iterator[Path]:
    """Yield the sealed files of a home wherever its owner put them, and those that nobody can look into."""
    places = [*home.root.glob("*")]
    for place in home.sealed:
        places.extend(place.rglob("*"))
    for file in sorted(set(places)):
        if is_own(file) and _may_be_sealed(file):
            yield file


def refuse_stuck(home: Home, known: Sequence[Keys]) -> None:
    """Refuse to let go of these keys while a file is sealed with one of them and does not open."""
    if not known:
        return
    stuck = [file for file in sealed_files(home) if _is_stuck(file, known)]
    if stuck:
        named = ", ".join(str(file) for file in stuck)
        raise HermesError(
            f"The key is still needed for what cannot be opened: {named}.",
            hint="Give each the name back that it had, let it be read, or move it out of the home.",
        )


def is_own(file: Path) -> bool:
    """Tell whether something in a home is a file of its own."""
    return file.is_file() and not file.is_symlink() and not is_lock(file)


def is_unfinished(file: Path) -> bool:
    """Tell whether a file is what a killed run had not put in place yet."""
    meant = _FRESH.fullmatch(file.name)
    return meant is not None and (file.with_name(meant[1]).exists() or meant[1].endswith(_OURS))


def _may_be_sealed(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return sealing.is_sealed(opened.read(len(sealing.MAGIC)))
    except PermissionError:
        return True


def _is_stuck(file: Path, known: Sequence[Keys]) -> bool:
    try:
        data = file.read_bytes()
    except OSError:
        return True
    keys = next((one for one in known if one.id == sealing.key_id(data)), None)
    if keys is None:  # another home's: ours would not open it
        return False
    try:
        sealing.open_sealed(data, keys.files, file.name)
    except sealing.NotOpened:
        return not is_unfinished(file)
    return False
