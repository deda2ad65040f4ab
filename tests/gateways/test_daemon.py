"""Gateways in a real daemon: connected, told in the status, ended without losing anything."""

import json
import signal

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.daemon.conftest import Machine, machine, machines, wait_until
from tests.gateways.conftest import OWNER
from tests.gateways.telegram_server import TelegramServer

__all__ = ["machine", "machines"]


def conditions(hermes: Hermes) -> dict[str, tuple[str, str | None]]:
    told = json.loads(hermes("gateway", "status", "--json").stdout)
    return {one["name"]: (one["condition"], one["trouble"]) for one in told}


def test_the_daemon_answers_and_ends_cleanly(
    telegram_home: Home, server: TelegramServer, machine: Machine, hermes: Hermes
) -> None:
    hermes("gateway", "setup", "webhook", "--owner", "me")
    daemon = machine.begin("start", "--foreground")
    server.say(OWNER, "Good morning.")
    server.wait_for(lambda: server.texts(OWNER))
    wait_until(lambda: set(conditions(hermes).values()) == {("connected", None)})
    status = hermes("status", "--json")
    assert [one["condition"] for one in json.loads(status.stdout)["gateways"]] == ["connected", "connected"]
    daemon.send_signal(signal.SIGTERM)
    _, told = daemon.communicate(timeout=120)
    assert daemon.returncode == 0
    assert "The gateway telegram: connected" in told
    assert "123456:test" not in told


def test_a_wrong_token_is_told_and_the_daemon_goes_on(
    telegram_home: Home, server: TelegramServer, machine: Machine, hermes: Hermes
) -> None:
    telegram_home.env_file.write_text("TELEGRAM_BOT_TOKEN=123:wrong\n")
    daemon = machine.begin("start", "--foreground")
    wait_until(lambda: conditions(hermes)["telegram"][0] == "waiting")
    assert "Telegram refused" in (conditions(hermes)["telegram"][1] or "")
    outcome = hermes("status")
    assert (outcome.exit_code, "hermes gateway setup telegram" in outcome.stdout) == (1, True)
    daemon.send_signal(signal.SIGTERM)
    daemon.communicate(timeout=120)
    assert daemon.returncode == 0
