"""Make a profile like another: its notes, skills and settings, on request its memory, never its keys.

The copy of an encrypted profile is plain: a key is nobody else's. `unfinished_profile.py` gives it its place.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_origin

from hermes_agent.config import files, private, profiles
from hermes_agent.config.files import SettingsFile
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.setting import Setting
from hermes_agent.config.settings import MEMORY_BACKEND, MEMORY_CONNECTION_STRING, TABLE
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.ops.profile_archive import files_of_skills
from hermes_agent.records.notes import SUBJECTS, Note


def copy_settings(source: Home, home: Home) -> list[str]:
    """Copy the settings; return the names of those that were left out, since keys may stand in them."""
    written = files.read(source)
    if written is None:
        return []
    profiles.copy_settings(written, home)
    left_out = [one for one in TABLE if _may_hold_key(one, written)]
    for setting in left_out:
        files.erase(home, setting)
    return [one.name for one in left_out]


def copy_notes(texts: Mapping[str, str], home: Home) -> None:
    """Write the notes, given by their names."""
    places: dict[Note, Path] = {
        "soul": home.soul,
        "user": home.user_note,
        "memory": home.memory_note,
        "workspace": home.workspace_note,
    }
    for note, name in SUBJECTS.items():
        if name in texts:
            places[note].write_text(texts[name], encoding="utf-8")
            places[note].chmod(0o600)


def copy_skills(source: Home, home: Home) -> int:
    """Copy the files of the skills; return how many."""
    count = 0
    for file in files_of_skills(source).values():
        target = home.skills / file.relative_to(source.skills)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            target.write_bytes(private.read(file))
            target.chmod(0o700 if file.stat().st_mode & 0o100 else 0o600)
        except OSError as error:
            raise HermesError(f"{file} cannot be copied: {error.strerror}.") from error
        count += 1
    return count


def check_reach(home: Home) -> None:
    """Refuse to bring a memory into a home whose server's address is a key, which is not copied."""
    settings = load(home)
    try:
        has_address = settings[MEMORY_CONNECTION_STRING] is not None
    except HermesError:
        has_address = False
    if settings[MEMORY_BACKEND] == "postgres" and not has_address:
        raise UsageError(
            f"The memory of {home.profile!r} would be on PostgreSQL, whose address is a key and is not copied.",
            hint=f"Give it in the environment: {MEMORY_CONNECTION_STRING.variable}=… hermes profile clone …",
        )


# Any: settings of every type.
def _may_hold_key(setting: Setting[Any], written: SettingsFile) -> bool:
    """Tell whether a file may say a key in the place of a setting; a reference to a variable is none."""
    entry = written.entries.get(setting.name)
    if entry is None or entry.value is None:
        return False
    if get_origin(setting.form) is dict:
        return bool(entry.value)
    text = str(entry.value).strip()
    return setting.is_secret and not (text.startswith("${") and text.endswith("}") and text.count("$") == 1)
