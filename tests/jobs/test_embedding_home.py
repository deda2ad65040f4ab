"""A whole home embeds with the embedder of its settings, and keeps its copies in its own cache folder."""

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.handlers import every_handler
from hermes_agent.jobs import embedding as job
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import embedding
from hermes_agent.store import fingerprints
from tests.jobs.test_embedding import talk


def test_what_was_said_is_found_by_its_meaning_once_the_jobs_have_run(own_home: Home) -> None:
    ensure(own_home)
    app = App(own_home, load(own_home))
    embedder = app.embedder
    assert embedder is not None
    made = talk(app.store, 300)
    assert job.enqueue_due(app.store, embedder)
    endings = {outcome.job.kind: outcome.ending for outcome in run_due(app.store, every_handler(app))}
    assert endings[embedding.JOB] == "done"
    assert not embedding.health(app.store, embedder).is_behind
    with app.store.read() as connection:
        used = fingerprints.current(connection, embedder.fingerprint)
        assert used is not None and used.is_complete
        wanted = embedder.embed_query("tell me of the glacier13, the glacier13 is old")
        found = app.store.engine.match_vectors(connection, used, wanted, 3)
    assert made[13] in [near.item for near in found.items]
    assert [file.suffix for file in own_home.cache.glob("vectors-*")] == [".i8"]
    app.close()
