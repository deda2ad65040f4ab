"""The daemon's process from outside: started in the background, asked to end, waited for."""

import logging
import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from hermes_agent import clock
from hermes_agent.config import own_process, pid_file
from hermes_agent.config.paths import Home
from hermes_agent.config.pid_file import Daemon
from hermes_agent.errors import HermesError

READY = "ready"
"""What the daemon prints when it is at work."""

_LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Launched:
    """How a start in the background went: `code` is None if the daemon is at work, else what it ended with."""

    pid: int
    code: int | None
    said: str
    """What it printed on the standard error before it was ready."""


def launch(home: Home, added: Mapping[str, str]) -> Launched:
    """Start the daemon of a home as a process of its own, and wait until it is ready or has given up.

    `added` goes into its environment: a passphrase that was asked for here, since nobody can be asked there.
    """
    process = subprocess.Popen(
        own_process.command("hermes_agent", "-p", home.profile, "--server", "local", "start", "--detached"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        env={**own_process.environment(), **added},
    )
    assert process.stdout is not None and process.stderr is not None
    with process.stderr as stderr, process.stdout as stdout:
        said, printed = stderr.read(), stdout.read()
    if printed.strip() != READY:
        return Launched(process.pid, process.wait(), said)
    # It is meant to outlive us: without a code Python would complain that it was forgotten.
    process.returncode = 0
    return Launched(process.pid, None, said)


def detach(home: Home) -> None:
    """Say that we are ready, and let go of the terminal and of the folder we were started in."""
    os.chdir(home.root)
    with suppress(OSError):  # whoever started us may not be waiting any more
        os.write(1, f"{READY}\n".encode())
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def leave() -> NoReturn:
    """End this process without waiting for its threads."""
    logging.shutdown()
    os._exit(0)


def ask_to_end(daemon: Daemon) -> None:
    """Let the daemon finish what it is at."""
    _send(daemon, signal.SIGTERM)


def insist(daemon: Daemon) -> None:
    """Let a daemon that was asked to end do so at once, in the middle of a job."""
    # Another signal than the first: two of a kind that come close together are one.
    _send(daemon, signal.SIGINT)


def kill(daemon: Daemon) -> None:
    """End the daemon whatever it is at."""
    _send(daemon, signal.SIGKILL)


def has_ended(home: Home, daemon: Daemon, timeout_seconds: float) -> bool:
    """Wait until the daemon is gone; False if it is still there after the time."""
    deadline = clock.monotonic() + timeout_seconds
    while pid_file.running(home) == daemon:
        if clock.monotonic() >= deadline:
            return False
        clock.sleep(_LOOK_SECONDS)
    return True


def _send(daemon: Daemon, number: signal.Signals) -> None:
    if not daemon.is_here:
        raise HermesError(
            f"The daemon runs on {daemon.machine} (pid {daemon.pid}), not on this machine.",
            hint=f"Run the command there. If this machine was renamed since: kill {daemon.pid}",
        )
    try:
        os.kill(daemon.pid, number)
    except ProcessLookupError:
        return  # it has just ended
    except PermissionError as error:
        raise HermesError(f"The daemon (pid {daemon.pid}) is another user's.", hint="Ask as that user.") from error
