"""Streams that are begun before they are sent, and end with the token that opened them.

A generator that was never asked for anything runs none of its `finally`; one that was, does, however it is left:
what it holds is let go of even if the client is gone by then.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from typing import TypeVar

from anyio import to_thread

from hermes_agent import clock
from hermes_agent.errors import Transient
from hermes_agent.memory import tokens
from hermes_agent.records.tokens import Token
from hermes_agent.store.store import Store
from hermes_agent.web.at_length import checking

T = TypeVar("T")

ENDED = "The token was revoked, or has expired: this ends here."
_LOOK_SECONDS = 1.0


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


async def while_valid(
    stream: AsyncGenerator[T, None], store: Store, token: Token, last: T
) -> AsyncGenerator[T, None]:
    """Bring a stream as long as the token opens anything; then end it as if the client had left, with `last`."""
    awaited: asyncio.Future[T] | None = None
    looked_at = clock.monotonic()
    is_valid = True
    try:
        while is_valid:
            if awaited is None:
                awaited = asyncio.ensure_future(anext(stream))
            await asyncio.wait([awaited], timeout=_LOOK_SECONDS)
            if clock.monotonic() - looked_at >= _LOOK_SECONDS:
                is_valid = await _is_valid(store, token)
                looked_at = clock.monotonic()
            if is_valid and awaited.done():
                item, awaited = awaited.result(), None
                yield item
    except StopAsyncIteration:
        return
    finally:
        if awaited is not None:
            awaited.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await awaited
        await stream.aclose()
    yield last


async def _is_valid(store: Store, token: Token) -> bool:
    """Look whether a token still opens anything; while nobody can tell it does, until the next look."""
    with suppress(Transient):
        return await to_thread.run_sync(tokens.is_valid, store, token.id, limiter=checking())
    return True
