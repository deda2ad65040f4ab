"""`/health`: whether the server answers, and works; for whoever watches it, without a token, without memory."""

from contextlib import suppress
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from hermes_agent import __version__
from hermes_agent.errors import HermesError, StoreBusy
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.records.archive import Json
from hermes_agent.store import meta
from hermes_agent.store.store import Store
from hermes_agent.web.callers import TheApp

router = APIRouter(tags=["health"])


@router.head("/health", include_in_schema=False)
@router.get("/health")
async def health() -> dict[str, str]:
    """Tell that the server answers."""
    return {"status": "ok", "version": __version__}


@router.head("/health/ready", include_in_schema=False)
@router.get("/health/ready", responses={503: {"description": "Something is not ready; the body tells what."}})
def ready(request: Request, app: TheApp, response: Response) -> dict[str, Json]:
    """Tell whether the store is read and written, and the worker lives; 503 if not. Why, tells `hermes status`."""
    pulse = request.app.state.pulse
    assert isinstance(pulse, Pulse)
    parts: dict[str, Json] = {"store": _is_of_use(app.store), "worker": pulse.trouble is None}
    is_ready = all(parts.values())
    if not is_ready:
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    return {"status": "ready" if is_ready else "not ready", **parts}


def _is_of_use(store: Store) -> bool:
    """Tell whether the store is read, is where it was and has room; that another writes now is no trouble."""
    try:
        with store.read() as connection:
            if meta.get(connection, "profile") is None:
                return False
        with suppress(StoreBusy):
            store.seek_room()
    except HermesError:
        return False
    return True
