"""Who the daemon of a home is: a file that says it, and a lock on that file for as long as it runs.

The lock is what counts. It goes when the process ends, however that comes; what a killed daemon left in
the file is then the trace of a death, and never taken for a daemon that runs. The file itself stays:
were it removed, two could hold a lock on two files of the same name.

Its first line is the process number alone, as other programs expect of such a file.
"""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from hermes_agent import __version__, clock
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError

_PATIENCE_SECONDS = 1.0
_LOOK_SECONDS = 0.02
_MOST_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon; `worker` is the name it claims jobs under."""

    pid: int
    machine: str
    started_at: int
    version: str
    worker: str
    address: str | None = field(default=None, compare=False)
    """Where its dashboard is, once it listens."""
    web_trouble: str | None = field(default=None, compare=False)
    """Why it has no dashboard, though it should."""
    worker_trouble: str | None = field(default=None, compare=False)
    """Why it does no jobs any more."""
    gateways: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict, compare=False)
    """How each of its gateways is: `condition`, and `trouble` if there is any."""

    @property
    def is_here(self) -> bool:
        """Whether it runs, or ran, on this machine, where its process number means something."""
        return self.machine == socket.gethostname()


def this_process(worker: str) -> Daemon:
    """Return this process as a daemon that starts now."""
    return Daemon(os.getpid(), socket.gethostname(), clock.now(), __version__, worker)


def running(home: Home) -> Daemon | None:
    """Return the daemon of this home, None if none runs."""
    deadline = clock.monotonic() + _PATIENCE_SECONDS
    while _is_held(home.daemon_pid):
        found = written(home)
        if found is not None:
            return found
        if clock.monotonic() > deadline:
            raise HermesError(
                f"A process holds {home.daemon_pid}, but the file does not say which one.",
                hint=f"Find it with: fuser {home.daemon_pid}",
            )
        clock.sleep(_LOOK_SECONDS)  # it has the lock and is just about to write
    return None


def written(home: Home) -> Daemon | None:
    """Return the daemon that the file names, whether or not it still runs; None if it ended as it should."""
    try:
        pid, _, rest = home.daemon_pid.read_text(encoding="utf-8").partition("\n")
        values = json.loads(rest)
        # A newer program may tell more; what it is, is known all the same.
        known = {one.name for one in fields(Daemon)}
        found = Daemon(pid=int(pid), **{name: values[name] for name in values if name in known})
    except (OSError, ValueError, TypeError, RecursionError, KeyError):
        return None
    # Signals to process 0 or below go to whole groups of processes.
    return found if found.pid > 0 else None


@contextmanager
def hold(home: Home, daemon: Daemon) -> Iterator[Daemon | None]:
    """Be the daemon of this home until the block ends; give the one before, if it died instead of ending."""
    handle = _open(home.daemon_pid)
    try:
        _take(handle, home)
        trace, before = os.pread(handle, _MOST_BYTES, 0), written(home)
        _write(handle, _lines(daemon))
        try:
            yield before
        except (HermesError, KeyboardInterrupt):
            _write(handle, trace)  # it never came to work, and the one before is still to be mourned
            raise
        _write(handle, b"")
    finally:
        os.close(handle)


def tell(home: Home, daemon: Daemon) -> None:
    """Write what is known by now of the daemon of this home, which holds the lock."""
    handle = _open(home.daemon_pid)
    try:
        _write(handle, _lines(daemon))
    finally:
        os.close(handle)


def forget(home: Home) -> None:
    """Empty the file of a daemon that is known to be gone; a new one's is left alone."""
    handle = _open(home.daemon_pid)
    try:
        if _lock(handle, is_shared=False):
            _write(handle, b"")
    finally:
        os.close(handle)


def _is_held(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise HermesError(f"{path} cannot be read: {error.strerror}.", hint="Check who owns it.") from error
    try:
        return not _lock(handle, is_shared=True)
    finally:
        os.close(handle)


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise HermesError(f"{path} cannot be written: {error.strerror}.", hint="Check who owns it.") from error


def _take(handle: int, home: Home) -> None:
    """Take the lock. Whoever only looks holds it for an instant, so it is tried for a moment."""
    deadline = clock.monotonic() + _PATIENCE_SECONDS
    while not _lock(handle, is_shared=False):
        if clock.monotonic() > deadline:
            other = running(home)
            name = "" if other is None else f" (pid {other.pid} on {other.machine})"
            raise HermesError(f"A daemon of this home runs already{name}.", hint="End it with: hermes stop")
        clock.sleep(_LOOK_SECONDS)


def _lock(handle: int, *, is_shared: bool) -> bool:
    import fcntl  # here: a system without it can still do everything but run a daemon

    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise HermesError(f"This file system has no locks ({error.strerror}), which a daemon needs.") from error
    return True


def _lines(daemon: Daemon) -> bytes:
    values = asdict(daemon)
    return f"{values.pop('pid')}\n{json.dumps(values)}\n".encode()


def _write(handle: int, data: bytes) -> None:
    os.pwrite(handle, data, 0)
    os.ftruncate(handle, len(data))
