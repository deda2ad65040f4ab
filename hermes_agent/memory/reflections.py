"""Reflect on the tasks of a session, and keep, list and delete what was learned of them.

A session is read without a transaction; what a task taught is kept in one, with how far the session was reflected
on: whoever is stopped in between has kept the tasks before, and whoever comes again keeps nothing twice. A lesson
that is known is kept as merged into the one that counts for it: so it stays when that one's conversation goes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.learn.failing import has_failed
from hermes_agent.learn.reflecting import reflect
from hermes_agent.learn.tasks import Task, tasks
from hermes_agent.learn.tidying import is_same_reflection, same_as
from hermes_agent.memory import blocked, numbers, quarantine
from hermes_agent.memory.embedding import gists_of
from hermes_agent.memory.metering import metered
from hermes_agent.memory.seen import require_same
from hermes_agent.memory.spending import NO_CAP, Cap
from hermes_agent.records.archive import Message
from hermes_agent.records.changes import between, described, whole
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.reflections import ENDED, NewReflection, Reflection, TaskOutcome, reflection_name
from hermes_agent.store import jobs, journal, learned, messages, reflections
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.pasted import holds_pasted
from hermes_agent.text.stems import content_words
from hermes_agent.text.words import fold

if TYPE_CHECKING:
    from hermes_agent.models.model import Model

JOB, FILE = "reflect", "reflections_file"
ACTOR = "learning"
OWNER = "owner"
"""Who worded a reflection that its owner changed; learning leaves it as it is."""
_ALIKE_LOOKED_AT = 500
_LONGEST_LESSON = 2_000


def reflect_on(store: Store, session_id: str, model: "Model | None" = None, *, cap: Cap = NO_CAP) -> int | None:
    """Reflect on what a session did since the last time; return how many lessons, None if nothing is new.

    A model words what the rules find; without one, or where it gives nothing that stands, the rules do. The cap is
    asked before each task for which a model is.
    """
    quarantine.screen_session(store, session_id)
    with store.read() as connection:
        reached = learned.reached(connection, session_id, "reflected_to")
        said = list(messages.of_session(connection, session_id))
        usable = {one.id: one for one in quarantine.usable(connection, session_id, said)}
    if not said or said[-1].id <= reached:
        return None
    # Whole: what is said later of a task that was reflected on belongs to it.
    cut = [task for task in tasks([_readable(one, usable) for one in said]) if task.last_id > reached]
    found = [(task, lesson) for task in cut if (lesson := reflect(task)) is not None]
    for task, lesson in found:
        if model is not None:
            cap.require(store)
        if not _reflect_on_task(store, task, lesson, model, reached):
            return 0
        reached = task.last_id
    with store.write() as connection:
        if learned.reached(connection, session_id, "reflected_to") == reached:
            learned.set_reached(connection, session_id, said[-1].id, "reflected_to")
    return len(found)


def _reflect_on_task(
    store: Store, task: Task, by_rules: NewReflection, model: "Model | None", reached: int
) -> bool:
    """Keep what a task taught, and that it was reflected on; False if somebody else did meanwhile."""
    session_id = by_rules.session_id
    with metered(store, "reflection", session_id) as meter:
        new, trouble = _worded(None if model is None else meter.asking(model), task, by_rules)
        (gist,) = gists_of([new.task])
        with store.write() as connection:
            reflections.lock(connection)
            if learned.reached(connection, session_id, "reflected_to") != reached:
                return False
            if blocked.is_blocked(connection, new.task):
                blocked.note_refused(connection, session_id, 1)
            else:
                _keep(connection, new, gist, trouble)
            learned.set_reached(connection, session_id, task.last_id, "reflected_to")
            meter.keep(connection)
    return True


def _readable(message: Message, usable: Mapping[int, Message]) -> Message:
    """Return a message as it may be reflected on: that something was tried counts, words in quarantine do not.

    What the user pasted keeps its words: they are never quoted.
    """
    is_pasted = message.role == "user" and holds_pasted(message.content or "")
    if message.id in usable or is_pasted:
        return usable.get(message.id, message)
    # That a call failed is told without a word of what stands in quarantine.
    failed = {"is_error": True} if has_failed(message.content or "", message.tool_name or "") else {}
    return replace(message, content="", metadata={**message.metadata, **failed})


def fill_gists(store: Store) -> None:
    """Tell what the tasks mean of which that is not known: an undo brought them back, or our model was damaged."""
    with store.read() as connection:
        wanting = reflections.without_gist(connection, _ALIKE_LOOKED_AT)
    made = gists_of([one.task for one in wanting])
    new = {one.id: gist for one, gist in zip(wanting, made, strict=True) if gist is not None}
    if new:
        with store.write() as connection:
            reflections.set_gists(connection, new)


def recent(store: Store, limit: int, task_type: str | None = None, offset: int = 0) -> list[Reflection]:
    """Return the reflections made last, the newest first."""
    with store.read() as connection:
        return reflections.recent(connection, limit, task_type, offset)


def get(store: Store, typed: str) -> Reflection:
    """Return the reflection that a person names."""
    with store.read() as connection:
        return _require(connection, numbers.read(typed, "reflection"))


def delete(
    store: Store, *typed: str, cause: str | None = None, seen: Reflection | None = None
) -> list[Reflection]:
    """Let go of reflections, all or none, as one change; they are brought to no task any more.

    `seen` is the one as its owner looked at it.
    """
    numbered = dict.fromkeys(numbers.read(one, "reflection") for one in typed)
    with store.write() as connection:
        reflections.lock(connection)
        gone = [_require(connection, number) for number in numbered]
        for found in gone:
            require_same(found, seen)
            if found.state != "current":
                raise UsageError(
                    f"{found.name} is {found.state} already.", hint="List them: hermes memory reflections list"
                )
            reflections.set_state(connection, found.id, "deleted")
        names = ", ".join(one.name for one in gone)
        text = f"{names} were deleted." if len(gone) > 1 else f"{names} was deleted: “{gone[0].task}”."
        _write_down(connection, NewEntry("reflection.deleted", names, text, cause=cause), gone, [])
    return gone


def edit(
    store: Store,
    typed: str,
    *,
    outcome: TaskOutcome,
    worked: Sequence[str],
    differently: Sequence[str],
    cause: str | None = None,
    seen: Reflection | None = None,
) -> Reflection:
    """Say in the owner's words how a task went and what it taught; learning does not change it again."""
    lessons = [_lines(worked), _lines(differently)]
    if not any(lessons):
        raise UsageError("A reflection says at least one thing.", hint="If it taught nothing, delete it.")
    with store.write() as connection:
        reflections.lock(connection)
        found = _require(connection, numbers.read(typed, "reflection"))
        require_same(found, seen)
        if found.state != "current":
            raise UsageError(f"{found.name} is {found.state}, and cannot be changed.")
        for line in (*lessons[0], *lessons[1]):
            blocked.refuse(connection, line)
        if (outcome, *lessons) == (found.outcome, list(found.worked), list(found.differently)):
            return found
        new = NewReflection(
            **{name: getattr(found, name) for name in NewReflection.__dataclass_fields__}
            | {"outcome": outcome, "worked": lessons[0], "differently": lessons[1], "written_by": OWNER}
        )
        reflections.revise(connection, found.id, new)
        text = f"{found.name} was changed: “{found.task}” {ENDED[outcome]}."
        _write_down(connection, NewEntry("reflection.edited", found.name, text, cause=cause), [found], [])
        return _require(connection, found.id)


def _lines(typed: Sequence[str]) -> list[str]:
    """Return sentences as they are kept: each on one line, none empty, of a length that can be read."""
    lines = [" ".join(one.split()) for one in typed]
    if any(len(one) > _LONGEST_LESSON for one in lines):
        raise UsageError(f"A sentence has at most {_LONGEST_LESSON:,} characters.")
    return [one for one in lines if one]


def _require(connection: Connection, number: int) -> Reflection:
    found = reflections.get(connection, number)
    if found is None:
        raise NotFound(f"There is no {reflection_name(number)}.", hint="List them: hermes memory reflections list")
    return found


def _worded(model: "Model | None", task: Task, by_rules: NewReflection) -> tuple[NewReflection, str | None]:
    """Return a reflection, and why it is not in the model's words if there is one."""
    if model is None:
        return by_rules, None
    # Imported here: it loads pydantic, and most commands ask no model.
    from hermes_agent.learn.model_reflecting import reword

    worded = reword(model, task, by_rules)
    return worded.reflection, worded.trouble


def _keep(connection: Connection, new: NewReflection, gist: bytes | None, trouble: str | None) -> None:
    former = reflections.of_message(connection, new.message_uid)
    if former is not None:
        _revise(connection, former, new)
        return
    made = reflections.add(connection, new, gist)
    recent = reflections.recent(connection, _ALIKE_LOOKED_AT)
    known = next((one for one in recent if _is_same_task(one, made)), None)
    if known is not None:
        reflections.merge(connection, made.id, known.id)
        text = f"{known.name} was met again: “{new.task}”."
        entry = NewEntry("reflection.met", known.name, text, ACTOR, session_id=new.session_id)
        _write_down(connection, entry, [known], [made])
        return
    text = f"{made.name} was learned: “{made.task}” {ENDED[made.outcome]}."
    entry = NewEntry(
        "reflection.learned",
        made.name,
        text,
        ACTOR,
        cause=trouble,
        after={"message": made.message_uid},
        session_id=new.session_id,
    )
    _write_down(connection, entry, [], [made])


def _revise(connection: Connection, former: Reflection, new: NewReflection) -> None:
    """Keep what is known of a task since more was said of it; one that its owner deleted or changed stays so.

    One that was merged says something else then, and counts for itself again.
    """
    is_same = _key(former.differently, former.worked) == _key(new.differently, new.worked)
    is_owners = former.state == "deleted" or former.written_by == OWNER
    if is_owners or (is_same and former.outcome == new.outcome):
        return
    standing = _counting_for(connection, former)
    if standing is not None:
        reflections.set_count(connection, standing.id, standing.occurrences - 1)
    reflections.revise(connection, former.id, new)
    reflections.set_state(connection, former.id, "current")
    text = f"{former.name} was revised: “{former.task}” {ENDED[new.outcome]}."
    entry = NewEntry("reflection.revised", former.name, text, ACTOR, session_id=new.session_id)
    _write_down(connection, entry, [former] if standing is None else [former, standing], [])


def let_go(connection: Connection, gone: Sequence[Reflection]) -> list[Reflection]:
    """Count what conversations taught that are gone one time less; return what that changed, as it was.

    What others taught too stays: the latest of those that were merged counts then. What was deleted stays so.
    """
    # Read and compared once: nobody else writes meanwhile.
    known = {one.id: one for one in reflections.of_their_kind(connection, gone)}
    former, alike, together = dict(known), same_as(gone, list(known.values())), same_as(gone, gone)
    counts = {one.id: one.occurrences for one in gone}
    for one in sorted(gone, key=lambda each: each.state != "merged"):
        same = [known[other.id] for other in alike[one.id]]
        standing = next((other for other in same if other.state != "merged"), None)
        if one.state == "merged" and standing is None:
            # What counts for it goes, too: that one's successor is told how often others taught it.
            counts |= {each.id: counts[each.id] - 1 for each in together[one.id] if each.state == "current"}
        elif one.state == "merged" and standing is not None and standing.occurrences > 1:
            known[standing.id] = replace(standing, occurrences=standing.occurrences - 1)
        elif one.state == "deleted" and standing is None:
            known |= {other.id: replace(other, state="deleted") for other in same}
        elif one.state == "current" and standing is None and same:
            often = max(1, counts[one.id] - 1)
            known[same[0].id] = replace(same[0], occurrences=often, state="current")
    changed = [one for number, one in known.items() if one != former[number]]
    for one in changed:
        reflections.set_count(connection, one.id, one.occurrences)
        reflections.set_state(connection, one.id, one.state)
    return [former[one.id] for one in changed]


def _counting_for(connection: Connection, merged: Reflection) -> Reflection | None:
    """Return the reflection that counts for a merged one."""
    if merged.state != "merged":
        return None
    same = same_as([merged], reflections.of_their_kind(connection, [merged]))[merged.id]
    return next((one for one in same if one.state == "current" and one.occurrences > 1), None)


def _is_same_task(known: Reflection, made: Reflection) -> bool:
    """Tell whether the same task went the same way, for the same reasons."""
    is_task = (known.task_type, known.outcome) == (made.task_type, made.outcome)
    is_task = is_task and set(content_words(known.task)) == set(content_words(made.task))
    return is_task and is_same_reflection(known, made)


def _key(*lessons: Sequence[str]) -> tuple[str, ...]:
    return tuple(fold(" ".join(each)) for each in lessons)


def _write_down(
    connection: Connection, entry: NewEntry, changed: Sequence[Reflection], added: Sequence[Reflection]
) -> None:
    """Journal a change that is made, and have the file written anew."""
    jobs.add(connection, FILE, FILE)
    now = reflections.get_many(connection, [one.id for one in (*changed, *added)])
    journal.write(connection, described(entry, between(whole(changed), whole(list(now.values())))))
