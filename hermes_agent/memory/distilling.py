"""Make skills of work that comes again: read the requests of the latest conversations, draft, compare, write.

A draft that is like a skill there is, or was, makes no second one. One that was made here and that nobody changed
since is written anew when more is known; one that its owner deleted is never made again.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path

from hermes_agent.learn.distilling import Draft, clusters, draft, work_of
from hermes_agent.learn.skill_corrections import corrected, lines_of
from hermes_agent.learn.tasks import Task, tasks
from hermes_agent.memory import quarantine, skill_correcting, skill_history, skills
from hermes_agent.memory.skills import Cause
from hermes_agent.records.skills import KeptSkill, SkillMaker
from hermes_agent.skills.document import Broken, parse
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.store import messages, sessions
from hermes_agent.store import skills as kept_skills
from hermes_agent.store.store import Store
from hermes_agent.text.stems import content_words, stem

JOB = "distill"
MAKER: SkillMaker = "learning"
_MOST_SESSIONS = 300
_ALIKE = 0.6


def distill(store: Store, folder: Path, hidden_sources: Sequence[str], zone: tzinfo | None) -> list[str]:
    """Make or improve the skills that the latest conversations call for; return their names."""
    done = list(_tasks(store, hidden_sources))
    written = skill_correcting.improve(store, folder, done)
    works = [work for task in done if (work := work_of(task)) is not None]
    drafts = [made for alike in clusters(works) if (made := draft(alike, zone)) is not None]
    if not drafts:
        return written
    skills.sync(store, folder)
    for one in drafts:
        with store.read() as connection:
            known = kept_skills.every(connection)
        if _write(store, folder, one, known):
            written.append(one.name)
    return list(dict.fromkeys(written))


def _tasks(store: Store, hidden_sources: Sequence[str]) -> Iterator[Task]:
    with store.read() as connection:
        latest = sessions.latest_ids(connection, _MOST_SESSIONS, hidden_sources)
    for session_id in reversed(latest):
        with store.read() as connection:
            said = list(messages.of_session(connection, session_id))
            usable = quarantine.usable(connection, session_id, said)
        yield from tasks(usable)


def _write(store: Store, folder: Path, drafted: Draft, known: Mapping[str, KeptSkill]) -> bool:
    cause = Cause(MAKER, f"{drafted.tasks} tasks were alike.")
    if any(skills.wrong_with(drafted.name, {DOCUMENT: drafted.document})):
        return False  # words that are no more than strange one by one, and stopped together
    former = known.get(drafted.name)
    if former is not None:
        written = former.files.get(DOCUMENT, "")
        # What was put right after the skill was used is not in the requests it is drafted from.
        document = corrected(drafted.document, lines_of(written))
        if not _is_ours(store, former) or written == document:
            return False
        skills.edit(store, folder, drafted.name, document, cause)
        return True
    if any(_is_like(drafted, one) for one in known.values()):
        return False
    skills.create(store, folder, drafted.name, drafted.document, cause=cause)
    return True


def _is_ours(store: Store, kept: KeptSkill) -> bool:
    """Tell whether a skill was made here and nobody changed it since."""
    if kept.state != "live" or kept.made_by != MAKER:
        return False
    return all(version.entry.actor == MAKER for version in skill_history.versions(store, kept.skill))


def _is_like(drafted: Draft, kept: KeptSkill) -> bool:
    read = parse(kept.files.get(DOCUMENT, ""))
    said = kept.skill if isinstance(read, Broken) else f"{kept.skill} {read.description}"
    ours, theirs = _stems(f"{drafted.name} {drafted.description}"), _stems(said)
    return bool(theirs) and len(ours & theirs) / min(len(ours), len(theirs)) >= _ALIKE


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text.replace("-", " "))}
