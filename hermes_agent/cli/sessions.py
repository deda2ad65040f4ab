"""`hermes sessions`: list, show, search, name, delete and prune conversations."""

from collections.abc import Iterator
from contextlib import closing

import click

from hermes_agent import clock
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened, since_option, until_option
from hermes_agent.cli.output import confirm, examples, print_json, print_table, say
from hermes_agent.cli.transfer import export_sessions, import_sessions
from hermes_agent.config.reader_time import local_time
from hermes_agent.config.settings import SESSIONS_RETENTION_DAYS
from hermes_agent.errors import UsageError
from hermes_agent.memory.listings import listing
from hermes_agent.memory.shown.archive import conversation_json, listed_session_json, session_json, statistics_json
from hermes_agent.recall import payload
from hermes_agent.recall.looking import MOST_RESULTS, Request
from hermes_agent.records.archive import Message
from hermes_agent.records.search import Browsed, Detail, Found, Recent, Sort
from hermes_agent.text.clean import preview, printable
from hermes_agent.text.dates import moment_of
from hermes_agent.text.quantities import size

_source = click.option("--source", metavar="NAME", help="Only sessions from this source (cli, telegram, cron, …).")


@click.group(
    epilog=examples(
        "hermes sessions list --since yesterday",
        'hermes sessions search "docker deployment"',
        "hermes sessions show 20260414_0912",
    )
)
def sessions() -> None:
    """List, show, search and export conversations."""


sessions.add_command(export_sessions)
sessions.add_command(import_sessions)


@sessions.command("list", epilog=examples("hermes sessions list", 'hermes sessions list --since "last monday"'))
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@_source
@since_option
@until_option
@click.option(
    "--all", "is_all", is_flag=True, help="Archived, delegated and tool sessions too, and what programs told."
)
@as_json
@pass_invocation
def list_sessions(
    invocation: Invocation,
    limit: int,
    source: str | None,
    since: str | None,
    until: str | None,
    is_all: bool,
    is_json: bool,
) -> None:
    """List conversations, the last active first."""
    with opened(invocation) as app:
        begin, end = moment_of(since, app.zone, is_end=False), moment_of(until, app.zone, is_end=True)
        rows = app.memory.sessions(listing(source, begin, end, is_all=is_all), limit)
    if is_json:
        print_json([listed_session_json(row) for row in rows])
        return
    if not rows:
        say("No conversations.")
        return
    print_table(
        ["ID", "LAST ACTIVE", "MESSAGES", "SOURCE", "TITLE OR FIRST WORDS"],
        [
            (
                row.session.id,
                local_time(row.session.last_active_at, invocation.settings)[:16],
                row.session.message_count,
                row.session.source,
                row.session.title or preview(row.preview),
            )
            for row in rows
        ],
    )


@sessions.command(epilog=examples("hermes sessions browse", "hermes sessions browse --source telegram --json"))
@click.option(
    "-n", "--limit", default=5, show_default=True, type=click.IntRange(1, MOST_RESULTS), help="How many."
)
@_source
@since_option
@until_option
@as_json
@pass_invocation
def browse(
    invocation: Invocation, limit: int, source: str | None, since: str | None, until: str | None, is_json: bool
) -> None:
    """Show how the latest conversations began."""
    with opened(invocation) as app:
        begin, end = moment_of(since, app.zone, is_end=False), moment_of(until, app.zone, is_end=True)
        rows = app.memory.sessions(listing(source, begin, end, is_all=False), limit)
    if is_json:
        found = Browsed([Recent(row.session, row.preview) for row in rows])
        print_json(payload.browsed(found, app.home.profile, app.zone, payload.NO_MARKS))
        return
    for row in rows:
        when = local_time(row.session.last_active_at, invocation.settings)[:16]
        say(f"{row.session.id}  {when}  {row.session.message_count} messages", is_bold=True)
        if row.session.title:
            say(f"  {printable(row.session.title)}")
        say(f"  {preview(row.preview, 100)}")
    if not rows:
        say("No conversations.")


@sessions.command(
    epilog=examples("hermes sessions show 20260414_091200_1f3a5c", 'hermes sessions show "Atlas launch"')
)
@click.argument("session")
@as_json
@pass_invocation
def show(invocation: Invocation, session: str, is_json: bool) -> None:
    """Show one conversation, named by its id, the start of it, or its title."""
    with opened(invocation) as app:
        found = app.memory.session(session)
        if is_json:
            print_json(conversation_json(found, app.memory.messages(found.id)))
            return
        began = local_time(found.started_at, invocation.settings)
        say(printable(found.title or found.id), is_bold=True)
        say(f"{found.id}  {found.source}  began {began}  {found.message_count} messages")
        with closing(app.memory.messages(found.id)) as messages:
            for message in messages:
                _print_message(invocation, message)


@sessions.command(
    epilog=examples(
        "hermes sessions search docker deployment",
        "hermes sessions search '\"exact phrase\" OR deploy*' --since 2026-04",
        'hermes sessions search "What did I tell you about the auth service?"',
    )
)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-n", "--limit", default=5, show_default=True, type=click.IntRange(1, MOST_RESULTS), help="How many."
)
@click.option("--sort", type=click.Choice(["newest", "oldest"]), help="By time instead of by relevance.")
@click.option(
    "--role", "roles", multiple=True, help="Only these roles (repeatable); user and assistant by default."
)
@click.option("--detail", type=click.Choice(["index", "full"]), default="index", help="With the messages around.")
@_source
@since_option
@until_option
@as_json
@pass_invocation
def search(
    invocation: Invocation,
    query: tuple[str, ...],
    limit: int,
    sort: Sort | None,
    roles: tuple[str, ...],
    detail: Detail,
    source: str | None,
    since: str | None,
    until: str | None,
    is_json: bool,
) -> None:
    """Find conversations by words: all of them, "a phrase", this OR that, NOT this, prefix*."""
    with opened(invocation) as app:
        request = Request(
            " ".join(query),
            limit=limit,
            sort=sort,
            roles=roles or ("user", "assistant"),
            source=source,
            since=moment_of(since, app.zone, is_end=False),
            until=moment_of(until, app.zone, is_end=True),
            detail=detail,
        )
        answer = app.memory.discover(request)
    if is_json:
        print_json(payload.discovered(answer, app.home.profile, app.zone, payload.NO_MARKS))
    for found in () if is_json else answer.results:
        _print_found(invocation, found)
    if answer.message is not None and not is_json:
        say(answer.message, is_error=True)
    if not answer.results:
        raise SystemExit(1)


@sessions.command(epilog=examples("hermes sessions stats", "hermes sessions stats --json"))
@as_json
@pass_invocation
def stats(invocation: Invocation, is_json: bool) -> None:
    """Count what the archive holds and how much room it takes."""
    with opened(invocation) as app:
        counted = app.memory.statistics()
    if is_json:
        print_json(statistics_json(counted))
        return
    say(f"Sessions: {counted.sessions:,}")
    for source, number in counted.by_source.items():
        say(f"  {printable(source)}: {number:,}")
    say(f"Messages: {counted.messages:,}")
    for role, number in counted.by_role.items():
        say(f"  {printable(role)}: {number:,}")
    say(f"Tokens: {counted.input_tokens:,} in, {counted.output_tokens:,} out")
    if counted.first_at is not None and counted.last_at is not None:
        say(f"From: {local_time(counted.first_at, invocation.settings)}")
        say(f"To: {local_time(counted.last_at, invocation.settings)}")
    say(f"DB size: {size(counted.size_bytes)}")


@sessions.command(epilog=examples('hermes sessions rename 20260414_0912 "Atlas launch"'))
@click.argument("session")
@click.argument("title", required=False)
@click.option("--clear", is_flag=True, help="Take the title away.")
@as_json
@pass_invocation
def rename(invocation: Invocation, session: str, title: str | None, clear: bool, is_json: bool) -> None:
    """Give a conversation a title."""
    if clear == (title is not None):
        raise UsageError("Give either a title or --clear.")
    with opened(invocation) as app:
        renamed = app.memory.rename(session, title)
    if is_json:
        print_json(session_json(renamed))
        return
    say(f"{renamed.id}: {printable(renamed.title) if renamed.title else 'no title'}")


@sessions.command(epilog=examples("hermes sessions delete 20260414_0912", "hermes sessions delete ID1 ID2 --yes"))
@click.argument("session", nargs=-1, required=True)
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@as_json
@pass_invocation
def delete(invocation: Invocation, session: tuple[str, ...], yes: bool, is_json: bool) -> None:
    """Delete conversations with their messages, for good."""
    with opened(invocation) as app:
        found = [app.memory.session(name) for name in session]
        count = sum(one.message_count for one in found)
        for one in found:
            say(f"{one.id}  {one.title or ''}  {one.message_count} messages", is_error=True)
        if not confirm(f"Delete {_sessions(len(found))} with {count} messages for good?", yes=yes):
            say("Nothing was deleted.")
            return
        removed = app.memory.delete([one.id for one in found], cause="hermes sessions delete")
    if is_json:
        print_json({"deleted": removed})
        return
    say(f"Deleted {_sessions(removed)}.")


@sessions.command(
    epilog=examples("hermes sessions prune --older-than 90 --dry-run", "hermes sessions prune --yes")
)
@click.option("--older-than", "days", type=click.IntRange(1, 36_500), help="Days since its end.")
@_source
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@as_json
@pass_invocation
def prune(
    invocation: Invocation, days: int | None, source: str | None, dry_run: bool, yes: bool, is_json: bool
) -> None:
    """Delete ended conversations that have been quiet for long; nothing is pruned unless you ask."""
    with opened(invocation) as app:
        age = days or invocation.settings[SESSIONS_RETENTION_DAYS]
        before = clock.now() - age * 86_400 * clock.MICROSECONDS
        old = app.memory.prunable(before, source)
        if is_json and (dry_run or not old):
            print_json({"deleted": 0, "sessions": old})
            return
        if dry_run or not old:
            say(f"{_sessions(len(old))} ended and quiet for {age} days.")
            for session_id in old if dry_run else []:
                say(f"  {session_id}")
            return
        if not confirm(f"Delete {_sessions(len(old))} quiet for {age} days, for good?", yes=yes):
            say("Nothing was deleted.")
            return
        removed = app.memory.delete(old, cause="hermes sessions prune", quiet_since=before)
    if is_json:
        print_json({"deleted": removed, "sessions": old})
        return
    say(f"Deleted {_sessions(removed)}.")


def _sessions(count: int) -> str:
    return "1 session" if count == 1 else f"{count} sessions"


def _print_found(invocation: Invocation, found: Found) -> None:
    when = local_time(found.session.started_at, invocation.settings)[:16]
    title = f"  {printable(found.session.title)}" if found.session.title else ""
    say(f"{found.session.id}  {when}  {found.session.source}{title}", is_bold=True)
    shown = " ".join(printable(found.snippet).split())
    say(f"  {found.matched_role}: {shown}")
    for message in (*found.bookend_start, *found.messages, *found.bookend_end):
        mark = ">" if message.id == found.match_message_id else " "
        say(f"  {mark} {message.role}: {preview(message.content or '', 160)}")


def _print_message(invocation: Invocation, message: Message) -> None:
    when = local_time(message.said_at, invocation.settings)
    name = f" {message.tool_name}" if message.tool_name else ""
    say(f"\n{printable(message.role)}{printable(name)}  {when}", is_dim=True)
    for line in _lines(message):
        say(line)


def _lines(message: Message) -> Iterator[str]:
    yield from printable((message.content or "").replace("\r\n", "\n")).split("\n")
    if isinstance(message.tool_calls, list):
        for call in message.tool_calls:
            yield f"→ {preview(str(call), 200)}"
