"""Skills: the texts of their folders, one row for each name that ever was."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, select, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.skills import KeptSkill, SkillMaker, SkillState, SkillUse
from hermes_agent.store import meta
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import skills

JOB = "distill"
"""The job that brings what was learned as skills in step with the conversations."""
_LOCK = "skills"
_REACHED = "skills_distilled_to"


def lock(connection: Connection) -> None:
    """Keep others from changing skills until the transaction ends."""
    meta.lock(connection, _LOCK)


def every(connection: Connection) -> dict[str, KeptSkill]:
    """Return all of them by their names, those that are gone as well."""
    rows = connection.execute(select(skills).order_by(skills.c.skill)).mappings()
    return {row["skill"]: to_record(KeptSkill, row) for row in rows}


def get(connection: Connection, skill: str) -> KeptSkill | None:
    """Return the one with a name."""
    row = connection.execute(select(skills).where(skills.c.skill == skill)).mappings().one_or_none()
    return None if row is None else to_record(KeptSkill, row)


def get_many(connection: Connection, ids: Sequence[int]) -> dict[int, KeptSkill]:
    """Return those of the skills that are there."""
    rows = connection.execute(select(skills).where(is_in(skills.c.id)), {"ids": ids}).mappings()
    return {row["id"]: to_record(KeptSkill, row) for row in rows}


def put(
    connection: Connection,
    skill: str,
    files: Mapping[str, str],
    *,
    category: str | None,
    state: SkillState,
    made_by: SkillMaker,
) -> KeptSkill:
    """Keep the texts of a skill, in place of those it had."""
    now = clock.now()
    known = get(connection, skill)
    values = {"category": category, "files": dict(files), "state": state, "changed_at": now}
    if known is None:
        new = {"uid": new_uid(now), "skill": skill, "made_by": made_by, "made_at": now}
        row = connection.execute(insert(skills).returning(skills), {**values, **new}).mappings().one()
    else:
        changed = update(skills).where(skills.c.id == known.id).values(**values).returning(skills)
        row = connection.execute(changed).mappings().one()
    return to_record(KeptSkill, row)


def set_left(connection: Connection, number: int, files: Mapping[str, str]) -> None:
    """Keep what is left of a skill when some of it was forgotten; one of which nothing is left is deleted."""
    values = {"files": dict(files)} if files else {"files": {}, "state": "deleted"}
    connection.execute(update(skills).where(skills.c.id == number).values(values))


def texts_of_owner(connection: Connection) -> list[str]:
    """Return what the skills say that their owner wrote."""
    every = connection.execute(select(skills.c.files).where(skills.c.made_by == "owner")).scalars()
    return [text for files in every for text in files.values()]


def count_use(connection: Connection, skill: str) -> None:
    """Count that the agent read a skill."""
    used = {"used_count": skills.c.used_count + 1, "last_used_at": clock.now()}
    connection.execute(update(skills).where(skills.c.skill == skill).values(used))


def uses(connection: Connection) -> dict[str, SkillUse]:
    """Return how each skill was used, by its name."""
    rows = connection.execute(select(skills.c.skill, skills.c.used_count, skills.c.last_used_at))
    return {skill: SkillUse(count, last_at) for skill, count, last_at in rows}


def has_learned(connection: Connection) -> bool:
    """Tell whether there is a skill that its owner did not make, or was."""
    query = select(skills.c.id).where(skills.c.made_by != "owner").limit(1)
    return connection.execute(query).first() is not None


def reached(connection: Connection) -> int:
    """Return the last message that was looked at for skills; 0 if none was."""
    return int(meta.get(connection, _REACHED) or 0)


def set_reached(connection: Connection, message_id: int) -> None:
    """Keep up to which message there is nothing more to look at."""
    meta.put(connection, _REACHED, str(message_id))
