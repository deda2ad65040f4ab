"""What people type into date fields: nothing means no limit."""

from typing import Annotated

from fastapi import Query

from hermes_agent.app import App
from hermes_agent.text.dates import last_moment_of, moment_of

Typed = Annotated[str, Query(max_length=100)]


def since(app: App, typed: str) -> int | None:
    """Return the first moment of what was typed."""
    return moment_of(typed.strip() or None, app.zone, is_end=False)


def until(app: App, typed: str) -> int | None:
    """Return the moment after what was typed."""
    return moment_of(typed.strip() or None, app.zone, is_end=True)


def as_of(app: App, typed: str) -> int | None:
    """Return the last moment of what was typed."""
    return last_moment_of(typed.strip() or None, app.zone)
