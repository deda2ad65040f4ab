"""Files of a home that hold memory: sealed where the home is encrypted, and read either way.

Every note and every text of a skill goes through here. A plain file in an encrypted home is what its owner put
there by hand: it is read as it is, and sealed when it is next written.
"""

import errno
import os
import tempfile
from pathlib import Path

from hermes_agent.config.paths import Home
from hermes_agent.config.replace import replace_bytes, to_bytes
from hermes_agent.crypto import sealing, unlocked
from hermes_agent.errors import HermesError

_MEMORY = Path("/dev/shm")


def read(path: Path) -> bytes:
    """Return what a file holds, opened if it is sealed."""
    return opened(path.resolve().name, path.read_bytes())


def replace_text(path: Path, text: str, *, mode: int | None = None) -> None:
    """Put a text in a file's place in one step, sealed where it is to be."""
    replace_bytes(path, sealed(path.resolve(), to_bytes(path, text)), mode=mode)


def opened(name: str, data: bytes) -> bytes:
    """Return the bytes of a file of that name, opened if they are sealed; PermissionError without the key."""
    if not sealing.is_sealed(data):
        return data
    keys = unlocked.of_id(sealing.key_id(data))
    if keys is None:
        raise PermissionError(errno.EACCES, "it is sealed, and not with the key of this home", name)
    try:
        return sealing.open_sealed(data, keys.files, name)
    except sealing.NotOpened as error:
        raise PermissionError(errno.EACCES, "it is sealed, but damaged or renamed", name) from error


def sealed(path: Path, data: bytes) -> bytes:
    """Return what is to be written so that a file holds the data: the data itself, or sealed."""
    keys = unlocked.of_file(path)
    return data if keys is None else sealing.seal(data, keys.files, keys.id, path.name)


def room(home: Home) -> Path:
    """Return a folder to work in for a while: in memory if the home is encrypted, else on its disk.

    Where that may only be read, it is the system's.
    """
    is_writable = home.encryption.exists() or not home.root.is_dir() or os.access(home.root, os.W_OK)
    return scratch(home) or (home.root if is_writable else Path(tempfile.gettempdir()))


def scratch(home: Home) -> Path | None:
    """Return a folder in memory where plain text of an encrypted home may lie for a moment; else None."""
    return _MEMORY if _is_writable(_MEMORY) and home.encryption.exists() else None


def for_a_moment(home: Home, memory: Path = _MEMORY) -> Path | None:
    """Return where plain text may lie for a moment: in memory if the home is encrypted, else None, anywhere.

    Without such a folder it is refused: on a disk, what was plain once can be found again.
    """
    if not home.encryption.exists():
        return None
    if not _is_writable(memory):
        raise HermesError(
            f"The home is encrypted, and there is no folder in memory ({memory}) where plain files may lie.",
            hint="Nothing was written. Mount a tmpfs there, or use a file of yours on the home's own machine.",
        )
    return memory


def _is_writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK)
