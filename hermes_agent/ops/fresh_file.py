"""Write a file that somebody named: whole or not at all, closed to others, and never over one by accident."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hermes_agent.config.replace import put_in_place
from hermes_agent.errors import HermesError, UsageError


@contextmanager
def fresh_file(path: Path, *, overwrites: bool = False) -> Iterator[BinaryIO]:
    """Give a file to write to; when the block ends well it stands at `path`, on the disk, mode 0600."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise UsageError(f"{path} is not a file.", hint="To print instead of writing a file use: -")
    if target.exists() and not overwrites:
        raise UsageError(f"{path} exists already.", hint="Add --force to replace it.")
    try:
        with put_in_place(target, 0o600) as file:
            yield file
    except OSError as error:
        raise HermesError(f"{path} cannot be written: {error.strerror}.") from error
