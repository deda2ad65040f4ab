"""What a model gave a tool of a provider: the right kind of value, or a sentence that says what is missing."""

from collections.abc import Sequence

from hermes_agent.errors import ToolError
from hermes_agent.providers.provider import Schema


def text(args: Schema, key: str, default: str | None = None) -> str:
    """Return a text; without a default it must be there and hold something."""
    value = args.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or not (value.strip() or default is not None):
        raise ToolError(f"{key} is needed, as a text.")
    return value


def texts(args: Schema, key: str) -> list[str]:
    """Return a list of texts, which holds at least one."""
    value = args.get(key)
    found = [one for one in value if isinstance(one, str) and one.strip()] if isinstance(value, list) else []
    if not found:
        raise ToolError(f"{key} is needed, as a list of texts.")
    return found


def choice(args: Schema, key: str, choices: Sequence[str], default: str | None = None) -> str | None:
    """Return one of the choices, the default if none was made."""
    value = args.get(key)
    if value is None:
        return default
    if value not in choices:
        raise ToolError(f"{key} is one of {', '.join(choices)}.")
    return str(value)


def number(args: Schema, key: str, default: float | None = None) -> float:
    """Return a number; without a default it must be there."""
    value = args.get(key)
    try:
        found = float(str(default if value is None else value))
    except ValueError:
        raise ToolError(f"{key} is needed, as a number.") from None
    if not abs(found) < 2**53:  # neither is NaN
        raise ToolError(f"{key} is no number that can be used.")
    return found


def integer(args: Schema, key: str) -> int:
    """Return a whole number, which must be there."""
    return int(number(args, key))


def limit(args: Schema, default: int, most: int, key: str = "limit") -> int:
    """Return how many are wanted, within what is offered."""
    return min(most, max(1, int(number(args, key, default))))
