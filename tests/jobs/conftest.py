"""A store for jobs, on each of the engines."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.store.store import Store
from tests.engines import ENGINES, opened


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store on each of the engines."""
    yield from opened(request.param, tmp_path)
