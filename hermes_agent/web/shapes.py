"""What records look like as JSON, for the API's document: their fields, moments as text.

The shapes only describe: `memory/shown` writes the answers, and `tests/web/test_contract.py` holds them against
what is described here.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from hermes_agent.memory.shown.values import MOMENTS
from hermes_agent.records.archive import Json

Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"}, description="In UTC.")]


class Shape(BaseModel):
    """Something described; `model_config` is a field of sessions, so names are not protected."""

    model_config = ConfigDict(protected_namespaces=())


class Problem(Shape):
    """What went wrong (RFC 9457)."""

    title: Annotated[str, Field(description="The meaning of the status.")]
    status: int
    detail: Annotated[str, Field(description="What went wrong, in one sentence.")]
    hint: Annotated[str, Field(description="What to do about it.")] = ""
    errors: Annotated[list[dict[str, str]], Field(description="Which parts do not fit, and why.")] = []


# Any: what may stand in an annotation.
def record(name: str, kind: type[Any], /, *, without: tuple[str, ...] = (), **more: Any) -> type[BaseModel]:
    """Describe a record by its fields; `more` are those that are written differently, or beside them."""
    hints = get_type_hints(kind, include_extras=True)
    described = {
        one.name: (_moment(hints[one.name]) if one.name in MOMENTS else hints[one.name], ...)
        for one in fields(kind)
        if one.name not in without and one.name not in more
    }
    described |= {field: (form, ...) for field, form in more.items()}
    return _made(name, kind.__doc__, described)


def having(name: str, about: str, /, **described: Any) -> type[BaseModel]:
    """Describe an answer that is no record."""
    return _made(name, about, {field: (form, ...) for field, form in described.items()})


def also(name: str, base: type[BaseModel], /, **more: Any) -> type[BaseModel]:
    """Describe what has more fields than another."""
    return _create(name, base, None, {field: (form, ...) for field, form in more.items()})


def page_of(model: type[BaseModel]) -> type[BaseModel]:
    """Describe a page of a list."""
    items = (list[model], ...)  # type: ignore[valid-type]  # the type is made while the program runs
    following = (int | None, Field(description="The offset of the next page; null on the last one."))
    return _create(f"{model.__name__}Page", Shape, "A page of a list.", {"items": items, "next": following})


def _made(name: str, about: str | None, described: Mapping[str, Any]) -> type[BaseModel]:
    # `model_config` of a session is a field, which pydantic would take for its own.
    renamed = {
        ("model_config_" if field == "model_config" else field): (
            (form, Field(alias="model_config")) if field == "model_config" else (form, default)
        )
        for field, (form, default) in described.items()
    }
    return _create(name, Shape, (about or "").strip().partition("\n")[0], renamed)


def _create(name: str, base: type[BaseModel], about: str | None, described: Mapping[str, Any]) -> type[BaseModel]:
    make: Any = create_model  # its fields cannot be told from its own arguments by their types
    made: type[BaseModel] = make(name, __base__=base, __doc__=about, **described)
    return made


def _moment(form: Any) -> Any:
    return Moment | None if type(None) in get_args(form) else Moment


Object = dict[str, Json]
"""Something whose fields differ from one to the next."""
