"""Let numpy multiply on one thread while memory is asked.

The products of a recall take a millisecond or less. On several threads each of them leaves the others waiting in a
loop for tens of milliseconds, on the cores that the passes need: on two cores a recall took a fourth longer.
"""

import functools
from contextlib import AbstractContextManager
from typing import Any

import numpy as numpy  # Its threads are looked for among the libraries that are loaded.
from threadpoolctl import ThreadpoolController


def on_one_thread() -> AbstractContextManager[Any]:
    """Return a block in which products take one thread."""
    limited: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limited


@functools.cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
