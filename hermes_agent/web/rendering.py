"""Pages: templates with what every one of them needs: who looks, where they are, times in the owner's zone."""

from functools import lru_cache
from http import HTTPStatus
from importlib import resources
from itertools import groupby
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from hermes_agent import __version__, clock
from hermes_agent.app import App
from hermes_agent.errors import HermesError
from hermes_agent.text.quantities import counted
from hermes_agent.web import advice, effects, marking, places
from hermes_agent.web.callers import Caller, the_app
from hermes_agent.web.navigation import SECTIONS
from hermes_agent.web.problems import status_of

TEMPLATES = str(resources.files("hermes_agent.web") / "templates")


# Any: whatever a template shows.
def render(
    request: Request,
    caller: Caller | None,
    template: str,
    *,
    status: HTTPStatus | None = None,
    error: HermesError | None = None,
    **values: Any,
) -> HTMLResponse:
    """Make a page of a template; `caller` is None where nobody has logged in.

    `error` is why what was asked for was refused; the page shows it beside what was typed.
    """
    app = the_app(request)
    status = status or (HTTPStatus.OK if error is None else status_of(error))
    text = (
        _environment()
        .get_template(template)
        .render(
            request=request,
            path=request.url.path,
            caller=caller,
            csrf="" if caller is None else caller.csrf,
            profile=app.home.profile,
            version=__version__,
            sections=SECTIONS,
            moment=_moment(app),
            over=_over(app),
            error=None if error is None else advice.told(error, caller),
            **values,
        )
    )
    # What was said may hold what no page can: halves of characters, and none at all.
    return HTMLResponse(text.replace("\0", "\ufffd").encode("utf-8", "replace"), status_code=status)


def _moment(app: App) -> Any:
    """Return what writes a moment in the owner's zone, with the exact one behind it."""

    def written(at: int | None) -> Markup:
        if at is None:
            return Markup("–")
        return Markup('<time datetime="{}">{}</time>').format(clock.iso(at), clock.written(at, app.zone))

    return written


def _over(app: App) -> Any:
    """Return what writes when something is over: the day before, if that is the end of a day."""

    def written(at: int) -> Markup:
        shown = clock.written(at, app.zone)
        last = clock.written(at - 1, app.zone)[: len("2026-06-30")] if shown.endswith(" 00:00:00") else shown
        return Markup('<time datetime="{}">{}</time>').format(clock.iso(at), last)

    return written


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = lambda value: f"{value:,}"
    environment.filters |= {
        "path_of": places.path_of,
        "session_path": places.session_path,
        "urlencode": places.quoted,
        "thing_path": places.thing_path,
        "worded": effects.worded,
        "hits": marking.hits,
        "redactions": marking.redactions,
        "counted": counted,
        "groupby_day": groupby,
    }
    environment.globals["message_path"] = places.message_path
    return environment
