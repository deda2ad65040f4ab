"""The house that the embedded model is asked in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.agent.embedded.house import House


@pytest.fixture
def house(own_home: Home, tmp_path: Path) -> Iterator[House]:
    """Return a home with an agent without a model, which is closed at the end."""
    house = House(own_home, tmp_path)
    yield house
    house.close()
