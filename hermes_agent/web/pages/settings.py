"""Settings: every one with its help and where its value came from; changed and unset. Secrets are never shown."""

import json
import types
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent.app import App
from hermes_agent.config import changing
from hermes_agent.config.load import Settings, load
from hermes_agent.config.setting import Setting
from hermes_agent.config.setting_names import find
from hermes_agent.config.settings import TABLE
from hermes_agent.config.shown import setting_json, without_keys
from hermes_agent.config.values import expected
from hermes_agent.errors import HermesError, NotFound, SettingError
from hermes_agent.records.archive import Json
from hermes_agent.web import changes, etags
from hermes_agent.web.callers import Admin, Caller, TheApp
from hermes_agent.web.problems import PreconditionFailed, status_of
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/settings")

Told = Literal["", "changed", "unset", "absent"]
_OTHERS = "general"


@dataclass(frozen=True, slots=True)
class Shown:
    """A setting as a page shows it."""

    setting: Setting[Any]
    value: str
    origin: str
    problem: Json
    is_waiting: bool
    """Whether the daemon still works with another value, until it is started again."""


@router.get("")
def listed(request: Request, app: TheApp, caller: Admin) -> Response:
    """Show every setting, in the groups of their names."""
    settings = load(app.home)
    groups: dict[str, list[Shown]] = {}
    for setting in TABLE:
        group = setting.name.rpartition(".")[0] or _OTHERS
        groups.setdefault(group, []).append(_shown(app, settings, setting))
    return render(
        request,
        caller,
        "settings.html",
        groups=groups,
        warnings=settings.warnings,
        is_waiting=any(one.is_waiting for group in groups.values() for one in group),
    )


@router.get("/{name}")
def shown(
    request: Request, app: TheApp, caller: Admin, name: str, told: Annotated[Told, Query()] = ""
) -> Response:
    """Show one setting with the form that changes it."""
    return _page(request, app, caller, _find(name), told=told)


@router.post("/{name}")
def change(
    request: Request,
    app: TheApp,
    caller: Admin,
    name: str,
    value: Annotated[str, Form()],
    tag: Annotated[str, Form()],
) -> Response:
    """Change a setting; a value that does not fit is refused and stays in the form."""
    setting = _find(name)
    try:
        put = changing.put(
            app.home, setting, value, check=lambda: _require_same(app, setting, tag), is_from_afar=True
        )
    except (PreconditionFailed, SettingError) as error:
        told = changes.too_late(error, is_typed=not setting.is_secret)
        return _page(request, app, caller, setting, typed="" if setting.is_secret else value, error=told)
    if put.warnings:
        return _page(request, app, caller, setting, told="changed", warnings=put.warnings)
    return RedirectResponse(f"/settings/{setting.name}?told=changed", status_code=303)


@router.post("/{name}/unset")
def unset(app: TheApp, caller: Admin, name: str, tag: Annotated[str, Form()]) -> Response:
    """Take a setting out of the home's files, so that its default holds again."""
    setting = _find(name)
    taken_out = changing.take_out(app.home, setting, check=lambda: _require_same(app, setting, tag))
    told = "unset" if taken_out else "absent"
    return RedirectResponse(f"/settings/{setting.name}?told={told}", status_code=303)


def _page(
    request: Request,
    app: App,
    caller: Caller,
    setting: Setting[Any],
    *,
    told: str = "",
    typed: str | None = None,
    warnings: object = (),
    error: HermesError | None = None,
) -> Response:
    settings = load(app.home)
    return render(
        request,
        caller,
        "setting.html",
        **({} if error is None else {"status": status_of(error)}),
        one=_shown(app, settings, setting),
        default="" if setting.is_secret else changing.text_of(setting.default),
        expected=expected(setting.form),
        choices=_choices(setting),
        typed=typed if typed is not None else _typed(settings, setting),
        tag=etags.tag_of(_tagged(settings, setting)),
        override=changing.overridden(settings, setting, app.home.env_file),
        told=told,
        warnings=warnings,
        error=error,
    )


def _find(name: str) -> Setting[Any]:
    try:
        return find(name)
    except SettingError as error:
        raise NotFound(error.message[:200], hint=error.hint) from error


def _shown(app: App, settings: Settings, setting: Setting[Any]) -> Shown:
    told = setting_json(settings, setting, is_from_afar=True)
    origin = settings.origin(setting)
    value = changing.shown(settings, setting)
    is_waiting = settings.written(setting) != app.settings.written(setting)
    return Shown(setting, value, origin.where or origin.kind, told["problem"], is_waiting)


def _tagged(settings: Settings, setting: Setting[Any]) -> list[Json]:
    """Return what a change must have seen; of a secret only where it stands, since a hash could be guessed."""
    origin = settings.origin(setting)
    return [setting.name, changing.shown(settings, setting), origin.kind, origin.where]


def _require_same(app: App, setting: Setting[Any], tag: str) -> None:
    etags.require_same(tag, _tagged(load(app.home), setting))


def _typed(settings: Settings, setting: Setting[Any]) -> str:
    """Return a value as it is typed into the form; lists and mappings as JSON, what holds keys not at all."""
    value = settings.written(setting)
    if setting.is_secret or without_keys(value) != value:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else changing.text_of(value)


def _choices(setting: Setting[Any]) -> list[str]:
    """Return the values a setting can have, if they are few and known."""
    form = setting.form
    if get_origin(form) in (Union, types.UnionType):
        return []
    if form is bool:
        return ["true", "false"]
    return [str(one) for one in get_args(form)] if get_origin(form) is Literal else []
