"""Run one command to its end: nothing it started is left when the call returns.

The command is a session of its own with no input, so that it can neither ask nor be reached by a key press
meant for us. Its output is read as it comes and kept within a bound: the beginning and the end. Whatever it
started is ended with it, also when it left the process group; a variable in the environment marks it.
"""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hermes_agent import clock, ids, stopping

KEPT_BYTES = 2_000_000
MARK = "HERMES_COMMAND"
_PROCESSES = Path("/proc")
_GRACE_SECONDS = 1.0
_ROUNDS, _ROUND_SECONDS = 50, 0.01


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended. `code` is None when its time was up; below zero it is a signal."""

    output: str
    code: int | None


def run(command: str, folder: Path, environment: Mapping[str, str], timeout_seconds: float) -> Ended:
    """Run a command in a folder and wait for it; stopping the wait (Ctrl-C) stops the command."""
    mark = ids.new_uid()
    output = None
    try:
        process = subprocess.Popen(
            [shutil.which("bash") or "/bin/sh", "-c", command],
            cwd=folder,
            env={**environment, MARK: mark},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert process.stdout is not None
        output = _Output(process.stdout)
        try:
            code = _waited(process, timeout_seconds)
        finally:
            _end(process)
    finally:
        # Also when the wait was stopped before the process had a name here.
        _end_strays(f"{MARK}={mark}".encode())
        text = "" if output is None else output.close()
    return Ended(text, code)


def _waited(process: "subprocess.Popen[bytes]", timeout_seconds: float) -> int | None:
    """Return how the command ended; None when its time was up."""
    end = clock.monotonic() + timeout_seconds
    while (left := end - clock.monotonic()) > 0:
        stopping.check()
        with suppress(subprocess.TimeoutExpired):
            return process.wait(min(left, stopping.LOOK_SECONDS))
    return None


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the command and its process group."""
    if process.poll() is None:
        _signal(process.pid, signal.SIGTERM)  # a moment to put things in order: git removes its locks
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_SECONDS)
    _signal(process.pid, signal.SIGKILL)
    process.wait()


def _end_strays(mark: bytes) -> None:
    """End what left the process group, until nothing with the mark is seen any more."""
    for _ in range(_ROUNDS):
        strays = list(_marked(mark))
        for stray in strays:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(stray, signal.SIGKILL)
        if not strays:
            return
        clock.sleep(_ROUND_SECONDS)


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _marked(mark: bytes) -> Iterator[int]:
    """Yield the living processes that carry the mark; where there is no /proc nothing can be seen."""
    if not _PROCESSES.is_dir():
        return
    for entry in _PROCESSES.iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                if mark in entry.joinpath("environ").read_bytes().split(b"\0"):
                    yield int(entry.name)


class _Output:
    """Reads what a command prints until it is closed; keeps the beginning and the end."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._head = bytearray()
        self._tail = bytearray()
        self._size = 0
        self._thread = threading.Thread(target=self._read, name="command output", daemon=True)
        self._thread.start()

    def close(self) -> str:
        """Return the text; everything that could still print has ended before."""
        self._thread.join(_GRACE_SECONDS)
        if not self._thread.is_alive():
            self._stream.close()
        tail = bytes(self._tail[-(KEPT_BYTES // 2) :])
        left_out = self._size - len(self._head) - len(tail)
        if left_out <= 0:
            return (bytes(self._head) + tail).decode("utf-8", "replace")
        said = f"\n[… {left_out:,} bytes left out …]\n"
        return bytes(self._head).decode("utf-8", "replace") + said + tail.decode("utf-8", "replace")

    def _read(self) -> None:
        with suppress(OSError, ValueError):  # closed while reading
            while chunk := os.read(self._stream.fileno(), 65_536):
                self._size += len(chunk)
                room = KEPT_BYTES // 2 - len(self._head)
                self._head += chunk[:room]
                self._tail += chunk[room:] if room < len(chunk) else b""
                if len(self._tail) > KEPT_BYTES:
                    del self._tail[: -(KEPT_BYTES // 2)]
