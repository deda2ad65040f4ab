"""Check what somebody gave for a setting, and say in plain words what was expected.

Text is read leniently (`"5"` is a whole number, `yes` is true), because the command line and the
environment know nothing but text. A value that a file already gave a type must have the right one:
`poolSize: true` is not 1.
"""

import functools
import json
import types
from contextlib import suppress
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen

from hermes_agent.config.setting import Setting
from hermes_agent.errors import SettingError

T = TypeVar("T")


def parse(setting: Setting[T], value: object, *, where: str | None = None, shown: object = None) -> T:
    """Return the value in the setting's type, or refuse it, naming what was expected and where it stood.

    `shown` is what a refusal shows in the place of the value.
    """
    from pydantic import ValidationError

    if isinstance(value, str) and get_origin(setting.form) in (list, dict):
        # The command line and the environment write lists and mappings as JSON.
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    try:
        parsed: T = _adapter(setting).validate_python(value, strict=not isinstance(value, str))
    except ValidationError as error:
        if value == "" and setting.default is None:
            raise SettingError(
                f"{setting.name} must be {expected(setting.form)} that is not empty.",
                hint=f"To take it out: hermes config unset {setting.name}",
            ) from error
        raise _refusal(setting, shown or value, expected(setting.form), where) from error
    if isinstance(parsed, str) and "\0" in parsed:
        raise _refusal(setting, shown or value, "text without NUL characters", where)
    problem = None if setting.check is None else setting.check(parsed)
    if problem is not None:
        raise _refusal(setting, shown or value, problem, where)
    return parsed


def expected(form: object) -> str:
    """Describe a setting's type to a person: "a whole number from 1 to 100"."""
    origin = get_origin(form)
    if origin is Annotated:
        inner, *limits = get_args(form)
        return expected(inner) + _describe_limits(limits)
    if origin is Literal:
        return "one of " + ", ".join(str(choice) for choice in get_args(form))
    if origin in (Union, types.UnionType):
        return " or ".join(expected(part) for part in get_args(form) if part is not types.NoneType)
    if origin is list:
        return f"a list of {expected(get_args(form)[0])}"
    if origin is dict:
        return "names with values"
    return {bool: "true or false", int: "a whole number", float: "a number", str: "text"}[form]  # type: ignore[index]


def _describe_limits(limits: list[object]) -> str:
    low = next((limit.ge for limit in limits if isinstance(limit, Ge)), None)
    high = next((limit.le for limit in limits if isinstance(limit, Le)), None)
    longest = next((limit.max_length for limit in limits if isinstance(limit, MaxLen)), None)
    if low is not None and high is not None:
        return f" from {low} to {high}"
    return "" if longest is None else f" of at most {longest} characters"


def _refusal(setting: Setting[Any], value: object, wanted: str, where: str | None) -> SettingError:
    # A setting that is a mapping may have secrets among its parts.
    is_hidden = setting.is_secret or get_origin(setting.form) is dict
    shown = "the value given" if is_hidden else _shorten(value)
    place = "" if where is None else f" ({where})"
    return SettingError(f"{setting.name} must be {wanted}, not {shown}{place}.", hint=setting.mend)


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"


@functools.cache
def _adapter(setting: Setting[Any]) -> Any:  # Any: pydantic is imported late, so its type is not named
    from pydantic import TypeAdapter

    return TypeAdapter(setting.form)
