"""Hold work in another thread at a statement of the store, to see what others can do meanwhile."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import sqlalchemy
from sqlalchemy import event

_PATIENCE_SECONDS = 60.0
T = TypeVar("T")


@contextmanager
def held_at(beginning: str, work: Callable[[], T]) -> Iterator[Future[T]]:
    """Do work up to the first statement that begins so; during the block it is held there.

    What the block does must not wait for it: that fails when patience ends.
    """
    held, over = threading.Event(), threading.Event()
    was_in_time: list[bool] = []

    def listen(*given: object) -> None:
        if str(given[2]).startswith(beginning) and not held.is_set():
            held.set()
            was_in_time.append(over.wait(_PATIENCE_SECONDS))

    event.listen(sqlalchemy.Engine, "before_cursor_execute", listen)
    try:
        with ThreadPoolExecutor(1) as others:
            future = others.submit(work)
            try:
                assert held.wait(_PATIENCE_SECONDS), f"no {beginning}"
                yield future
            finally:
                over.set()
    finally:
        event.remove(sqlalchemy.Engine, "before_cursor_execute", listen)
    assert was_in_time == [True], "somebody waited for what was held"
