"""A Bot API server, a Discord, and gateways of the test's home that talk to them in this process."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from hermes_agent.app import App
from hermes_agent.config import files, paths
from hermes_agent.config.gateway_settings import (
    DISCORD,
    GATEWAYS_DISCORD_API_URL,
    GATEWAYS_TELEGRAM_API_URL,
    TELEGRAM,
)
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.gateways import found
from hermes_agent.gateways.running import Running
from tests.gateways import discord_speaking
from tests.gateways.discord_server import TOKEN as DISCORD_TOKEN
from tests.gateways.discord_server import DiscordServer
from tests.gateways.telegram_server import TOKEN, TelegramServer, serve

OWNER, GUEST, OTHER_GUEST, STRANGER = 1, 7, 8, 99


@pytest.fixture
def server() -> Iterator[TelegramServer]:
    with serve() as running:
        yield running


@pytest.fixture
def telegram_home(own_home: Home, server: TelegramServer) -> Home:
    """A home that is set up for Telegram: an owner and two guests."""
    set_up(own_home, server)
    return own_home


def set_up(home: Home, server: TelegramServer) -> None:
    """Let a home talk to the server."""
    paths.ensure(home)
    home.env_file.write_text(f"TELEGRAM_BOT_TOKEN={TOKEN}\n")
    home.env_file.chmod(0o600)
    files.write(home, TELEGRAM.enabled, True)
    files.write(home, TELEGRAM.owners, [OWNER])
    files.write(home, TELEGRAM.allowed, [GUEST, OTHER_GUEST])
    files.write(home, GATEWAYS_TELEGRAM_API_URL, server.url)


@contextmanager
def at_work(home: Home, name: str = "telegram") -> Iterator[App]:
    """Run a gateway in this process until the block ends."""
    with closing(App(home, load(home))) as app:
        running = Running(app, found.platform(name))
        running.start()
        try:
            yield app
        finally:
            running.stop()
            assert running.wait(60)


@pytest.fixture
def gateway(telegram_home: Home) -> Iterator[App]:
    """The gateway at work; the app is the owner's."""
    with at_work(telegram_home) as app:
        yield app


@pytest.fixture
def discord_server() -> Iterator[DiscordServer]:
    with discord_speaking.serve() as running:
        yield running


@pytest.fixture
def discord_home(own_home: Home, discord_server: DiscordServer) -> Home:
    """A home that is set up for Discord: an owner and two guests."""
    paths.ensure(own_home)
    own_home.env_file.write_text(f"DISCORD_BOT_TOKEN={DISCORD_TOKEN}\n")
    own_home.env_file.chmod(0o600)
    files.write(own_home, DISCORD.enabled, True)
    files.write(own_home, DISCORD.owners, [OWNER])
    files.write(own_home, DISCORD.allowed, [GUEST, OTHER_GUEST])
    files.write(own_home, GATEWAYS_DISCORD_API_URL, discord_server.url)
    return own_home


@pytest.fixture
def discord_gateway(discord_home: Home) -> Iterator[App]:
    """The gateway to Discord at work; the app is the owner's."""
    with at_work(discord_home, "discord") as app:
        yield app
