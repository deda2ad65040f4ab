"""Show how far long work is: a bar on stderr, only for a terminal, only after a second."""

import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, TypeVar

from hermes_agent import clock
from hermes_agent.ops.steps import Step, finish

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

QUIET_SECONDS = 1.0


def follow(work: Generator[Step, None, T]) -> T:
    """Do the work to its end and return its result; when it lasts, show it to whoever watches."""
    if not sys.stderr.isatty():
        return finish(work)
    began = clock.monotonic()
    bar: Progress | None = None
    try:
        while True:
            try:
                step = next(work)
            except StopIteration as end:
                result: T = end.value
                return result
            if bar is None and clock.monotonic() - began > QUIET_SECONDS:
                bar = _bar()
            if bar is not None:
                bar.update(bar.task_ids[0], description=step.what, completed=step.done, total=step.total)
    finally:
        if bar is not None:
            bar.stop()


def _bar() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("", total=None)
    bar.start()
    return bar
