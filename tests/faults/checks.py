"""What is looked at in files whose bytes differ each time: exports, backups, archives."""

import json
import tarfile
from pathlib import Path

from hermes_agent.memory.resetting import ASKED as RESET
from hermes_agent.ops.steps import finish
from hermes_agent.ops.whole import reading
from hermes_agent.store.sqlite import driver
from tests.faults.homes import SECRET
from tests.faults.running import Shell


def nothing(shell: Shell, folder: Path) -> list[str]:
    """Look at nothing more."""
    return []


def export_is_whole(shell: Shell, folder: Path) -> list[str]:
    """An export that is there can be imported whole."""
    file = folder / "memory.json"
    if file.exists():
        finish(reading.check(file))
    return []


def notes_are_whole(shell: Shell, folder: Path) -> list[str]:
    """Notes that two memories are joined in have whole entries of either."""
    entries = {"Has a dog", "Likes figs", "Atlas runs on docker", ""}
    entries |= {
        "Dog: Rex",
        "Name: Ada",
        "Works at Heron",
        "Report: due on 3 May",
    }  # what the curator took from talk
    notes = [file.read_text() for file in (folder / "home" / "memories").glob("*.md")]
    halves = [one for note in notes for one in note.strip().split("\n§\n") if one not in entries]
    return [f"half a note: {one!r}" for one in halves]


def backup_opens(shell: Shell, folder: Path) -> list[str]:
    """A backup that is there can be restored, with the key that is there."""
    if not (folder / "home.age").exists():
        return []
    verified = shell.run(folder, "backup", "verify", "{folder}/home.age")
    return [] if verified.status == 0 else [f"half a backup: {verified.stdout}{verified.stderr}"]


def archive_is_whole(shell: Shell, folder: Path) -> list[str]:
    """An archive of a profile that is there can be read to its end."""
    file = folder / "default.tar.gz"
    if file.exists():
        with tarfile.open(file) as tar:
            memory = tar.extractfile("memory.json")
            assert memory is not None
            json.load(memory)
    return []


def nothing_left_behind(shell: Shell, folder: Path) -> list[str]:
    """What a restored backup replaces is in the home, or beside the backups."""
    home = folder / "home"
    stores = [home / "state.db", *home.glob("backups/replaced-*/state.db")]
    notes = [home / "memories" / "MEMORY.md", *home.glob("backups/replaced-*/memories/MEMORY.md")]
    found = []
    if not any(_has_fact(store, "Heron") for store in stores if store.exists()):
        found.append("the fact that came after the backup is nowhere")
    if not any("Bergen" in note.read_text() for note in notes if note.exists()):
        found.append("the note that came after the backup is nowhere")
    return found


def handed_over_once(shell: Shell, folder: Path) -> list[str]:
    """Both profiles tell of one hand-over, which arrived."""
    found = []
    for profile in ("default", "work"):
        told = json.loads(shell.run(folder, "-p", profile, "profile", "handovers", "--json").stdout)
        if [one["state"] for one in told] != ["arrived"]:
            found.append(f"{profile} tells: {told}")
    return found


def nothing_of_it_is_left(shell: Shell, folder: Path) -> list[str]:
    """What was forgotten is in no byte of the home, and its receipts find nothing; a reset's keeps nothing."""
    receipts = sorted((folder / "home" / "receipts").glob("*.json"))
    found = [] if receipts else ["there is no receipt"]
    for receipt in receipts:
        if json.loads(receipt.read_text())["asked"] == RESET:
            continue
        verified = shell.run(folder, "memory", "verify-deletion", receipt.stem)
        if verified.status != 0:
            found.append(f"{receipt.name}: {verified.stdout}{verified.stderr}")
    return found + [f"{name} still holds it" for name in _holding(folder / "home", SECRET)]


_NOTED = ("Likes figs", "works at Heron")
"""Long enough not to stand in encrypted bytes by chance: a word of four letters does."""


def only_the_key_opens_it(shell: Shell, folder: Path) -> list[str]:
    """No byte of an encrypted home tells what was noted, and with its key it is opened."""
    opened = shell.run(folder, "notes", "show")
    told = [] if "figs" in opened.stdout else [f"it cannot be opened: {opened.stdout}{opened.stderr}"]
    return told + [f"{name} tells it" for word in _NOTED for name in _holding(folder / "home", word)]


def _holding(home: Path, word: str) -> list[str]:
    """Name the files in which a word stands as it is."""
    files = [file for file in sorted(home.rglob("*")) if file.is_file()]
    return [
        file.relative_to(home).as_posix() for file in files if word.lower().encode() in file.read_bytes().lower()
    ]


def _has_fact(store: Path, word: str) -> bool:
    connection = driver().connect(f"{store.as_uri()}?mode=ro", uri=True)
    try:
        return bool(connection.execute("SELECT 1 FROM facts WHERE text LIKE ?", (f"%{word}%",)).fetchone())
    finally:
        connection.close()
