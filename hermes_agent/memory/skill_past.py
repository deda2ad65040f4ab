"""The past of a skill without lines that were forgotten: the versions in the journal, and their sources. Pure.

Each version loses the lines; one that differs in nothing else is silent since, and an undo skips it. Where nothing
is left of what a skill said, its past begins after that: no undo leads there.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from hermes_agent.learn.learned_skill import without as without_lines
from hermes_agent.memory import skill_sources
from hermes_agent.memory.forgotten import EMPTY, silent, without
from hermes_agent.records.archive import Json
from hermes_agent.records.changes import Values, change_of
from hermes_agent.records.journal import Entry
from hermes_agent.skills.validation import DOCUMENT

_CHANGED = "changed_at"


def left_of(files: Mapping[str, str], gone: Collection[str]) -> dict[str, str]:
    """Return the texts of a skill without lines; none if no request is left in it."""
    if DOCUMENT not in files:
        return dict(files)
    document = without_lines(files[DOCUMENT], gone)
    return {**files, DOCUMENT: document} if document else {}


def retold(
    newest_first: Sequence[Entry], name: str, gone: Collection[str], there: Collection[str], *, is_empty: bool
) -> Iterator[Entry]:
    """Yield the versions of a skill without lines, and without conversations that are not there any more.

    `is_empty`: nothing is left of the skill as it is.
    """
    changed_at: Json = None
    for version in newest_first:
        entry = _with_sources(version, gone, there)
        change = change_of(entry)
        former, latter = ({}, {}) if change is None else (change.before, change.after)
        if name not in former and name not in latter:
            yield entry
            continue
        before, after = _left(former.get(name), gone), _left(latter.get(name), gone)
        is_after_empty = is_empty or _is_emptied(latter.get(name), after)
        is_empty = is_after_empty or _is_emptied(former.get(name), before)
        before, after = _differing(before, after)
        if is_empty or (after is not None and before is not None and not {*before, *after} - {_CHANGED}):
            # The version before it is the one that is as the skill is now.
            changed_at = changed_at if after is None or changed_at is not None else after.get(_CHANGED)
            yield _dropped(entry, name, is_empty=is_after_empty)
            continue
        if after is not None and changed_at is not None:
            after, changed_at = {**after, _CHANGED: changed_at}, None
        yield replace(entry, before=_put(entry.before, name, before), after=_put(entry.after, name, after))


def _dropped(entry: Entry, name: str, *, is_empty: bool) -> Entry:
    left = without(entry, [name])
    if not entry.kind.startswith("skill."):
        return left  # an undo, which says no more than what it undid
    told = left.after if isinstance(left.after, dict) else {}
    return silent(replace(left, after={**told, EMPTY: True}) if is_empty else left)


def _with_sources(entry: Entry, gone: Collection[str], there: Collection[str]) -> Entry:
    sources = skill_sources.of(entry)
    if not sources or not isinstance(entry.after, dict):
        return entry
    told = {name: value for name, value in entry.after.items() if name != skill_sources.SOURCES}
    left = {line: [one for one in ids if one in there] for line, ids in sources.items()}
    left = {line: ids for line, ids in left.items() if ids and line.casefold() not in gone}
    return replace(entry, after={**told, skill_sources.SOURCES: left} if left else told or None)


def _left(values: Values | None, gone: Collection[str]) -> Values | None:
    files = None if values is None else values.get("files")
    if values is None or not isinstance(files, dict):
        return values
    return {**values, "files": left_of(files, gone)}


def _is_emptied(former: Values | None, left: Values | None) -> bool:
    return bool(former and left and former.get("files") and not left["files"])


def _differing(before: Values | None, after: Values | None) -> tuple[Values | None, Values | None]:
    """Return both sides without the texts where these are the same since."""
    if before is None or after is None or before.get("files") != after.get("files"):
        return before, after
    left = [{name: value for name, value in side.items() if name != "files"} for side in (before, after)]
    return left[0], left[1]


def _put(side: Json, name: str, values: Values | None) -> Json:
    records = side.get("records") if isinstance(side, dict) else None
    if values is None or not isinstance(side, dict) or not isinstance(records, dict):
        return side
    return {**side, "records": {**records, name: values}}
