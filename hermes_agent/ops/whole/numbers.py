"""Their numbers and ours: rows and journal entries of another store told in the numbers of this one.

A number such as `fact:042` means something in one store only. What comes from another one keeps its uid and gets a
number here; whatever refers to it by the old number is rewritten, in columns and in the words of the journal. What
their journal tells of and is not there any more gets a number too, which nothing else here ever has.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping

from hermes_agent.memory.undoable import CAME, IMPORTED
from hermes_agent.records.archive import Json
from hermes_agent.store.canonical import Row

REFERENCES: dict[str, dict[str, str]] = {
    "episodes": {"first_message": "messages", "last_message": "messages", "summary_id": "summaries"},
    "disputes": {"fact_id": "facts", "rival_id": "facts"},
    "quarantine": {"message_id": "messages"},
}
"""The columns that hold a number of another table's."""
SESSIONS = {
    "messages": "session_id",
    "episodes": "session_id",
    "reflections": "session_id",
    "quarantine": "session_id",
    "journal": "session_id",
}
"""The columns that hold the name of a session."""
TABLE_OF = {
    "fact": "facts",
    "summary": "summaries",
    "episode": "episodes",
    "reflection": "reflections",
    "skill": "skills",
    "dispute": "disputes",
    "entry": "journal",
}
_KIND_OF = {table: kind for kind, table in TABLE_OF.items()}
_PADDED = ("fact", "summary", "reflection")
"""Kinds whose numbers have three digits at least."""
_NAME = re.compile(r"\b(fact|summary|episode|reflection|skill|dispute|entry):(\d+)\b")


class Numbers:
    """Their numbers and ours, by table; and what else is called differently here.

    `last` are the highest numbers that tables ever gave.
    """

    def __init__(self, last: Mapping[str, int] | None = None) -> None:
        self.last: dict[str, int] = dict(last or {})
        self._ours: dict[str, dict[int, int]] = defaultdict(dict)
        self._gone: dict[str, dict[int, int]] = defaultdict(dict)
        self._came: list[int] = []
        self.sessions: dict[str, str] = {}
        """Their sessions whose names were taken here."""
        self.uids: dict[str, str] = {}
        """Uids of theirs for what we know by another."""

    def give(self, table: str) -> int:
        """Give a number that no row of a table ever had."""
        self.last[table] = self.last.get(table, 0) + 1
        return self.last[table]

    def put(self, table: str, theirs: int, ours: int) -> None:
        """Keep what a number of theirs is here."""
        self._ours[table][theirs] = ours

    def put_gone(self, table: str, theirs: int, ours: int) -> None:
        """Keep what a number of theirs is here of which there is no row."""
        self._gone[table][theirs] = ours

    def of(self, table: str, theirs: Json) -> int | None:
        """Return what a number of theirs is here; None for what did not come."""
        return self._ours[table].get(theirs) if isinstance(theirs, int) else None

    def theirs(self, table: str) -> dict[int, int]:
        """Return the numbers of theirs that rows have there, by ours."""
        return {ours: theirs for theirs, ours in self._ours[table].items()}

    def session(self, name: Json) -> Json:
        """Return what a session of theirs is called here."""
        return self.sessions.get(name, name) if isinstance(name, str) else name

    def up_to(self, theirs: Json) -> int:
        """Return our number of the last message that came up to one of theirs; 0 if none did."""
        known = self._ours["messages"]
        if len(self._came) != len(known):
            self._came = sorted(known)
        place = bisect_right(self._came, theirs) if isinstance(theirs, int) else 0
        return known[self._came[place - 1]] if place else 0

    def told(self, text: str) -> str:
        """Return a text with the names it holds as they are here."""
        return _NAME.sub(self._renamed, text)

    def named(self, kind: str, theirs: int) -> int:
        """Return the number by which a record of theirs is called here, also one that is gone."""
        table = TABLE_OF[kind]
        ours = self.of(table, theirs)
        if ours is not None:
            return ours
        if theirs not in self._gone[table]:
            self._gone[table][theirs] = self.give(table)
        return self._gone[table][theirs]

    def uid(self, uid: Json) -> Json:
        """Return by which uid we know something of theirs."""
        return self.uids.get(uid, uid) if isinstance(uid, str) else uid

    def _renamed(self, found: re.Match[str]) -> str:
        kind, number = found[1], int(found[2])
        if kind == "entry" and self.of("journal", number) is None:
            return found[0]
        return record_name(kind, self.named(kind, number))


def record_name(kind: str, number: int) -> str:
    """Return what a record is called in changes: `fact:042`, `episode:7`."""
    return f"{kind}:{number:03}" if kind in _PADDED else f"{kind}:{number}"


def renumbered(name: str, row: Row, numbers: Numbers) -> dict[str, Json]:
    """Return a row that refers to others as they are here. What it refers to and did not come is None."""
    new = dict(row)
    for column, table in REFERENCES.get(name, {}).items():
        new[column] = numbers.of(table, row.get(column))
    if name in SESSIONS:
        new[SESSIONS[name]] = numbers.session(row.get(SESSIONS[name]))
    if name == "facts":
        new["superseded_by"] = numbers.uid(row.get("superseded_by"))
    elif name == "summaries":
        new["lines"] = [_line(one, numbers) for one in _list(row.get("lines"))]
    elif name == "journal":
        new |= _entry(row, numbers)
    return new


def _entry(row: Row, numbers: Numbers) -> dict[str, Json]:
    subject = numbers.session(row.get("subject"))
    after = row.get("after")
    if row.get("kind") == IMPORTED and isinstance(after, dict):
        # Those numbers are of their journal, and all of it came from elsewhere.
        after = {key: value for key, value in after.items() if key != CAME}
    return {
        "subject": numbers.told(subject) if isinstance(subject, str) else subject,
        "text": numbers.told(str(row.get("text") or "")),
        "before": _side(row.get("before"), numbers),
        "after": _side(after, numbers),
    }


def _side(side: Json, numbers: Numbers) -> Json:
    if not isinstance(side, dict):
        return side
    new = {key: _deep(value, numbers) for key, value in side.items() if key != "records"}
    records = side.get("records")
    if isinstance(records, dict):
        new["records"] = {numbers.told(name): _record(name, one, numbers) for name, one in records.items()}
    return new


def _record(name: str, values: Json, numbers: Numbers) -> Json:
    found = _NAME.fullmatch(name)
    if not isinstance(values, dict) or found is None:
        return values
    table = TABLE_OF[found[1]]
    new = renumbered(table, values, numbers) if table != "journal" else dict(values)
    new = {column: value for column, value in new.items() if column in values}
    # A record that went refers to others that may be gone too: to those by the numbers they go by.
    for column, other in REFERENCES.get(table, {}).items():
        number = values.get(column)
        if new.get(column) is None and isinstance(number, int) and other in _KIND_OF:
            new[column] = numbers.named(_KIND_OF[other], number)
    if "uid" in new:
        new["uid"] = numbers.uid(new["uid"])
    return {**new, "id": numbers.named(found[1], int(found[2]))} if "id" in values else new


def _deep(value: Json, numbers: Numbers) -> Json:
    if isinstance(value, str):
        return numbers.session(numbers.uid(numbers.told(value) if _NAME.fullmatch(value) else value))
    if isinstance(value, list):
        return [_deep(one, numbers) for one in value]
    if isinstance(value, Mapping):
        return {key: _deep(one, numbers) for key, one in value.items()}
    return value


def _line(line: Json, numbers: Numbers) -> Json:
    return {**line, "session": numbers.session(line.get("session"))} if isinstance(line, dict) else line


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
