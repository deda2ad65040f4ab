"""Discord: what its gateway is called, what it needs, and how to connect; the library is imported then."""

import warnings

from hermes_agent.config.gateway_settings import GATEWAYS_DISCORD_API_URL
from hermes_agent.errors import GatewayRefused
from hermes_agent.gateways.access import access_of
from hermes_agent.gateways.gateway import Gateway, Platform, Secret, Setup

TOKEN = "DISCORD_BOT_TOKEN"
LIMIT_CHARACTERS = 2000
_NAME = "discord"


def connect(setup: Setup) -> Gateway:
    """Connect to Discord; its library is an extra."""
    try:
        with warnings.catch_warnings():
            # For voices, which we do not hear, the library imports a module that Python drops.
            warnings.simplefilter("ignore", DeprecationWarning)
            from hermes_agent.gateways.discord_connection import Discord
    except ImportError as error:
        raise GatewayRefused(
            "The library for Discord is missing.", hint="pip install 'hermes-agent[discord]'"
        ) from error
    access = access_of(setup.settings, _NAME)
    people = [int(one) for one in sorted(access.owners | access.allowed) if one.isdecimal()]
    return Discord(setup.secrets[TOKEN], setup.settings[GATEWAYS_DISCORD_API_URL], people, setup.last)


PLATFORM = Platform(
    name=_NAME,
    title="Discord",
    connect=connect,
    limit_characters=LIMIT_CHARACTERS,
    secrets=(
        Secret(
            TOKEN,
            "Make an application at discord.com/developers/applications; under Bot switch on the"
            " Message Content Intent, press Reset Token, and copy the token.",
        ),
    ),
    extra="discord",
    library="discord",
)
