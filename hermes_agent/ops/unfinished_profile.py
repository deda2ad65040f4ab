"""A profile that is being made: in a folder that is no profile's, until it is whole and gets its place at once."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hermes_agent.config import paths
from hermes_agent.config.paths import Home, beside
from hermes_agent.config.replace import locked, sync_folder
from hermes_agent.errors import HermesError, Transient

_UNFINISHED, _FORMER = ".making-", ".cloning-"
_PROFILE, _LOCK = "profile", ".lock"


@contextmanager
def unfinished(name: str) -> Iterator[tuple[Path, Home]]:
    """Give a folder to work in, and in it the home of a profile that is being made; both go with the block.

    They lie in the root: from there the home is only moved to its place. What a killed run left goes first.
    """
    paths.ensure(paths.home_of(paths.DEFAULT_PROFILE))
    root = paths.root_folder()
    with locked(beside(paths.profiles_folder(), _LOCK)):
        _clear()
        with tempfile.TemporaryDirectory(prefix=_UNFINISHED, dir=root) as made:
            yield Path(made), Home(Path(made) / _PROFILE, name)


def clear() -> None:
    """Remove what killed runs left; not while somebody makes a profile."""
    if _left():
        with suppress(Transient), locked(beside(paths.profiles_folder(), _LOCK)):
            _clear()


def place(home: Home, finished: Home) -> None:
    """Give a home that is whole the place of its profile."""
    try:
        finished.root.parent.mkdir(mode=0o700, exist_ok=True)
        home.root.rename(finished.root)
        sync_folder(finished.root.parent)
    except OSError as error:
        raise HermesError(f"{finished.root} could not be made: {error.strerror}.") from error


def _clear() -> None:
    for left in _left():
        shutil.rmtree(left, ignore_errors=True)


def _left() -> list[Path]:
    former = paths.profiles_folder().glob(f"{_FORMER}*")
    return [*paths.root_folder().glob(f"{_UNFINISHED}*"), *former]
