"""What follows a command when no daemon runs: due jobs, for a moment, after the output.

Only those run that can be stopped at any moment (`handlers.stepwise_handlers`): nobody who saved a note should
wait for a vacuum. The schedule is the daemon's, and `hermes jobs run`'s; but a conversation that is over is
learned from, what a killed turn left gets its episode, and a switch of the embedder takes effect, here too: there
may never be a daemon.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.output import say
from hermes_agent.config import pid_file
from hermes_agent.config.settings import MEMORY_CURATE_USER_NOTE, NO_JOBS
from hermes_agent.errors import HermesError
from hermes_agent.handlers import stepwise_handlers
from hermes_agent.jobs import delivering, embedding, episodes, learning, reflecting, worker
from hermes_agent.memory import provider_health
from hermes_agent.store import jobs, outbox
from hermes_agent.text.quantities import counted

LIMIT_SECONDS = 2.0


def run_jobs(invocation: Invocation) -> None:
    """Run what is due for two seconds at most, and say so in a line on stderr if anything was done.

    Nothing here changes how the command ended: Ctrl-C gives the job back, and a failure is told.
    """
    if invocation.settings[NO_JOBS]:
        return
    app = App(invocation.home, invocation.settings)
    try:
        line = None if pid_file.running(app.home) else _run(app)
    except KeyboardInterrupt:
        return
    except HermesError as error:
        line = f"No jobs were run: {error.message}"
    finally:
        app.close()
    if line is not None:
        say(line, is_error=True)


def _run(app: App) -> str | None:
    end = clock.monotonic() + LIMIT_SECONDS
    # Where nobody was chosen the first job decides: asking for the embedder loads its library.
    if embedding.was_chosen(app.store) and app.embedder is not None:
        embedding.enqueue_due(app.store, app.embedder)
    episodes.enqueue_missing(app.store)
    learning.enqueue_due(app.memory, is_curating=app.settings[MEMORY_CURATE_USER_NOTE])
    reflecting.enqueue_due(app.memory)
    reflecting.enqueue_file(app.memory, app.home.reflections)
    delivering.enqueue_due(app.store, app.provider)
    endings: Counter[str] = Counter()
    for handlers in _in_turn(app):
        for outcome in worker.run_due(app.store, handlers, is_over=lambda: clock.monotonic() >= end):
            endings["failed" if outcome.is_trouble else outcome.ending] += 1
    if not endings:
        return None
    with app.store.read() as connection:
        waiting = jobs.counts(connection).get("waiting", 0)
    told = [counted(endings["done"], "job") + " done"]
    told += [f"{endings['failed']} failed"] if endings["failed"] else []
    told += [f"{endings['capped']} capped until tomorrow"] if endings["capped"] else []
    told += [f"{waiting} waiting"] if waiting else []
    return f"{', '.join(told)}: hermes jobs list"


def _in_turn(app: App) -> Iterator[Mapping[str, worker.Handler]]:
    """Yield what does jobs: first for our own memory, then for the external one, which may be slow."""
    handlers = dict(stepwise_handlers(app))
    tell = {outbox.JOB: handlers.pop(outbox.JOB)}
    yield handlers
    if app.provider is not None and not provider_health.is_slow(app.store, app.provider):
        yield tell
