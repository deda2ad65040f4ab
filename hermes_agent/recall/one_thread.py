"""Let numpy multiply on one thread while memory is asked.

The products of a recall take a millisecond or less. On several threads each of them leaves the others waiting in a
loop for tens of milliseconds, on the cores that the passes need: on two cores a recall took a fourth longer.
The number of threads is one for the whole process, so those who ask at once share the change: the first makes it,
the last takes it back.
"""

import functools
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import numpy as numpy  # Its threads are looked for among the libraries that are loaded.
from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_change = ExitStack()
_inside = 0


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Let products take one thread in this block."""
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _inside
    with _lock:
        if not _inside:
            _change.enter_context(_controller().limit(limits=1, user_api="blas"))
        _inside += 1


def _leave() -> None:
    global _inside
    with _lock:
        _inside -= 1
        if not _inside:
            _change.close()


@functools.cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
