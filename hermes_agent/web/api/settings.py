"""`/api/settings`: how the home behaves; secrets are masked, and variables are not looked into from afar."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from hermes_agent.app import App
from hermes_agent.config import changing
from hermes_agent.config.load import load
from hermes_agent.config.setting import Setting
from hermes_agent.config.setting_names import find
from hermes_agent.config.settings import TABLE
from hermes_agent.config.shown import setting_json
from hermes_agent.errors import NotFound, SettingError
from hermes_agent.records.archive import Json
from hermes_agent.web import etags
from hermes_agent.web.answers import answer, changes, gives, shows, tagged
from hermes_agent.web.api.given import Given
from hermes_agent.web.asked import Name
from hermes_agent.web.callers import Admin, TheApp
from hermes_agent.web.shapes import having

router = APIRouter(prefix="/settings", tags=["settings"])

SETTING = having(
    "Setting",
    "A setting and its value; one that does not fit has a problem instead.",
    name=str,
    value=object,
    origin=str,
    problem=str | None,
    help=str,
)
SETTINGS = having("Settings", "Every setting.", items=list[SETTING])  # type: ignore[valid-type]  # made while it runs


class Value(Given):
    """What a setting is to be."""

    value: Annotated[object, Field(description="Text, a number, true or false, a list, or names with values.")]


@router.get("", responses=gives(SETTINGS))
def list_settings(app: TheApp, caller: Admin) -> Response:
    """Show every setting, its value and where the value came from."""
    return answer({"items": [_json(app, one) for one in TABLE]})


@router.get("/{name}", responses=shows(SETTING))
def show_setting(app: TheApp, caller: Admin, request: Request, name: Name) -> Response:
    """Show a setting."""
    return tagged(request, _json(app, _find(name)))


@router.put("/{name}", responses=changes(SETTING))
def put_setting(
    app: TheApp, caller: Admin, request: Request, name: Name, new: Value, match: etags.IfMatch = None
) -> Response:
    """Set a value. It counts when the daemon is started again."""
    setting = _find(name)
    changing.put(
        app.home,
        setting,
        new.value,
        check=lambda: etags.require(match, _json(app, setting)),
        is_from_afar=True,
    )
    return tagged(request, _json(app, setting))


@router.delete("/{name}", responses=changes(SETTING))
def unset_setting(
    app: TheApp, caller: Admin, request: Request, name: Name, match: etags.IfMatch = None
) -> Response:
    """Take a setting out of the home's files, so that its default holds again."""
    setting = _find(name)
    changing.take_out(app.home, setting, check=lambda: etags.require(match, _json(app, setting)))
    return tagged(request, _json(app, setting))


# Any would be the type of the value, which differs from setting to setting.
def _find(name: str) -> Setting[object]:
    try:
        return find(name)
    except SettingError as error:
        raise NotFound(error.message, hint=error.hint) from error


def _json(app: App, setting: Setting[object]) -> dict[str, Json]:
    """Write a setting as it stands in the files now, without secrets and without where it lies."""
    shown = setting_json(load(app.home), setting, is_from_afar=True)
    del shown["where"]
    return shown
