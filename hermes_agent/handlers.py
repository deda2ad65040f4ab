"""What each kind of job does, in one home."""

from collections.abc import Mapping

from hermes_agent.app import App
from hermes_agent.jobs import delivering, deriving, embedding, reflecting, upkeep
from hermes_agent.jobs.worker import Handler
from hermes_agent.memory import distilling, reflections
from hermes_agent.ops.whole.merging import DERIVE
from hermes_agent.store import outbox


def every_handler(app: App) -> Mapping[str, Handler]:
    """Return what each kind of job does."""
    # Imported here: what follows a command needs less of the program.
    from hermes_agent.agent import nudge
    from hermes_agent.jobs import backing_up, review, tidying
    from hermes_agent.memory.tidying import JOB as TIDY

    return {
        **upkeep.handlers(app.memory, app.settings),
        # Comparing all that is kept takes a few seconds: nobody who saved a note should wait for it.
        TIDY: lambda _: tidying.run(app.notebook, app.settings),
        **stepwise_handlers(app),
        **_learning(app),
        "checkpoints": lambda _: upkeep.prune_checkpoints(app.memory, app.checkpoints),
        backing_up.JOB: lambda _: backing_up.run(app.home, app.store, app.settings),
        nudge.REVIEW: lambda job: review.run(app.desk, job),
        outbox.JOB: lambda _: delivering.run(app.store, app.external, delivering.SECONDS),
    }


def stepwise_handlers(app: App) -> Mapping[str, Handler]:
    """Return those of the handlers that can be stopped at any moment: they may run after a command."""
    return {
        **upkeep.stepwise(app.memory, app.settings),
        # The embedder is chosen when the job is there: loading it takes a while.
        embedding.JOB: lambda job: embedding.run(app.store, app.embedder, job, app.cap),
        DERIVE: lambda job: deriving.run(app.memory, job),
        embedding.DROP: lambda _: embedding.drop(app.store),
        distilling.JOB: lambda _: reflecting.distill(app.memory, app.home.skills),
        reflections.FILE: lambda _: reflecting.write_file(app.memory, app.home.reflections),
        outbox.JOB: lambda _: delivering.run(app.store, app.external, delivering.SHORT_SECONDS),
        # A language model may take minutes: it is asked by the daemon and by `hermes jobs run`.
        **(_learning(app) if app.is_light_embedded else {}),
    }


def _learning(app: App) -> dict[str, Handler]:
    from hermes_agent.jobs import compressing, learning
    from hermes_agent.memory.compressing import JOB as COMPRESS
    from hermes_agent.memory.learning import JOB as LEARN

    return {
        COMPRESS: lambda job: compressing.run(app.memory, app.settings, app.light_model, uid=job.uid),
        LEARN: lambda _: learning.run(app.memory, app.light_model, app.curated_notebook),
        reflections.JOB: lambda _: reflecting.run(app.memory, app.light_model),
    }
