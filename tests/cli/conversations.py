"""Conversations from the command line: which model is asked, and what was kept of them."""

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import Hermes
from tests.openai_server import Server

HERMES = [sys.executable, "-c", "from hermes_agent.cli.main import run; run()"]
ROOT = Path(__file__).resolve().parents[2]


def connect(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    """Let a scripted server be the model."""
    monkeypatch.setenv("HERMES_BASE_URL", server.url)


def sessions(hermes: Hermes) -> list[dict[str, object]]:
    found = json.loads(hermes("sessions", "list", "--json").stdout)
    assert isinstance(found, list)
    return found


def messages(hermes: Hermes) -> list[dict[str, object]]:
    """Return the messages of the only session."""
    (session,) = sessions(hermes)
    shown = json.loads(hermes("sessions", "show", str(session["id"]), "--json").stdout)
    found = shown["messages"]
    assert isinstance(found, list)
    return found
