"""A working folder with a home beside it, and a keeper that notes what it was told."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.agent.tools.workspace import Workspace
from hermes_agent.config import paths
from hermes_agent.config.paths import Home


@dataclass
class Notebook:
    """Stands in for checkpoints: remembers each folder it was told of, and answers with one sentence."""

    sentence: str | None = None
    told: list[tuple[Path, str]] = field(default_factory=list)

    def before_change(self, folder: Path, reason: str) -> str | None:
        self.told.append((folder, reason))
        return self.sentence


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The working folder."""
    made = (tmp_path / "work").resolve()
    made.mkdir()
    return made


@pytest.fixture
def home(own_home: Home) -> Home:
    """The home of the test, with its folders."""
    paths.ensure(own_home)
    own_home.env_file.write_text("NAME=value\n")
    return own_home


@pytest.fixture
def workspace(folder: Path, home: Home) -> Workspace:
    return Workspace(folder, (), home.root, home.outputs)


@pytest.fixture
def overflow(home: Home) -> Overflow:
    return Overflow(home.outputs)


@pytest.fixture
def keeper() -> Notebook:
    return Notebook()
