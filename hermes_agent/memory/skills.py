"""Write skills: every change is in the store and the journal first, then in the folder, so that it can be undone.

The folder is the copy that people and the agent read. What its owner changes there by hand is taken into the
store and journalled as theirs; a skill whose folder they removed stays removed (`skill_syncing`).
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hermes_agent.config.replace import locked
from hermes_agent.errors import ChangedMeanwhile, HermesError, NotFound, SettingError, UsageError
from hermes_agent.learn.same_purpose import is_for_same
from hermes_agent.memory import skill_archive, skill_marks
from hermes_agent.memory.seen import require_same
from hermes_agent.memory.skill_folder import find, found_state, give, is_behind_link, kept_state
from hermes_agent.memory.skill_keeping import OWNER, Cause, keep
from hermes_agent.memory.skill_marks import SYNCED
from hermes_agent.memory.skill_syncing import bring_in_step
from hermes_agent.records.skills import KeptSkill, SkillState
from hermes_agent.skills.screening import threat_in_file
from hermes_agent.skills.validation import DOCUMENT, file_problem, name_problem, problems
from hermes_agent.store import skills
from hermes_agent.store.store import Store

_LOCK = ".lock"


def sync(store: Store, folder: Path) -> list[str]:
    """Bring the folder and the store in step, what was changed by hand too; return what there is to say."""
    with _held(folder):
        done = bring_in_step(store, folder)
        with store.read() as connection:
            known = skills.every(connection)
        skill_archive.bring_in_step(folder, known.values())
    return [*done.told, *(_hindered(name, error).message for name, error in done.hindered.items())]


def create(
    store: Store, folder: Path, name: str, document: str, category: str | None = None, cause: Cause = OWNER
) -> KeptSkill:
    """Make a new skill; only its owner makes one that is for the same as another."""
    threat_in_file(DOCUMENT, document)  # remembered: nobody has to wait for it while the folder is held
    with _changing(store, folder, name) as known:
        require_free(known, name, category)
        if cause.made_by != OWNER.made_by:
            _require_new(known, name, document)
        found = find(folder).get(name)
        if found is not None and not found.is_readable:
            raise UsageError(
                f"There is a {DOCUMENT} in {found.path} that cannot be read.", hint="Mend or remove it."
            )
        return _put(
            store, folder, name, {DOCUMENT: document}, known.get(name), category=category, cause=cause, verb="made"
        )


def edit(
    store: Store, folder: Path, name: str, document: str, cause: Cause = OWNER, seen: KeptSkill | None = None
) -> KeptSkill:
    """Write a skill's SKILL.md anew; `seen` is the skill as whoever writes looked at it."""
    return write_file(store, folder, name, DOCUMENT, document, cause, seen)


def improve(
    store: Store,
    folder: Path,
    name: str,
    document: Callable[[Mapping[str, KeptSkill]], str | None],
    cause: Cause,
) -> KeptSkill | None:
    """Write what was learned into a skill, or make it; `document` decides by the skills there are just then.

    None if it says nothing is to be written.
    """
    with _changing(store, folder, name) as known:
        former, text = known.get(name), document(known)
        if text is None:
            return None
        is_there = former is not None and former.state == "live"
        files = former.files if former is not None and is_there else {}
        verb = "improved" if is_there else "made"
        return _put(store, folder, name, {**files, DOCUMENT: text}, former, cause=cause, verb=verb)


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
    with _changing(store, folder, name) as known:
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


def write_file(
    store: Store,
    folder: Path,
    name: str,
    file: str,
    text: str,
    cause: Cause = OWNER,
    seen: KeptSkill | None = None,
) -> KeptSkill:
    """Write a file of a skill, new or anew."""
    threat_in_file(file, text)  # remembered: nobody has to wait for it while the folder is held
    with _changing(store, folder, name) as known:
        kept = _live(known, name)
        require_same(kept, seen)
        problem = None if file in kept.files else file_problem(file)
        if problem is not None:
            raise UsageError(problem)
        return _put(store, folder, name, {**kept.files, file: text}, kept, cause=cause)


def remove_file(
    store: Store, folder: Path, name: str, file: str, cause: Cause = OWNER, seen: KeptSkill | None = None
) -> KeptSkill:
    """Remove a file of a skill; its SKILL.md stays."""
    with _changing(store, folder, name) as known:
        kept = _live(known, name)
        require_same(kept, seen)
        if file == DOCUMENT:
            raise UsageError(f"A skill without {DOCUMENT} is none.", hint="Delete the skill.")
        if file not in kept.files:
            raise NotFound(f"The skill {name!r} has no file {file!r}.")
        files = {one: text for one, text in kept.files.items() if one != file}
        return _put(store, folder, name, files, kept, cause=cause)


def set_state(
    store: Store,
    folder: Path,
    name: str,
    state: SkillState,
    cause: Cause = OWNER,
    seen: KeptSkill | None = None,
) -> KeptSkill:
    """Archive a skill, delete it, or bring it back; its texts stay in the store."""
    verbs = {"live": "restored", "archived": "archived", "deleted": "deleted"}
    with _changing(store, folder, name) as known:
        kept = known.get(name)
        require_same(kept, seen)
        if kept is None or not kept.files or (kept.state == "deleted" and state != "live"):
            raise absent(kept, name)
        if kept.state == state:
            raise UsageError(f"The skill {name!r} is {state} already.")
        if state == "live":
            _require_place(known, name, kept.category)
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
    yield from (threat for file, text in files.items() if (threat := threat_in_file(file, text)) is not None)


def _live(known: Mapping[str, KeptSkill], name: str) -> KeptSkill:
    kept = known.get(name)
    if kept is None or kept.state != "live":
        raise absent(kept, name)
    return kept


def absent(kept: KeptSkill | None, name: str) -> NotFound:
    """Say that a skill is not there, or how to bring it back."""
    if kept is None or kept.state == "live":
        return NotFound(f"There is no skill {name!r}.", hint="List them: hermes skills list --all")
    if not kept.files:
        text = f"What the skill {name!r} said was forgotten or reset, and is nowhere any more."
        return NotFound(text, hint=f"Make it anew: hermes skills create {name}")
    return NotFound(f"The skill {name!r} is {kept.state}.", hint=f"Bring it back: hermes skills restore {name}")


def require_free(known: Mapping[str, KeptSkill], name: str, category: str | None) -> None:
    """Say what keeps a skill from being made under a name."""
    if category is not None and name_problem(category) is not None:
        raise UsageError(f"{category!r} is no name of a category: small letters, digits, single hyphens.")
    wrong, former = name_problem(name), known.get(name)
    if wrong is not None:
        raise UsageError(wrong)
    if former is not None and former.state == "archived":
        raise UsageError(f"The skill {name!r} is archived.", hint=f"Bring it back: hermes skills restore {name}")
    if former is not None and former.state == "live":
        raise UsageError(f"There is a skill {name!r} already.", hint="Change it, or choose another name.")
    _require_place(known, name, category)


def _require_place(known: Mapping[str, KeptSkill], name: str, category: str | None) -> None:
    """Refuse a folder within that of another skill, or around it: below a skill nobody looks for another."""
    place = _place(name, category)
    for other in known.values():
        there = _place(other.skill, other.category)
        if other.state != "live" or other.skill == name:
            continue
        if there.startswith(f"{place}/"):
            raise UsageError(f"{name!r} is a category of other skills.", hint="Choose another name.")
        if place.startswith(f"{there}/"):
            raise UsageError(f"{other.skill!r} is a skill, and no category.", hint="Choose another category.")


def _place(name: str, category: str | None) -> str:
    return name if category is None else f"{category}/{name}"


def _require_new(known: Mapping[str, KeptSkill], name: str, document: str) -> None:
    """Name the skill that is to be improved rather than made again."""
    for other in known.values():
        if other.state == "live" and is_for_same(name, document, other.skill, other.files.get(DOCUMENT, "")):
            raise UsageError(
                f"The skill {other.skill} is for the same.",
                hint="Patch that one, or say in the name and the description what this one is for besides.",
            )


@contextmanager
def _changing(store: Store, folder: Path, name: str) -> Iterator[Mapping[str, KeptSkill]]:
    """Hold the folder, in step with the store, while a skill is changed."""
    with _held(folder):
        done = bring_in_step(store, folder)
        if name in done.hindered:
            raise _hindered(name, done.hindered[name])
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
    # What was there is brought back as it was, and what goes may have nothing left.
    if state == "live" and (former is None or former.files != files):
        wrong = list(wrong_with(name, files))
        if wrong:
            raise UsageError(wrong[0], hint=" ".join(wrong[1:4]) or None)
    found = find(folder).get(name)
    if state != "live" and found is not None and is_behind_link(found, folder):
        raise UsageError(
            f"The skill {name!r} is behind a link: {found.path.parent}.",
            hint="Remove it there, or remove the link.",
        )
    category = former.category if former is not None and category is None else category
    with store.write() as connection:
        skills.lock(connection)
        # An editor heeds no lock, and another machine has its own folder.
        if skills.get(connection, name) != former or found_state(found) != kept_state(former):
            raise ChangedMeanwhile(f"The skill {name!r} was changed meanwhile.", hint="Look at it, and try again.")
        made = keep(connection, name, files, category=category, state=state, cause=cause, verb=verb)
    marks = skill_marks.read(store, folder)
    give(folder, marks, name, made, found)
    marks.write()
    return made


def _hindered(name: str, error: HermesError) -> SettingError:
    mend = f" {error.hint}" if error.hint else ""
    return SettingError(f"The skill {name} was not brought in step: {error.message}{mend}")


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / _LOCK):
            for left in folder.glob(f".{SYNCED}.*"):  # by a kill while it was replaced
                left.unlink()
            yield
    except OSError as error:
        raise SettingError(f"The skills cannot be brought in step: {error}.") from error
