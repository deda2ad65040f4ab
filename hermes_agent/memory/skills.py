"""Write skills: every change is in the store and the journal first, then in the folder, so that it can be undone.

The folder is the copy that people and the agent read. What its owner changes there by hand is taken into the
store and journalled as theirs; a skill whose folder they removed stays removed. `.synced.json` tells for each
skill which state this machine's folder was last brought to: whatever differs from that was changed by hand. A
kill between the store and the folder leaves a mark there, and the store's state is written again.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_agent.config.replace import locked, replace_text
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.notes import screening
from hermes_agent.records.changes import between, described, whole
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.skills import KeptSkill, SkillMaker, SkillState
from hermes_agent.skills import folder as folders
from hermes_agent.skills.library import Library
from hermes_agent.skills.validation import DOCUMENT, file_problem, name_problem, problems
from hermes_agent.store import journal, skills
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text import secrets

ARCHIVE = ".archive"
_SYNCED, _LOCK = ".synced.json", ".lock"
_WRITING = "writing"
"""In the place of a state: the folder is being written, and the store decides."""

Step = Literal["same", "take", "give"]


@dataclass(frozen=True, slots=True)
class Cause:
    """Who changes a skill, and why."""

    made_by: SkillMaker = "owner"
    why: str | None = None
    session_id: str | None = None
    message_uid: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A skill as its folder holds it; one whose SKILL.md cannot be read is its owner's to mend, not taken over."""

    path: Path
    category: str | None
    files: Mapping[str, str]

    @property
    def is_readable(self) -> bool:
        """Whether its SKILL.md is a text of its folder."""
        return DOCUMENT in self.files


OWNER = Cause()


def sync(store: Store, folder: Path) -> None:
    """Take what was changed by hand into the store, and bring the folder in step with the store."""
    with _held(folder):
        synced, found = _synced(folder), _found(folder)
        with store.read() as connection:
            known = skills.every(connection)
        for name in sorted({*found, *known}):
            match decide(_kept_state(known.get(name)), _found_state(found.get(name)), synced.get(name)):
                case "take":
                    _take(store, name, found.get(name))
                case "give":
                    _give(folder, synced, name, known.get(name), found.get(name))
                case "same":
                    pass
            with store.read() as connection:
                synced[name] = _kept_state(skills.get(connection, name))
        _write_synced(folder, synced)


def decide(kept: str | None, found: str | None, synced: str | None) -> Step:
    """Tell what to do with a skill, by its state in the store, in the folder, and when they were last one."""
    if kept == found:
        return "same"
    if synced == _WRITING or found == synced:
        return "give"
    return "take"


def create(
    store: Store, folder: Path, name: str, document: str, category: str | None = None, cause: Cause = OWNER
) -> KeptSkill:
    """Make a new skill."""
    if category is not None and name_problem(category) is not None:
        raise UsageError(f"{category!r} is no name of a category: small letters, digits, single hyphens.")
    with _changing(store, folder) as known:
        former = known.get(name)
        if former is not None and former.state != "deleted":
            raise UsageError(f"There is a skill {name!r} already.", hint="Change it, or choose another name.")
        found = _found(folder).get(name)
        if found is not None and not found.is_readable:
            raise UsageError(
                f"There is a {DOCUMENT} in {found.path} that cannot be read.", hint="Mend or remove it."
            )
        return _put(store, folder, name, {DOCUMENT: document}, former, category=category, cause=cause, verb="made")


def edit(store: Store, folder: Path, name: str, document: str, cause: Cause = OWNER) -> KeptSkill:
    """Write a skill's SKILL.md anew."""
    return write_file(store, folder, name, DOCUMENT, document, cause)


def improve(store: Store, folder: Path, name: str, document: str, cause: Cause) -> KeptSkill:
    """Write into a skill what was learned of its use."""
    with _changing(store, folder) as known:
        kept = _live(known, name)
        return _put(store, folder, name, {**kept.files, DOCUMENT: document}, kept, cause=cause, verb="improved")


def patch(
    store: Store,
    folder: Path,
    name: str,
    old: str,
    new: str,
    *,
    file: str = DOCUMENT,
    is_everywhere: bool = False,
    cause: Cause = OWNER,
) -> KeptSkill:
    """Replace words in a file of a skill; they must be there once, unless they are replaced everywhere."""
    with _changing(store, folder) as known:
        kept = _live(known, name)
        text = kept.files.get(file)
        if text is None:
            raise NotFound(f"The skill {name!r} has no file {file!r}.")
        count = text.count(old) if old else 0
        if not count:
            raise UsageError(f"The words to replace are not in {file}.")
        if count > 1 and not is_everywhere:
            raise UsageError(f"The words to replace are in {file} {count} times.", hint="Give more of them.")
        return _put(store, folder, name, {**kept.files, file: text.replace(old, new)}, kept, cause=cause)


def write_file(store: Store, folder: Path, name: str, file: str, text: str, cause: Cause = OWNER) -> KeptSkill:
    """Write a file of a skill, new or anew."""
    with _changing(store, folder) as known:
        kept = _live(known, name)
        problem = None if file in kept.files else file_problem(file)
        if problem is not None:
            raise UsageError(problem)
        return _put(store, folder, name, {**kept.files, file: text}, kept, cause=cause)


def remove_file(store: Store, folder: Path, name: str, file: str, cause: Cause = OWNER) -> KeptSkill:
    """Remove a file of a skill; its SKILL.md stays."""
    with _changing(store, folder) as known:
        kept = _live(known, name)
        if file == DOCUMENT:
            raise UsageError(f"A skill without {DOCUMENT} is none.", hint="Delete the skill.")
        if file not in kept.files:
            raise NotFound(f"The skill {name!r} has no file {file!r}.")
        files = {one: text for one, text in kept.files.items() if one != file}
        return _put(store, folder, name, files, kept, cause=cause)


def set_state(store: Store, folder: Path, name: str, state: SkillState, cause: Cause = OWNER) -> KeptSkill:
    """Archive a skill, delete it, or bring it back; its texts stay in the store."""
    verbs = {"live": "restored", "archived": "archived", "deleted": "deleted"}
    with _changing(store, folder) as known:
        kept = known.get(name)
        if kept is None or (kept.state == "deleted" and state != "live"):
            raise NotFound(f"There is no skill {name!r}.", hint="List them: hermes skills list")
        if kept.state == state:
            raise UsageError(f"The skill {name!r} is {state} already.")
        return _put(
            store,
            folder,
            name,
            kept.files,
            kept,
            category=kept.category,
            state=state,
            cause=cause,
            verb=verbs[state],
        )


def wrong_with(name: str, files: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with a skill: by the rules of the format, and by the scan of what it says."""
    yield from problems(name, files)
    for file, text in files.items():
        for threat in dict.fromkeys((*screening.find(text, "foreign"), *(one.kind for one in secrets.find(text)))):
            yield f"{file} was stopped by the security scan: {threat}."


def _live(known: Mapping[str, KeptSkill], name: str) -> KeptSkill:
    kept = known.get(name)
    if kept is None or kept.state != "live":
        raise NotFound(f"There is no skill {name!r}.", hint="List them: hermes skills list")
    return kept


@contextmanager
def _changing(store: Store, folder: Path) -> Iterator[Mapping[str, KeptSkill]]:
    """Hold the folder, in step with the store, while a skill is changed."""
    sync(store, folder)
    with _held(folder):
        with store.read() as connection:
            known = skills.every(connection)
        yield known


def _put(
    store: Store,
    folder: Path,
    name: str,
    files: Mapping[str, str],
    former: KeptSkill | None,
    *,
    category: str | None = None,
    state: SkillState = "live",
    cause: Cause,
    verb: str = "changed",
) -> KeptSkill:
    if former is None or former.files != files:  # what was there is brought back as it was
        wrong = list(wrong_with(name, files))
        if wrong:
            raise UsageError(wrong[0], hint=" ".join(wrong[1:4]) or None)
    found = _found(folder).get(name)
    if state != "live" and found is not None and not folders.is_within(found.path, folder):
        raise UsageError(
            f"The skill {name!r} is behind a link: {found.path.parent}.",
            hint="Remove it there, or remove the link.",
        )
    category = former.category if former is not None and category is None else category
    with store.write() as connection:
        skills.lock(connection)
        made = _keep(connection, name, files, category=category, state=state, cause=cause, verb=verb)
    synced = _synced(folder)
    _give(folder, synced, name, made, found)
    _write_synced(folder, synced)
    return made


def _keep(
    connection: Connection,
    name: str,
    files: Mapping[str, str],
    *,
    category: str | None,
    state: SkillState,
    cause: Cause,
    verb: str,
) -> KeptSkill:
    """Keep a state of a skill and journal what it changed."""
    before = skills.get(connection, name)
    made = skills.put(connection, name, files, category=category, state=state, made_by=cause.made_by)
    entry = NewEntry(
        f"skill.{verb}",
        name,
        f"The skill {name} was {verb}.",
        cause.made_by,
        cause=cause.why,
        # Not as the entry's session: a version outlives the conversation it was made in.
        after={name: value for name, value in _grounds(cause) if value is not None} or None,
    )
    journal.write(connection, described(entry, between(whole([] if before is None else [before]), whole([made]))))
    return made


def _grounds(cause: Cause) -> tuple[tuple[str, str | None], ...]:
    return ("session", cause.session_id), ("message", cause.message_uid)


def _take(store: Store, name: str, found: Found | None) -> None:
    """Take into the store what its owner did to a folder."""
    with store.write() as connection:
        skills.lock(connection)
        kept = skills.get(connection, name)
        if found is None or not found.is_readable:
            if kept is not None and kept.state == "live":
                gone = "Its folder was removed by hand." if found is None else f"Its {DOCUMENT} cannot be read."
                _keep(
                    connection,
                    name,
                    kept.files,
                    category=kept.category,
                    state="deleted",
                    cause=Cause(why=gone),
                    verb="removed",
                )
            return
        verb = "found" if kept is None or kept.state != "live" else "edited"
        why = Cause(why="Its folder was changed by hand.")
        _keep(connection, name, found.files, category=found.category, state="live", cause=why, verb=verb)


def _give(
    folder: Path, synced: dict[str, str | None], name: str, kept: KeptSkill | None, found: Found | None
) -> None:
    """Bring a folder to the state that is kept; of a skill whose making was undone nothing is."""
    synced[name] = _WRITING
    _write_synced(folder, synced)
    category = None if kept is None else kept.category
    place = folder.joinpath(*([category] if category else []), name) if found is None else found.path
    if found is None and place.is_symlink():
        place.unlink()  # no skill is behind it, and what is there is not ours to write into
    former, archive = {} if found is None else found.files, folder / ARCHIVE
    if kept is not None and kept.state == "live":
        if found is None:
            folders.bring_back(place, archive)
        elif not found.is_readable and not (place / DOCUMENT).is_symlink() and folders.is_within(place, folder):
            folders.put_away(place, archive)  # what stands there is nowhere else
            former = {}
        # A link that was brought back leads to a folder that its owner may have gone on with.
        if found is not None or not place.is_symlink():
            folders.write(place, kept.files, former)
    elif found is not None and not folders.is_within(place, folder):
        pass  # it is the owner's, behind a link to a whole category, and is found again
    elif found is not None and kept is not None and kept.state == "archived":
        folders.put_away(place, archive)
    else:
        folders.remove(place, former)
        if kept is not None and kept.state == "deleted":
            folders.forget(name, archive, kept.files)
    synced[name] = _kept_state(kept)


def _found(folder: Path) -> dict[str, Found]:
    """Return what the folders hold, by the names of the folders; of two with one name the first."""
    found: dict[str, Found] = {}
    for skill in Library(folder).list():
        place = skill.path.parent
        if name_problem(place.name) is None and place.name not in found:
            found[place.name] = Found(place, skill.category, folders.read(place))
    return found


def _kept_state(kept: KeptSkill | None) -> str | None:
    return folders.digest(kept.files) if kept is not None and kept.state == "live" else None


def _found_state(found: Found | None) -> str | None:
    return folders.digest(found.files) if found is not None and found.is_readable else None


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / _LOCK):
            for left in folder.glob(f".{_SYNCED}.*"):  # by a kill while it was replaced
                left.unlink()
            yield
    except OSError as error:
        raise HermesError(f"The skills cannot be brought in step: {error}.") from error


def _synced(folder: Path) -> dict[str, str | None]:
    try:
        read = json.loads((folder / _SYNCED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): state for name, state in read.items()} if isinstance(read, dict) else {}


def _write_synced(folder: Path, synced: Mapping[str, str | None]) -> None:
    replace_text(folder / _SYNCED, json.dumps(dict(sorted(synced.items())), indent=1) + "\n")
