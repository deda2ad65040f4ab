"""One run of `hermes`: which profile it works in, and that profile's settings.

Both are found when a command first asks, so `hermes --help` reads no file.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.output import say

if TYPE_CHECKING:
    from hermes_agent.config.load import Settings
    from hermes_agent.config.paths import Home


@dataclass(frozen=True)
class Invocation:
    """What every command gets: `profile` is what `-p` asked for, None if it was not used."""

    profile: str | None = None

    @cached_property
    def home(self) -> "Home":
        """The home of the profile asked for, or else of the active one; it must exist."""
        from hermes_agent.config import paths, profiles

        return profiles.find(paths.active_profile() if self.profile is None else self.profile)

    @cached_property
    def settings(self) -> "Settings":
        """The home's settings, all values checked; what is ignored is said once on stderr."""
        from hermes_agent.config.load import load

        settings = load(self.home)
        settings.check()
        for warning in settings.warnings:
            say(f"Warning: {warning}", is_error=True)
        return settings


pass_invocation = click.make_pass_decorator(Invocation)
