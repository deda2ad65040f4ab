"""Which right the route of a request needs, told before anything of the request's body is read.

The framework reads a body before it asks what the route depends on; the gate asks here first.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.routing import BaseRoute, compile_path
from starlette.types import Scope

from hermes_agent.web.callers import Needs


class Rights:
    """The rights of a site's routes; what is mounted asks for itself."""

    def __init__(self, routes: Callable[[], list[BaseRoute]]) -> None:
        self._routes = routes

    def of(self, scope: Scope) -> Needs | None:
        """Return what the route of a request asks of its caller; None where there is no such route."""
        return next(
            (needs for path, needs in self._known.get(scope["method"], ()) if path.match(scope["path"])), None
        )

    @cached_property
    def _known(self) -> dict[str, list[tuple[re.Pattern[str], Needs]]]:
        """The routes of each method, in the order in which the framework tries them."""
        found: dict[str, list[tuple[re.Pattern[str], Needs]]] = {}
        for route in iter_route_contexts(self._routes()):
            if isinstance(route.original_route, APIRoute) and route.path is not None:
                for needs in needed(route.dependant):
                    for method in route.methods or ():
                        found.setdefault(method, []).append((compile_path(route.path)[0], needs))
        return found


def needed(dependant: Dependant) -> Iterator[Needs]:
    """Yield what a route asks of its caller, itself or through what it depends on."""
    if isinstance(dependant.call, Needs):
        yield dependant.call
    for one in dependant.dependencies:
        yield from needed(one)
