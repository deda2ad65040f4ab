"""Long lists in pages: `limit` items, and where the next page begins.

A page is asked for with one item more than wanted, which tells whether there is another without counting.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from fastapi import Query

from hermes_agent.records.archive import Json

T = TypeVar("T")

MOST = 200
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many items a page has.")]
Offset = Annotated[
    int, Query(ge=0, le=2**53, description="How many items to pass over: `next` of the page before.")
]


def page(found: Sequence[T], limit: int, offset: int, written: Callable[[T], Json]) -> dict[str, Json]:
    """Write a page of what was found when `limit + 1` were asked for; `next` is None on the last one."""
    has_more = len(found) > limit
    return {"items": [written(one) for one in found[:limit]], "next": offset + limit if has_more else None}
