"""The files of a home, cleaned of what was forgotten, and looked through for what is left of it.

Ours are cleaned, each known by the name that the program gives it: logs, the chat's history and what was put away
of skills lose lines, copies of notes and of tools' output and caches go. What the owner made (files in the
workspace, other notes) is only named, and so is what may not be read. Other profiles are other homes, and never
looked into.
"""

import gzip
import os
import re
import shutil
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hermes_agent.config import passing, private
from hermes_agent.config.paths import Home, beside
from hermes_agent.config.replace import half_of
from hermes_agent.crypto import sealing
from hermes_agent.memory.skill_folder import ARCHIVE
from hermes_agent.ops.backups.form import ENDING
from hermes_agent.store import locks
from hermes_agent.store.database_file import HEADER
from hermes_agent.text.runs import LONGEST, Look, encoded

_CHUNK = 16 << 20
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_LARGEST_UNPACKED = 256 << 20
_TEXTS = (".md", ".txt", ".json", ".yaml", ".jsonc", ".py", ".sh")
_NOTES = ("MEMORY.md", "USER.md")
_COPY = re.compile(r"(MEMORY|USER)\.md\.(bak|conflict)\.[0-9]+")
_LOGS = ("-wal", "-shm", "-journal")


def clean(home: Home, look: Look, *, is_dry: bool = False) -> Counter[str]:
    """Clean the files that are ours; return how many of what lost something."""
    counts: Counter[str] = Counter()
    if not is_dry:
        passing.clear(home)
    for file in (home.chat_history, *_files_in(home.logs)):
        if file.is_file() and _holds(file, look):
            counts["lines of logs and of the chat's history"] += _drop_lines(file, look, is_dry=is_dry)
    for file in _files_in(home.skills / ARCHIVE):
        if _holds(file, look):
            counts["lines of skills that were put away"] += _drop_lines(file, look, is_dry=is_dry)
    ours = [one for one in _files_in(home.cache) if _holds(one, look)]
    copies = [one for one in _files_in(home.memories) if _is_copy(one) and _holds(one, look)]
    # What a killed process left half written, beside what it was to replace.
    names = {one.name for one in home.replaced_whole}
    halves = [
        one for one in home.root.glob(".*.*") if half_of(one) in names and one.is_file() and _holds(one, look)
    ]
    for name, files in (("cached files", ours), ("copies of notes", copies), ("half-written files", halves)):
        counts[name] += len(files)
        for file in files if not is_dry else ():
            file.unlink(missing_ok=True)
    return counts


def clean_whole(home: Home, look: Look) -> None:
    """Clean a home that nobody lives in: every file that is a text loses its lines, the copies of folders go."""
    clean(home, look)
    for file in _files_in(home.root):
        if file.suffix in _TEXTS and _holds(file, look):
            _drop_lines(file, look, is_dry=False)
    shutil.rmtree(home.checkpoints, ignore_errors=True)


def left_in(home: Home, look: Look, database: Path | None) -> Iterator[str]:
    """Yield the files in which anything is left; of packed ones also what they hold."""
    stores = [] if database is None else [one for one in _database_files(database) if one.is_file()]
    inside = [one for one in _files_in(home.root) if not _is_elsewhere(home, one)]
    for file in dict.fromkeys([*inside, *_files_in(home.skills), *stores]):
        if not file.name.endswith(ENDING) and _holds(file, look, is_store=file in stores):
            yield str(file.relative_to(home.root) if file.is_relative_to(home.root) else file)


def encrypted_in(home: Home, database: Path | None) -> Iterator[str]:
    """Yield the encrypted databases that lie aside in a home: what they hold cannot be seen in their bytes."""
    for file in _files_in(home.root) if home.encryption.exists() else ():
        is_aside = file.name.startswith(home.state_db.name) and file not in (database, home.state_db)
        if is_aside and not file.name.endswith(_LOGS) and not _is_elsewhere(home, file) and not _is_plain(file):
            yield str(file.relative_to(home.root))


def closed_in(home: Home) -> Iterator[str]:
    """Yield the files and folders of a home that nobody lets us read: what they hold cannot be told."""
    for folder, names, files in os.walk(home.root):
        for one in (Path(folder) / name for name in (*names, *files)):
            needed = os.R_OK | os.X_OK if one.is_dir() else os.R_OK
            if not one.is_symlink() and not os.access(one, needed) and not _is_elsewhere(home, one):
                yield str(one.relative_to(home.root))


def _is_plain(file: Path) -> bool:
    try:
        return locks.head(file, len(HEADER)) in (HEADER, b"")
    except OSError:
        return True  # it is named as closed


def _is_copy(file: Path) -> bool:
    """Tell whether a file beside the notes is a copy that the program laid there, or a half of one."""
    name = half_of(file)
    return _COPY.fullmatch(file.name if name is None else name) is not None or name in _NOTES


def _database_files(database: Path) -> list[Path]:
    return [database, *(beside(database, suffix) for suffix in _LOGS)]


def _files_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(one for one in folder.rglob("*") if one.is_file() and not one.is_symlink())


def _is_elsewhere(home: Home, file: Path) -> bool:
    """Tell whether a file is of another profile; the copies of folders are looked through by git."""
    parts = file.relative_to(home.root).parts
    return parts[0] == "profiles" or file.is_relative_to(home.checkpoint_store)


def _holds(file: Path, look: Look, *, is_store: bool = False) -> bool:
    """Look through a file a part at a time, and through what it holds packed."""
    head = tail = b""
    try:
        for part in locks.parts(file, _CHUNK):
            head = head or part[:4]
            if look(tail + part):
                return True
            tail = part[-LONGEST:]
        # The random head of an encrypted database may be like that of a packed file.
        is_database = is_store or locks.is_database(file)
        return not is_database and any(look(unpacked) for unpacked in _unpacked(file, head))
    except OSError:
        return False  # it went since, or is named as closed


def _unpacked(file: Path, head: bytes) -> Iterator[bytes]:
    if sealing.MAGIC.startswith(head) and head:
        try:
            yield private.read(file)
        except PermissionError:
            return  # not with the key of this home: nobody reads it
    elif head.startswith(_GZIP):
        try:
            with gzip.open(file) as opened:
                yield opened.read(_LARGEST_UNPACKED)
        except (OSError, EOFError, zlib.error):
            return  # it only begins like one
    elif head == _ZSTD:
        from backports import zstd

        try:
            with zstd.ZstdFile(file) as opened:
                yield opened.read(_LARGEST_UNPACKED)
        except (zstd.ZstdError, EOFError):
            return


def _drop_lines(file: Path, look: Look, *, is_dry: bool) -> int:
    """Drop the lines that hold anything; a file of which no line does, such as a packed one, stays as it is."""
    text = private.read(file).decode("utf-8", "surrogateescape")
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if not look(encoded(line))]
    joined = "".join(kept)
    if look(encoded(joined)):  # it goes over the end of a line
        kept, joined = [], ""
    if not is_dry and len(kept) < len(lines):
        private.replace_text(file, joined.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    return len(lines) - len(kept)
