"""The gateway of the guide, installed as another package would bring it."""

import re
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hermes_agent.app import App
from hermes_agent.config import files, paths
from hermes_agent.config.gateway_settings import GATEWAYS_OTHERS
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.gateways import found
from hermes_agent.gateways.running import Running
from tests.conftest import Hermes
from tests.daemon.conftest import wait_until

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "gateways.md"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the example: a module, and a dist-info that names it."""
    blocks = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    information = tmp_path / "site" / "folder_gateway-1.0.dist-info"
    information.mkdir(parents=True)
    (tmp_path / "site" / "folder_gateway.py").write_text(blocks[0])
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: folder-gateway\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[hermes_agent.gateways]\nfolder = folder_gateway:PLATFORM\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.delitem(sys.modules, "folder_gateway", raising=False)


@pytest.mark.usefixtures("installed")
def test_the_gateway_of_the_guide_answers(own_home: Home, tmp_path: Path, hermes: Hermes) -> None:
    folder = tmp_path / "spool"
    folder.mkdir()
    paths.ensure(own_home)
    files.write(own_home, GATEWAYS_OTHERS, {"folder": {"folder": str(folder)}})
    assert hermes("gateway", "setup", "folder", "--owner", "ann").exit_code == 0
    (folder / "ann.2.txt").write_text("What colour is my bike?")
    (folder / "ann.1.txt").write_text("Remember that my bike is green.")
    with closing(App(own_home, load(own_home))) as app:
        running = Running(app, found.platform("folder"))
        running.start()
        wait_until(lambda: (folder / "ann.2.answer").exists())
        running.stop()
        assert running.wait(60)
    assert "green" in (folder / "ann.2.answer").read_text()
    assert list(folder.glob("*.txt")) == []


def test_a_gateway_that_cannot_be_loaded_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hermes: Hermes
) -> None:
    information = tmp_path / "site" / "bad-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[hermes_agent.gateways]\nbad = no_such_module:PLATFORM\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    outcome = hermes("gateway", "list")
    assert outcome.exit_code == 0
    assert "No module named 'no_such_module'" in outcome.stdout.replace("\n", " ")
