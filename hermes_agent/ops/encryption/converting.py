"""Convert a home: its database and its files from plain to encrypted, back, or from one key to another.

Every step looks at what is there and does what is left to do, so a run that was killed is finished by the next.
The database is copied beside the old one, compared row by row, and takes its place at one stroke; a file is
replaced at one stroke too, and until the last one is done `encryption.json` says that the home is half converted.
"""

import shutil
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from hermes_agent.config import encryption, paths, private
from hermes_agent.config.encryption import Encryption
from hermes_agent.config.paths import Home, beside
from hermes_agent.config.replace import replace_bytes, sync_folder
from hermes_agent.crypto import sealing, unlocked
from hermes_agent.crypto.keys import Keys
from hermes_agent.errors import DamagedStore, HermesError, StoreFull
from hermes_agent.ops import unfinished_profile
from hermes_agent.ops.encryption.sealed import is_own, is_unfinished, refuse_stuck, sealed_files
from hermes_agent.ops.steps import Step
from hermes_agent.store import conversion
from hermes_agent.store.file_head import is_plain
from hermes_agent.store.salvage import remove_files
from hermes_agent.store.sqlite import Sqlite, cipher_driver

_FRESH, _IN_STEP = ".converting", ".in-step"
_ROOM = 1.1
"""What the copy of the database may need beside it, as a share of the database."""


@dataclass(frozen=True, slots=True)
class Converted:
    """What a conversion did: how many files, and those it could not open and left as they are."""

    files: int
    unopened: tuple[Path, ...]


def encrypt(
    home: Home, database: Path, encrypted: Encryption, keys: Keys, former: Keys | None = None
) -> Generator[Step, None, Converted]:
    """Encrypt a home with these keys, or finish it; the home must be held alone. `former` keys are exchanged."""
    refuse_unready(database)
    gone = [] if former is None else [former]
    known = [keys, *gone]
    refuse_stuck(home, gone)
    yield Step("Copying the memory", 0)
    with _marked(home, replace(encrypted, state="encrypting")):
        _convert_database(database, known, keys)
    done = yield from _convert_files(home, known, keys)
    refuse_stuck(home, gone)
    for left in _leftovers(home):
        _remove(left)
    if home.root == paths.root_folder():
        unfinished_profile.clear()
    encryption.write(home, replace(encrypted, state="encrypted", former=None))
    unlocked.unlock(home.sealed, keys)
    return done


def decrypt(
    home: Home, database: Path, encrypted: Encryption, known: Sequence[Keys]
) -> Generator[Step, None, Converted]:
    """Make a home plain again, or finish it; the home must be held alone."""
    refuse_unready(database)
    refuse_stuck(home, known)
    yield Step("Copying the memory", 0)
    with _marked(home, replace(encrypted, state="decrypting")):
        _convert_database(database, known, None)
    unlocked.lock(home.sealed)
    done = yield from _convert_files(home, known, None)
    refuse_stuck(home, known)
    for left in filter(is_unfinished, sealed_files(home)):
        _remove(left)
    home.encryption.unlink()
    sync_folder(home.root)
    return done


def refuse_unready(database: Path) -> None:
    """Refuse before anything is touched: a package that is missing, an unfinished repair, a disk without room."""
    cipher_driver()
    if find_spec("cryptography") is None:
        raise HermesError(
            "The package that seals files is not installed.", hint="Run: pip install 'hermes-agent[encryption]'"
        )
    if Sqlite(database).salvaged.exists():
        raise DamagedStore(f"A repair of {database} was interrupted.", hint="Finish it first: hermes db repair")
    if database.exists():
        needed, free = int(database.stat().st_size * _ROOM), shutil.disk_usage(database.parent).free
        if free < needed:
            raise StoreFull(
                f"A copy of {database} needs {needed:,} bytes; {free:,} are free.",
                hint="Make room, then try again.",
            )


def sealable(home: Home) -> Iterator[Path]:
    """Yield the files that are sealed in an encrypted home: notes, and the texts of skills.

    What else its owner put there (a picture, a program that a skill starts) is read by others, who have no key.
    """
    notes = (home.soul, *home.former_notes)
    yield from (file for file in notes if is_own(file))
    for folder in (home.memories, home.workspace):
        yield from (file for file in sorted(folder.glob("*")) if is_own(file) and _is_note(file))
    for file in sorted(home.skills.rglob("*")):
        if is_own(file) and not unlocked.is_program(file.relative_to(home.skills)):
            yield file


@contextmanager
def _marked(home: Home, marked: Encryption) -> Iterator[None]:
    """Mark a home as half converted; what was refused before the database took its place leaves it as it was."""
    before = encryption.read(home)
    encryption.write(home, marked)
    try:
        yield
    except HermesError:
        if before is None:
            home.encryption.unlink()
        else:
            encryption.write(home, before)
        raise


def _convert_files(home: Home, known: Sequence[Keys], to: Keys | None) -> Generator[Step, None, Converted]:
    for keys in known:
        unlocked.unlock((), keys)
    found = dict.fromkeys((*sealable(home), *sealed_files(home)))
    files, unopened = [file for file in found if not is_unfinished(file)], []
    count = 0
    for done, file in enumerate(files, 1):
        try:
            count += _convert_file(file, to)
        except PermissionError:
            unopened.append(file)
        except OSError as error:
            raise HermesError(f"{file} cannot be converted: {error.strerror}.") from error
        yield Step("Converting files", done, len(files))
    return Converted(count, tuple(unopened))


def _convert_database(database: Path, known: Sequence[Keys], to: Keys | None) -> None:
    target = Sqlite(database, key=None if to is None else to.database)
    fresh = replace(target, path=beside(database, _FRESH))
    remove_files(fresh.path)
    if is_plain(database) is None or conversion.opens(target):
        return
    source = _found(database, known)
    conversion.settle(source)
    try:
        conversion.copy(source, fresh)
        conversion.refuse_difference(source, fresh)
    except HermesError:
        remove_files(fresh.path)
        raise
    conversion.put_in_place(fresh.path, database)
    sync_folder(database.parent)


def _found(database: Path, known: Sequence[Keys]) -> Sqlite:
    """Return the file with the key that opens it now."""
    candidates = [None, *(keys.database for keys in known)]
    for engine in (Sqlite(database, key=key) for key in candidates):
        if conversion.opens(engine):
            return engine
    raise DamagedStore(
        f"{database} cannot be opened with the key of this home: it is damaged, or another home's.",
        hint="The file was left as it is. Check it first: hermes db check",
    )


def _convert_file(file: Path, to: Keys | None) -> bool:
    """Seal a file, or open it; tell whether it had to change. What is no text is left as it is."""
    data = file.read_bytes()
    is_sealed = sealing.is_sealed(data)
    if is_sealed == (to is not None) and (to is None or sealing.key_id(data) == to.id):
        return False
    plain = private.opened(file.name, data)
    if not is_sealed and not _is_text(plain):
        return False
    replace_bytes(file, plain if to is None else sealing.seal(plain, to.files, to.id, file.name))
    return True


def _leftovers(home: Home) -> Iterator[Path]:
    """Yield what may hold memory in plain and is not needed: caches, what was typed, and what killed runs left."""
    yield home.chat_history
    yield from home.cache.glob("*")
    for pattern in (".backup-*", ".restore-*", ".forgetting-*", ".importing-*", ".passing-*"):
        yield from home.root.glob(pattern)
    for folder in (home.root, home.memories, home.workspace):
        yield from folder.glob(".*.md.????????")
    yield from home.skills.rglob(".hermes-fresh")
    yield from filter(is_unfinished, sealed_files(home))


def _remove(left: Path) -> None:
    if left.is_dir() and not left.is_symlink():
        shutil.rmtree(left, ignore_errors=True)
    else:
        with suppress(OSError):
            left.unlink(missing_ok=True)


def _is_note(file: Path) -> bool:
    is_mark = file.name.endswith(_IN_STEP)
    return is_mark or file.name.startswith(("MEMORY.md", "USER.md", "REFLECTIONS.md"))


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
