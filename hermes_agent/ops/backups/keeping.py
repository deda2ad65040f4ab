"""The backups in a folder: listed, and ours let go of when there are newer ones. Several homes may share it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError
from hermes_agent.ops.backups import form, keys, places, retention
from hermes_agent.records.archive import Json
from hermes_agent.store.store import Store


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup in its folder."""

    path: Path
    made_at: datetime
    profile: str
    is_ours: bool
    """Whether this home made it, by its name."""
    size_bytes: int
    has_sealed_key: bool
    """Whether its key lies beside it, protected by a passphrase."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose backups are ours: those that bear the mark of its home, None while it has none.

    They stay ours when the profile gets another name. In the home's own folder those without a mark that bear the
    profile's name are ours, too; elsewhere nobody knows.
    """

    profile: str
    mark: str | None
    own_folder: Path

    def owns(self, path: Path, named: form.Named) -> bool:
        """Tell whether a file is ours."""
        if named.home is not None:
            return named.home == self.mark
        return named.profile == self.profile and path.parent == self.own_folder


def of_home(home: Home, store: Store, folder: Path) -> list[Kept]:
    """Return the backups in a folder that a home made, the newest first."""
    owner = Owner(store.owner, form.mark_of(store.uid), home.backups)
    return [one for one in listed(folder, owner) if one.is_ours]


@dataclass(frozen=True, slots=True)
class Everywhere:
    """The backups of a home by what they are called, and places where some may lie that are not there now."""

    there: dict[str, Kept]
    away: list[str]


def everywhere(home: Home, store: Store, folder: Path) -> Everywhere:
    """Return the backups of a home wherever it put them; those outside its folders are called by their paths."""
    own = dict.fromkeys((home.backups, folder))
    with store.read() as connection:
        others = [one for one in places.known_in(connection, home) if one not in own]
    there = {one.path.name: one for place in own for one in of_home(home, store, place)}
    away: list[str] = []
    for place in others:
        if place.is_dir():
            there |= {str(one.path): one for one in of_home(home, store, place)}
        elif place.is_file() and place.parent not in own:
            made_at = clock.to_datetime(clock.from_seconds(place.stat().st_mtime))
            sealed = keys.sealed_beside(place).exists()
            there[str(place)] = Kept(place, made_at, store.owner, True, place.stat().st_size, sealed)
        elif not place.parent.is_dir() or not place.suffix:  # a file that is missing in its folder was removed
            away.append(str(place))
    return Everywhere(there, away)


def listed(folder: Path, owner: Owner) -> list[Kept]:
    """Return the backups in a folder, whosever they are, the newest first."""
    try:
        names = sorted(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise HermesError(f"{folder} cannot be read: {error.strerror}.") from error
    found = [
        Kept(
            path,
            named.made_at,
            named.profile,
            owner.owns(path, named),
            path.stat().st_size,
            keys.sealed_beside(path).exists(),
        )
        for path in names
        if (named := form.named(path.name)) is not None
    ]
    return sorted(found, key=lambda one: one.made_at, reverse=True)


def backup_json(one: Kept) -> dict[str, Json]:
    """Write a backup of the list, its time in UTC."""
    return {
        "file": str(one.path),
        "made_at": clock.iso(clock.from_datetime(one.made_at)),
        "profile": one.profile,
        "is_ours": one.is_ours,
        "size_bytes": one.size_bytes,
        "has_sealed_key": one.has_sealed_key,
    }


def superfluous(backups: list[Kept], *, spared_days: int = 0) -> list[Kept]:
    """Return those of ours that need not stay; those of others are theirs to let go of.

    All that were made in the last `spared_days` stay, too.
    """
    ours = [one for one in backups if one.is_ours]
    stay = retention.kept(one.made_at for one in ours)
    since = clock.to_datetime(clock.now()) - timedelta(days=spared_days)
    return [one for one in ours if one.made_at not in stay and one.made_at < since]


def remove(backups: list[Kept]) -> None:
    """Remove backups, with the keys beside them."""
    for one in backups:
        one.path.unlink(missing_ok=True)
        keys.sealed_beside(one.path).unlink(missing_ok=True)
