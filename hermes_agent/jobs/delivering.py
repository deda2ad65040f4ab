"""The job `deliver`: tell the external memory what happened, in order, until nothing waits.

A delivery goes when the provider has taken it. When it fails, it and all behind it wait: turn N is there before
turn N + 1. Killed between the two, a turn is brought twice, never not at all.

One that the provider says it will never take (ToolError) is let go of, and the journal tells so: it would keep all
others waiting. One that a service refuses (ProviderUnwilling) is let go of once it has taken another of the same
kind: until then it may refuse everything, and nothing is lost.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from hermes_agent.errors import (
    HermesError,
    ProviderError,
    ProviderRefused,
    ProviderSlow,
    ProviderUnwilling,
    ToolError,
)
from hermes_agent.jobs import pausing
from hermes_agent.memory import deliveries, provider_health
from hermes_agent.memory.deliveries import EndTold, NoteTold, TurnTold
from hermes_agent.memory.external import External
from hermes_agent.ops.steps import Step
from hermes_agent.providers.provider import MemoryProvider
from hermes_agent.providers.telling import tell_change, tell_end, tell_turn
from hermes_agent.providers.watched import Caller
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.outbox import Delivery
from hermes_agent.store import jobs, journal, outbox
from hermes_agent.store.store import Store

SECONDS = 120.0
"""What a provider may take for a turn: some read it with a language model."""
SHORT_SECONDS = 5.0
"""The same after a command, where somebody waits for the prompt: one that takes longer is left to the daemon and
to `hermes jobs run`, or it would be told the same turn after every command."""
_MOST_UNWANTED = 5


@dataclass(frozen=True, slots=True)
class _Unwanted:
    """What a provider did not take, and why."""

    delivery: Delivery
    error: HermesError

    def entry(self, provider: str) -> NewEntry:
        """Return what the journal tells of it."""
        text = f"{provider} did not take a {self.delivery.kind}."
        session_id, reason = self.delivery.session_id, self.error.message
        return NewEntry("provider.refused", provider, text, actor="worker", cause=reason, session_id=session_id)


def run(store: Store, external: External | None, seconds: float) -> Generator[Step, None, None]:
    """Bring what waits, one after the other; without a provider it waits on."""
    if external is None or not external.watched.is_used():
        raise ProviderRefused(
            "The external memory is not used by this process, or cannot be loaded.",
            hint="See: hermes status. After a change of the settings: hermes restart",
        )
    with store.read() as connection:
        total = outbox.count(connection, external.name)
    done = 0
    unwanted: list[_Unwanted] = []
    untold: set[str] = set()
    while (delivery := _next(store, external.name, unwanted)) is not None:
        try:
            is_told = _bring(store, external, delivery, untold, seconds)
        except ProviderUnwilling as error:
            unwanted.append(_Unwanted(delivery, error))
            if len(unwanted) >= _MOST_UNWANTED:
                break
            continue
        except ProviderError as error:
            is_slow = isinstance(error, ProviderSlow) and seconds < SECONDS
            provider_health.note(store, external.name, error.message, is_slow=is_slow)
            raise
        except ToolError as error:
            _let_go(store, external.name, delivery, [_Unwanted(delivery, error)])
            is_told = False
        else:
            known = [one for one in unwanted if is_told and one.delivery.kind == delivery.kind]
            _let_go(store, external.name, delivery, known)
            unwanted = [one for one in unwanted if one not in known]
        if is_told:
            provider_health.note(store, external.name, None)
        done += 1
        yield Step(f"Telling {external.name}", done, max(total, done))
    if unwanted:
        provider_health.note(store, external.name, unwanted[0].error.message)
        raise unwanted[0].error


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


def _next(store: Store, provider: str, unwanted: Sequence["_Unwanted"]) -> Delivery | None:
    with store.read() as connection:
        return outbox.next_for(connection, provider, unwanted[-1].delivery.id if unwanted else 0)


def _let_go(store: Store, provider: str, taken: Delivery, unwanted: Sequence["_Unwanted"]) -> None:
    """Let go of what was taken, and of what never will be; the journal tells of the latter."""
    with store.write() as connection:
        outbox.remove(connection, taken)
        for one in unwanted:
            outbox.remove(connection, one.delivery)
            journal.write(connection, one.entry(provider))


def _bring(store: Store, external: External, delivery: Delivery, untold: set[str], seconds: float) -> bool:
    """Tell of one thing; False if there was nothing to tell, or the provider does not want to hear of such."""
    told = deliveries.read(store, delivery, untold)
    session_id = delivery.session_id or ""
    if told is None or not _listens(external.watched.provider, told):
        return False
    external.watched.ask(lambda one: _tell(one, told, session_id), seconds, Caller(session_id))
    return True


def _listens(provider: MemoryProvider, told: TurnTold | EndTold | NoteTold) -> bool:
    kind = type(provider)
    match told:
        case TurnTold():
            return kind.sync_turn is not MemoryProvider.sync_turn
        case EndTold():
            return kind.on_session_end is not MemoryProvider.on_session_end
        case NoteTold():
            return kind.on_memory_write is not MemoryProvider.on_memory_write


def _tell(provider: MemoryProvider, told: TurnTold | EndTold | NoteTold, session_id: str) -> None:
    match told:
        case TurnTold():
            tell_turn(provider, told.user, told.assistant, session_id, told.messages)
        case EndTold():
            tell_end(provider, told.messages, session_id)
        case NoteTold():
            metadata = {"write_origin": told.actor, "session_id": told.session_id}
            for change in told.changes:
                known = metadata if change.old_text is None else {**metadata, "old_text": change.old_text}
                tell_change(provider, change.action, change.target, change.content, known)
