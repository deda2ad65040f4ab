"""What runs disturbed commands is started once: importing everything takes seconds."""

from collections.abc import Iterator

import pytest

from tests.faults.running import Shell, shell


@pytest.fixture(scope="session")
def hermes_shell() -> Iterator[Shell]:
    """Run commands with faults."""
    with shell() as opened:
        yield opened
