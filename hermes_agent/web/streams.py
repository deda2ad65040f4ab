"""Streams that are begun before they are sent: what they hold is let go of even if the client is gone by then.

A generator that was never asked for anything runs none of its `finally`; one that was, does, however it is left.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import TypeVar

T = TypeVar("T")


async def begun(stream: AsyncGenerator[T, None]) -> AsyncIterator[T]:
    """Take the first item of a stream, and return one that brings it and the rest."""
    first = await anext(stream)

    async def whole() -> AsyncIterator[T]:
        try:
            yield first
            async for item in stream:
                yield item
        finally:
            await stream.aclose()

    return whole()
