"""Make skills of work that comes again: compare the requests of the latest conversations, draft, write.

Only the owner's requests are read of all of them; of those that are alike to a new one, some conversations whole.
What was looked at is not looked at again. A draft that is like a skill there is, or was, makes no second one. One
that was made here and that nobody changed since grows when more is known; one that its owner deleted, or whose
making was undone, is never made again.
"""

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path

from hermes_agent.errors import ChangedMeanwhile
from hermes_agent.learn.distilling import FEWEST, Asked, Draft, Work, apart, clusters, draft, order_of, works_of
from hermes_agent.learn.learned_skill import grown
from hermes_agent.learn.same_purpose import plain_verb, purpose_words, verbs_like
from hermes_agent.learn.tasks import Task, tasks
from hermes_agent.memory import quarantine, skill_correcting, skill_history, skill_sources, skills
from hermes_agent.memory.hindered import Hindered
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.memory.unwritten import Unwritten
from hermes_agent.records.changes import UNDONE, change_of, standing
from hermes_agent.records.skills import KeptSkill, SkillMaker
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.store import imported, journal, messages, requests, sessions
from hermes_agent.store import skills as kept_skills
from hermes_agent.store.requests import Request
from hermes_agent.store.store import Store
from hermes_agent.text.stems import stem
from hermes_agent.text.words import words

JOB = kept_skills.JOB
MAKER: SkillMaker = "learning"
_MADE = "skill.made"
_MOST_SESSIONS = 300
_MOST_READ = 10
"""So many conversations are read whole, the latest: what earlier ones taught is in the skill."""
_ALIKE = 0.6
_BEGINNING = 100
"""In so many characters stands what a request begins with."""


def distill(
    store: Store, folder: Path, hidden_sources: Sequence[str], zone: tzinfo | None
) -> Generator[list[str], None, None]:
    """Make or improve the skills that new messages call for; yield for each conversation those it had part in.

    Whoever stops listening stops the work; it goes on there the next time. A skill that cannot be written, and a
    conversation that cannot be read, are told when the others are done, and looked at again.
    """
    with store.read() as connection:
        latest = sessions.latest_ids(connection, _MOST_SESSIONS, hidden_sources)
        last = requests.last_ids(connection, latest)
        reached = kept_skills.reached(connection)
    # The mark is beyond the last message only if messages were deleted, and their numbers are given again.
    reached = reached if reached <= max(last.values(), default=0) else 0
    due = sorted((one for one in last if last[one] > reached), key=last.__getitem__)
    if not due:
        return
    with store.read() as connection:
        following = requests.calling(connection, due, "skill_view")
    unwritten, hindered = Unwritten(), Hindered()
    alike = _Alike(store, latest, due, hindered)
    try:
        for session_id in due:
            written: list[str] = []
            with hindered.set_aside(session_id):
                if session_id in following:
                    done_here = _said_here(store, session_id, _tasks(store, session_id))
                    written += skill_correcting.improve(store, folder, done_here, unwritten)
                for cluster in alike.new_in(session_id):
                    drafted = draft(cluster, alike.works(cluster), zone)
                    with unwritten.set_aside():
                        if drafted is not None and _write(store, folder, drafted):
                            written.append(drafted.name)
            reached = reached if unwritten or hindered else last[session_id]
            yield list(dict.fromkeys(written))
    finally:
        # Once: a transaction for each of hundreds of conversations takes longer than all the rest.
        with store.write() as connection:
            kept_skills.set_reached(connection, reached)
    hindered.tell()
    unwritten.tell()


class _Alike:
    """The requests of the latest conversations, put together; each conversation is read at most once."""

    def __init__(self, store: Store, session_ids: Sequence[str], new: Collection[str], hindered: Hindered) -> None:
        with store.read() as connection:
            found = requests.of_sessions(connection, session_ids)
        self._store, self._hindered = store, hindered
        self._tasks: dict[str, list[Task]] = {}
        self._waiting: dict[str, list[list[Asked]]] = {}
        for cluster in clusters(list(_asked(found, new))):
            if len(cluster) >= FEWEST:
                for session_id in {one.session_id for one in cluster}:
                    self._waiting.setdefault(session_id, []).append(cluster)

    def new_in(self, session_id: str) -> Iterator[list[Asked]]:
        """Yield what a conversation has part in; nothing twice: all there is went into it the first time."""
        for cluster in self._waiting.pop(session_id, []):
            for others in self._waiting.values():
                others[:] = [one for one in others if one is not cluster]
            yield cluster

    def works(self, cluster: Sequence[Asked]) -> list[Work]:
        """Return the work on the latest of some requests."""
        latest = list(dict.fromkeys(one.session_id for one in reversed(cluster)))[:_MOST_READ]
        for session_id in latest:
            if session_id not in self._tasks:
                self._tasks[session_id] = []
                with self._hindered.set_aside(session_id):
                    self._tasks[session_id] = _tasks(self._store, session_id, is_apart=True)
        wanted = {one.message_id for one in cluster}
        chosen = [task for one in reversed(latest) for task in self._tasks[one] if task.request.id in wanted]
        return works_of(chosen)


def _asked(found: Sequence[Request], new: Collection[str]) -> Iterator[Asked]:
    """Yield the requests that order something by a verb by which something new is ordered, too, or one like it."""
    orders = {one.id: order_of(one.text) for one in found if one.session_id in new}
    verbs = {verb for order in orders.values() if order is not None for verb in verbs_like(order.verb)}
    for one in found:
        # A verb in its base form is written as such: few of the others have to be read.
        if one.id not in orders and not verbs.intersection(words(one.text[:_BEGINNING])):
            continue
        order = orders[one.id] if one.id in orders else order_of(one.text)
        if order is not None and order.things:
            text = " ".join(one.text.split())
            yield Asked(one.id, one.session_id, text, order.verb, order.things, one.said_at)


def _tasks(store: Store, session_id: str, *, is_apart: bool = False) -> list[Task]:
    """Return the tasks of a conversation; apart, requests for one thing after the other of a kind are several."""
    with store.read() as connection:
        said = list(messages.of_session(connection, session_id))
        found = tasks(quarantine.usable(connection, session_id, said))
    answers = [one.id for one in said if one.role == "assistant"]
    return [part for task in found for part in apart(task, answers)] if is_apart else found


def _said_here(store: Store, session_id: str, done: Sequence[Task]) -> list[Task]:
    """Return the tasks that were not imported."""
    with store.read() as connection:
        brought = imported.last_ids(connection, [session_id])
    return [task for task in done if task.request.id > brought.get(session_id, 0)]


def _write(store: Store, folder: Path, drafted: Draft) -> bool:
    if any(skills.wrong_with(drafted.name, {DOCUMENT: drafted.document})):
        return False  # words that are no more than strange one by one, and stopped together
    with store.read() as connection:
        known = kept_skills.every(connection)
    for kept in known.values():
        skill_sources.add(store, kept, drafted.sources)
    document = _document(store, drafted, known)
    if document is None:
        return False
    sources = skill_sources.within(document, drafted.sources)
    cause = Cause(MAKER, f"{drafted.tasks} tasks were alike.", sources=sources)
    try:
        made = skills.improve(store, folder, drafted.name, lambda known: _document(store, drafted, known), cause)
    except ChangedMeanwhile:
        return False  # somebody else was quicker
    return made is not None


def _document(store: Store, drafted: Draft, known: Mapping[str, KeptSkill]) -> str | None:
    """Return what is to be written; None if nothing is, or nobody but its owner may."""
    former = known.get(drafted.name)
    if former is not None and former.state == "live":
        written = former.files.get(DOCUMENT, "")
        document = grown(written, drafted.document)
        return document if document != written and _is_ours(store, former) else None
    if former is not None and not (former.state == "deleted" and _is_ours(store, former)):
        return None
    others = {name: one.files.get(DOCUMENT, "") for name, one in known.items() if one is not former}
    is_like = any(_is_like(drafted, name, text) for name, text in {**others, **_undone(store)}.items())
    return None if is_like else drafted.document


def _is_ours(store: Store, kept: KeptSkill) -> bool:
    """Tell whether a skill was made here and nobody changed it since."""
    if kept.made_by != MAKER:
        return False
    return all(version.entry.actor == MAKER for version in skill_history.versions(store, kept.skill))


def _undone(store: Store) -> dict[str, str]:
    """Return the skills that made themselves, and whose making the owner took back."""
    with store.read() as connection:
        entries = journal.of_kinds(connection, (_MADE, *UNDONE))
    found: dict[str, str] = {}
    for entry, stands in standing(entries):
        change = change_of(entry)
        if stands or entry.kind != _MADE or entry.actor != MAKER:
            continue
        found[entry.subject] = ""  # what it said may be forgotten
        for record in () if change is None else change.after.values():
            files = record.get("files")
            found[entry.subject] = str(files.get(DOCUMENT, "")) if isinstance(files, Mapping) else ""
    return found


def _is_like(drafted: Draft, name: str, document: str) -> bool:
    """Tell whether a skill is for the same: done by the same verb, and mostly with the same things."""
    theirs = purpose_words(name, document)
    if stem(plain_verb(drafted.verb)) not in theirs:
        return False
    return len(drafted.words & theirs) / min(len(drafted.words), len(theirs)) >= _ALIKE
