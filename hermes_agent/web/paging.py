"""Long lists in pages: `limit` items, and where the next page begins.

A page is asked for with one item more than wanted, which tells whether there is another without counting.
"""

from typing import Annotated

from fastapi import Query

MOST = 200
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many items a page has.")]
Offset = Annotated[
    int, Query(ge=0, le=2**53, description="How many items to pass over: `next` of the page before.")
]
