"""What the owner made is never removed by forgetting, only named."""

import gzip
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.store import locks
from tests.conftest import Hermes

WORD = "Wibbelstetz"
OWN = f"{WORD} comes on Tuesday.\nMilk is out.\n"


def test_files_of_the_owner_stay_and_are_named_while_our_own_copies_go(hermes: Hermes, own_home: Home) -> None:
    hermes("notes", "add", "-t", "memory", f"The {WORD} fork lies in the drawer")
    theirs = [own_home.memories / "PEOPLE.md", own_home.root / ".my.journal.txt", own_home.root / ".my.personal"]
    ours = [own_home.memories / "MEMORY.md.bak.1790000000", own_home.root / ".SOUL.md.ab12cd_3"]
    for file in (*theirs, *ours):
        file.write_text(OWN)
    done = hermes("memory", "forget", "--about", WORD, "--yes")
    assert done.exit_code == 1
    assert [file.read_text() for file in theirs] == [OWN] * 3
    assert not any(file.exists() for file in ours)
    for file in theirs:
        assert f"file: {file.relative_to(own_home.root)}" in done.stdout


@pytest.mark.parametrize("handles", ["told", "not told"])
def test_what_a_packed_file_holds_is_named(
    handles: str, hermes: Hermes, own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if handles == "not told":  # as on systems without such a folder
        monkeypatch.setattr(locks, "_HANDLES", tmp_path / "nowhere")
    hermes("notes", "add", "-t", "memory", f"The {WORD} fork lies in the drawer")
    packed = own_home.workspace / "diary.log.gz"
    packed.parent.mkdir(exist_ok=True)
    packed.write_bytes(gzip.compress(OWN.encode()))
    done = hermes("memory", "forget", "--about", WORD, "--yes")
    assert done.exit_code == 1
    assert f"file: {packed.relative_to(own_home.root)}" in done.stdout


def test_a_packed_log_is_named_and_left_as_it_is(hermes: Hermes, own_home: Home) -> None:
    hermes("notes", "add", "-t", "memory", f"The {WORD} fork lies in the drawer")
    packed = own_home.logs / "daemon.log.1.gz"
    packed.parent.mkdir(exist_ok=True)
    packed.write_bytes(gzip.compress(OWN.encode()))
    done = hermes("memory", "forget", "--about", WORD, "--yes")
    assert done.exit_code == 1
    assert f"file: {packed.relative_to(own_home.root)}" in done.stdout
    assert gzip.decompress(packed.read_bytes()) == OWN.encode()
