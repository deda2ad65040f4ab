"""The names of models that the library knows, for lists and suggestions; a name that is missing may still work.

Importing the library takes most of a second, so it is done inside the functions.
"""

from collections.abc import Sequence
from functools import cache

from hermes_agent.models import vendors


@cache
def names() -> tuple[str, ...]:
    """Return every known `provider:name` of the providers we speak to, in the library's order."""
    from pydantic_ai.models import known_model_names

    listed = [name for name in known_model_names() if name.partition(":")[0] in vendors.PROVIDERS]
    # The library lists no model of some vendors: our own defaults are then all we know.
    providers = {name.partition(":")[0] for name in listed}
    ours = [
        f"{vendor.provider}:{name}"
        for vendor in vendors.VENDORS
        if vendor.provider not in providers
        for name in dict.fromkeys((vendor.default, vendor.light))
    ]
    return (*listed, *ours)


def providers_of(name: str) -> list[str]:
    """Return the providers that have a model of exactly this name, vendors in our table's order first."""
    found = {provider for provider, _, model in _split() if model == name}
    ours = [vendor.provider for vendor in vendors.VENDORS if vendor.provider in found]
    return [*ours, *sorted(found - set(ours))]


def nearest(name: str, provider: str | None = None) -> str | None:
    """Return the known `provider:name` that a wrong name most resembles, None if none is near."""
    from rapidfuzz import fuzz, process

    # A vendor's own names before those of the many that resell them.
    among: Sequence[tuple[str, str, str]] = [
        row for row in _split() if row[0] == provider or (provider is None and row[0] in vendors.BY_PROVIDER)
    ]
    best = process.extractOne(name, [model for _, _, model in among], scorer=fuzz.ratio, score_cutoff=60)
    if best is None:
        return None
    found, _, model = among[best[2]]
    return f"{found}:{model}"


@cache
def _split() -> tuple[tuple[str, str, str], ...]:
    return tuple(name.partition(":") for name in names())
