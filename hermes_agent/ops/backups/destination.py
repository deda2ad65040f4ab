"""Where the memory of a backup is to lie, by the settings inside of it: settled before anything is touched.

`memory.path` may lead out of the home. What lies there is replaced only if it is the same memory, and asked for by
its name; the settings of a plain archive, which anybody may have made, do not lead anywhere.
"""

from dataclasses import dataclass
from pathlib import Path

from hermes_agent.config import envfile, files
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.setting_names import BY_FOLDED_VARIABLE, fold
from hermes_agent.config.settings import MEMORY_PATH
from hermes_agent.config.store_path import store_path
from hermes_agent.errors import UsageError
from hermes_agent.ops.backups.opening import Opened
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.whose import whose


@dataclass(frozen=True, slots=True)
class Destination:
    """The file that the memory becomes; `left_out` is what a plain archive said instead."""

    path: Path
    is_elsewhere: bool
    left_out: Path | None = None


def of(home: Home, opened: Opened) -> Destination:
    """Return where the memory of an opened backup goes; a plain archive does not lead it out of the home."""
    inside = Home(opened.folder, home.profile)
    path = store_path(load(inside), home)
    if opened.manifest is not None or not _is_elsewhere(path, home):
        return Destination(path, _is_elsewhere(path, home))
    files.erase(inside, MEMORY_PATH)
    for variable in envfile.read(inside):
        if BY_FOLDED_VARIABLE.get(fold(variable)) is MEMORY_PATH:
            envfile.erase(inside, variable)
    kept = store_path(load(inside), home)  # what the owner's own environment says stands
    return Destination(kept, _is_elsewhere(kept, home), None if kept == path else path)


def refuse_others(destination: Destination, home: Home, opened: Opened, key: bytes | None) -> None:
    """Refuse to replace what is not this home's, by its settings of today or by what the memory says of itself."""
    path = destination.path
    if not path.exists() or not destination.is_elsewhere or _is_own(path, home):
        return
    hint = "Nothing was changed. Move it away, or name another place: HERMES_MEMORY_PATH=FILE"
    there = whose(Sqlite(path), (None, key)) if path.is_file() else None
    if there is None:
        raise UsageError(
            f"The memory would go to {path} (memory.path), and {path} is no memory of this profile.", hint=hint
        )
    ours = None if opened.database is None else whose(Sqlite(opened.database), (None, key))
    if ours is None or there.uid is None or there != ours:
        raise UsageError(f"The memory would go to {path} (memory.path), and {path} is another memory.", hint=hint)


def _is_own(path: Path, home: Home) -> bool:
    now = store_path(load(home), home)
    return now.exists() and now.samefile(path)


def _is_elsewhere(path: Path, home: Home) -> bool:
    """Tell whether a file lies out of a home; the profiles in its folder are homes of their own."""
    root, place = home.root.resolve(), path.resolve()
    return not place.is_relative_to(root) or place.is_relative_to(root / "profiles")
