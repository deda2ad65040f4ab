"""Give a profile another name, such that a kill at any moment leaves it whole under one of the two.

Its folder says what is meant, then gets its new name in one step; whoever opens the profile next, usually the same
command, lets the store and the choice of the active profile follow and takes the word out of the folder again.
"""

import json
from collections.abc import Collection
from pathlib import Path

from hermes_agent.config import paths, presence
from hermes_agent.config.load import load
from hermes_agent.config.paths import DEFAULT_PROFILE, Home
from hermes_agent.config.replace import replace_text, sync_folder
from hermes_agent.config.settings import BACKUP_DIRECTORY, MEMORY_PATH, MEMORY_RERANK_PATH
from hermes_agent.errors import HermesError, UsageError

_PLACES = (MEMORY_PATH, BACKUP_DIRECTORY, MEMORY_RERANK_PATH)


def check(home: Home) -> None:
    """Refuse to rename a profile whose folder cannot be moved without losing something."""
    if home.profile == DEFAULT_PROFILE:
        raise UsageError("The default profile cannot be renamed.", hint="Every other profile lies in it.")
    if home.profile == paths.pinned_profile():
        raise UsageError(f"$HERMES_HOME names the profile {home.profile!r}.", hint="Unset HERMES_HOME first.")
    if home.root.is_symlink():
        raise UsageError(f"{home.root} is a link, which is not ours to move.", hint="Rename the link by hand.")
    settings = load(home)
    for setting in _PLACES:
        written = settings[setting]
        if written is not None and Path(written).expanduser().is_absolute():
            place = paths.expand(written)
            if place.is_relative_to(home.root):
                raise UsageError(
                    f"{setting.name} is {place}, in the folder that would be renamed.",
                    hint=f"Write it relative to the home first: {place.relative_to(home.root)}",
                )


def move(home: Home, renamed: Home) -> None:
    """Give the folder of a profile its new name; refused while anybody works in it."""
    try:
        with presence.alone(home):
            replace_text(home.renaming, json.dumps({"from": home.profile, "to": renamed.profile}))
            home.root.rename(renamed.root)
            sync_folder(renamed.root.parent)
    except OSError as error:
        raise HermesError(
            f"{home.root} could not be renamed: {error.strerror}.", hint="It is as it was."
        ) from error


def is_pending(home: Home) -> bool:
    """Tell whether something is still to be done."""
    return home.renaming.exists()


def former_name(home: Home) -> str | None:
    """Return what a profile was called whose renaming is not finished yet."""
    former, name = _read(home)
    return former if name == home.profile else None


def settle(home: Home) -> None:
    """Finish: the choice of the active profile follows, and the folder does not tell of a former name any more.

    A word that was left by a rename that never came about is taken out, too.
    """
    former = former_name(home)
    if former is not None and paths.pinned_profile() is None and paths.active_profile() == former:
        replace_text(paths.active_profile_file(), home.profile + "\n")
    home.renaming.unlink(missing_ok=True)


def renamed_from(name: str, known: Collection[str]) -> Home | None:
    """Return the profile that got another name than this when whoever renamed it was stopped."""
    homes = [paths.home_of(one) for one in known if one != DEFAULT_PROFILE]
    return next((home for home in homes if former_name(home) == name), None)


def _read(home: Home) -> tuple[str | None, str | None]:
    try:
        told = json.loads(home.renaming.read_text(encoding="utf-8"))
        return str(told["from"]), str(told["to"])
    except (OSError, ValueError, KeyError, TypeError):
        return None, None
