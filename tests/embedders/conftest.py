"""Choosing an embedder in a home whose settings file holds what the test wants."""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from hermes_agent.config import files
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.setting_names import find
from hermes_agent.embedders.choose import Chosen, choose
from hermes_agent.embedders.remote import Remote

Choose = Callable[..., Chosen]


@pytest.fixture
def decide(own_home: Home) -> Iterator[Choose]:
    """Choose by what stands below `memory.embeddings` and by variables."""
    opened: list[Remote] = []

    def run(given: Mapping[str, object] | None = None, **found: str) -> Chosen:
        for name, value in (given or {}).items():
            files.write(own_home, find(f"memory.embeddings.{name}"), value)
        chosen = choose(load(own_home), found)
        if isinstance(chosen.embedder, Remote):
            opened.append(chosen.embedder)
        return chosen

    yield run
    for embedder in opened:
        embedder.close()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Install a package that brings the embedder `acme`: a module, and a dist-info that names it."""

    def run(source: str, function: str = "make") -> None:
        site = tmp_path / "site"
        information = site / "acme_embedder-1.0.dist-info"
        information.mkdir(parents=True)
        (site / "acme_embedder.py").write_text(source)
        (information / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-embedder\nVersion: 1.0\n")
        (information / "entry_points.txt").write_text(
            f"[hermes_agent.embedders]\nacme = acme_embedder:{function}\n"
        )
        monkeypatch.syspath_prepend(str(site))
        monkeypatch.delitem(sys.modules, "acme_embedder", raising=False)

    return run
