"""`/metrics`: figures for a monitor, with a token that may read unless the owner opened them."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from hermes_agent.config.settings import WEB_OPEN_METRICS
from hermes_agent.web.callers import Caller, Needs, the_app
from hermes_agent.web.metrics import CONTENT_TYPE, Meter

router = APIRouter(tags=["health"])


class _NeedsUnlessOpen(Needs):
    """A token that may read, unless the setting lets everybody."""

    async def __call__(self, request: Request) -> Caller | None:  # type: ignore[override]  # nobody may ask, too
        return None if the_app(request).settings[WEB_OPEN_METRICS] else await super().__call__(request)


@router.get("/metrics", response_class=Response)
def metrics(request: Request, caller: Annotated[Caller | None, Depends(_NeedsUnlessOpen("read"))]) -> Response:
    """Write the figures of this server in the text form of Prometheus."""
    meter = request.app.state.meter
    assert isinstance(meter, Meter)
    return Response(meter.written(), media_type=CONTENT_TYPE)
