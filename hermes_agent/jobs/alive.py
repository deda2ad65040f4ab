"""Who holds a job: the name of a worker, and whether the process behind it still lives.

A name is machine, process number, when the process began, and a part of chance: `desk-1f0c-8e:4711:90210:k3v9qz`.
Process numbers come again, so a process counts as the worker's only if it began when the worker did. They mean
something only where they were given: the machine is named with its boot and its numbering of processes, since two
containers may have one host name.
"""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.ids import new_uid

_PROCESSES = Path("/proc")
_UNKNOWN = "0"
# In /proc/PID/stat, behind the name of the program: its state, and when it began.
_STATE, _BEGAN = 0, 19


@dataclass(frozen=True, slots=True)
class Process:
    """The process that a worker's name speaks of."""

    machine: str
    number: int
    began: str


def worker_name() -> str:
    """Name this worker."""
    number = os.getpid()
    stat = _stat(number)
    return f"{_machine()}:{number}:{stat[_BEGAN] if stat else _UNKNOWN}:{new_uid()[-6:]}"


def process_of(worker: str) -> Process | None:
    """Read a worker's name; None if it is not of the form that names have."""
    parts = worker.rsplit(":", 3)
    if len(parts) != 4 or not parts[1].isdecimal() or int(parts[1]) < 1:
        return None
    return Process(parts[0], int(parts[1]), parts[2])


def is_dead(worker: str) -> bool:
    """Tell whether a worker's process is known to have ended; of another machine's nothing is known."""
    process = process_of(worker)
    if process is None or process.machine != _machine():
        return False
    try:
        os.kill(process.number, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False  # another user's
    stat = _stat(process.number)
    if stat is None or process.began == _UNKNOWN:
        return False
    return stat[_STATE] == "Z" or stat[_BEGAN] != process.began


def _machine() -> str:
    """Name the machine, its boot and its numbering of processes, as far as that can be known."""
    try:
        boot = (_PROCESSES / "sys/kernel/random/boot_id").read_text(encoding="ascii")[:4]
        numbering = (_PROCESSES / "self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:
        return socket.gethostname()
    return f"{socket.gethostname()}-{boot}-{numbering}"


def _stat(number: int) -> list[str] | None:
    """Return what the system says of a process, from its state on; None if it says nothing."""
    try:
        line = (_PROCESSES / str(number) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return line.rpartition(")")[2].split()
