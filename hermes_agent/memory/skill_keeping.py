"""Keep a state of a skill: its row, and the journal entry that tells who made it so and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.records.archive import Json
from hermes_agent.records.changes import between, described, whole
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.skills import KeptSkill, SkillMaker, SkillState
from hermes_agent.store import journal, skills
from hermes_agent.store.engine import Connection


@dataclass(frozen=True, slots=True)
class Cause:
    """Who changes a skill, and why."""

    made_by: SkillMaker = "owner"
    why: str | None = None
    session_id: str | None = None
    message_uid: str | None = None
    sources: Mapping[str, Sequence[str]] | None = None
    """The conversations that lines of it come from."""


OWNER = Cause()


def keep(
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


def _grounds(cause: Cause) -> tuple[tuple[str, Json], ...]:
    return ("session", cause.session_id), ("message", cause.message_uid), ("sources", cause.sources)
