"""The job `deliver`: tell the external memory what happened, in order, until nothing waits.

A delivery goes when the provider has taken it. When it fails, it and all behind it wait: turn N is there before
turn N + 1. Killed between the two, a turn is brought twice, never not at all. One that the provider says it will
never take (ToolError) is let go of, and the journal tells so: it would keep all others waiting.
"""

from collections.abc import Generator

from hermes_agent.errors import ProviderError, ProviderRefused, ToolError
from hermes_agent.jobs import pausing
from hermes_agent.memory import deliveries, provider_health
from hermes_agent.memory.deliveries import EndTold, NoteTold, TurnTold
from hermes_agent.memory.external import External
from hermes_agent.ops.steps import Step
from hermes_agent.providers.provider import MemoryProvider
from hermes_agent.providers.telling import tell_change, tell_turn
from hermes_agent.providers.watched import Caller
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.outbox import Delivery
from hermes_agent.store import jobs, journal, outbox
from hermes_agent.store.store import Store

SECONDS = 120.0
"""What a provider may take for a turn: some read it with a language model."""
SHORT_SECONDS = 5.0
"""The same after a command, where somebody waits for the prompt."""


def run(store: Store, external: External | None, seconds: float) -> Generator[Step, None, None]:
    """Bring what waits, one after the other; without a provider it waits on."""
    if external is None:
        raise ProviderRefused(
            "The external memory is not used by this process, or cannot be loaded.",
            hint="See: hermes status. After a change of the settings: hermes restart",
        )
    with store.read() as connection:
        total = outbox.count(connection, external.name)
    done = 0
    while (delivery := _next(store, external.name)) is not None:
        refused = None
        try:
            _bring(store, external, delivery, seconds)
        except ProviderError as error:
            provider_health.note(store, external.name, error.message)
            raise
        except ToolError as error:
            refused = _refused(external.name, delivery, error)
        with store.write() as connection:
            outbox.remove(connection, delivery)
            if refused is not None:
                journal.write(connection, refused)
        provider_health.note(store, external.name, None)
        done += 1
        yield Step(f"Telling {external.name}", done, max(total, done))


def enqueue_due(store: Store, provider: str | None) -> None:
    """Add the job if something waits and nobody is to bring it: after one that failed for good, a while later."""
    if provider is None:
        return
    with store.read() as connection:
        is_missing = outbox.next_for(connection, provider) is not None
        is_missing = is_missing and not jobs.open_keys(connection, [outbox.JOB])
        due_at = pausing.due_at(connection, outbox.JOB) if is_missing else None
    if is_missing:
        with store.write() as connection:
            jobs.add(connection, outbox.JOB, outbox.JOB, due_at=due_at)


def _refused(provider: str, delivery: Delivery, error: ToolError) -> NewEntry:
    text = f"{provider} did not take a {delivery.kind}."
    return NewEntry(
        "provider.refused", provider, text, actor="worker", cause=error.message, session_id=delivery.session_id
    )


def _next(store: Store, provider: str) -> Delivery | None:
    with store.read() as connection:
        return outbox.next_for(connection, provider)


def _bring(store: Store, external: External, delivery: Delivery, seconds: float) -> None:
    told = deliveries.read(store, delivery)
    session_id = delivery.session_id or ""
    if told is not None:
        external.watched.ask(lambda one: _tell(one, told, session_id), seconds, Caller(session_id))


def _tell(provider: MemoryProvider, told: TurnTold | EndTold | NoteTold, session_id: str) -> None:
    match told:
        case TurnTold():
            tell_turn(provider, told.user, told.assistant, session_id, told.messages)
        case EndTold():
            provider.on_session_end(told.messages)
        case NoteTold():
            metadata = {"write_origin": told.actor, "session_id": told.session_id}
            for change in told.changes:
                known = metadata if change.old_text is None else {**metadata, "old_text": change.old_text}
                tell_change(provider, change.action, change.target, change.content, known)
