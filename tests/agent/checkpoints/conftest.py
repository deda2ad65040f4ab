"""A folder to work in, and the checkpoints of the test's own home."""

from pathlib import Path

import pytest

from hermes_agent.agent.checkpoints import Checkpoints
from hermes_agent.config.paths import Home


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def checkpoints(own_home: Home) -> Checkpoints:
    return Checkpoints(own_home, 50)
