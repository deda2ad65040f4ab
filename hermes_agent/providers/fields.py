"""What `hermes memory setup` asks for: the fields of a provider's own schema, read with care."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.errors import UsageError
from hermes_agent.providers.provider import Schema


@dataclass(frozen=True, slots=True)
class Field:
    """One thing a provider wants to know."""

    key: str
    description: str
    variable: str | None = None
    """Where a secret goes, and what wins over the settings."""
    is_secret: bool = False
    is_required: bool = False
    default: str | None = None
    choices: tuple[str, ...] = ()
    when: tuple[tuple[str, str], ...] = ()
    """Asked for only if other fields have these values."""

    def is_wanted(self, answers: Mapping[str, str]) -> bool:
        """Tell whether it is asked for, after what was answered."""
        return all(answers.get(key, "") == value for key, value in self.when)

    def checked(self, value: str) -> str:
        """Return a value that may be kept: no line breaks, one of the choices."""
        value = "".join(letter for letter in value if letter not in "\r\n\0").strip()
        if self.choices and value and value not in self.choices:
            raise UsageError(f"{self.key} is one of {', '.join(self.choices)}, not {value!r}.")
        return value


def fields(schema: Sequence[Schema]) -> list[Field]:
    """Read a provider's schema; what has no key is left out."""
    return [_field(one) for one in schema if isinstance(one, dict) and isinstance(one.get("key"), str)]


def typed(value: str) -> object:
    """Return what somebody typed as the settings keep it: true and numbers are no text."""
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    try:
        return int(value)
    except ValueError:
        return value


def _field(one: Schema) -> Field:
    variable = one.get("env_var")
    choices = one.get("choices")
    when = one.get("when")
    default = one.get("default")
    return Field(
        key=one["key"],
        description=str(one.get("description") or one["key"]),
        variable=variable if isinstance(variable, str) and variable else None,
        is_secret=bool(one.get("secret")),
        is_required=bool(one.get("required")),
        default=None if default is None else str(default),
        choices=tuple(map(str, choices)) if isinstance(choices, list | tuple) else (),
        when=tuple((str(key), str(value)) for key, value in when.items()) if isinstance(when, dict) else (),
    )
