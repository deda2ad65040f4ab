"""Whether the external memory that a process began with is still the one its owner wants.

A daemon and an open chat outlive `hermes memory off`: nothing more may be told then, also before they are started
again. So the settings are read again when their files changed. Another one is used after a restart.
"""

from hermes_agent.config import load as loading
from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import MEMORY_PROVIDER, MEMORY_PROVIDER_MODE
from hermes_agent.errors import HermesError

_State = tuple[tuple[int, int] | None, ...]


class ProviderChoice:
    """The choice of one process."""

    def __init__(self, home: Home, settings: Settings) -> None:
        self._home = home
        self._first = chosen(settings)
        self._name = self._first
        self._state = self._files() if self._first is not None else ()

    @property
    def name(self) -> str | None:
        """The provider that is asked and told now; None if there is none, or it was left since."""
        if self._first is not None and (state := self._files()) != self._state:
            try:
                is_still = chosen(loading.load(self._home)) == self._first
            except HermesError:
                return self._name  # somebody is just writing them, or has to mend them
            self._name, self._state = self._first if is_still else None, state
        return self._name

    def _files(self) -> _State:
        home = self._home
        files = (home.config_yaml, home.config_json, home.config_jsonc, home.env_file)
        return tuple((file.stat().st_mtime_ns, file.stat().st_size) if file.is_file() else None for file in files)


def chosen(settings: Settings) -> str | None:
    """Return the external memory that settings name, None if it is left alone."""
    return None if settings[MEMORY_PROVIDER_MODE] == "local" else settings[MEMORY_PROVIDER]
