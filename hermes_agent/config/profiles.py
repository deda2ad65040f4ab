"""Profiles: homes that share nothing.

The default profile is the root itself; another is a folder under `profiles/` in it. Creating one never
copies memory. The profile in use is, in this order: the one asked for with `-p`, the one whose folder
`$HERMES_HOME` names (`…/profiles/work` is the profile "work" of the root above), the one chosen with
`hermes profile use` (a file `active_profile` in the root), and the default.
"""

import shutil
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.config import files, held_folder, paths, presence, renaming
from hermes_agent.config.files import SettingsFile
from hermes_agent.config.paths import DEFAULT_PROFILE, Home
from hermes_agent.config.replace import replace_text
from hermes_agent.config.settings import MEMORY_PATH, MEMORY_SCHEMA
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.records.archive import Json

RESERVED = frozenset({DEFAULT_PROFILE, "hermes", "test", "tmp", "root", "sudo"})
DELETING = ".deleting-"
"""How a profile is called that is being deleted."""


@dataclass(frozen=True)
class Profile:
    """A profile that exists."""

    home: Home
    is_active: bool

    @property
    def name(self) -> str:
        return self.home.profile


def names() -> list[str]:
    """Return the names of all profiles, the default first."""
    folder = paths.profiles_folder()
    try:
        found = [entry.name for entry in folder.iterdir() if entry.is_dir()]
    except (FileNotFoundError, NotADirectoryError):
        found = []
    except OSError as error:
        raise HermesError(f"{folder} cannot be read: {error.strerror}.") from error
    ours = sorted(name for name in found if paths.is_profile_name(name) and name != DEFAULT_PROFILE)
    return [DEFAULT_PROFILE, *ours]


def find(name: str) -> Home:
    """Return the home of a profile that exists, or say which one may be meant."""
    home = paths.home_of(name)
    known = names()
    if name in known:
        return home
    renamed = renaming.renamed_from(name, known)
    if renamed is not None:
        return renamed
    from rapidfuzz import process

    best = process.extractOne(name, known, score_cutoff=60)
    meant = "" if best is None else f"Did you mean {best[0]}? "
    raise NotFound(f"There is no profile {name!r}.", hint=f"{meant}`hermes profile create {name}` creates it.")


def list_all() -> list[Profile]:
    """Return every profile; none is active when the chosen one does not exist any more."""
    active = paths.active_profile()
    return [Profile(paths.home_of(name), name == active) for name in names()]


def profile_json(profile: Profile) -> dict[str, Json]:
    """Write a profile of the list."""
    return {"name": profile.name, "active": profile.is_active, "folder": str(profile.home.root)}


def create(name: str, reserved: Collection[str], *, clone: Home | None = None, with_secrets: bool = False) -> Home:
    """Create a profile's home, with a copy of another's settings if asked, never of its memory.

    The copy loses `memory.path` and `memory.schema`: with them both profiles would share one store.
    """
    home = check_new(name, reserved)
    settings = None if clone is None else files.read(clone)
    paths.ensure(home)
    if settings is not None:
        copy_settings(settings, home)
    if clone is not None and with_secrets and clone.env_file.exists():
        _copy_private(clone.env_file, home.env_file)
    return home


def copy_settings(settings: SettingsFile, home: Home) -> None:
    """Give a home a copy of another's settings, but for the place of its store."""
    _copy_private(settings.path, home.config_file(settings.path.suffix))
    for setting in (MEMORY_PATH, MEMORY_SCHEMA):
        files.erase(home, setting)


def check_new(name: str, reserved: Collection[str]) -> Home:
    """Return the home that a profile of this name would have, or say why there can be none."""
    home = paths.home_of(name)
    if name in RESERVED or name in reserved:
        raise UsageError(f"The name {name!r} is reserved.", hint="Choose another name.")
    if home.root.exists() or home.root.is_symlink():
        raise UsageError(f"The profile {name!r} exists already: {home.root}.")
    return home


def use(name: str) -> None:
    """Make a profile the active one for every later command."""
    if name == DEFAULT_PROFILE:
        paths.active_profile_file().unlink(missing_ok=True)
        return
    find(name)
    replace_text(paths.active_profile_file(), name + "\n")


def check_deletable(name: str) -> Home:
    """Return the home that `delete` would remove, or say why it does not."""
    if name == DEFAULT_PROFILE:
        raise UsageError("The default profile cannot be deleted.", hint="Every other profile lies in it.")
    home = find(name)
    if name == paths.pinned_profile():
        raise UsageError(f"$HERMES_HOME names the profile {name!r}.", hint="Unset HERMES_HOME first.")
    if name == paths.active_profile():
        raise UsageError(
            f"The profile {name!r} is the active one.", hint="Run `hermes profile use default` first."
        )
    if home.root.resolve().parent != paths.profiles_folder().resolve():
        raise UsageError(
            f"{home.root} is a link to {home.root.resolve()}, which is not ours to delete.",
            hint="Remove the link by hand.",
        )
    return home


def delete(name: str) -> None:
    """Delete a profile's folder with everything in it, unless somebody is in it; no link is followed."""
    home = check_deletable(name)
    try:
        with presence.alone(home), held_folder.held(home.root):
            # Renamed first, to a name that is no profile's: stopped half-way, no half profile is left.
            doomed = Path(tempfile.mkdtemp(prefix=DELETING, dir=paths.profiles_folder()))
            home.root.rename(doomed)
            shutil.rmtree(doomed)
    except OSError as error:
        raise HermesError(
            f"The profile {name!r} could not be deleted: {error.strerror} ({error.filename})."
        ) from error


def _copy_private(source: Path, target: Path) -> None:
    try:
        replace_text(target, source.read_text(encoding="utf-8"), mode=0o600)
    except (OSError, UnicodeDecodeError) as error:
        raise HermesError(f"{source} cannot be copied: {error}.") from error
