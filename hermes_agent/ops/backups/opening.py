"""Open a backup into a folder and compare everything in it with its manifest.

A plain archive of a home (`tar czf … ~/.hermes`) is opened too; it has no manifest, so it is only checked as a
store. Whatever the archive says, nothing is written outside the folder: only ordinary files are taken, by clean
names.
"""

import gzip
import hashlib
import tarfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NoReturn, cast

import pyrage

from hermes_agent.config import full_disk
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.ops import doctor, room
from hermes_agent.ops.backups import form
from hermes_agent.ops.backups.form import Manifest
from hermes_agent.ops.backups.keys import Identity
from hermes_agent.ops.steps import Step, finish
from hermes_agent.ops.whole import reading
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.skills.library import Library
from hermes_agent.store import canonical, notes, skills
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store

_AGE, _GZIP = b"age-encryption.org/v1", b"\x1f\x8b"
_HOME = ".hermes"
_CHUNK = 1 << 20
_PLAIN = "archive.tar.zst"
_LONGEST_NAME = 200
_MOST_OWN_FILES = 10_000_000
"""A backup of ours holds whatever its home held."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A backup in plain: where its files are, and what it says of itself; a plain archive says nothing."""

    folder: Path
    names: Sequence[str]
    manifest: Manifest | None

    @property
    def database(self) -> Path | None:
        """Where its database is, None if it has none."""
        return self.folder / form.DATABASE if form.DATABASE in self.names else None


def is_encrypted(file: Path) -> bool:
    """Tell whether a key is needed; UsageError if it is no backup at all."""
    try:
        with file.open("rb") as opened:
            head = opened.read(len(_AGE))
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {file}.") from error
    except OSError as error:
        raise HermesError(f"{file} cannot be read: {error.strerror}.") from error
    if head != _AGE and not head.startswith(_GZIP):
        raise UsageError(
            f"{file} is no backup.", hint="It is what `hermes backup create` made, or a .tgz of a home."
        )
    return head == _AGE


def open_into(folder: Path, file: Path, identities: Sequence[Identity]) -> Generator[Step, None, Opened]:
    """Decrypt and unpack a backup into an empty folder; UsageError if a file is not as it was."""
    yield Step("Opening", 0)
    inside = folder / "home"
    inside.mkdir(mode=0o700)
    if not is_encrypted(file):
        return Opened(inside, unpack_plain(file, inside), None)
    plain = folder / _PLAIN
    full_disk.require(folder, file.stat().st_size, f"{file} cannot be opened")
    try:
        with file.open("rb") as locked, plain.open("wb") as out:
            pyrage.decrypt_io(locked, out, list(identities))
    except (pyrage.DecryptError, OSError) as error:
        # What age finds damaged is an error of its stream, without a number; others are the disk's.
        if isinstance(error, OSError) and error.errno is not None:
            raise HermesError(f"{file} cannot be opened: {error.strerror}.") from error
        raise UsageError(
            f"{file} cannot be opened: the key is another one, or the file is damaged.",
            hint="Name the key: hermes backup … --identity FILE",
        ) from error
    from backports import zstd

    yield Step("Unpacking", 0)
    try:
        with zstd.ZstdFile(plain) as packed:
            _require_room(cast(BinaryIO, packed), file, folder, is_own=True)
        with zstd.ZstdFile(plain) as unpacked:
            names = list(_unpack(cast(BinaryIO, unpacked), inside, file, is_foreign=False))
    except (zstd.ZstdError, EOFError) as error:
        raise UsageError(f"{file} is damaged: it cannot be unpacked.") from error
    plain.unlink()
    if form.MANIFEST not in names:
        _refuse(file, "its manifest is missing")
    manifest = form.read((inside / form.MANIFEST).read_bytes())
    names.remove(form.MANIFEST)
    for done, (name, member) in enumerate(manifest.files.items(), 1):
        if name not in names or _digest(inside / name) != member.sha256:
            _refuse(file, f"{name} is not what was backed up")
        yield Step("Comparing", done, len(manifest.files))
    if set(names) != set(manifest.files):
        _refuse(file, "it holds files that its manifest does not know")
    return Opened(inside, names, manifest)


def unpack_plain(file: Path, folder: Path, *, is_home: bool = True) -> list[str]:
    """Unpack a tar.gz into a folder; return the names of its files. What leads elsewhere is left out.

    The names in the archive of a home begin somewhere above it: at the root, at the user's folder, or at the home.
    """
    with gzip.open(file) as packed:
        names = _require_room(cast(BinaryIO, packed), file, folder, is_own=False)
    above = _above(names) if is_home else ()
    with gzip.open(file) as unpacked:
        return list(_unpack(cast(BinaryIO, unpacked), folder, file, is_foreign=True, above=above))


def check(opened: Opened, owner: str, key: bytes | None = None) -> Generator[Step, None, list[str]]:
    """Open the memory of a backup as the program would, check it, and count it; return what is wrong.

    That of an encrypted home is encrypted in its backup too: it is opened with the `key` of its database.
    """
    manifest, database = opened.manifest, opened.database
    wanted = {} if manifest is None else dict(manifest.rows)
    yield Step("Checking the memory", 0)
    if database is not None:
        with closing(Store(Sqlite(database, key=key), owner)) as store:
            problems = list(doctor.check(store).problems)
            with store.read() as connection:
                rows = {name: canonical.count(connection, name) for name in wanted}
    elif manifest is not None and form.MEMORY in opened.names:
        whole = finish(reading.check(opened.folder / form.MEMORY))
        problems, rows = [], {name: whole.rows[name] for name in wanted}
    else:
        return ["it holds no memory"]
    differing = [
        f"{name}: {rows[name]:,} of {count:,} rows" for name, count in wanted.items() if rows[name] != count
    ]
    return problems + differing


def missing(opened: Opened, owner: str, key: bytes | None = None) -> list[str]:
    """Name the skills and notes that the memory of a backup knows and whose files are not in it.

    Backups of former versions left out what lay behind links.
    """
    if opened.database is None:
        return []
    inside = Home(opened.folder, owner)
    with closing(Store(Sqlite(opened.database, key=key), owner)) as store, store.read() as connection:
        live = [name for name, one in skills.every(connection).items() if one.state == "live" and one.files]
        kept = {note: notes.current(connection, note) for note in SUBJECTS}
    there = {folder.name for folder in Library(inside.skills).folders()}
    gone = [f"the skill {name}" for name in live if name not in there]
    places = {"soul": inside.soul, "user": inside.user_note, "memory": inside.memory_note}
    places["workspace"] = inside.workspace_note
    gone += [
        f"the note {SUBJECTS[note]}"
        for note, one in kept.items()
        if one is not None and one.text and not places[note].exists()
    ]
    return [f"{one} is in the memory, but not among the files" for one in gone]


def mark_of(opened: Opened, file: Path) -> str | None:
    """Return the mark of the home that a backup is of, by its manifest or its name; None if neither tells."""
    named = form.named(file.name)
    told = None if opened.manifest is None else opened.manifest.home
    return told if told is not None or named is None else named.home


def give_to(opened: Opened, owner: str, key: bytes | None) -> None:
    """Let the memory of an opened backup bear the name that its profile has today."""
    if opened.database is None or opened.manifest is None or opened.manifest.profile == owner:
        return
    with closing(Store(Sqlite(opened.database, key=key), owner, former=opened.manifest.profile)) as store:
        assert store.uid, "it opens, and is renamed by that"


def _above(names: Sequence[str]) -> tuple[str, ...]:
    """Return the folders above the home in a plain archive: where its database lies, else where `.hermes` is."""
    found = [_parts(name) for name in names]
    homes = sorted((parts[:-1] for parts in found if parts[-1:] == [form.DATABASE]), key=len)
    named = [parts[: parts.index(_HOME) + 1] for parts in found if _HOME in parts[:-1]]
    return tuple(next(iter((*homes, *sorted(named, key=len))), ()))


def _require_room(packed: BinaryIO, file: Path, folder: Path, *, is_own: bool) -> list[str]:
    """Refuse an archive that would fill the disk, or that is far larger than what it was packed from can be.

    Return the names of its files.
    """
    what, names = f"{file} was not unpacked", list[str]()
    budget = room.Budget(file.stat().st_size, what, _MOST_OWN_FILES if is_own else room.MOST_FILES)
    with _read(packed, file) as tar:
        for member in tar:
            budget.expect(member.size)
            names += [member.name] if member.isfile() else []
            if member.issparse():
                named = member.name[:_LONGEST_NAME]
                raise UsageError(f"{what}: {named!r} has holes.", hint="Pack it without --sparse.")
    full_disk.require(folder, budget.expected, what)
    return names


def _unpack(
    packed: BinaryIO, folder: Path, file: Path, *, is_foreign: bool, above: tuple[str, ...] = ()
) -> Iterator[str]:
    with _read(packed, file) as tar:
        for member in tar:
            name = _clean(member.name, above, is_foreign=is_foreign)
            if not member.isfile() or name is None:
                if not is_foreign:
                    _refuse(file, f"{member.name!r} is no ordinary file in it")
                continue
            data = tar.extractfile(member)
            assert data is not None, "an ordinary file has content"
            _write(folder / name, data, member.mode)
            yield name


@contextmanager
def _read(packed: BinaryIO, file: Path) -> Iterator[tarfile.TarFile]:
    """Give an archive to read from its beginning to its end."""
    try:
        with tarfile.open(fileobj=packed, mode="r|") as tar:
            yield tar
    except (*room.UNREADABLE, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise HermesError(f"{file} cannot be unpacked: {error.strerror}.") from error
        raise UsageError(f"{file} is damaged: it cannot be unpacked.") from error


def _parts(name: str) -> list[str]:
    return [part for part in PurePosixPath(name).parts if part not in ("/", ".")]


def _clean(name: str, above: tuple[str, ...], *, is_foreign: bool) -> str | None:
    """Return the name of a file within a home; None for what is none, or leads out of it."""
    parts = _parts(name)
    is_within = tuple(parts[: len(above)]) == above and len(parts) > len(above)
    inside = parts[len(above) :]
    is_clean = room.is_clean(name) if is_foreign else "\0" not in name
    return "/".join(inside) if is_within and is_clean and ".." not in parts else None


def _write(target: Path, data: object, mode: int) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with target.open("wb") as out:
        while chunk := cast(BinaryIO, data).read(_CHUNK):
            out.write(chunk)
    target.chmod(0o700 if mode & 0o100 else 0o600)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _refuse(file: Path, reason: str) -> NoReturn:
    raise UsageError(f"{file} is damaged: {reason}.", hint="Use another backup: hermes backup list")
