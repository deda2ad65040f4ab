"""Backups: which there are, whether a day was missed, whether their key is safe; made and checked here.

Restoring replaces the home that serves this page, so it is only explained.
"""

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent import clock, status
from hermes_agent.app import App
from hermes_agent.config import settings as names
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.jobs import backing_up
from hermes_agent.ops.backups import confirming, keeping, keys
from hermes_agent.ops.backups.checking import Checked
from hermes_agent.ops.backups.keeping import Kept
from hermes_agent.store import jobs
from hermes_agent.text.quantities import size
from hermes_agent.web import checking
from hermes_agent.web.at_length import at_length
from hermes_agent.web.callers import Admin, Caller, TheApp
from hermes_agent.web.problems import status_of
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/backups")

_SHOWN = 100
Told = Literal["", "making", "confirmed"]


@router.get("")
def listed(request: Request, app: TheApp, caller: Admin, told: Annotated[Told, Query()] = "") -> Response:
    """Show the backups of this home."""
    return _page(request, app, caller, told=told)


@router.post("")
def make(app: TheApp, caller: Admin) -> Response:
    """Have a backup made by the daemon's worker: a large home takes a while."""
    with app.store.write() as connection:
        jobs.add(connection, backing_up.JOB, backing_up.JOB, due_at=clock.now())
    return RedirectResponse("/backups?told=making", status_code=303)


@router.post("/verify")
@at_length
def verify(request: Request, app: TheApp, caller: Admin, name: Annotated[str, Form()]) -> Response:
    """Restore a backup into a folder of its own, compare everything, and say what is wrong."""
    found = next((one for one in _ours(app) if one.path.name == name), None)
    if found is None:
        raise NotFound(f"There is no backup {name[:120]!r} of this home.")
    try:
        checked = checking.check(app, found.path)
    except HermesError as error:
        return _page(request, app, caller, name=name, error=error)
    return _page(request, app, caller, name=name, checked=checked)


@router.post("/confirm-key")
def confirm_key(app: TheApp, caller: Admin) -> Response:
    """Keep that the owner has a copy of the key in another place."""
    if app.settings[names.BACKUP_RECIPIENTS] or not app.home.backup_key.exists():
        raise UsageError("There is no key of this home's own to confirm.")
    confirming.confirm(app.store, keys.lock_of(app.home, []).shown[0])
    return RedirectResponse("/backups?told=confirmed", status_code=303)


def _page(
    request: Request,
    app: App,
    caller: Caller,
    *,
    told: str = "",
    name: str = "",
    checked: Checked | None = None,
    error: HermesError | None = None,
) -> Response:
    found = _ours(app)
    with app.store.read() as connection:
        is_waiting = bool(jobs.open_keys(connection, [backing_up.JOB]))
    return render(
        request,
        caller,
        "backups.html",
        **({} if error is None else {"status": status_of(error)}),
        backups=[(one, clock.from_datetime(one.made_at), size(one.size_bytes)) for one in found[:_SHOWN]],
        folder=backing_up.folder_of(app.home, app.settings),
        lines=status.backups(app),
        is_waiting=is_waiting,
        copy=status.copy_of_key(app, backing_up.last_there(app.home, app.store, app.settings)),
        key=app.home.backup_key,
        told=told,
        name=name,
        checked=checked,
        error=error,
    )


def _ours(app: App) -> list[Kept]:
    return keeping.of_home(app.home, app.store, backing_up.folder_of(app.home, app.settings))
