"""The settings that may leave the home: what the owner wrote into the settings file, without secrets."""

from collections.abc import Mapping
from typing import get_origin

from hermes_agent.config.load import Settings
from hermes_agent.config.settings import TABLE


def portable(settings: Settings) -> tuple[dict[str, object], list[str]]:
    """Return the settings of the file as they are written, and the names of those that were left out.

    Secrets stay, and so does what is made of names and values: a server's variables may be secret.
    """
    written = [one for one in TABLE if settings.origin(one).kind == "file"]
    is_private = {one.name: one.is_secret or _is_mapping(one.form) for one in written}
    kept = {one.name: settings.written(one) for one in written if not is_private[one.name]}
    return kept, [name for name, private in is_private.items() if private]


def _is_mapping(form: object) -> bool:
    return get_origin(form) in (dict, Mapping)
