"""What people type into date fields: nothing means no limit."""

from hermes_agent.app import App
from hermes_agent.text.dates import last_moment_of, moment_of


def since(app: App, typed: str | None) -> int | None:
    """Return the first moment of what was typed."""
    return moment_of(_given(typed), app.zone, is_end=False)


def until(app: App, typed: str | None) -> int | None:
    """Return the moment after what was typed."""
    return moment_of(_given(typed), app.zone, is_end=True)


def as_of(app: App, typed: str | None) -> int | None:
    """Return the last moment of what was typed."""
    return last_moment_of(_given(typed), app.zone)


def _given(typed: str | None) -> str | None:
    return None if typed is None else typed.strip() or None
