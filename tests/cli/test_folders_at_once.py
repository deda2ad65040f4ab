"""Two commands at once leave each other's folders alone: what is unpacked lies in a folder of its own."""

import json
from contextlib import ExitStack
from pathlib import Path

from hermes_agent.cli.backup_opening import restored
from hermes_agent.cli.invocation import Invocation
from hermes_agent.config.paths import Home
from hermes_agent.ops import home_archive
from tests.cli.test_import_archive import packed
from tests.conftest import Hermes
from tests.ops import foreign_homes


def test_a_backup_is_verified_while_another_is_open(hermes: Hermes, own_home: Home) -> None:
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    file = Path(json.loads(hermes("backup", "create", "--json").stdout)["file"])
    with restored(Invocation(None), file, None) as (found, problems):
        assert hermes("backup", "verify", str(file)).exit_code == 0
        assert found.database is not None and found.database.exists() and not problems
    assert list(own_home.root.glob(".restore-*")) == []


def test_a_profile_is_imported_while_a_home_is_unpacked(hermes: Hermes, own_home: Home, tmp_path: Path) -> None:
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    archive = tmp_path / "work.tar.gz"
    assert hermes("profile", "export", "default", "-o", str(archive)).exit_code == 0
    foreign_homes.build(tmp_path / "theirs", 25)
    file = packed(tmp_path / "theirs", tmp_path / "b.zip")
    with ExitStack() as stack:
        folder = stack.enter_context(home_archive.unpacked(file, "zip", own_home))
        done = hermes("profile", "import", str(archive), "--name", "work")
        assert done.exit_code == 0, done
        assert (folder / "state.db").exists()
    assert list(own_home.root.glob(".importing-*")) == []
