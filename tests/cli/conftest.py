"""A working folder for the chats of the command line."""

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    made = tmp_path / "work"
    made.mkdir()
    monkeypatch.chdir(made)
    return made
