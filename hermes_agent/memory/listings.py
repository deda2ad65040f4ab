"""Which conversations a list shows, as every door asks for them."""

from hermes_agent.recall.looking import HIDDEN_SOURCES
from hermes_agent.store.sessions import Listing


def listing(source: str | None, since: int | None, until: int | None, *, is_all: bool) -> Listing:
    """Return what is listed: with `is_all` also what was archived, delegated, or said to tools or by programs."""
    return Listing(
        source=source,
        hidden_sources=() if is_all else HIDDEN_SOURCES,
        since=since,
        until=until,
        with_archived=is_all,
        with_delegated=is_all,
    )
