"""Do something in a new process, and tell what it took there: seconds, and the most memory it ever had.

The memory is the kernel's own high-water mark of that process (`VmHWM`): libraries and files that it has mapped
are counted, so what is private is less.
"""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Taken(Generic[T]):
    """What came of it, and what it took."""

    value: T
    seconds: float
    worked_seconds: float
    """Of the processor."""
    peak_megabytes: float


def apart(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> Taken[T]:
    """Do the work in a process that is started for it and ends with it."""
    # Started anew, not forked: what this process has used does not count there.
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
        return process.submit(_done, partial(work, *given, **named)).result()


def _done(work: Callable[[], T]) -> Taken[T]:
    begun, worked = perf_counter(), process_time()
    value = work()
    return Taken(value, perf_counter() - begun, process_time() - worked, _peak_megabytes())


def _peak_megabytes() -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024
