"""Checkpoints: a copy of a folder from before the agent first changed it in a turn, and the way back.

A snapshot is a commit without parents under a reference of its own, `refs/hermes/<folder>/<number>`, so
dropping one never rewrites another, and a killed process leaves a whole snapshot or none. Its tree holds
the files as git keeps them, and beside them what git does not keep (`survey.py`).

A checkpoint that fails never stops a tool: `before_change` returns the reason as a sentence.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hermes_agent import clock
from hermes_agent.agent import rollback
from hermes_agent.agent.shadow_git import ShadowGit, ended
from hermes_agent.agent.survey import read_details, survey, write_details
from hermes_agent.config import paths
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import locked
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.ids import new_uid
from hermes_agent.text.clean import preview
from hermes_agent.text.runs import Look
from hermes_agent.text.secrets import redact

MOST_BYTES = 500_000_000
RETENTION_DAYS = 7
BEFORE_ROLLBACK = "before rollback"
_REASON_CHARACTERS = 200
_DIFF_CHARACTERS = 200_000
_SHOWN_NAMES = 20
_DAY = 24 * 60 * 60 * clock.MICROSECONDS
_REFERENCES = "refs/hermes/"
_WHO = {f"GIT_{role}_{part}": "hermes" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A folder as it was. `number` counts from the newest, which is 1; `files` is how many it holds."""

    number: int
    hash: str
    at: int
    reason: str
    files: int


@dataclass(frozen=True, slots=True)
class KeptFolder:
    """A folder that has snapshots."""

    path: Path
    snapshots: int
    newest_at: int
    oldest_at: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What a rollback did; `left` names what was not touched, each with the reason."""

    to: Snapshot
    written: Sequence[str]
    removed: Sequence[str]
    left: Sequence[str]

    def __str__(self) -> str:
        if not (self.written or self.removed or self.left):
            return "Nothing differs from that checkpoint; nothing was done."
        lines = [f"Back to the checkpoint of: {self.to.reason}"]
        for word, names in (("Restored", self.written), ("Removed", self.removed), ("Left alone", self.left)):
            lines += [f"{word}: {preview(name, 200)}" for name in names[:_SHOWN_NAMES]]
            if len(names) > _SHOWN_NAMES:
                lines.append(f"{word}: {len(names) - _SHOWN_NAMES:,} more")
        lines.append("What was there before is checkpoint 1 now.")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Pruned:
    """What pruning took away, and what is left."""

    snapshots: int
    freed_bytes: int
    left_bytes: int


@dataclass(frozen=True, slots=True)
class _Record:
    """A snapshot as the store has it."""

    reference: str
    hash: str
    tree: str
    at: int
    reason: str
    files: int
    folder: str


@dataclass(frozen=True, slots=True)
class _Staged:
    """The present state of a folder, written as trees but referred to by nothing."""

    tree: str
    files_tree: str
    files: int


class Checkpoints:
    """The checkpoints of one home."""

    def __init__(
        self, home: Home, max_snapshots: int, is_enabled: bool = True, *, most_bytes: int = MOST_BYTES
    ) -> None:
        self._home = home
        self._max_snapshots = max_snapshots
        self._is_enabled = is_enabled
        self._most_bytes = most_bytes
        self._git = ShadowGit(home.checkpoint_store)

    def for_turn(self) -> "TurnCheckpoints":
        """Return what takes the checkpoints of one turn."""
        return TurnCheckpoints(self)

    def keep(self, folder: Path, reason: str) -> str | None:
        """Take a snapshot; return None, or a sentence that says why there is none."""
        try:
            if not self._is_enabled:
                raise HermesError("Checkpoints are switched off (checkpoints.enabled).")
            folder = self._usable(folder)
            with self._locked():
                if self._git.size_bytes() > self._most_bytes:
                    self._make_room()
                self._take(folder, reason)
        except HermesError as error:
            return f"No checkpoint was taken before this change. {error.message}"
        except OSError as error:
            return f"No checkpoint was taken before this change. {error.strerror}: {error.filename}."
        return None

    def list(self, folder: Path) -> Sequence[Snapshot]:
        """Return the snapshots of a folder, the newest first."""
        found = self._records(f"{_REFERENCES}{_identity(folder.resolve())}/")
        return [Snapshot(number, one.hash, one.at, one.reason, one.files) for number, one in enumerate(found, 1)]

    def folders(self) -> Sequence[KeptFolder]:
        """Return every folder that has snapshots, the last kept first."""
        groups: dict[str, list[_Record]] = {}
        for record in self._records(_REFERENCES):
            groups.setdefault(record.folder, []).append(record)
        kept = [
            KeptFolder(Path(folder), len(group), group[0].at, group[-1].at) for folder, group in groups.items()
        ]
        return sorted(kept, key=lambda one: (-one.newest_at, one.path))

    def diff(self, folder: Path, number: int) -> str:
        """Return what has changed in a folder since a snapshot; `+` is what stands there now."""
        folder = self._usable(folder)
        snapshot = self._find(folder, number)
        with self._locked():
            now = self._stage(folder)
        options = ("--patch", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")
        printed = self._git.run("diff-tree", "-r", *options, f"{snapshot.hash}:files", now.files_tree)
        text = printed.decode("utf-8", "replace")
        if len(text) <= _DIFF_CHARACTERS:
            return text
        return f"{text[:_DIFF_CHARACTERS]}\n… {len(text) - _DIFF_CHARACTERS:,} more characters\n"

    def restore(self, folder: Path, number: int, file: str | None = None) -> Restored:
        """Put a folder, or one file or folder in it, back to a snapshot; what is there now is kept first.

        Files created since are removed, ignored ones never; a file that could not be kept first is not touched.
        """
        folder = self._usable(folder)
        only = None if file is None else _name_inside(folder, file)
        with self._locked():
            target = self._find(folder, number)
            if only is not None and not self._holds(target, only):
                raise NotFound(
                    f"Checkpoint {number} has no file {only!r}.", hint="/rollback lists the checkpoints."
                )
            now = self._take(folder, BEFORE_ROLLBACK)
            done = rollback.apply(
                self._git, folder, self._state(target.hash), self._state(now), self._nowhere, only
            )
        return Restored(target, done.written, done.removed, done.left)

    def prune(self, days: int = RETENTION_DAYS) -> Pruned:
        """Drop snapshots older than so many days, then the oldest until the rest fits; give the room back."""
        if not self._git.exists:
            return Pruned(0, 0, 0)
        with self._locked():
            before = self._git.size_bytes()
            horizon = clock.now() - days * _DAY
            dropped = self._drop([record for record in self._records(_REFERENCES) if record.at < horizon])
            dropped += self._make_room()
            left = self._git.size_bytes()
        return Pruned(dropped, max(before - left, 0), left)

    def drop_holding(self, look: Look, is_wanted: bool) -> int:
        """Drop the snapshots that hold what is looked for, in a file or in a name; or only count them."""
        if not self._git.exists:
            return 0
        with self._locked():
            held = [record for record in self._records(_REFERENCES) if self._has(record, look)]
            if is_wanted and held:
                self._drop(held)
                self._git.repack()
        return len(held)

    def _has(self, record: _Record, look: Look) -> bool:
        listed = self._git.run("ls-tree", "-r", "-z", "--format=%(objectname) %(path)", record.hash)
        lines = [line for line in listed.split(b"\0") if line]
        if look(listed) or look(record.reason.encode("utf-8", "surrogatepass")):
            return True
        return any(look(content) for content in self._git.contents([line[:40].decode() for line in lines]))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other processes out; the store is whole inside."""
        paths.ensure(self._home)
        with locked(self._home.checkpoint_lock):
            self._git.ensure()
            yield

    @property
    def _nowhere(self) -> Path:
        """An index that does not exist: to git every file in the folder is new."""
        return self._home.checkpoint_index("none")

    def _take(self, folder: Path, reason: str) -> str:
        """Take a snapshot unless the newest is the same, drop those too many; return the commit."""
        now = self._stage(folder)
        records = self._records(f"{_REFERENCES}{_identity(folder)}/")
        if records and records[0].tree == now.tree:
            return records[0].hash
        at = clock.now()
        said = {"at": at, "files": now.files, "folder": str(folder)}
        message = f"{preview(redact(reason)[0], _REASON_CHARACTERS)}\n\n{json.dumps(said)}\n"
        dates = {f"GIT_{role}_DATE": f"@{at // clock.MICROSECONDS} +0000" for role in ("AUTHOR", "COMMITTER")}
        commit = self._line("commit-tree", now.tree, given=message.encode(), variables={**_WHO, **dates})
        # Clocks jump; the number must still be the highest, and never that of an attempt that was killed.
        last = int(records[0].reference.rpartition("/")[2]) if records else 0
        self._git.run("update-ref", f"{_REFERENCES}{_identity(folder)}/{max(at, last + 1):020}", commit)
        self._drop(records[self._max_snapshots - 1 :])
        return commit

    def _stage(self, folder: Path) -> _Staged:
        """Write the present state of a folder as trees."""
        found = survey(self._git, folder, self._nowhere, self._home.root.resolve())
        with self._index(folder) as index:
            gone = self._indexed(folder, index) - set(found.names)
            options = ("update-index", "-z", "--add", "--replace", "--remove")
            for extra, names in (("--force-remove", gone), ("--add", found.names)):
                if names:
                    self._git.run(*options, extra, "--stdin", folder=folder, index=index, given=ended(names))
            files_tree = self._line("write-tree", index=index)
        details = self._line("hash-object", "-w", "--stdin", given=write_details(found.details))
        entries = [f"100644 blob {details}\tdetails", f"040000 tree {files_tree}\tfiles"]
        return _Staged(self._line("mktree", "-z", given=ended(entries)), files_tree, len(found.names))

    @contextmanager
    def _index(self, folder: Path) -> Iterator[Path]:
        """Lend an index that nobody else has: a killed git must not lock the next one out."""
        index = self._home.checkpoint_index(_identity(folder))
        index.parent.mkdir(mode=0o700, exist_ok=True)
        for stale in index.parent.glob(f"{index.name}.*"):
            stale.unlink(missing_ok=True)
        own = paths.beside(index, f".{new_uid()}")
        if index.exists():
            shutil.copy2(index, own)  # with its time: git compares it with those of the files
        try:
            yield own
            if own.exists():
                own.replace(index)
        except HermesError:
            index.unlink(missing_ok=True)  # whatever is wrong with it, the next one reads every file again
            raise
        finally:
            own.unlink(missing_ok=True)

    def _indexed(self, folder: Path, index: Path) -> set[str]:
        """Return the files an index knows; a damaged one is made anew."""
        try:
            return set(self._git.names("ls-files", "-z", folder=folder, index=index))
        except HermesError:
            index.unlink(missing_ok=True)
            return set()

    def _records(self, prefix: str) -> Sequence[_Record]:
        """Return the snapshots below a prefix of references, the highest number first."""
        if not self._git.exists:
            return []
        fields = ("%(refname)", "%(objectname)", "%(tree)", "%(contents)")
        printed = self._git.run("for-each-ref", "--sort=-refname", f"--format={'%00'.join(fields)}%00", prefix)
        parts = printed.decode("utf-8", "replace").split("\0")
        return [_record(*parts[start : start + 4]) for start in range(0, len(parts) - 4, 4)]

    def _find(self, folder: Path, number: int) -> Snapshot:
        snapshots = self.list(folder)
        if not 1 <= number <= len(snapshots):
            many = f"There are {len(snapshots)}." if snapshots else f"There are none of {folder}."
            raise NotFound(f"There is no checkpoint {number}.", hint=many)
        return snapshots[number - 1]

    def _holds(self, snapshot: Snapshot, name: str) -> bool:
        kept = self._state(snapshot.hash).details.empty_folders
        return name in kept or bool(self._git.run("ls-tree", "-z", f"{snapshot.hash}:files", "--", name))

    def _state(self, commit: str) -> rollback.State:
        return rollback.State(commit, read_details(self._git.run("cat-file", "blob", f"{commit}:details")))

    def _drop(self, records: Sequence[_Record]) -> int:
        if records:
            self._git.clear_locks()
            orders = "".join(f"delete {record.reference}\n" for record in records)
            self._git.run("update-ref", "--stdin", given=orders.encode())
        return len(records)

    def _make_room(self) -> int:
        """Repack; while the store is too large, drop the oldest quarter of all snapshots."""
        dropped = 0
        self._git.repack()
        while self._git.size_bytes() > self._most_bytes:
            records = sorted(self._records(_REFERENCES), key=lambda record: record.at)
            if not records:
                break
            dropped += self._drop(records[: len(records) // 4 + 1])
            self._git.repack()
        return dropped

    def _line(
        self,
        *arguments: str,
        index: Path | None = None,
        given: bytes = b"",
        variables: dict[str, str] | None = None,
    ) -> str:
        return self._git.run(*arguments, index=index, given=given, variables=variables).decode().strip()

    def _usable(self, folder: Path) -> Path:
        """Return the folder itself, or refuse one that is not a place for work."""
        folder = folder.resolve()
        if not folder.is_dir():
            raise UsageError(f"{folder} is not a folder.")
        if paths.expand("~").resolve().is_relative_to(folder):
            raise UsageError(f"{folder} is too wide for a checkpoint: it holds your home folder.")
        if folder.is_relative_to(self._home.checkpoints.resolve()):
            raise UsageError(f"{folder} holds checkpoints itself.")
        return folder


class TurnCheckpoints:
    """Takes the checkpoints of one turn: one for each folder, before its first change."""

    def __init__(self, checkpoints: Checkpoints) -> None:
        self._checkpoints = checkpoints
        self._seen: set[Path] = set()

    def before_change(self, folder: Path, reason: str) -> str | None:
        """Keep the folder unless that was tried in this turn; return why it could not be, once."""
        folder = folder.resolve()
        if folder in self._seen:
            return None
        self._seen.add(folder)
        return self._checkpoints.keep(folder, reason)


def _identity(folder: Path) -> str:
    return hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]


def _record(reference: str, commit: str, tree: str, message: str) -> _Record:
    reason, _, said = message.rstrip("\n").rpartition("\n\n")
    values = json.loads(said)
    return _Record(reference.strip(), commit, tree, values["at"], reason, values["files"], values["folder"])


def _name_inside(folder: Path, file: str) -> str:
    """Return a file's name relative to the folder; what leads out of it is refused."""
    given = Path(file)
    path = given if given.is_absolute() else folder / given
    normal = Path(os.path.normpath(path))
    if "\0" in file or not normal.is_relative_to(folder) or normal == folder:
        raise UsageError(f"{file!r} is not a file in {folder}.")
    return PurePosixPath(normal.relative_to(folder)).as_posix()
