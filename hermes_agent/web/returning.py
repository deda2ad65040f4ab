"""Where a browser goes once it has logged in: to the page it wanted, and never to another site.

What only a form is sent to is no page: whoever sent one after the login ended comes back to where the form stood.
"""

from collections.abc import Callable
from urllib.parse import SplitResult, unquote, urlsplit

from fastapi import Request

from hermes_agent.web.guard import SAFE

OVERVIEW = "/"


def own(path: str) -> str:
    """Return a path on this server; whoever made the link must not choose another site."""
    is_path = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_path and path.isprintable() else OVERVIEW


def wanted(request: Request, is_page: Callable[[str], bool]) -> str:
    """Return the page that somebody wanted who is not logged in: of a form, that on which it stood."""
    if request.method in SAFE:
        return own(_with_query(request.url.path, request.url.query))
    page = came_from(request)
    if page is None or page.netloc.lower() != request.headers["host"].lower() or not is_page(unquote(page.path)):
        return OVERVIEW
    return own(_with_query(page.path, page.query))


def came_from(request: Request) -> SplitResult | None:
    """Return the address of the page that a form stood on, as the browser tells it; None if it is not even one."""
    try:
        return urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return None


def _with_query(path: str, query: str) -> str:
    return path + (f"?{query}" if query else "")
