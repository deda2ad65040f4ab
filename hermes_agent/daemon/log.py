"""The daemon's logs: time in UTC, level, sentence. No words of a conversation and no secrets are written to them.

What is asked over HTTP has a file of its own: a busy client would push everything else out of the other.
"""

import logging
import logging.handlers
import sys
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError
from hermes_agent.jobs.worker import LOG, REQUESTS

_FILE_BYTES = 1_000_000
_FILES_KEPT = 3


class _Format(logging.Formatter):
    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return f"{clock.to_datetime(clock.from_seconds(record.created)):%Y-%m-%dT%H:%M:%SZ}"


def to_file(home: Home) -> None:
    """Write to `logs/daemon.log` and `logs/requests.log`; a large one is set aside, and the oldest one goes."""
    _use(LOG, _file(home.daemon_log))
    _use(REQUESTS, _file(home.request_log))


def to_stderr() -> None:
    """Write the log where systemd and docker look for it."""
    _use(LOG, logging.StreamHandler(sys.stderr))


def _file(path: Path) -> logging.Handler:
    try:
        return logging.handlers.RotatingFileHandler(
            path, maxBytes=_FILE_BYTES, backupCount=_FILES_KEPT, encoding="utf-8"
        )
    except OSError as error:
        raise HermesError(f"{path} cannot be written: {error.strerror}.", hint="Check who owns it.") from error


def _use(log: logging.Logger, handler: logging.Handler) -> None:
    handler.setFormatter(_Format("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
