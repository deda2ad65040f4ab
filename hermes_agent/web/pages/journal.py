"""The journal: what happened and what changed in memory, each entry with before and after, and the way back."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.errors import ChangedMeanwhile, NotFound, UsageError
from hermes_agent.ids import is_uid
from hermes_agent.memory import difference, events, note_past, undoing
from hermes_agent.memory.difference import NoteDifference
from hermes_agent.memory.undo_choice import Named, choose
from hermes_agent.memory.undoable import can_be_undone, find
from hermes_agent.records.archive import Json
from hermes_agent.records.changes import change_of, taken_back
from hermes_agent.records.journal import EVENTS, Entry
from hermes_agent.records.notes import SUBJECTS, Refused
from hermes_agent.store import journal
from hermes_agent.web import changes, collisions, dates, effects
from hermes_agent.web.asked import Short
from hermes_agent.web.callers import Owner, Reader, TheApp
from hermes_agent.web.navigation import SECTIONS
from hermes_agent.web.paging import Offset
from hermes_agent.web.rendering import render
from hermes_agent.web.returning import came_from

router = APIRouter(prefix="/journal")

_LIMIT = 50
_MOST_DIFFERENT = 500
_MOMENTS = ("_at", "_from", "_to", "_until")
# Looking for words, or for a kind, reads every entry of the time asked for.
_LOOKED_THROUGH = "90 days ago"
What = Literal["all", "events", "changes"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record, as it was and as it is since; None where there was no record."""

    record: str
    name: str
    before: str | None
    after: str | None


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    what: Annotated[What, Query()] = "all",
    kind: Short = "",
    about: Short = "",
    since: Short = "",
    until: Short = "",
    offset: Offset = 0,
    done: Short = "",
) -> Response:
    """Show what happened and what changed, the newest first."""
    begin = since if since.strip() or not (about.strip() or kind.strip()) else _LOOKED_THROUGH
    found, refused = [], None
    try:
        wanted = events.Wanted(
            kind=kind.strip() or None,
            about=about.strip(),
            since=dates.since(app, begin),
            until=dates.until(app, until),
            with_changes=what != "events",
            without_events=what == "changes",
        )
        found = events.find(app.store, wanted, _LIMIT + 1, offset)
    except UsageError as error:
        refused = error
    return render(
        request,
        caller,
        "journal.html",
        error=refused,
        entries=found[:_LIMIT],
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        offset=offset,
        limit=_LIMIT,
        what=what,
        kind=kind,
        about=about,
        since=since,
        until=until,
        is_narrowed=begin != since and refused is None,
        kinds=EVENTS,
        day_of=lambda entry: clock.to_datetime(entry.when, app.zone).date(),
        done=changes.made(app, done),
    )


@router.get("/diff")
def compared(
    request: Request, app: TheApp, caller: Reader, one: Short = "yesterday", other: Short = ""
) -> Response:
    """Show what differs in memory between two moments."""
    found, refused = None, None
    try:
        first = difference.point(app.store, one.strip() or "yesterday", app.zone, is_end=False)
        second = difference.point(app.store, other.strip() or None, app.zone, is_end=True)
        found = (first.at, second.at, difference.differences(app.store, first, second, _MOST_DIFFERENT))
    except UsageError as error:
        refused = error
    return render(
        request,
        caller,
        "journal_diff.html",
        error=refused,
        one=one,
        other=other,
        compared=found,
        written=lambda name, value: _value(app, name, value),
    )


@router.get("/{name}")
def shown(request: Request, app: TheApp, caller: Reader, name: str, done: Short = "") -> Response:
    """Show an entry: who did what and why, before and after."""
    entry = _entry(app, name)
    with app.store.read() as connection:
        noted = note_past.made_by(connection, [entry.uid])
        cause = entry.cause or ""
        because = journal.get(connection, cause) if is_uid(cause) else None
    diffs = [NoteDifference(one.version.note, one.before, one.version.text) for one in noted]
    return render(
        request,
        caller,
        "entry.html",
        entry=entry,
        because=because,
        known=effects.texts(app, _sentences(entry, because)),
        fields=_fields(app, entry),
        diffs=[(SUBJECTS[one.note], one.lines()) for one in diffs],
        beside=_beside(entry),
        can_be_undone=can_be_undone(entry),
        back=taken_back(entry),
        done=changes.made(app, done),
    )


@router.get("/{name}/undo")
def ask_undo(request: Request, app: TheApp, caller: Owner, name: str) -> Response:
    """Show what would be undone, and ask."""
    entry = _entry(app, name)
    with app.store.read() as connection:
        choice = choose(connection, Named(entry.uid))
        chosen = () if isinstance(choice, Refused) else choice.entries
        noted = note_past.made_by(connection, [one.uid for one in chosen])
    return render(
        request,
        caller,
        "entry_undo.html",
        entry=entry,
        refused=choice.error if isinstance(choice, Refused) else None,
        entries=[(one, _effects(app, one)) for one in chosen],
        diffs=[(SUBJECTS[one.version.note], collisions.difference(one.version.text, one.before)) for one in noted],
        also=() if isinstance(choice, Refused) else choice.also,
        back=taken_back,
    )


@router.post("/{name}/undo")
def undo(request: Request, app: TheApp, caller: Owner, name: str) -> Response:
    """Take a change back; an undo that is undone is made again."""
    entry = _entry(app, name)
    app.notebook.reconcile()
    app.sync_skills()
    outcome = undoing.undo(app.notebook, Named(entry.uid))
    if isinstance(outcome, Refused):
        raise _error(outcome)
    app.sync_skills()
    return RedirectResponse(f"{_back(request, outcome.entry_uid)}?done={outcome.entry_uid}", status_code=303)


def _back(request: Request, uid: str) -> str:
    """Return the list that the button stood on, else the page of what was done: what stood there may be gone."""
    page = came_from(request)
    return page.path if page is not None and page.path in _LISTS else f"/journal/{uid}"


_LISTS = {page.path for group in SECTIONS for page in group.pages if page.path != "/"} | {"/episodes/summaries"}


def _error(refused: Refused) -> UsageError:
    return NotFound(refused.error) if refused.reason == "no_match" else ChangedMeanwhile(refused.error)


def _entry(app: App, name: str) -> Entry:
    with app.store.read() as connection:
        found = find(connection, name)
    if isinstance(found, Refused):
        raise NotFound(found.error)
    return found


def _fields(app: App, entry: Entry) -> list[Field]:
    change = change_of(entry)
    if change is None:
        return []
    fields = []
    for name in sorted(change.names):
        before, after = change.before.get(name), change.after.get(name)
        for field in {**(before or {}), **(after or {})}:
            was, now = (None if side is None else _value(app, field, side.get(field)) for side in (before, after))
            if was or now:
                fields.append(Field(name, field.replace("_", " "), was, now))
    return fields


def _effects(app: App, entry: Entry) -> list[str]:
    """Say what holds again and what goes when a change is taken back."""
    change = change_of(entry)
    return [] if change is None else effects.taken_back(change, effects.texts(app, change.names))


def _sentences(*entries: Entry | None) -> list[str]:
    return [one.text for one in entries if one is not None]


def _value(app: App, name: str, value: Json) -> str:
    """Write the value of a field for people."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() if name.endswith(_MOMENTS) and abs(value) < 2**60:
            return clock.written(value, app.zone)
        case str():
            return value
    return json.dumps(value, ensure_ascii=False, indent=1)


def _beside(entry: Entry) -> Sequence[tuple[str, str]]:
    """Return what an entry tells beside records, as JSON."""
    told = []
    for name, side in (("Before", entry.before), ("After", entry.after)):
        rest = {key: one for key, one in side.items() if key != "records"} if isinstance(side, dict) else side
        if rest not in (None, {}, [], ""):
            told.append((name, rest if isinstance(rest, str) else json.dumps(rest, ensure_ascii=False, indent=1)))
    return told
