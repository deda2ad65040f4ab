"""Folders for a while: those of a killed run go, those that somebody works in stay."""

import subprocess
import sys
from pathlib import Path

import pytest

from hermes_agent.config import held_folder
from hermes_agent.errors import HermesError

_HOLD = """
import sys
from pathlib import Path
from hermes_agent.config import held_folder
with held_folder.made(Path(sys.argv[1]), ".work-") as folder:
    (folder / "file").write_text("x")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_what_another_process_works_in_stays_until_it_is_killed(tmp_path: Path) -> None:
    (tmp_path / ".other-1").mkdir()
    command = [sys.executable, "-c", _HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        theirs = Path(other.stdout.readline().strip())
        with held_folder.made(tmp_path, ".work-") as ours:
            assert (theirs / "file").read_text() == "x" and ours != theirs
        assert not ours.exists() and theirs.exists()
        other.kill()
    with held_folder.made(tmp_path, ".work-"):
        assert not theirs.exists()
    assert not list(tmp_path.glob(".work-*")) and (tmp_path / ".other-1").exists()


def test_a_file_or_a_link_of_such_a_name_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / ".work-link").symlink_to(tmp_path / "kept")
    (tmp_path / ".work-file").write_text("x")
    held_folder.clear(tmp_path, ".work-")
    assert len(list(tmp_path.glob(".work-*"))) == 2 and (tmp_path / "kept").exists()


def test_a_place_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(HermesError, match="No folder can be made in"), held_folder.made(tmp_path / "no", ".work-"):
        pass
