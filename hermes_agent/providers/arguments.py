"""What the model gave a vendor's tool, read strictly: whatever does not fit is a sentence to the model."""

import re

from hermes_agent.errors import ToolError
from hermes_agent.providers.provider import Schema

_PLAIN = re.compile(r"[\w.:-]{1,512}", re.ASCII)


def text(args: Schema, name: str) -> str:
    """Return an argument that must be there and must be text."""
    value = optional_text(args, name)
    if not value:
        raise ToolError(f"Give {name}: a text that is not empty.")
    return value


def optional_text(args: Schema, name: str) -> str:
    """Return an argument that may be missing; then it is empty."""
    value = args.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ToolError(f"{name} must be a text.")
    return value.strip()


def plain(args: Schema, name: str) -> str:
    """Return an argument that names something on the server, or an empty text."""
    value = optional_text(args, name)
    if value and not is_plain(value):
        raise ToolError(f"{name} is no id: {value[:60]!r}.")
    return value


def is_plain(value: str) -> bool:
    """Tell whether an id can stand in an address as it is, and leads nowhere else."""
    return _PLAIN.fullmatch(value) is not None and not value.startswith(".")


def whole(args: Schema, name: str, default: int, most: int) -> int:
    """Return a number from 1 on, cut at the most there may be."""
    value = args.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ToolError(f"{name} must be a number.")
    try:
        return min(max(int(value), 1), most)
    except (ValueError, OverflowError):
        raise ToolError(f"{name} must be a number.") from None


def choice(args: Schema, name: str, choices: tuple[str, ...], default: str) -> str:
    """Return one of several words."""
    value = optional_text(args, name) or default
    if value not in choices:
        raise ToolError(f"{name} must be one of: {', '.join(choices)}.")
    return value


def texts(args: Schema, name: str) -> list[str]:
    """Return a list of texts that must hold at least one; what is no text is left out."""
    value = args.get(name)
    found = [one for one in value if isinstance(one, str) and one.strip()] if isinstance(value, list) else []
    if not found:
        raise ToolError(f"Give {name}: a list of texts.")
    return found


def number(args: Schema, name: str, default: float | None = None) -> float:
    """Return a number; without a default it must be there."""
    value = args.get(name)
    try:
        found = float(str(default if value is None else value))
    except ValueError:
        raise ToolError(f"Give {name}: a number.") from None
    if not abs(found) < 2**53:  # neither is NaN
        raise ToolError(f"{name} must be a number that can be counted to.")
    return found
