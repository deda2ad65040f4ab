"""The bridge to asynchronous libraries: values and errors come over, and stopping stops the other side."""

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from hermes_agent.models.bridge import shared


def test_a_result_and_an_error_come_over() -> None:
    async def good() -> str:
        await asyncio.sleep(0)
        return "done"

    async def bad() -> str:
        raise LookupError("missing")

    assert shared().run(good()) == "done"
    with pytest.raises(LookupError, match="missing"):
        shared().run(bad())


def test_time_can_run_out() -> None:
    stopped = threading.Event()

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    with pytest.raises(TimeoutError):
        shared().run(endless(), 0.05)
    assert stopped.wait(10)


def test_items_come_over_one_by_one_and_then_the_error() -> None:
    async def source() -> AsyncIterator[int]:
        yield 1
        await asyncio.sleep(0)
        yield 2
        raise LookupError("the rest is missing")

    items = shared().stream(source)
    assert [next(items), next(items)] == [1, 2]
    with pytest.raises(LookupError, match="the rest is missing"):
        next(items)


def test_closing_waits_until_the_source_has_cleaned_up() -> None:
    cleaned: list[str] = []

    async def source() -> AsyncIterator[int]:
        try:
            yield 1
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)
            cleaned.append("up")

    items = shared().stream(source)
    assert next(items) == 1
    items.close()
    assert cleaned == ["up"]


def test_it_works_where_a_loop_runs_already() -> None:
    async def value() -> int:
        return 7

    async def notebook() -> int:
        return shared().run(value())

    assert asyncio.run(notebook()) == 7
