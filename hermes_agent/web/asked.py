"""What many routes are asked with: dates as people write them, names of things, ways to page."""

from typing import Annotated

from fastapi import Path, Query
from pydantic import Field

Date = Annotated[str | None, Query(max_length=100, description="A date: 2026-04-14, yesterday, 3 days ago.")]
Since = Annotated[str | None, Query(max_length=100, description="Not before this date: 2026-04-14, last week.")]
Until = Annotated[str | None, Query(max_length=100, description="Not after this date, the day itself included.")]
AsOf = Annotated[str | None, Query(max_length=100, description="As memory stood at the end of this date.")]
Short = Annotated[str, Query(max_length=100)]
"""What a field of a page holds: a date, a name, the uid of a change; empty if nothing was typed."""
Name = Annotated[str, Path(min_length=1, max_length=300)]
Number = Annotated[int, Path(ge=1, le=2**53)]
DateText = Annotated[str, Field(max_length=100, description="A date: 2026-04-14, yesterday, 3 days ago.")]
Question = Annotated[str, Query(min_length=1, max_length=4_000, description="What to look for, in any words.")]
