"""Where the memory is, how large, and whether a change would be kept there."""

from contextlib import suppress

from hermes_agent.app import App
from hermes_agent.config import full_disk
from hermes_agent.config.paths import cache_trouble
from hermes_agent.errors import HermesError, StoreBusy, StoreFull
from hermes_agent.records.archive import Json
from hermes_agent.records.status import Line
from hermes_agent.store.migrate import HEAD
from hermes_agent.text.quantities import size


def store(app: App) -> list[Line]:
    """Tell where the memory is, how large, and why nothing is kept or copied there."""
    with app.store.read() as connection:
        condition = app.store.engine.inspect(connection, is_thorough=False)
    engine = app.store.engine
    refused = _refusal(app)
    value: Json = {
        "engine": engine.name,
        "version": condition.version,
        "place": engine.place,
        "shape": HEAD,
        "size_bytes": condition.size_bytes,
        "trouble": None if refused is None else refused.message,
    }
    text = f"{condition.version}, {engine.place}, {size(condition.size_bytes)}"
    if refused is None:
        return [Line("Store", text, value, cache_trouble(app.home))]
    advice = "Make room there; until then nothing new is kept." if isinstance(refused, StoreFull) else refused.hint
    return [Line("Store", f"{text}. {refused.message}", value, advice or "Read the message above.")]


def _refusal(app: App) -> HermesError | None:
    """Try what keeps a change from being made; that another writes now is no trouble."""
    try:
        with suppress(StoreBusy):
            app.store.seek_room(is_doubtful=full_disk.is_near(app.home.root))
    except HermesError as error:
        return error
    return None
