"""The memory of one profile: what doors call. Each change and its journal entry are one transaction."""

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.errors import NotFound
from hermes_agent.ids import new_uid
from hermes_agent.learn.forget import cut
from hermes_agent.memory import meanwhile, quarantine, recording
from hermes_agent.memory.redaction import redacted
from hermes_agent.memory.resumed import Resumed
from hermes_agent.memory.seen import require_same
from hermes_agent.memory.spending import NO_CAP, Cap, history_tokens
from hermes_agent.recall import archive, block, session_search
from hermes_agent.recall.looking import Request
from hermes_agent.recall.payload import Payload
from hermes_agent.records.archive import Json, Message, NewMessage, NewSession, Session, Step
from hermes_agent.records.journal import EVENTS, Entry, NewEntry
from hermes_agent.records.outbox import NewDelivery
from hermes_agent.records.reflections import reflection_number
from hermes_agent.records.search import Discovered
from hermes_agent.records.turn import Begun, FinishedTurn
from hermes_agent.store import (
    jobs,
    journal,
    messages,
    outbox,
    receipts,
    reflections,
    sessions,
    spending,
    statistics,
)
from hermes_agent.store.sessions import Listed, Listing
from hermes_agent.store.statistics import Statistics
from hermes_agent.store.store import Store
from hermes_agent.text.secrets import redact

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder
    from hermes_agent.memory.external import External
    from hermes_agent.memory.recalling import Asked
    from hermes_agent.memory.searching import LookedUp
    from hermes_agent.recall.asking import Reranking, Retrieval
    from hermes_agent.recall.context import Context


class Memory:
    """Sessions and their messages: kept, found, named and deleted."""

    def __init__(
        self,
        store: Store,
        profile: str,
        zone: tzinfo | None = None,
        *,
        embedder: "Callable[[], Embedder | None]" = lambda: None,
        retrieval: "Retrieval | None" = None,
        reranking: "Reranking | None" = None,
        cap: Cap = NO_CAP,
        is_trained: bool = False,
        external: "Callable[[], External | None]" = lambda: None,
        provider: "Callable[[], str | None]" = lambda: None,
    ) -> None:
        """`embedder` and `external` are asked for when something is recalled: loading them takes a while.

        `is_trained`: the trained reader helps the rules. `provider` tells the external memory's name.
        """
        self.store = store
        self.profile = profile
        self.zone = zone
        self.cap = cap
        self.is_trained = is_trained
        self.provider = provider
        self.on_recall: Callable[[float], None] = lambda seconds: None
        """Told how long it took to recall something; whoever watches the server sets it."""
        self._embedder = embedder
        self._external = external
        self._retrieval = retrieval
        self._reranking = reranking

    def begin(self, session: NewSession, receipt: int | None = None) -> str:
        """Begin a session and return its id; one that is there already goes on.

        `receipt` is the last one by the time its prompt was made: if something was forgotten since, the session
        begins without one.
        """
        with self.store.write() as connection:
            is_stale = receipt is not None and receipts.hold_last(connection) > receipt
            return sessions.create(connection, replace(session, system_prompt=None) if is_stale else session)

    def append(
        self, session_id: str, *new: NewMessage, entry: NewEntry | None = None, begun: Begun | None = None
    ) -> list[int]:
        """Keep messages, without the secrets in them, and what the journal says of them; then it is kept.

        `begun` is where their turn began: what was forgotten since is not written.
        """
        clean = [redacted(message) for message in new]
        suspicions = quarantine.suspicions(self.store, session_id, clean)
        with self.store.write() as connection:
            if (look := meanwhile.forgotten_since(connection, begun)) is not None:
                clean = [meanwhile.without(message, look) for message in clean]
                entry = None if entry is None else meanwhile.entry_without(entry, look)
            if not sessions.exists_id(connection, session_id):
                raise NotFound(f"There is no session {session_id}.", hint="Begin it first.")
            if entry is not None:
                journal.write(connection, entry)
            ids = messages.append(connection, self.store.engine, session_id, clean)
            quarantine.keep(connection, session_id, ids, clean, suspicions)
            return ids

    def keep_sent(self, message_id: int, sent: str, begun: Begun | None = None) -> None:
        """Keep beside a message what goes to the model in its place; `begun` as for `append`."""
        with self.store.write() as connection:
            if (look := meanwhile.forgotten_since(connection, begun)) is not None:
                sent = cut(sent, look)
            messages.set_sent(connection, message_id, redact(sent)[0])
            lessons = [reflection_number(item.where) for item in block.read(sent)[0] if item.who == "reflection"]
            reflections.keep_brought(connection, filter(None, lessons), clock.now())

    def finish_turn(self, session_id: str, turn: FinishedTurn) -> int:
        """Keep the answer, its episode, the journal entry, the cost and the jobs that follow; return its id."""
        answer = recording.dated(self.store, redacted(turn.answer))
        answer = replace(answer, uid=answer.uid or new_uid())
        ahead = recording.read_ahead(self.store, self.embedder, session_id, self.zone, answer)
        suspicions = quarantine.suspicions(self.store, session_id, [answer])
        with self.store.write() as connection:
            entry = turn.entry
            if (look := meanwhile.forgotten_since(connection, turn.begun)) is not None:
                answer, entry = meanwhile.without(answer, look), meanwhile.entry_without(entry, look)
                ahead = replace(ahead, prepared={})
            sessions.require(connection, session_id)
            (answer_id,) = messages.append(connection, self.store.engine, session_id, [answer])
            quarantine.keep(connection, session_id, [answer_id], [answer], suspicions)
            usage = turn.usage
            sessions.add_tokens(
                connection,
                session_id,
                input=usage.input,
                output=usage.output,
                cache_read=usage.cache_read,
                cache_write=usage.cache_write,
                reasoning=usage.reasoning,
            )
            recording.record(connection, self.store.engine, session_id, self.zone, ahead)
            journal.write(connection, entry)
            if turn.recall is not None:
                spending.add(connection, turn.recall)
            for job in turn.jobs:
                jobs.add(connection, job.kind, job.key, job.payload)
            if (provider := self.provider()) is not None and turn.request_uid is not None:
                told = NewDelivery(provider, "turn", session_id, turn.request_uid, answer.uid)
                outbox.add(connection, told)
        return answer_id

    @property
    def external(self) -> "External | None":
        """The external memory that is asked beside this one; loading it takes a while."""
        return self._external()

    @property
    def embedder(self) -> "Embedder | None":
        """Who makes the vectors; loading it takes a while."""
        return self._embedder()

    def _catch_up(self, session_id: str) -> None:
        """Give what a session said, and no episode holds, its episodes."""
        ahead = recording.read_ahead(self.store, self.embedder, session_id, self.zone)
        if ahead.prepared:
            with self.store.write() as connection:
                recording.record(connection, self.store.engine, session_id, self.zone, ahead)

    def window(self, session_id: str) -> list[Message]:
        """Return the messages of a session that its model sees."""
        with self.store.read() as connection:
            return messages.window_of(connection, session_id)

    def end(self, session_id: str, reason: str) -> None:
        """End a session; the first reason wins. What a turn that was cut off left without an episode gets one."""
        with self.store.write() as connection:
            session = sessions.require(connection, session_id)
            sessions.end(connection, session.id, reason)
            if (provider := self.provider()) is not None and session.ended_at is None and session.message_count:
                outbox.add(connection, NewDelivery(provider, "ended", session.id))
        self._catch_up(session.id)

    def resume(self, name: str) -> Resumed:
        """Return what a conversation needs to go on: where it goes on, its prompt as sent, its window."""
        with self.store.write() as connection:
            found = sessions.latest_named(connection, name)
            latest = sessions.tip(connection, found.id)
            sessions.reopen(connection, latest)
            session = sessions.require(connection, latest)
            prompt = sessions.prompt_of(connection, session)
            window = messages.window_of(connection, latest)
        return Resumed(session, prompt, window)

    def opened(self, session_id: str) -> Resumed:
        """Return a session as its model sees it, without taking it up again."""
        with self.store.read() as connection:
            session = sessions.require(connection, session_id)
            window = messages.window_of(connection, session.id)
            return Resumed(session, sessions.prompt_of(connection, session), window)

    def steps_backwards(self, session_id: str) -> Generator[Step]:
        """Yield who said something and which tools were wanted, the newest first."""
        with self.store.read() as connection:
            yield from messages.steps_backwards(connection, session_id)

    def compact(
        self,
        session_id: str,
        until: int,
        summary: NewMessage,
        *,
        request: int | None = None,
        begun: Begun | None = None,
    ) -> int:
        """Let a summary stand in the window for the messages up to one; return its id.

        They stay searchable; `request` is the one that stays in the window all the same, `begun` as for `append`.
        """
        with self.store.write() as connection:
            if (look := meanwhile.forgotten_since(connection, begun)) is not None:
                summary = meanwhile.without(summary, look)
            session = sessions.require(connection, session_id)
            window = messages.window_of(connection, session.id)
            leaving = [message for message in window if message.id <= until or message.is_summary]
            compacted = [message.id for message in leaving if message.id != request]
            messages.set_state(connection, self.store.engine, compacted, "compacted")
            (summary_id,) = messages.append(
                connection, self.store.engine, session.id, [redacted(replace(summary, is_summary=True))]
            )
            text = f"{len(compacted)} messages of session {session.id} were compacted into message {summary_id}."
            journal.write(
                connection,
                NewEntry("session.compacted", session.id, text, actor="agent", after={"summary": summary_id}),
            )
        return summary_id

    def rewind(self, session_id: str, to: int) -> int:
        """Take back what was said from one message on: it leaves the window and search. Return how many."""
        # Imported here, as for deleting.
        from hermes_agent.memory import rewinding

        taken_from, count = rewinding.rewind(self.store, session_id, to)
        self._catch_up(taken_from)
        return count

    def keep_prompt(self, session_id: str, prompt: str, receipt: int | None = None) -> None:
        """Give a session that has none the system prompt it goes on with; `receipt` as for `begin`."""
        with self.store.write() as connection:
            if receipt is None or receipts.hold_last(connection) <= receipt:
                sessions.set_prompt(connection, session_id, prompt)

    def has_session(self, session_id: str) -> bool:
        """Tell whether a session is there, by its id."""
        with self.store.read() as connection:
            return sessions.exists_id(connection, session_id)

    def session(self, name: str) -> Session:
        """Return the session a person means by an id, the start of one, or a title."""
        with self.store.read() as connection:
            return sessions.require(connection, name)

    def sessions(self, listing: Listing, limit: int, offset: int = 0) -> list[Listed]:
        """List conversations, the last active first."""
        with self.store.read() as connection:
            return sessions.recent(connection, listing, limit, offset)

    def messages(self, session_id: str) -> Generator[Message]:
        """Yield the messages of a session in order."""
        with self.store.read() as connection:
            yield from messages.of_session(connection, session_id)

    def discover(self, request: Request) -> Discovered:
        """Find the conversations in which something was said."""
        return archive.discover(self.store, request)

    def session_search(self, arguments: Mapping[str, Json], current_session: str | None = None) -> Payload:
        """Answer a call of the tool `session_search`."""
        return session_search.session_search(self.store, arguments, self.profile, self.zone, current_session)

    def recall(
        self,
        said: str,
        session_id: str | None = None,
        *,
        budget_tokens: int | None = None,
        without: Collection[str] = (),
        as_of: int | None = None,
        is_private: bool = False,
    ) -> "Context":
        """Return what memory puts in front of a task; the external memory hears nothing of a private one."""
        from hermes_agent.memory import recalling

        asked = self._asked(budget_tokens, None if is_private else self.external)
        with self._timed():
            return recalling.recall(asked, said, session_id, without, as_of)

    def look_up(
        self,
        said: str,
        session_id: str | None = None,
        *,
        limit: int = 10,
        since: int | None = None,
        until: int | None = None,
    ) -> "LookedUp":
        """Return the facts and exchanges nearest to a question, without those of the session it is asked in."""
        from hermes_agent.memory import recalling

        with self._timed():
            return recalling.look_up(self._asked(), said, session_id, limit=limit, since=since, until=until)

    def _asked(self, budget_tokens: int | None = None, external: "External | None" = None) -> "Asked":
        # Imported here, as above: comparing vectors needs a library that takes long to load.
        from hermes_agent.memory.recalling import Asked
        from hermes_agent.recall.asking import NO_RERANKING, Retrieval

        limits, reranking = self._retrieval or Retrieval(), self._reranking or NO_RERANKING
        if budget_tokens is not None:
            limits = replace(limits, budget_tokens=budget_tokens)
        return Asked(self.store, self.embedder, self.zone, limits, reranking, external)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        begun = clock.monotonic()
        yield
        self.on_recall(clock.monotonic() - begun)

    def history_tokens(self, session_id: str, most: int) -> int:
        """Guess how many tokens all other conversations are, at most `most`."""
        return history_tokens(self.store, session_id, most)

    def rename(
        self, name: str, title: str | None, *, cause: str | None = None, seen: Session | None = None
    ) -> Session:
        """Give a session a title a person chose, or take it away; `seen` is the session as they looked at it."""
        with self.store.write() as connection:
            before = sessions.hold(connection, sessions.require(connection, name))
            require_same(before, seen)
            sessions.rename(connection, before.id, title)
            after = sessions.require(connection, before.id)
            text = (
                f"Session {before.id} is now called {after.title!r}."
                if after.title
                else f"Session {before.id} has no title now."
            )
            journal.write(
                connection,
                NewEntry("session.renamed", before.id, text, cause=cause, before=before.title, after=after.title),
            )
            return after

    def delete(
        self, session_ids: Sequence[str], cause: str, quiet_since: int | None = None, seen: Session | None = None
    ) -> int:
        """Delete sessions with their messages and all that was made of them; return how many sessions went.

        With `quiet_since` a session that was taken up again, or pinned, since it was chosen stays. `seen` is the
        one session as its owner looked at it.
        """
        # Imported here: it tells what is alike, and most commands delete nothing.
        from hermes_agent.memory import deleting

        return deleting.delete(self.store, session_ids, cause, quiet_since, seen)

    def prunable(self, before: int, source: str | None = None) -> list[str]:
        """Return the ended sessions that nobody spoke in since `before`."""
        with self.store.read() as connection:
            return sessions.prunable(connection, before, source)

    def statistics(self) -> Statistics:
        """Count what the archive holds."""
        with self.store.read() as connection:
            return statistics.count(connection, self.store.engine)

    def log(
        self,
        limit: int,
        *,
        kind: str | None = None,
        subject: str | None = None,
        since: int | None = None,
        until: int | None = None,
        offset: int = 0,
    ) -> list[Entry]:
        """Return what changed, the newest first; events only when they are asked for."""
        without = EVENTS if kind is None else ()
        with self.store.read() as connection:
            times = {"since": since, "until": until}
            return journal.recent(
                connection, limit, kind=kind, without=without, subject=subject, offset=offset, **times
            )
