"""Work that takes long, beside the requests: it has threads of its own, so that it never takes all of theirs.

Checking a backup or writing an export may take minutes. A few of them would use up the threads that every page and
every answer of the API needs; here they wait for each other instead.
"""

from collections.abc import Callable, Coroutine
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

P = ParamSpec("P")
T = TypeVar("T")

_MOST = 3
_MOST_CHECKS = 4


_LONG: RunVar[anyio.CapacityLimiter] = RunVar("hermes long work")
_CHECKS: RunVar[anyio.CapacityLimiter] = RunVar("hermes checks")


def checking() -> anyio.CapacityLimiter:
    """Return the threads in which tokens are looked up: they are free whatever else is under way."""
    return _limiter(_CHECKS, _MOST_CHECKS)


def _limiter(kept: RunVar[anyio.CapacityLimiter], most: int) -> anyio.CapacityLimiter:
    """Return the one of this event loop."""
    try:
        return kept.get()
    except LookupError:
        made = anyio.CapacityLimiter(most)
        kept.set(made)
        return made


# Any: the other two types of a coroutine are the event loop's own.
def at_length(handler: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Let a handler work in the threads for what takes long."""

    @wraps(handler)
    async def handled(*args: P.args, **kwargs: P.kwargs) -> T:
        return await in_thread(partial(handler, *args, **kwargs))

    return handled


async def in_thread(act: Callable[[], T]) -> T:
    """Do something in the threads for what takes long."""
    return await anyio.to_thread.run_sync(act, limiter=_limiter(_LONG, _MOST))
