"""Join the skills of two memories: the later version of each stands; those that were made apart stay apart."""

from collections.abc import Sequence

from hermes_agent.ops.whole import records
from hermes_agent.ops.whole.merge import Merge, number
from hermes_agent.records.archive import Json
from hermes_agent.store import canonical
from hermes_agent.store.canonical import Row

_VERSION = ("files", "state", "category", "changed_at")


def bring(merge: Merge, rows: Sequence[Row]) -> None:
    """Add skills that are not here; of one that changed in both places the later version stands, under its name.

    A skill of the same name that was made apart is kept beside ours, archived, under a name of its own.
    """
    connection = merge.connection
    by_uid = {one["uid"]: one for one in canonical.having(connection, "skills", "uid", [r["uid"] for r in rows])}
    by_name = {
        one["skill"]: one for one in canonical.having(connection, "skills", "skill", [r["skill"] for r in rows])
    }
    new: list[Row] = []
    for row in rows:
        ours = by_uid.get(row["uid"])
        alike = by_name.get(row["skill"])
        if ours is None and alike is not None and alike["files"] == row["files"]:
            ours = alike
        if ours is not None:
            records.note(merge, "skills", row, ours)
            _follow(merge, ours, row)
            merge.count("skills", 0, 1)
        elif alike is None:
            new.append(row)
        else:
            apart = _free_name(merge, str(row["skill"]))
            merge.brought.kept_apart.append(apart)
            new.append({**row, "skill": apart, "state": "archived"})
    records.bring(merge, "skills", new)


def _follow(merge: Merge, ours: Row, theirs: Row) -> None:
    values: dict[str, Json] = {
        name: max(number(ours, name), number(theirs, name)) or ours[name]
        for name in ("used_count", "last_used_at")
    }
    if number(theirs, "changed_at") > number(ours, "changed_at"):
        values |= {column: theirs[column] for column in _VERSION}
    if any(ours[column] != value for column, value in values.items()):
        canonical.change(merge.connection, "skills", "id", ours["id"], values)
        merge.brought.followed += 1


def _free_name(merge: Merge, skill: str) -> str:
    count = 2
    while canonical.having(merge.connection, "skills", "skill", [f"{skill}-{count}"]):
        count += 1
    return f"{skill}-{count}"
