"""The daemon's log: time in UTC, level, sentence. No words of a conversation and no secrets are written to it."""

import logging
import logging.handlers
import os
import sys
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError
from hermes_agent.jobs.worker import LOG

_FILE_BYTES = 1_000_000
_FILES_KEPT = 3


class _Format(logging.Formatter):
    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return f"{clock.to_datetime(clock.from_seconds(record.created)):%Y-%m-%dT%H:%M:%SZ}"


class _File(logging.handlers.RotatingFileHandler):
    """A file that is opened anew when another took its place: forgetting writes it without what it told."""

    def emit(self, record: logging.LogRecord) -> None:
        if self.stream is not None and not _is_in_place(Path(self.baseFilename), self.stream.fileno()):
            self.stream.close()
            self.stream = self._open()
        super().emit(record)


def _is_in_place(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def to_file(home: Home) -> None:
    """Write the log to `logs/daemon.log`; when that is large it is set aside, and the oldest one goes."""
    try:
        handler = _File(home.daemon_log, maxBytes=_FILE_BYTES, backupCount=_FILES_KEPT, encoding="utf-8")
    except OSError as error:
        raise HermesError(
            f"{home.daemon_log} cannot be written: {error.strerror}.", hint="Check who owns it."
        ) from error
    _use(handler)


def to_stderr() -> None:
    """Write the log where systemd and docker look for it."""
    _use(logging.StreamHandler(sys.stderr))


def _use(handler: logging.Handler) -> None:
    handler.setFormatter(_Format("%(asctime)s %(levelname)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
