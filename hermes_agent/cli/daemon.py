"""`hermes start`, `stop` and `restart`: the daemon of a home."""

import click

from hermes_agent.app import App
from hermes_agent.cli import passphrases
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import opened
from hermes_agent.cli.output import examples, say
from hermes_agent.config import encryption, paths, pid_file
from hermes_agent.config.pid_file import Daemon
from hermes_agent.config.reader_time import local_time
from hermes_agent.daemon import log, process, serving
from hermes_agent.errors import HermesError, LockedHome
from hermes_agent.jobs import worker
from hermes_agent.jobs.alive import worker_name
from hermes_agent.store import jobs
from hermes_agent.text.clean import printable
from hermes_agent.text.quantities import counted

_LAST_SECONDS = 5.0

_timeout_option = click.option(
    "--timeout",
    "timeout_seconds",
    metavar="SECONDS",
    type=click.FloatRange(0, 86_400),
    default=30.0,
    show_default=True,
    help="How long the job that runs may take to end; then it is given back.",
)
_force_option = click.option("--force", "is_forced", is_flag=True, help="Kill the daemon if it does not end.")


@click.command(epilog=examples("hermes start", "hermes -p work start", "hermes start --foreground"))
@click.option("--foreground", "is_foreground", is_flag=True, help="Stay here and log to stderr: systemd, docker.")
@click.option("--detached", "is_detached", is_flag=True, hidden=True)
@pass_invocation
def start(invocation: Invocation, is_foreground: bool, is_detached: bool) -> None:
    """Start the daemon of this profile in the background; it does the work that follows.

    Without it, short work is done after the commands that cause it. Settings are read at the start: after
    a change run `hermes restart`.
    """
    if is_foreground or is_detached:
        _serve(invocation, is_detached=is_detached)
    else:
        _launch(invocation)


@click.command(epilog=examples("hermes stop", "hermes stop --timeout 5 --force"))
@_timeout_option
@_force_option
@pass_invocation
def stop(invocation: Invocation, timeout_seconds: float, is_forced: bool) -> None:
    """Stop the daemon, and fold everything into the store's one file, so that a copy of it is whole.

    The job that runs comes to its end first, or is given back after the timeout. Also without a daemon the
    store is made whole.
    """
    _stop(invocation, timeout_seconds, is_forced=is_forced)


@click.command(epilog=examples("hermes restart", "hermes restart --timeout 5"))
@_timeout_option
@_force_option
@pass_invocation
def restart(invocation: Invocation, timeout_seconds: float, is_forced: bool) -> None:
    """Stop the daemon if it runs, and start it with the settings of now."""
    _stop(invocation, timeout_seconds, is_forced=is_forced)
    _launch(invocation)


def _serve(invocation: Invocation, *, is_detached: bool) -> None:
    """Be the daemon."""
    home = invocation.home
    paths.ensure(home)
    daemon = pid_file.this_process(worker_name())
    with pid_file.hold(home, daemon) as before, opened(invocation) as app:
        if is_detached:
            log.to_file(home)
        else:
            log.to_stderr()
        is_clean = serving.serve(app, daemon, before, lambda: process.detach(home) if is_detached else None)
    if not is_clean:
        process.leave()  # a thread that hangs would keep the process


def _launch(invocation: Invocation) -> None:
    home, settings = invocation.home, invocation.settings
    found = pid_file.running(home)
    if found is None:
        launched = process.launch(home, passphrases.for_daemon(home))
        if launched.code is None:
            click.echo(launched.said, nl=False, err=True)
            say(f"The daemon runs in the background (pid {launched.pid}). Log: {home.daemon_log}")
            _say_address(pid_file.running(home))
            return
        found = pid_file.running(home)  # somebody else may have been faster
        if found is None:
            click.echo(launched.said, nl=False, err=True)
            raise SystemExit(launched.code or 1)
    say(f"The daemon runs already (pid {found.pid}), since {local_time(found.started_at, settings)}.")
    _say_address(found)


def _say_address(daemon: Daemon | None) -> None:
    """Tell where the dashboard is, or why there is none; nothing where none is wanted."""
    if daemon is None:
        return
    if daemon.address is not None:
        say(f"Dashboard: {daemon.address} (open it: hermes dashboard)")
    elif daemon.web_trouble is not None:
        click.echo(f"There is no dashboard. {printable(daemon.web_trouble)}", err=True)


def _stop(invocation: Invocation, timeout_seconds: float, *, is_forced: bool) -> None:
    home = invocation.home
    ended = pid_file.running(home)
    if ended is None:
        say("No daemon runs.")
    else:
        _end(invocation, ended, timeout_seconds, is_forced=is_forced)
        say(f"The daemon (pid {ended.pid}) has ended.")
    try:
        # Nobody is asked: whoever ends a daemon need not know the passphrase.
        encryption.unlock(home)
    except LockedHome as error:
        say(f"{error.message} Its log is folded into the database by the next command that has the key.")
        return
    with opened(invocation) as app:
        _take_back(app, ended)
        with app.store.bare() as connection:
            is_whole = app.store.engine.fold(connection)
        engine, place = app.store.engine.name, app.store.engine.place
    if not is_whole:
        raise HermesError(
            f"Another process is at work in {place}: a copy of the file alone would not be whole.",
            hint="End it, then run once more: hermes stop",
        )
    if engine == "sqlite":
        say(f"Everything is in {place}.")


def _end(invocation: Invocation, daemon: Daemon, timeout_seconds: float, *, is_forced: bool) -> None:
    home = invocation.home
    process.ask_to_end(daemon)
    if process.has_ended(home, daemon, timeout_seconds):
        return
    process.insist(daemon)
    if process.has_ended(home, daemon, _LAST_SECONDS):
        return
    if is_forced:
        process.kill(daemon)
        if process.has_ended(home, daemon, _LAST_SECONDS):
            return
    raise HermesError(
        f"The daemon (pid {daemon.pid}) does not end.",
        hint="Kill it with: hermes stop --force" if not is_forced else f"See: ps -fp {daemon.pid}",
    )


def _take_back(app: App, ended: Daemon | None) -> None:
    """Give back what a daemon still held that we ended, or that died before."""
    left = pid_file.written(app.home)
    if left is None or pid_file.running(app.home) is not None:
        return
    if left == ended:
        given_back = worker.release(app.store, left.worker)
        if given_back:
            say(f"{counted(len(given_back), 'job')} given back; what was begun goes on later.")
    else:
        with app.store.write() as connection:
            jobs.end_leases(connection, left.worker)
        when = local_time(left.started_at, app.settings)
        say(f"The daemon of {when} (pid {left.pid}) had been killed; its jobs begin anew.")
    pid_file.forget(app.home)
