"""One run of `hermes`: which profile it works in, and that profile's settings.

Both are found when a command first asks, so `hermes --help` reads no file.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.output import say

if TYPE_CHECKING:
    from hermes_agent.app import App
    from hermes_agent.config.load import Settings
    from hermes_agent.config.paths import Home


@dataclass(frozen=True)
class Invocation:
    """What every command gets: `profile` is what `-p` asked for, None if it was not used."""

    profile: str | None = None
    opened: "list[App]" = field(default_factory=list)
    """The apps that were opened in this run, and closed again."""

    @property
    def has_written(self) -> bool:
        """Whether this run did something with the store that may have changed it."""
        return any(app.has_written for app in self.opened)

    @cached_property
    def home(self) -> "Home":
        """The home of the profile asked for, or else of the active one; it must exist."""
        from hermes_agent.config import paths, profiles

        return profiles.find(paths.active_profile() if self.profile is None else self.profile)

    @property
    def has_server(self) -> bool:
        """Whether the environment or the settings name a server that commands go to."""
        from hermes_agent.config import credentials

        return (credentials.server_in_environment() or self.server_setting) is not None

    @cached_property
    def server_setting(self) -> str | None:
        """The server that the settings name; those that cannot be read name none, and the command will tell."""
        from hermes_agent.config.load import load
        from hermes_agent.config.settings import SERVER_URL
        from hermes_agent.errors import HermesError

        try:
            return load(self.home)[SERVER_URL]
        except HermesError:
            return None

    @cached_property
    def settings(self) -> "Settings":
        """The home's settings, all values checked; what is ignored is said once on stderr."""
        from hermes_agent.config.load import load

        settings = load(self.home)
        settings.check()
        for warning in settings.warnings:
            say(f"Warning: {warning}", is_error=True)
        return settings

    def open(self, model: str | None = None) -> "App":
        """Open the home with these settings; whoever does closes it."""
        from hermes_agent.app import App
        from hermes_agent.config import renaming
        from hermes_agent.config.paths import cache_trouble

        self.unlock()
        app = App(self.home, self.settings, model=model)
        self.opened.append(app)
        if renaming.is_pending(self.home):
            with app.store.read():
                renaming.settle(self.home)
        trouble = cache_trouble(self.home)
        if trouble is not None:
            say(f"Warning: {trouble}", is_error=True)
        return app

    def unlock(self) -> None:
        """Find the key of an encrypted home, and ask for its passphrase if somebody is there to be asked."""
        if self.home.encryption.exists():
            from hermes_agent.cli.passphrases import asking
            from hermes_agent.config import encryption

            encryption.unlock(self.home, asking(self.home))


pass_invocation = click.make_pass_decorator(Invocation)
