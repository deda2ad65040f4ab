"""The daemon's logs: time in UTC, level, sentence. No words of a conversation and no secrets are written to them.

What is asked over HTTP has a file of its own: a busy client would push everything else out of the other.
"""

import logging
import logging.handlers
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError
from hermes_agent.jobs.worker import LOG, REQUESTS

_FILE_BYTES = 1_000_000
_FILES_KEPT = 3
_OWNER_ONLY = 0o600


class _Format(logging.Formatter):
    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return f"{clock.to_datetime(clock.from_seconds(record.created)):%Y-%m-%dT%H:%M:%SZ}"


class _File(logging.handlers.RotatingFileHandler):
    """A file that is opened anew when another took its place: forgetting writes it without what it told.

    If there is no place for it any more, since the home was moved, the lines go where the file went.
    """

    def emit(self, record: logging.LogRecord) -> None:
        former = self.stream
        if former is not None and not _is_in_place(Path(self.baseFilename), former.fileno()):
            with suppress(OSError):  # whoever logs must never end by it
                self.stream = self._open()
                former.close()
        super().emit(record)

    def _open(self) -> TextIOWrapper:
        """Open the file for its owner alone, also one that an older version made for all."""
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, _OWNER_ONLY)
        with suppress(PermissionError):  # another user's file, which may be written all the same
            os.fchmod(handle, _OWNER_ONLY)
        os.close(handle)
        return super()._open()


def _is_in_place(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        return False


def to_file(home: Home) -> None:
    """Write to `logs/daemon.log` and `logs/requests.log`; a large one is set aside, and the oldest one goes."""
    _use(LOG, _file(home.daemon_log))
    _use(REQUESTS, _file(home.request_log))


def to_stderr() -> None:
    """Write both logs where systemd and docker look for them."""
    for used in (LOG, REQUESTS):
        _use(used, logging.StreamHandler(sys.stderr))


def _file(path: Path) -> logging.Handler:
    try:
        return _File(path, maxBytes=_FILE_BYTES, backupCount=_FILES_KEPT, encoding="utf-8")
    except OSError as error:
        raise HermesError(f"{path} cannot be written: {error.strerror}.", hint="Check who owns it.") from error


def _use(log: logging.Logger, handler: logging.Handler) -> None:
    handler.setFormatter(_Format("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
