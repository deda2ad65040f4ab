"""What stands only in notes and files is found again by the receipt, and backups lose it."""

import io
import json
import tarfile
from pathlib import Path

import pyrage
from backports import zstd

from hermes_agent.config.paths import Home
from hermes_agent.text.runs import HashedRuns, hashed_phrase
from tests.conftest import Hermes

WORD = "Wibbelstetz"
NOTE = f"The {WORD} fork lies in the drawer"


def held_in(backup: Path, key: Path) -> dict[str, bytes]:
    """Return every file in a backup."""
    identity = next(line for line in key.read_text().split() if line.startswith("AGE-SECRET-KEY-"))
    packed = pyrage.decrypt(backup.read_bytes(), [pyrage.x25519.Identity.from_str(identity)])
    with tarfile.open(fileobj=io.BytesIO(zstd.decompress(packed))) as tar:
        return {one.name: tar.extractfile(one).read() for one in tar if one.isfile()}  # type: ignore[union-attr]


def test_what_stands_only_in_notes_goes_out_of_backups_and_is_found_again(hermes: Hermes, own_home: Home) -> None:
    hermes("notes", "add", "-t", "memory", NOTE)
    hermes("backup", "create")
    (backup,) = own_home.backups.glob("*.age")
    assert any(WORD.encode() in data for data in held_in(backup, own_home.backup_key).values())
    done = json.loads(hermes("memory", "forget", "--about", WORD, "--backups", "--yes", "--json").stdout)
    assert done["found"] == []
    assert done["backups"] == []
    inside = held_in(backup, own_home.backup_key)
    assert [name for name, data in inside.items() if WORD.encode() in data] == []
    assert hermes("memory", "verify-deletion", "receipt:1").exit_code == 0
    (own_home.workspace / "plan.txt").write_text(f"ask the WIBBELSTETZ, then go\n{NOTE}")
    found = hermes("memory", "verify-deletion", "receipt:1")
    assert found.exit_code == 1
    assert "file: workspace/plan.txt" in found.stdout


def test_a_receipt_that_keeps_nothing_to_look_by_is_never_called_clean(hermes: Hermes) -> None:
    hermes("notes", "add", "-t", "memory", NOTE)
    assert hermes("memory", "reset", "--target", "facts", "--yes").exit_code == 0
    refused = hermes("memory", "verify-deletion", "receipt:1")
    assert refused.exit_code == 2
    assert "it keeps nothing to look by" in refused.stderr


def test_a_phrase_is_found_as_whole_words_however_its_case_is() -> None:
    key = b"k" * 16
    kept = HashedRuns(key, frozenset(filter(None, (hashed_phrase(key, "Jörg Ober"), hashed_phrase(key, "Bo")))))
    assert kept.find("so sagt “JÖRG ober”".encode()) == [(len("so sagt “".encode()), len("Jörg Ober".encode()))]
    assert kept.find("Jörg. Ober, Jörg Oberin, Bobo".encode()) == []
    assert kept.find("Jörg".encode() + b"\xff\xffOber") == [], "nor is it one over the end of a text"
    assert kept.find(b"ask bo!") == [(4, 2)]
