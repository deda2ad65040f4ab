"""What happened: events of the journal found by time, kind and words, recorded by the agent, and told by the user.

What the user told becomes an event when its session is learned from, at the moment it was said and in the words it
was said in. Words of others are no events: they are not what happened here.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, time, tzinfo
from itertools import islice
from typing import Literal

from hermes_agent import clock
from hermes_agent.errors import UsageError
from hermes_agent.learn import attributes
from hermes_agent.learn.matching import all_stems, beginning_of, topic_words
from hermes_agent.learn.outcomes import read_outcomes
from hermes_agent.learn.reasons import with_reason
from hermes_agent.learn.sentences import sentences
from hermes_agent.memory import note_grounds
from hermes_agent.records.archive import UNTRUSTED, Message
from hermes_agent.records.journal import EVENTS, Entry, NewEntry
from hermes_agent.records.learning import Again, Passed
from hermes_agent.records.learning import Outcome as Learned
from hermes_agent.store import journal, messages, quarantine
from hermes_agent.store.engine import Connection
from hermes_agent.store.journal import Outline
from hermes_agent.store.store import Store
from hermes_agent.text.clean import preview
from hermes_agent.text.time_phrases import told_span
from hermes_agent.text.words import fold

Recorded = Literal["decision", "result", "failure", "remark"]
KINDS: dict[Recorded, str] = {
    "decision": "decision.made",
    "result": "result.reached",
    "failure": "failure.met",
    "remark": "remark.made",
}
"""What may be recorded, and the kind the journal gives it."""
_LONGEST = 300
_MOST_BEGINNINGS = 8
_AROUND = " \t,;.!(–—-"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events: without a kind all of them, `with_changes` also the changes of memory."""

    kind: str | None = None
    about: str = ""
    """Every word of it that says something must be in the event or its reason."""
    since: int | None = None
    until: int | None = None
    session_id: str | None = None
    with_changes: bool = False
    without_events: bool = False
    """Only the changes of memory; asked for together with them."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event as the user told it, in their words."""

    kind: str
    text: str
    reason: str


def find(store: Store, wanted: Wanted, limit: int, offset: int = 0) -> list[Entry]:
    """Return what happened, the newest first, without the first `offset`; refuse a kind that nothing is of."""
    kinds = (wanted.kind.lower(),) if wanted.kind is not None else () if wanted.with_changes else EVENTS
    times = {"since": wanted.since, "until": wanted.until}
    with store.read() as connection:
        without = EVENTS if wanted.without_events else ()
        # Without words to look for, the store passes over them faster.
        passed = 0 if wanted.about else offset
        looked_at = journal.happened(
            connection,
            kinds,
            **times,
            session_id=wanted.session_id,
            without=without,
            beginnings=_beginnings(wanted.about),
            offset=passed,
        )
        # Closed at once: a reading that is left open holds a cursor on the server.
        with closing(looked_at) as every:
            ids = [one.id for one in islice(_about(wanted.about, every), offset - passed, offset - passed + limit)]
        if not ids and not offset and wanted.kind is not None:
            _require_kind(connection, wanted.kind)
        return journal.get_many(connection, ids)


def _beginnings(about: str) -> list[str]:
    """Return how the words begin that an event must hold; the store looks for the longest, and for no more.

    Each is looked for in every event, and all of them are looked for in what is left (`_about`).
    """
    found = {one for one in map(beginning_of, topic_words(about)) if one}
    return sorted(found, key=lambda one: (-len(one), one))[:_MOST_BEGINNINGS]


def count_changes(store: Store, wanted: Wanted) -> int:
    """Count the changes of memory in the time asked for: they are no events."""
    with store.read() as connection:
        return journal.count_changes(connection, wanted.since, wanted.until)


def _require_kind(connection: Connection, kind: str) -> None:
    families = {one.partition(".")[0] for one in journal.kinds(connection)} | set(EVENTS)
    if kind.lower().partition(".")[0] not in families:
        raise UsageError(
            f"The journal knows no kind {preview(kind)!r}.", hint=f"There are: {', '.join(sorted(families))}."
        )


def record(
    store: Store,
    kind: Recorded,
    text: str,
    reason: str | None,
    session_id: str | None,
    *,
    actor: str = "agent",
    mark: str | None = None,
) -> str:
    """Keep what the agent decided, reached, met or remarked; return the entry's uid.

    What it says after reading somebody else's words is marked like an answer to them: it may be theirs. Outside of
    a conversation nothing was read here: who says so gives the `mark`.
    """
    if session_id is not None:
        with store.read() as connection:
            said = list(messages.of_session(connection, session_id))
            states = quarantine.of_session(connection, session_id)
        mark = note_grounds.mark_of(f"{text} {reason or ''}", said, states)
    entry = NewEntry(
        KINDS[kind],
        session_id or actor,
        text,
        actor=actor,
        cause=reason,
        after=None if mark is None else {"mark": mark},
        session_id=session_id,
    )
    with store.write() as connection:
        return journal.write(connection, entry)


def mark_of(entry: Entry) -> str | None:
    """Return whose words an event may hold, if they are not the user's or the agent's own."""
    mark = entry.after.get("mark") if isinstance(entry.after, dict) else None
    return mark if isinstance(mark, str) else None


def keep_told(
    connection: Connection,
    session_id: str,
    said: Sequence[Message],
    learned: Sequence[Learned],
    zone: tzinfo | None = None,
) -> None:
    """Journal what messages of the user tell of decisions, results and failures, when they are learned from.

    `learned` is what became of the facts in them: a decision that was known already is no event. `zone` is the
    owner's: "yesterday the deploy failed" happened on a day of theirs.
    """
    decisions = [made for outcome in learned if (made := _decision(outcome)) is not None]
    theirs = [one for one in said if one.role == "user" and not one.is_summary]
    for message in theirs:
        if message.source_class in UNTRUSTED:
            continue
        decided = [told for uid, told in decisions if uid == message.uid]
        for told in [*decided, *_outcomes(message, decided)]:
            whole = [one.text for one in sentences(message.content or "") if told.text.strip() in one.text]
            sentence = whole[0] if whole else told.text
            _keep(connection, session_id, told, message, _happened(sentence, message.said_at, zone))


def _decision(outcome: Learned) -> tuple[str, Told] | None:
    """Return a decision that is new, and the message it was told in."""
    statement, heard = outcome.candidate.statement, outcome.candidate.heard
    if isinstance(outcome, Again | Passed) or statement.attribute != attributes.DECISION:
        return None
    text, reason = with_reason(heard.text, statement.start, statement.end, sentences(heard.text))
    return heard.uid, Told("decision.made", text, reason)


def _outcomes(message: Message, decisions: Sequence[Told]) -> Iterator[Told]:
    for outcome in read_outcomes(message.content or ""):
        kind = "decision.dropped" if outcome.kind == "decision" else KINDS[outcome.kind]
        # "We decided against Kafka" may be read both ways: it is one event.
        if not any(told.text.strip() in outcome.text for told in decisions):
            yield Told(kind, outcome.text, outcome.reason)


def _happened(text: str, said_at: int, zone: tzinfo | None) -> int:
    """Return when something happened: at noon of the day that the words name, or when it was told."""
    said = clock.to_datetime(said_at, zone).date()
    named = told_span(text, said)
    if named is None or named.start != named.end or not named.start < said:
        return said_at
    return clock.from_datetime(datetime.combine(named.start, time(12), tzinfo=zone))


def _keep(connection: Connection, session_id: str, told: Told, message: Message, happened_at: int) -> None:
    entry = NewEntry(
        told.kind,
        session_id,
        f"“{preview(told.text.strip(_AROUND), _LONGEST)}”",
        actor=message.speaker or "owner",
        cause=told.reason or None,
        after={"message": message.uid},
        session_id=session_id,
        happened_at=happened_at,
    )
    journal.write(connection, entry)


def _about(topic: str, every: Iterable[Outline]) -> Iterator[Outline]:
    """Yield what speaks of a topic: all of its words are in it, or the topic itself if they are all empty ones."""
    asked, spelled = topic_words(topic), fold(topic.strip())
    for one in every:
        text = f"{one.text} {one.cause or ''}".replace("“", '"').replace("”", '"')
        if asked <= all_stems(text) if asked else spelled in fold(text):
            yield one
