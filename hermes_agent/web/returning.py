"""Where a browser goes once it has logged in: to the page it wanted, and never to another site.

What only a form is sent to is no page: whoever sent one after the login ended comes back to where the form stood.
"""

from collections.abc import Callable
from urllib.parse import unquote, urlsplit

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
    try:
        page = urlsplit(request.headers.get("referer", ""))
    except ValueError:  # not even an address
        return OVERVIEW
    if page.netloc.lower() != request.headers["host"].lower() or not is_page(unquote(page.path)):
        return OVERVIEW
    return own(_with_query(page.path, page.query))


def _with_query(path: str, query: str) -> str:
    return path + (f"?{query}" if query else "")
