"""Which gateways there are: those of installed packages, ours among them, by their entry points."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points

from hermes_agent.errors import NotFound, SettingError
from hermes_agent.gateways.gateway import Platform

GROUP = "hermes_agent.gateways"


def _points() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda one: one.name)}


def names() -> list[str]:
    """Return the names of all gateways."""
    return list(_points())


def platform(name: str) -> Platform:
    """Return a gateway's platform by its name."""
    point = _points().get(name)
    if point is None:
        raise NotFound(f"There is no gateway {name!r}.", hint=f"There are: {', '.join(names())}.")
    try:
        found = point.load()
    except Exception as error:  # what others wrote may fail in any way when it is imported
        raise SettingError(f"The gateway {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(found, Platform):
        raise SettingError(f"The entry point of the gateway {name!r} is no Platform: {point.value}")
    return found
