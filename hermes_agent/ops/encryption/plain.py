"""What lies in plain in an encrypted home, named one by one, with the reason why it does."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.config import paths, profiles
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import is_lock
from hermes_agent.crypto import sealing
from hermes_agent.ops.encryption.converting import sealable
from hermes_agent.store.file_head import is_plain

SETTINGS = "settings; they hold nothing that was said"
ENV = "keys of vendors; keep them in the environment or a password manager instead"
BACKUP_KEY = "opens the backups; of an encrypted home these hold only what is encrypted"
LOGS = "what ran and when; no messages"
MCP_LOG = "what the MCP servers of the settings wrote to their standard error"
CHECKPOINTS = "copies of the folders that were worked in, whose files are plain themselves"
ASIDE = "what was here before a restore or a repair; remove it when it is not needed"
BACKUPS = "encrypted with backup.key, which lies in the home; those made before hold the memory itself"
PROGRAM = "a program or a picture of a skill: others read it, who have no key"
BY_HAND = "put there by hand; a note or a text of a skill is sealed when it is next written"
PROFILE = "a profile, which is encrypted by itself: hermes -p {} encrypt"
UNKNOWN = "put there by somebody else"


@dataclass(frozen=True, slots=True)
class Plain:
    """A file or folder that is not encrypted, how many files it stands for, and the reason."""

    place: str
    files: int
    reason: str


def plain(home: Home, database: Path) -> list[Plain]:
    """Return what is, or would be, in plain in an encrypted home; what is nobody's memory (locks) is left out."""
    return [
        *_settings(home),
        *_folder(home, home.checkpoints, CHECKPOINTS),
        *_folder(home, home.logs, f"{LOGS}; {MCP_LOG}" if home.mcp_log.exists() else LOGS),
        *_backups(home),
        *_aside(home, database),
        *_unsealable(home),
        *_profiles(home),
    ]


def by_hand(home: Home) -> list[Path]:
    """Return the notes and texts of skills that lie in plain in an encrypted home until they are next written."""
    return [file for file in sealable(home) if not _is_sealed(file) and _is_text(file)]


def _settings(home: Home) -> Iterator[Plain]:
    for file in (home.config_yaml, home.config_json, home.config_jsonc):
        if file.exists():
            yield Plain(file.name, 1, SETTINGS)
    if home.env_file.exists():
        yield Plain(home.env_file.name, 1, ENV)
    if home.backup_key.exists():
        yield Plain(home.backup_key.name, 1, BACKUP_KEY)


def _folder(home: Home, folder: Path, reason: str) -> Iterator[Plain]:
    count = sum(1 for file in folder.rglob("*") if file.is_file())
    if count:
        yield Plain(f"{_shown(home, folder)}/", count, reason)


def _backups(home: Home) -> Iterator[Plain]:
    count = sum(1 for file in home.backups.glob("*.age"))
    if count:
        yield Plain(f"{_shown(home, home.backups)}/", count, BACKUPS)


def _aside(home: Home, database: Path) -> Iterator[Plain]:
    for place in sorted(home.backups.glob("replaced-*")):
        if not Home(place, home.profile).encryption.exists():
            yield from _folder(home, place, ASIDE)
    for file in sorted(database.parent.glob(f"{database.name}.damaged-*")):
        if is_plain(file):
            yield Plain(_shown(home, file), 1, ASIDE)


def _unsealable(home: Home) -> Iterator[Plain]:
    sealed = set(sealable(home))
    for folder, reason in ((home.memories, UNKNOWN), (home.workspace, UNKNOWN), (home.skills, PROGRAM)):
        for file in sorted(folder.rglob("*")):
            if not file.is_file() or is_lock(file) or (file in sealed and _is_text(file)):
                continue
            is_link = file.is_symlink()
            yield Plain(_shown(home, file), 1, "a link that leads out of the home" if is_link else reason)
    for file in (home.soul, *home.former_notes):
        if file.is_symlink() and not file.resolve().is_relative_to(home.root.resolve()):
            yield Plain(_shown(home, file), 1, "a link that leads out of the home")


def _profiles(home: Home) -> Iterator[Plain]:
    """Yield the profiles in the folder of this one that are plain."""
    for other in (paths.home_of(name) for name in profiles.names()):
        if home.root in other.root.parents and not other.encryption.exists():
            yield from _folder(home, other.root, PROFILE.format(other.profile))


def _shown(home: Home, file: Path) -> str:
    return file.relative_to(home.root).as_posix() if file.is_relative_to(home.root) else str(file)


def _is_sealed(file: Path) -> bool:
    with file.open("rb") as opened:
        return sealing.is_sealed(opened.read(len(sealing.MAGIC)))


def _is_text(file: Path) -> bool:
    if _is_sealed(file):
        return True
    try:
        file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
