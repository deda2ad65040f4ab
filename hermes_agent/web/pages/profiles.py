"""Profiles: their names, and which one this is. Of another one nothing is read: each is a home of its own."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from hermes_agent.config import profiles
from hermes_agent.web.callers import Admin, TheApp
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/profiles")


@router.get("")
def listed(request: Request, app: TheApp, caller: Admin) -> Response:
    """Show the names of the profiles, and how to get to another one."""
    return render(
        request, caller, "profiles.html", names=profiles.names(), this=app.home.profile, folder=app.home.root
    )
