"""`hermes memory search`: find what is remembered, whatever it is kept as."""

import sys
from itertools import groupby
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened, since_option, until_option
from hermes_agent.cli.output import examples, folded, print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.errors import UsageError
from hermes_agent.memory import asked_search
from hermes_agent.memory.asked_search import Wishes
from hermes_agent.memory.searching import TOGETHER, TYPES, Match, Searched, Type
from hermes_agent.memory.shown.matches import searched_json
from hermes_agent.recall.reasons import signals_of
from hermes_agent.records.archive import UNTRUSTED
from hermes_agent.text.clean import printable
from hermes_agent.text.quantities import counted, days_text

if TYPE_CHECKING:
    from hermes_agent.config.load import Settings


@click.command(
    epilog=examples(
        'hermes memory search "Atlas project"',
        'hermes memory search --type facts "deadline"',
        'hermes memory search "what did we decide about the release?" --since "last month" --explain',
        'hermes memory search --as-of 2026-03-01 "which database do we use" --json',
    )
)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-t",
    "--type",
    "type_",
    type=click.Choice(TYPES),
    help=f"Only this; {', '.join(TOGETHER)} if not given.",
)
@click.option(
    "-n", "--limit", default=10, show_default=True, type=click.IntRange(1, 1_000), help="Most of each type."
)
@since_option
@until_option
@click.option("--as-of", metavar="DATE", help="What memory would have answered then.")
@click.option("--all", "is_all", is_flag=True, help="Also what is far from the question.")
@click.option("--explain", is_flag=True, help="Say why each was found, and what could not be looked at.")
@as_json
@pass_invocation
def search(
    invocation: Invocation,
    query: tuple[str, ...],
    type_: Type | None,
    limit: int,
    since: str | None,
    until: str | None,
    as_of: str | None,
    is_all: bool,
    explain: bool,
    is_json: bool,
) -> None:
    """Find what is remembered, by its words and by its meaning, the best first.

    Exit code 1 if nothing was found. Notes and skills have no dates: with --since or --until they are left
    out, and with --as-of the skills are.
    """
    said = " ".join(query).strip()
    if not said:
        raise UsageError("There is nothing to look for.", hint='Say what: hermes memory search "…"')
    with opened(invocation) as app:
        wishes = Wishes(said, () if type_ is None else (type_,), limit, since, until, as_of, with_weak=is_all)
        found = asked_search.search(app, wishes)
    if found.troubles:
        say(f"Not everything could be looked at: {' '.join(found.troubles)}", is_error=True)
    if is_json:
        print_json(searched_json(said, found, with_reasons=explain))
    else:
        _print(found, invocation.settings, with_reasons=explain)
    if not found.matches:
        raise SystemExit(1)


def _print(found: Searched, settings: "Settings", *, with_reasons: bool) -> None:
    is_first = True
    for type_, matches in groupby(found.matches, lambda match: match.type):
        if len(found.types) > 1:
            say(f"{'' if is_first else chr(10)}{type_.capitalize()}", is_bold=True)
            is_first = False
        for match in matches:
            say(_heading(match, settings))
            _say_folded(f"  {match.shown}")
            for line in _reasons(match) if with_reasons else ():
                _say_folded(f"    {line}")
    if with_reasons and found.compared:
        by = "their words alone" if found.fingerprint is None else f"words and vectors of {found.fingerprint}"
        days = "" if found.days is None else f" Days asked for: {days_text(found.days)}."
        say(f"\n{counted(found.compared, 'message')} compared, by {by}.{days}", is_dim=True)
    if found.advice is not None:
        say(found.advice, is_error=True)


def _heading(match: Match, settings: "Settings") -> str:
    """Write what a match is: its name, when it was said, by whom, where, and how well it fits."""
    source = None if match.hit is None else match.hit.source_class
    end = None if match.hit is None else match.hit.valid_to
    parts = [
        f"[{match.name}]",
        "" if match.at is None else local_time(match.at, settings)[:16],
        "" if end is None else f"until {local_time(end - 1, settings)[:10]}",
        match.who,
        f"({source})" if source in UNTRUSTED and source != match.who else "",
        f"session {match.session_id}" if match.session_id not in (None, match.name) else "",
        "" if match.relevance is None else f"relevance {match.relevance:.2f}",
    ]
    return "  ".join(part for part in parts if part)


def _reasons(match: Match) -> list[str]:
    hit = match.hit
    if hit is None:
        return []
    near = "" if hit.cosine is None else f", cosine {hit.cosine:.2f}"
    given = signals_of(hit)
    lines = [f"score {hit.score:.2f}{near}, brought by: {', '.join(hit.passes) or 'its words'}"]
    return [*lines, f"signals: {', '.join(given)}"] if given else lines


def _say_folded(text: str) -> None:
    text = printable(text)
    say(folded(text) if sys.stdout.isatty() else text)
