"""A home that uses the ledger of `ledger.py`."""

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.providers.ledger import Ledger


@pytest.fixture
def ledger(own_home: Home, hermes: Hermes) -> Ledger:
    made = Ledger(own_home)
    assert hermes("memory", "setup", "ledger", "--no-input").exit_code == 0
    return made
