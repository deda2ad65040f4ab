"""A cancellation that gets lost is repeated."""

import asyncio

from hermes_agent.gateways.cancelling import cancelled


def test_a_task_that_swallows_a_cancellation_ends_at_the_next() -> None:
    async def swallow() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.Event().wait()

    async def end() -> "asyncio.Task[None]":
        task = asyncio.create_task(swallow())
        await asyncio.sleep(0)
        async with asyncio.timeout(30):
            await cancelled(task)
        return task

    assert asyncio.run(end()).cancelled()
