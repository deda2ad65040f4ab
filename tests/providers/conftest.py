"""Homes of providers: an empty one, and one that uses the ledger of `ledger.py`."""

from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.providers.ledger import Ledger


@pytest.fixture
def home(own_home: Home) -> Path:
    """Return the folder of an empty home."""
    own_home.root.mkdir()
    return own_home.root


@pytest.fixture
def ledger(own_home: Home, hermes: Hermes) -> Ledger:
    made = Ledger(own_home)
    assert hermes("memory", "setup", "ledger", "--no-input").exit_code == 0
    return made
