"""Cancel tasks until they have ended.

A cancellation can get lost: `asyncio.wait_for` of Python 3.11 swallows one that comes just when what it waits for
is done, and the libraries of the platforms use it.
"""

import asyncio

_AGAIN_SECONDS = 0.5


async def cancelled(*tasks: "asyncio.Task[None]") -> None:
    """Cancel tasks, again and again, and return when all have ended; how they did is in them."""
    left = {task for task in tasks if not task.done()}
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_AGAIN_SECONDS)
