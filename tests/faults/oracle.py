"""Judge a home after a fault: what was acknowledged is there, nothing is there by half, and it goes on.

Three states are compared: *before* the command, *after* an undisturbed run of it, and *now*. What the command does
not touch must be as before; what it does touch must be as before or as after.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from tests.faults.commands import Command
from tests.faults.content import Content
from tests.faults.running import Shell

_PAST = (".journal", ".note_versions", ".receipts")
"""What tells how things came about: a failure and what was done about it are added to it."""


def problems(command: Command, before: Content, after: Content, now: Content) -> Iterator[str]:
    """Name what is lost, changed, or there by half."""
    yield from _rows(before, after, now)
    yield from _files(command, before, after, now)
    if command.is_whole and _without_past(now) not in (_without_past(before), _without_past(after)):
        yield f"half of the rows: {_difference(before, now)} of {_difference(before, after)}"
    for table, count in now.counts.items():
        most = max(before.counts.get(table, 0), after.counts.get(table, 0))
        if count > most and not table.endswith(_PAST):
            yield f"{table}: {count} rows, undisturbed there are {most}"


def unfinished(command: Command, after: Content, now: Content, *, is_again: bool = False) -> Iterator[str]:
    """Name what is missing, or doubled, when a command said that it was done, or was run again.

    The journal tells each of two runs, and a note remembers what was taken back; of one run both tell one.
    """
    differing = _difference(after, now)
    if is_again:
        differing = {name: by for name, by in differing.items() if by < 0 or not name.endswith(_PAST)}
    if differing:
        yield f"not as undisturbed: {differing}"
    for name in sorted(after.files.keys() | now.files.keys()):
        if command.is_fresh(name):
            continue
        if name not in now.files:
            yield f"{name} is missing"
        elif name not in after.files:
            yield f"{name} is left over"
        elif now.files[name] != after.files[name]:
            yield f"{name} differs from an undisturbed run's"


def complaints(shell: Shell, folder: Path, known: frozenset[str], told: str = "") -> Iterator[str]:
    """Let the doctor examine the home; name what it finds beyond what it found without the fault.

    `told` is what it is to say where the command was cut short.
    """
    for one in sorted(findings(shell, folder) - known):
        if not told or told not in one:
            yield f"the doctor says: {one}"


def findings(shell: Shell, folder: Path) -> frozenset[str]:
    """Return what the doctor finds wrong and does not mend, without numbers and places."""
    ran = shell.run(folder, "doctor", "--json")
    if ran.status not in (0, 1) or not ran.stdout.startswith("{"):
        return frozenset({f"nothing ({ran.status}): {ran.stderr.strip()[-300:]}"})
    told = [f"{one['about']}: {one['text']}" for one in json.loads(ran.stdout)["findings"] if _is_wrong(one)]
    # What was made in one copy of the folder names that one, and is looked at in another.
    copies = re.compile(re.escape(str(folder.parent)) + r"/[^/\s;,]+")
    return frozenset(re.sub(r"[\d,.]+", "#", copies.sub("", one)) for one in told)


def _is_wrong(finding: dict[str, str | bool]) -> bool:
    """Tell whether a finding is a fault's; work that is done by itself after the next command is none."""
    is_waiting = str(finding["text"]).endswith("in no episode yet")
    return bool(finding["is_problem"]) and not finding["is_mended"] and not is_waiting


def _rows(before: Content, after: Content, now: Content) -> Iterator[str]:
    for table, rows in before.rows.items():
        present, finally_ = now.rows.get(table, {}), after.rows.get(table, {})
        for key, row in rows.items():
            if key not in present:
                if key in finally_:
                    yield f"{table} {key} is lost"
                continue
            for column, value in row.items():
                becomes = finally_[key][column] if key in finally_ else value
                if present[key][column] != value and becomes == value:
                    yield f"{table} {key}: {column} changed"


def _files(command: Command, before: Content, after: Content, now: Content) -> Iterator[str]:
    for name in before.files.keys() - now.files.keys():
        if name in after.files:
            yield f"{name} is gone"
    for name, data in now.files.items():
        allowed = [one.files[name] for one in (before, after) if name in one.files]
        if command.is_fresh(name):
            continue
        if not allowed:
            yield f"{name} is left under a name of its own"
        elif data not in allowed:
            yield f"{name} is neither as before nor as after: {len(data)} bytes"


def _without_past(content: Content) -> dict[str, int]:
    return {name: count for name, count in content.counts.items() if not name.endswith(_PAST)}


def _difference(first: Content, second: Content) -> dict[str, int]:
    names = first.counts.keys() | second.counts.keys()
    changes = {name: second.counts.get(name, 0) - first.counts.get(name, 0) for name in names}
    return {name: change for name, change in sorted(changes.items()) if change}
