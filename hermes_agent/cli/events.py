"""`hermes memory events`: what was asked, done and decided, and what came of it."""

from collections.abc import Sequence

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened, since_option, until_option
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory.events import Wanted, count_changes, find, mark_of
from hermes_agent.memory.shown.journal import entry_json
from hermes_agent.records.journal import EVENTS, Entry
from hermes_agent.text.clean import preview
from hermes_agent.text.dates import moment_of
from hermes_agent.text.quantities import counted

_LONGEST = 400
_ANSWERED = "turn.answered"
_IN_ONE_LINE = 50


@click.command(
    epilog=examples(
        'hermes memory events --since "last tuesday"',
        'hermes memory events --since "3 march" --until "3 march"',
        "hermes memory events --kind decision --about postgres",
        "hermes memory events --all --limit 50 --json",
    )
)
@since_option
@until_option
@click.option(
    "--kind", help=f"Only of this kind: {', '.join(EVENTS)}, turn.failed, …; also a change's: fact, note."
)
@click.option("--about", metavar="WORDS", default="", help="Only what these words are in, whatever their endings.")
@click.option("--session", "session", metavar="ID", help="Only of this session.")
@click.option("--all", "is_all", is_flag=True, help="Also every change of memory.")
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@as_json
@pass_invocation
def events(
    invocation: Invocation,
    since: str | None,
    until: str | None,
    kind: str | None,
    about: str,
    session: str | None,
    is_all: bool,
    limit: int,
    is_json: bool,
) -> None:
    """List what happened, the newest first: requests and how they ended, deeds of tools, decisions with their
    reasons, results and failures.
    """
    with opened(invocation) as app:
        wanted = Wanted(
            kind=kind,
            about=about,
            since=moment_of(since, app.zone, is_end=False),
            until=moment_of(until, app.zone, is_end=True),
            session_id=None if session is None else app.memory.session(session).id,
            with_changes=is_all,
        )
        # The requests of a conversation stand in one line: of many entries few lines are made.
        is_grouped = kind is None and not is_json
        found = find(app.store, wanted, limit * _IN_ONE_LINE if is_grouped else limit)
        # Whoever asks for a day may mean what was learned on it.
        is_of_days = is_grouped and not is_all and not session and not about and bool(since or until)
        changes = count_changes(app.store, wanted) if is_of_days else 0
    if is_json:
        print_json([entry_json(entry) for entry in found])
        return
    # Asked for by their kind, requests are listed one by one.
    for some in _together(found)[:limit] if kind is None else [[entry] for entry in found]:
        say(f"{local_time(some[0].when, invocation.settings)}  {some[0].kind}  {_told(some)}")
    if not found:
        is_filtered = any((kind, about, since, until, session))
        say("Nothing that happened matches." if is_filtered else "The journal holds no events yet.")
    if changes:
        are = "is" if changes == 1 else "are"
        say(f"{counted(changes, 'change')} of memory {are} not listed: --all", is_error=True)


def _together(found: Sequence[Entry]) -> list[list[Entry]]:
    """Put the answered requests of a conversation into one line, where the first of them stands."""
    lines: list[list[Entry]] = []
    answered: dict[str, list[Entry]] = {}
    for entry in reversed(found):
        if entry.kind == _ANSWERED and entry.session_id is not None:
            if entry.session_id in answered:
                answered[entry.session_id].append(entry)
                continue
            answered[entry.session_id] = [entry]
            lines.append(answered[entry.session_id])
        else:
            lines.append([entry])
    return lines[::-1]


def _told(some: Sequence[Entry]) -> str:
    entry = some[0]
    reason = f" ({preview(entry.cause, _LONGEST)})" if entry.cause else ""
    more = f" So {'was' if len(some) == 2 else 'were'} {len(some) - 1} more." if len(some) > 1 else ""
    mark = mark_of(entry)
    place = f"  [{', '.join(part for part in (entry.session_id, mark) if part)}]" if entry.session_id else ""
    return f"{preview(entry.text, _LONGEST)}{reason}{more}{place}"
