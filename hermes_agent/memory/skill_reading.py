"""Reading skills as their owner names them: from the folder, from the store, and two versions of one."""

from collections.abc import Mapping

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.memory import skill_history
from hermes_agent.memory.skill_history import Version
from hermes_agent.memory.skills import absent
from hermes_agent.records.skills import KeptSkill
from hermes_agent.skills.library import Library
from hermes_agent.skills.validation import name_problem
from hermes_agent.store import skills
from hermes_agent.store.store import Store


def kept(store: Store) -> Mapping[str, KeptSkill]:
    """Return the skills of the store by their names, archived and deleted ones too."""
    with store.read() as connection:
        return skills.every(connection)


def kept_name(library: Library, typed: str) -> str:
    """Return the name the store has for what a list shows: that of its folder."""
    try:
        place = library.find(typed).path.parent
    except NotFound:
        return typed
    problem = name_problem(place.name)
    if problem is not None:
        raise UsageError(f"It cannot be kept: {problem}", hint=f"Rename or remove its folder: {place}")
    return place.name


def view(store: Store, library: Library, name: str, file: str | None = None) -> str:
    """Return a text of a skill; of one that is not there any more say how to bring it back."""
    try:
        return library.view(name, file)
    except NotFound:
        former = kept(store).get(name)
        if former is not None and former.state != "live":
            raise absent(former, name) from None
        raise


def two_versions(
    store: Store, library: Library, name: str, one: int | None, other: int | None
) -> tuple[Version, Version]:
    """Return two versions of a skill to compare; without numbers, what the last change was made of and made."""
    found = {version.number: version for version in skill_history.versions(store, kept_name(library, name))}
    newest = max(found)
    later = newest if other is None else other
    earlier = max(1, later - 1) if one is None else one
    for number in (earlier, later):
        if number not in found:
            raise NotFound(f"The skill {name!r} has no version {number}.", hint=f"There are 1 to {newest}.")
    return found[earlier], found[later]
