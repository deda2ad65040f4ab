"""`hermes memory test / migrate`: try the external memory for real, and move memories from one to another."""

from dataclasses import asdict

import click

from hermes_agent.app import App
from hermes_agent.cli.completed_names import beginning_with, providers
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import confirm, examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.config import settings as names
from hermes_agent.errors import ProviderError, UsageError
from hermes_agent.memory import provider_health
from hermes_agent.memory.external import External
from hermes_agent.ops import provider_moving, provider_trial
from hermes_agent.ops.provider_moving import Moved
from hermes_agent.ops.provider_trial import Trial
from hermes_agent.store import jobs, outbox
from hermes_agent.text.quantities import counted

LOCAL = "local"


def _memories(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return beginning_with(incomplete, [LOCAL, *providers(ctx, param, incomplete)])


@click.command(epilog=examples("hermes memory test", "hermes memory test --json"))
@click.argument("name", required=False, shell_complete=providers)
@as_json
@pass_invocation
def test(invocation: Invocation, name: str | None, is_json: bool) -> None:
    """Keep a sentence in the external memory, find it again, and forget it; say how long each took."""
    with opened(invocation) as app:
        chosen = name or app.settings[names.MEMORY_PROVIDER]
        if chosen is None:
            raise UsageError("There is no external memory.", hint="Choose one: hermes memory setup")
        try:
            trial = follow(provider_trial.try_out(app.open_provider(chosen)))
        except ProviderError as error:
            provider_health.note(app.store, chosen, error.message)
            raise
        provider_health.clear(app.store)
        _bring_now(app)
    if is_json:
        print_json({**asdict(trial), "is_well": trial.is_well})
    else:
        _say(trial)
    if not trial.is_well:
        raise SystemExit(1)


def _bring_now(app: App) -> None:
    """Let what waits for the provider, after its trouble, be brought at once."""
    with app.store.write() as connection:
        for job in jobs.waiting(connection):
            if job.kind == outbox.JOB:
                jobs.retry(connection, job)


def _say(trial: Trial) -> None:
    say(f"{trial.provider} answered in {trial.answered_ms:,.0f} ms.")
    if trial.is_kept is None:
        say("It cannot keep single sentences, so nothing more was tried.")
        return
    found = f"found again after {trial.found_ms:,.0f} ms" if trial.is_found else "not found again"
    say(f"A sentence was kept and {found}.", is_error=not trial.is_found)
    if trial.is_forgotten is None:
        say("It cannot forget single sentences: that one stays there.")
    else:
        gone = "It was forgotten." if trial.is_forgotten else "It should be forgotten, and is still found."
        say(gone, is_error=not trial.is_forgotten)


@click.command(
    epilog=examples(
        "hermes memory migrate --from mem0 --to honcho",
        "hermes memory migrate --from local --to hindsight",
        "hermes memory migrate --from supermemory --to local --dry-run",
    )
)
@click.option(
    "--from",
    "source",
    required=True,
    metavar="NAME",
    shell_complete=_memories,
    help="Where the memories are; local is our own.",
)
@click.option(
    "--to",
    "target",
    required=True,
    metavar="NAME",
    shell_complete=_memories,
    help="Where they go; local is our own.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be copied.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@as_json
@pass_invocation
def migrate(invocation: Invocation, source: str, target: str, dry_run: bool, yes: bool, is_json: bool) -> None:
    """Copy every single memory from one external memory to another, or from and to our own facts.

    Nothing is removed where it came from, and what says the same in both is not copied: doing it twice, or there
    and back, doubles nothing. What comes to us is another program's word beside yours; turns that your archive
    holds do not come, and hermes memory undo takes all of it back. Which one is used does not change: hermes
    memory setup NAME.
    """
    if source == target:
        raise UsageError("Both are the same memory.")
    with opened(invocation) as app:
        there = _opened(app, target)
        texts = provider_moving.texts_of(app.store, _opened(app, source))
        plan = follow(provider_moving.plan(app.notebook, texts, there))
        told = {"from": source, "to": target, "found": len(texts), "dry_run": dry_run}
        question = f"Copy {counted(len(plan.texts), 'memory', 'memories')} from {source} to {target}?"
        if not dry_run and plan.texts and not confirm(question, yes=yes or is_json):
            return
        moved = plan.moved if dry_run else follow(provider_moving.move(app.store, plan, there, source))
    if is_json:
        print_json({**told, **asdict(moved)})
        return
    if dry_run:
        say(f"{source} holds {counted(len(texts), 'memory', 'memories')}.")
    say(_summary(moved, "would be copied" if dry_run else "copied"))


def _summary(moved: Moved, copied: str) -> str:
    parts = [f"{counted(moved.new, 'memory', 'memories')} {copied}", f"{moved.known:,} there already"]
    if moved.turns:
        parts.append(f"{counted(moved.turns, 'turn')} left out that your archive holds")
    if moved.forgotten:
        parts.append(f"{moved.forgotten:,} forgotten here for good and left out")
    return ", ".join(parts) + "."


def _opened(app: App, name: str) -> External | None:
    return None if name == LOCAL else app.open_provider(name)
