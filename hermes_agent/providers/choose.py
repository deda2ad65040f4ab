"""Which provider is used: by the settings, found among installed packages and in the home's `plugins/`.

Ours register by the same entry points as those of others. A folder `plugins/NAME` in the home holds a provider
written for the public Hermes Agent, or for us; a name of an installed package wins over it.
"""

from importlib.metadata import EntryPoint, entry_points
from typing import cast

from hermes_agent.config import variables
from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import MEMORY_PROVIDERS
from hermes_agent.errors import ProviderRefused, SettingError
from hermes_agent.providers import plugin_folder
from hermes_agent.providers.provider import MemoryProvider, Surroundings
from hermes_agent.providers.watched import call

GROUP = "hermes_agent.providers"
RESERVED = ("builtin", "local")
LOAD_SECONDS = 10.0
"""What the code of a provider may take until it is there."""


def installed() -> dict[str, EntryPoint]:
    """Return the providers of installed packages, ours among them, by name."""
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in RESERVED}


def surroundings_of(home: Home, settings: Settings, name: str) -> Surroundings:
    """Return what a provider of a home is made from."""
    return Surroundings(home.root, home.profile, settings[MEMORY_PROVIDERS].get(name, {}), variables.read(home))


def names(surroundings: Surroundings) -> list[str]:
    """Return every provider that could be used in a home."""
    return sorted({*installed(), *plugin_folder.names(surroundings.folder)})


def make(name: str, surroundings: Surroundings) -> MemoryProvider:
    """Make the provider of that name in a limited time; nothing is asked of any network yet."""
    point = installed().get(name)
    if point is None and name not in plugin_folder.names(surroundings.folder):
        raise SettingError(_unknown(name, surroundings), hint="See what there is: hermes memory setup --list")
    whose = f"The provider {name}"

    def load() -> MemoryProvider:
        try:
            made = plugin_folder.load(name, surroundings) if point is None else point.load()(surroundings)
        except SystemExit as error:
            raise ProviderRefused(f"{whose} wants to end the program while it is loaded.") from error
        # Its class is looked at, not what it says of itself.
        if MemoryProvider not in type(made).__mro__:
            raise ProviderRefused(f"{whose} is no MemoryProvider.", hint="See docs/guides/providers.md.")
        return cast(MemoryProvider, made)

    return call(whose, LOAD_SECONDS, load, "load")


def _unknown(name: str, surroundings: Surroundings) -> str:
    from rapidfuzz import process

    known = names(surroundings)
    best = process.extractOne(name.lower(), known, score_cutoff=60)
    meant = "" if best is None else f" Did you mean {best[0]}?"
    return f"There is no provider {name!r}.{meant} There are: {', '.join(known)}."
