"""Learn from a session: read what was said, decide what is new, keep it with its source and its journal entry.

Without a language model the rules read a session whole; a light model reads it in parts. A part is read without a
transaction and kept in one, with how far the session was learned from: whoever is stopped in the middle has
learned nothing of it yet, and whoever comes again, or was slower, learns nothing twice. What was taken back or
deleted while a model was thinking is not learned.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.learn.candidates import people_named, plans_dropped, read_by_rules
from hermes_agent.learn.parts import is_talk, next_part, relevant
from hermes_agent.learn.reconcile import reconcile
from hermes_agent.learn.whereabouts import with_towns
from hermes_agent.memory import blocked, events, quarantine
from hermes_agent.memory.beside import beside
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.fact_journal import write_down
from hermes_agent.memory.metering import Meter, metered
from hermes_agent.memory.naming import named_in
from hermes_agent.memory.spending import NO_CAP, Cap
from hermes_agent.records.archive import Json, Message
from hermes_agent.records.changes import message_of
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.learning import (
    Again,
    Candidate,
    Disputed,
    Earlier,
    Instead,
    New,
    Outcome,
    Over,
    Part,
    Passed,
    Reading,
)
from hermes_agent.records.memory import Fact, NewFact
from hermes_agent.store import entities, facts, jobs, journal, learned, messages, present
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.models.model import Model

JOB = "learn"
ACTOR = "learning"
CORROBORATED = "fact.corroborated"
REFUSED, BY_RULES = "learning.refused", "learning.by_rules"
"""The kinds of journal entries about what a model read: what was refused, and that the rules read it instead."""
_MOST_KNOWN = 1_000
_LONGEST_PART = 50_000
"""So many characters are read by the rules at once: nobody else can write while what they state is kept."""


def learn_part(
    store: Store,
    session_id: str,
    model: "Model | None" = None,
    *,
    zone: tzinfo | None = None,
    cap: Cap = NO_CAP,
    is_trained: bool = False,
) -> Mapping[str, int] | None:
    """Learn from as much of a session as is read at once and count what became of it; None if nothing is left.

    Without a model the rules read, `is_trained` with the trained reader, which no cap stops. Nothing is learned of
    what is in quarantine. `zone` is the owner's.
    """
    quarantine.screen_session(store, session_id)
    longest = _longest_part(model)
    with store.read() as connection:
        said = list(messages.of_session(connection, session_id))
        usable = said_by_now(connection, quarantine.usable(connection, session_id, said))
        last = said[-1].id if said else 0
        part = next_part(usable, learned.reached(connection, session_id), last, longest)
        if part is None:
            return None
        known = [] if model is None else relevant(facts.recent(connection, _MOST_KNOWN), part)
    part = replace(part, known=known, zone=zone)
    if model is not None:
        cap.require(store)
    with metered(store, "extraction", session_id) as meter:
        return _keep_part(store, session_id, part, _read(part, model, meter, is_trained=is_trained), model, meter)


def learn_accepted(connection: Connection, store: Store, message: Message, zone: tzinfo | None) -> None:
    """Learn from a message that was in quarantine, now that it counts like the owner's word.

    One that its session was not learned up to yet is left to the job.
    """
    if message.id > learned.reached(connection, message.session_id):
        return
    facts.lock(connection)
    usable = said_by_now(connection, quarantine.usable(connection, message.session_id, [message]))
    part = next_part(usable, message.id - 1, message.id)
    if part is not None:
        reading = read_by_rules(replace(part, zone=zone))
        told = _with_more(reading.candidates, part)
        _keep_all(connection, store, message.session_id, usable, told, zone)


def said_by_now(connection: Connection, said: Sequence[Message]) -> list[Message]:
    """Date what came with a date to come now: it has been said, and must not outdo what is said from now on."""
    now = present.now(connection)
    return [replace(one, said_at=now) if one.said_at > now else one for one in said]


def _longest_part(model: "Model | None") -> int:
    """Return how many characters are read at once."""
    if model is None:
        return _LONGEST_PART
    # Imported here: it loads pydantic, and most commands ask no model.
    from hermes_agent.learn import model_reading

    return model_reading.longest_part(model)


def _read(part: Part, model: "Model | None", meter: Meter, *, is_trained: bool) -> Reading:
    if model is None:
        return _read_trained(part) if is_trained else read_by_rules(part)
    from hermes_agent.learn import model_reading

    return model_reading.read_by_model(meter.asking(model), part)


def _read_trained(part: Part) -> Reading:
    from hermes_agent.learn.trained.packages import trouble

    if trouble() is not None:  # `hermes status` says so; learning goes on
        return read_by_rules(part)
    from hermes_agent.learn.trained.reading import read_trained

    return read_trained(part)


def _keep_part(
    store: Store, session_id: str, part: Part, reading: Reading, model: "Model | None", meter: Meter
) -> Mapping[str, int]:
    """Keep what was read of a part, unless somebody else was here meanwhile; count what became of it."""
    with store.write() as connection:
        facts.lock(connection)
        if learned.reached(connection, session_id) != part.reached:
            return {}
        said = quarantine.usable(connection, session_id, list(messages.of_session(connection, session_id)))
        fresh = said_by_now(connection, [one for one in said if part.reached < one.id <= part.end])
        words = {one.uid: one.content for one in fresh}
        told = _with_more(reading.candidates, part, model)
        lasting = [one for one in told if words.get(one.heard.uid) == one.heard.text]
        counts = _keep_all(connection, store, session_id, fresh, lasting, part.zone)
        if model is not None:
            _journal_reading(connection, session_id, reading, model.name)
        learned.set_reached(connection, session_id, _read_up_to(part, fresh))
        meter.keep(connection)
    return counts


def _with_more(told: Sequence[Candidate], part: Part, model: "Model | None" = None) -> list[Candidate]:
    """Add what ends a plan, whoever read the rest, and who was named by the way, unless a model read that.

    The town of a firm goes with the firm.
    """
    named = people_named(part.fresh, told) if model is None else ()
    return [*with_towns(told), *named, *plans_dropped(part.fresh)]


def _read_up_to(part: Part, fresh: Sequence[Message]) -> int:
    """Return the last message that was read: what the owner accepted meanwhile was not, and comes next."""
    read = {heard.uid for heard in part.fresh}
    unread = [one.id for one in fresh if is_talk(one) and one.uid not in read]
    return min(unread) - 1 if unread else part.end


def _keep_all(
    connection: Connection,
    store: Store,
    session_id: str,
    said: Sequence[Message],
    candidates: Sequence[Candidate],
    zone: tzinfo | None,
) -> Mapping[str, int]:
    """Keep candidates beside what is known, and what else was told; count what became of them."""
    counts: Counter[str] = Counter()
    outcomes: list[Outcome] = []
    for candidate in blocked.allowed(connection, session_id, candidates):
        found = beside(connection, store, candidate)
        outcome = reconcile(found.candidate, found.known, found.over)
        if isinstance(outcome, Again) and _is_counted(connection, session_id, outcome):
            outcome = Passed(candidate, "it was learned of this message already")
        _keep(connection, store, session_id, outcome)
        outcomes.append(outcome)
        counts[type(outcome).__name__.lower()] += 1
    events.keep_told(connection, session_id, blocked.sayable(connection, said), outcomes, zone)
    if counts["new"] or counts["instead"] or counts["earlier"] or counts["disputed"]:
        jobs.add(connection, EMBED, EMBED)
    return counts


def _is_counted(connection: Connection, session_id: str, again: Again) -> bool:
    """Tell whether a fact was learned of this very message before, here or in a home that was joined."""
    message, known = again.candidate.heard.uid, again.known
    if known.source_message == message:
        return known.span_start == again.candidate.statement.start
    return any(
        entry.kind == CORROBORATED and entry.subject == known.name and message_of(entry) == message
        for entry in journal.of_session(connection, session_id)
    )


def _journal_reading(connection: Connection, session_id: str, reading: Reading, model: str) -> None:
    """Journal what a model said that was refused, and that the rules read what it could not; not its words."""
    if reading.refused:
        told = "; ".join(f"{reason} ({number})" for reason, number in Counter(reading.refused).most_common())
        refused = "1 fact was" if len(reading.refused) == 1 else f"{len(reading.refused)} facts were"
        text = f"Of what {model} read, {refused} refused: {told}."
        journal.write(connection, NewEntry(REFUSED, session_id, text, ACTOR, session_id=session_id))
    if reading.trouble is not None:
        text = f"{model} gave no answer that could be used, so the rules read it."
        entry = NewEntry(BY_RULES, session_id, text, ACTOR, cause=reading.trouble, session_id=session_id)
        journal.write(connection, entry)


def _keep(connection: Connection, store: Store, session_id: str, outcome: Outcome) -> None:
    match outcome:
        case New(candidate):
            made = _add(connection, store, candidate)
            write_down(connection, _learned(session_id, made, candidate), added=[made])
        case Again(candidate, known):
            facts.corroborate(connection, known.id)
            text = f"{known.name} was said again: “{known.text}”."
            entry = _entry(session_id, CORROBORATED, known, text, candidate)
            # With what was said: if the two are not the same after all, it becomes a fact of its own.
            write_down(
                connection, replace(entry, after={**_told(entry), "said": _said(candidate)}), changed=[known]
            )
        case Instead(candidate, former):
            made = _add(connection, store, candidate)
            _replace(connection, session_id, made, former, candidate)
        case Earlier(candidate, later, cut_short):
            made = _add(connection, store, candidate)
            valid_to = later.valid_from or later.said_at
            facts.end(connection, made.id, "superseded", present.now(connection), valid_to, later.uid)
            since = candidate.heard.said_at if candidate.valid_from is None else candidate.valid_from
            for fact in cut_short:
                facts.set_successor(connection, fact.id, since, made.uid)
            write_down(connection, _learned(session_id, made, candidate), added=[made], changed=cut_short)
        case Over(candidate, ended):
            for fact in ended:
                _end(connection, fact, candidate)
                entry = _entry(
                    session_id, "fact.superseded", fact, f"{fact.name} is over: “{fact.text}”.", candidate
                )
                write_down(connection, entry, changed=[fact])
        case Disputed(candidate, rivals, reason):
            made = _add(connection, store, candidate)
            disputes = facts.dispute(connection, made.id, [fact.id for fact in rivals], reason, clock.now())
            write_down(connection, _learned(session_id, made, candidate), added=[made], disputes=disputes)


def _replace(
    connection: Connection, session_id: str, made: Fact, former: Sequence[Fact], candidate: Candidate
) -> None:
    """End what a new fact takes the place of: one change, told in the history of each of them."""
    for fact in former:
        _end(connection, fact, candidate, made)
    main = write_down(connection, _learned(session_id, made, candidate), added=[made], changed=former)
    for fact in former:
        text = f"{fact.name} was replaced by {made.name}."
        journal.write(connection, _entry(session_id, "fact.superseded", fact, text, candidate, part_of=main))


def _add(connection: Connection, store: Store, candidate: Candidate) -> Fact:
    stated, heard = candidate.statement, candidate.heard
    new = NewFact(
        candidate.text,
        source_class=heard.source_class,
        confidence=candidate.confidence,
        confidence_reason=candidate.confidence_reason,
        said_at=heard.said_at,
        subject=candidate.subject,
        attribute=stated.attribute,
        value=stated.value,
        polarity=stated.polarity,
        source_message=heard.uid,
        span_start=stated.start,
        span_end=stated.end,
        valid_from=candidate.valid_from,
    )
    made = facts.add(connection, store.engine, new)
    entities.link(connection, "fact", {made.id: named_in([candidate.text])})
    return made


def _end(connection: Connection, fact: Fact, candidate: Candidate, made: Fact | None = None) -> None:
    """End a fact at the time the words say, or were said; `made` takes its place."""
    valid_to = candidate.heard.said_at if candidate.valid_from is None else candidate.valid_from
    later = None if made is None else made.uid
    facts.end(connection, fact.id, "superseded", present.now(connection), valid_to, superseded_by=later)


def _told(entry: NewEntry) -> dict[str, Json]:
    return dict(entry.after) if isinstance(entry.after, dict) else {}


def _said(candidate: Candidate) -> dict[str, Json]:
    """Return what a candidate says, as `fact_changes.split` makes a fact of it."""
    stated = candidate.statement
    return {
        "text": candidate.text,
        "subject": candidate.subject,
        "attribute": stated.attribute,
        "value": stated.value,
        "polarity": stated.polarity,
        "confidence": candidate.confidence,
        "span_start": stated.start,
        "span_end": stated.end,
        "valid_from": candidate.valid_from,
    }


def _learned(session_id: str, made: Fact, candidate: Candidate) -> NewEntry:
    return _entry(session_id, "fact.learned", made, f"{made.name} was learned: “{made.text}”.", candidate)


def _entry(
    session_id: str, kind: str, fact: Fact, text: str, candidate: Candidate, part_of: str | None = None
) -> NewEntry:
    """Tell a change, and the message it follows from; `part_of` names the entry that tells it whole."""
    after = {"text": fact.text, "message": candidate.heard.uid}
    whole = after if part_of is None else {**after, "part_of": part_of}
    return NewEntry(kind, fact.name, text, ACTOR, after=whole, session_id=session_id)
