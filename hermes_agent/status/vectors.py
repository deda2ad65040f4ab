"""How the embedder is: whose vectors are used, how many are missing, and what to do about it."""

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory import embedding, reembedding
from hermes_agent.memory.embedding import Health
from hermes_agent.records.archive import Json
from hermes_agent.records.status import Line
from hermes_agent.store import jobs


def embedder(app: App) -> list[Line]:
    """Tell who turns text into vectors, how far that is, and what hinders it."""
    chosen = app.embedder_choice
    value: dict[str, Json] = {"name": None, "notices": list(chosen.notices)}
    if chosen.problem is not None:
        advice = chosen.problem.hint or "See the settings memory.embeddings.*: hermes config show"
        return [Line("Embedder", f"{chosen.problem.message} Memory is found by its words.", value, advice)]
    if chosen.embedder is None:
        return [Line("Embedder", "none; memory is found by its words", value)]
    found = embedding.health(app.store, chosen.embedder)
    value |= {
        "name": chosen.embedder.name,
        "wanted": found.wanted,
        "used": found.used,
        "done": found.done,
        "total": found.total,
        "trouble": found.trouble,
        "trouble_at": None if found.trouble_at is None else clock.iso(found.trouble_at),
    }
    told = [f"{found.wanted}, {found.done:,} of {found.total:,} vectors"]
    told += [f"until they are all there those of {found.used} are used"] if _is_other(found) else []
    told += [] if found.trouble is None else [f"{_when(found, app)}{found.trouble}"]
    line = Line("Embedder", "; ".join([*told, *chosen.notices]), value, _embedder_advice(app, found))
    return [line, *_dropped(app)]


def _is_other(found: Health) -> bool:
    return found.used is not None and found.used != found.wanted


def _dropped(app: App) -> list[Line]:
    """Tell that the last change of the embedder made recall worse; nothing if it did not."""
    dropped = reembedding.trouble(app.store)
    advice = (
        "Go back to the embedder before (memory.embeddings.*), or keep this one: hermes memory selftest accept"
    )
    return [] if dropped is None else [Line("Recall", dropped, {"dropped": dropped}, advice)]


def _when(found: Health, app: App) -> str:
    return "" if found.trouble_at is None else f"at {local_time(found.trouble_at, app.settings)}: "


def _embedder_advice(app: App, found: Health) -> str | None:
    """Say what to do about vectors that are not made; those that somebody is about to make are no trouble."""
    with app.store.read() as connection:
        is_waiting = bool(jobs.open_keys(connection, [embedding.JOB]))
        last = jobs.recent(connection, 1, kind=embedding.JOB)
    if found.trouble is None:
        return "Make them: hermes jobs run" if found.is_behind and not is_waiting else None
    if not is_waiting or not last:
        return "When that is mended: hermes jobs run"
    # What was put off is not due yet.
    return f"It is tried again by and by; at once by: hermes jobs retry {last[0].id} && hermes jobs run"
