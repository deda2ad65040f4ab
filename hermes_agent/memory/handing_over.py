"""Hand something over from one profile to another, and take it back.

Two profiles are two stores, so nothing can be written in both at once. The giver's journal tells it first, then it
comes into the receiver in one transaction, then the giver's journal tells that it arrived: whoever is stopped in
between is found by the hand-over that only begun, and doing the same again finishes it. It is taken back in the
receiver first, where even one that never came is then refused for good.

What arrives is another profile's word: untrusted, screened, marked when it is recalled, never in the prompt's
header. Nothing comes but the sentences that were named.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes_agent import clock
from hermes_agent.errors import UsageError
from hermes_agent.ids import new_uid
from hermes_agent.memory import blocked, handovers, quarantine
from hermes_agent.memory import facts as known_facts
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.memory.fact_journal import retract_said, write_down
from hermes_agent.memory.forgotten import FORGETTING
from hermes_agent.memory.learning import JOB as LEARN
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.naming import named_in
from hermes_agent.memory.redaction import redacted
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.handover import REVOKED, Handover, Item, handover_name, item_of, told_items
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import NewFact
from hermes_agent.store import entities, facts, jobs, journal, learned, messages, meta, sessions, skills
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.clean import printable
from hermes_agent.text.secrets import redact

SOURCE = "handover"
"""The source of the sessions that hold what came."""
LONGEST, MOST = 20_000, 500
_LOCK = "handover"
_HINT = "There: hermes memory receipts; then allow it again: hermes memory unblock RECEIPT"


@dataclass(frozen=True, slots=True)
class Given:
    """A hand-over that is done; without items everything had been handed over before."""

    uid: str | None
    items: Sequence[Item]
    known: int = 0
    """How many of the things that were named are there already."""
    quarantined: int = 0
    """How many speak to the assistant: they wait for the receiver's review."""
    refused: int = 0
    """How many the receiver forgot for good: they do not come back by another profile."""


def chosen(store: Store, summary: str | None, fact_names: Sequence[str], about: str | None) -> list[Item]:
    """Return what is named, from one profile: the owner's own words, facts by number, or all about something."""
    items: dict[tuple[str | None, str], Item] = {}
    if summary is not None:
        text = _clean(summary)
        items[None, text] = Item(text)
    with store.read() as connection:
        found = [known_facts.require_current(connection, name) for name in fact_names]
    if about is not None:
        found += known_facts.recent(store, MOST + 1, about=about)
    items |= {(fact.uid, fact.text): item_of(fact) for fact in found}
    if not items:
        raise UsageError(
            "There is nothing to hand over." if about is None else f"No fact is about {about!r}.",
            hint="Name facts, or say it: --summary TEXT",
        )
    if len(items) > MOST:
        raise UsageError(f"At most {MOST} things are handed over at once.", hint="Name fewer facts: --facts")
    return list(items.values())


def hand_over(
    giver: Store, receiver: Memory, items: Sequence[Item], *, actor: str = "owner", cause: str | None = None
) -> Given:
    """Hand things over; what stands there already, by an earlier hand-over, is not handed over twice."""
    if giver.owner == receiver.profile:
        raise UsageError("A profile hands nothing over to itself.", hint="Name another one.")
    with receiver.store.read() as connection:
        allowed = _allowed(connection, items)
    refused = len(items) - len(allowed)
    if not allowed:
        raise UsageError(
            f"That was forgotten for good in {receiver.profile}: nothing was handed over.", hint=_HINT
        )
    with giver.write() as connection:
        meta.lock(connection, _LOCK)
        uid, fresh = _announce(connection, giver.owner, receiver.profile, allowed, actor, cause)
    if uid is None:
        return Given(None, (), known=len(allowed), refused=refused)
    came = _receive(receiver, uid, giver.owner, fresh, actor)
    with giver.write() as connection:
        meta.lock(connection, _LOCK)
        kinds = {entry.kind for entry in journal.of_subjects(connection, [handover_name(uid)])}
        if handovers.ARRIVED not in kinds:
            text = f"{handover_name(uid)} arrived in {receiver.profile}."
            journal.write(connection, NewEntry(handovers.ARRIVED, handover_name(uid), text, actor, cause))
    return replace(came, known=len(allowed) - len(fresh), refused=refused)


def take_back(receiver: Memory, one: Handover, *, cause: str | None = None) -> bool:
    """Take back in the receiver what came, and what was made of it; False if that was done before.

    Facts that were learned of it are not held to be true any more; one that never came is refused from now on.
    """
    from hermes_agent.memory import forgetting  # here: it tells what is alike, and few take back

    store = receiver.store
    with store.write() as connection:
        facts.lock(connection)
        meta.lock(connection, _LOCK)
        if handovers.is_revoked(connection, one.uid):
            return False
        received = next((each for each in handovers.read(connection) if each.uid == one.uid), None)
        session_id = None if received is None else received.session_id
        if session_id is not None and sessions.exists_id(connection, session_id):
            said = [message.uid for message in messages.of_session(connection, session_id)]
            retract_said(connection, session_id, said, actor=FORGETTING)
            forgetting.forget_sessions(connection, store.engine, [session_id])
            _silence(connection, one)
            jobs.add(connection, LEARN, LEARN)
            if skills.has_learned(connection):
                jobs.add(connection, skills.JOB, skills.JOB)
        tell_revoked(connection, one, cause)
    with store.bare() as connection:
        store.engine.settle_vectors(connection, is_erasure=True)
    return True


def _silence(connection: Connection, one: Handover) -> None:
    """Take the words out of what the receiver's journal tells: what came, from whom and when stays."""
    for entry in journal.of_subjects(connection, [one.name]):
        if entry.kind == handovers.RECEIVED and isinstance(entry.after, dict):
            items = [{**item.told, "text": ""} for item in told_items(entry.after.get("items"))]
            journal.put(connection, replace(entry, after={**entry.after, "items": items}))


def tell_revoked(connection: Connection, one: Handover, cause: str | None) -> None:
    """Journal that a hand-over was taken back, unless the journal says so already."""
    if not handovers.is_revoked(connection, one.uid):
        text = f"{one.name} from {one.sender} to {one.receiver} was revoked."
        after = {"handover": one.uid, "from": one.sender, "to": one.receiver}
        journal.write(connection, NewEntry(REVOKED, one.name, text, cause=cause, after=after))


def told(items: Sequence[Item]) -> str:
    """Say in words how much is handed over."""
    count = sum(item.fact_uid is not None for item in items)
    parts = ["a summary"] if count < len(items) else []
    parts += [f"{count} fact{'s' if count > 1 else ''}"] if count else []
    return " and ".join(parts) or "nothing"


def _announce(
    connection: Connection, giver: str, receiver: str, items: Sequence[Item], actor: str, cause: str | None
) -> tuple[str | None, list[Item]]:
    """Tell in the giver's journal what is about to be given; return its id and what of it is new, None if nothing.

    The same that was begun before, and cut off, goes on under its id.
    """
    earlier = [
        one
        for one in handovers.read(connection)
        if one.direction == "sent" and one.receiver == receiver and one.state != "revoked"
    ]
    there = {item.key for one in earlier if one.state == "arrived" for item in one.items}
    fresh = [item for item in items if item.key not in there]
    if not fresh:
        return None, []
    keys = {item.key for item in fresh}
    begun = next(
        (one for one in earlier if one.state == "begun" and {each.key for each in one.items} == keys), None
    )
    if begun is not None:
        return begun.uid, fresh
    uid = new_uid(clock.now())
    after = {"handover": uid, "from": giver, "to": receiver, "items": [item.told for item in fresh]}
    text = f"Handed over to {receiver}: {told(fresh)} ({handover_name(uid)})."
    journal.write(connection, NewEntry(handovers.SENT, handover_name(uid), text, actor, cause, after=after))
    return uid, fresh


def _receive(receiver: Memory, uid: str, giver: str, items: Sequence[Item], actor: str) -> Given:
    store = receiver.store
    session_id = f"handover-{uid}"
    # Facts first: of them nothing is to be learned any more.
    ordered = sorted(items, key=lambda item: item.fact_uid is None)
    new = [redacted(_message(item, uid, giver)) for item in ordered]
    suspicions = quarantine.suspicions(store, session_id, new)
    with store.write() as connection:
        facts.lock(connection)
        meta.lock(connection, _LOCK)
        if handovers.is_revoked(connection, uid):
            raise UsageError(f"{handover_name(uid)} was revoked meanwhile; nothing was handed over.")
        if any(one.uid == uid for one in handovers.read(connection)):
            return Given(uid, items)
        if len(_allowed(connection, ordered)) < len(ordered):
            raise UsageError("Some of it was forgotten for good meanwhile; nothing was handed over.", hint=_HINT)
        sessions.create(connection, _session(session_id, uid, giver, ordered))
        ids = messages.append(connection, store.engine, session_id, new)
        quarantine.keep(connection, session_id, ids, new, suspicions)
        uids = {one.id: one.uid for one in messages.get_many(connection, ids).values()}
        for item, message_id, reasons in zip(ordered, ids, suspicions, strict=True):
            if item.fact_uid is not None:
                learned.set_reached(connection, session_id, message_id)
                if not reasons:
                    _keep_fact(connection, store, item, uids[message_id], session_id, uid, giver)
        sessions.end(connection, session_id, SOURCE)
        after = {
            "handover": uid,
            "from": giver,
            "to": receiver.profile,
            "session": session_id,
            "items": [item.told for item in ordered],
        }
        text = f"Received from {giver}: {told(items)} ({handover_name(uid)})."
        entry = NewEntry(
            handovers.RECEIVED, handover_name(uid), text, actor, f"handed over by {giver}", after=after
        )
        journal.write(connection, entry)
        for job in (EPISODES, EMBED, LEARN):
            jobs.add(connection, job, job)
    receiver.end(session_id, SOURCE)  # it is over: this only makes its episodes, so that it can be found at once
    return Given(uid, items, quarantined=sum(bool(reasons) for reasons in suspicions))


def _allowed(connection: Connection, items: Sequence[Item]) -> list[Item]:
    """Return what the receiver has not forgotten for good."""
    return [
        item
        for item in items
        if not blocked.is_blocked(connection, item.text, item.subject, item.attribute, item.value)
    ]


def _session(session_id: str, uid: str, giver: str, items: Sequence[Item]) -> NewSession:
    told_of = {"handover": uid, "from": giver, "facts": [item.told for item in items if item.fact_uid is not None]}
    return NewSession(SOURCE, id=session_id, title=f"Handed over by {giver} ({uid[-8:]})", metadata=told_of)


def _message(item: Item, uid: str, giver: str) -> NewMessage:
    whence = {"handover": uid, "from": giver, "fact": item.fact_uid, "name": item.fact_name}
    return NewMessage("user", item.text, said_at=item.said_at, source_class="profile", metadata=whence)


def _keep_fact(
    connection: Connection, store: Store, item: Item, message_uid: str, session_id: str, uid: str, giver: str
) -> None:
    """Keep a fact beside what is known; what is said here already is left as it is, and nothing is replaced."""
    text, _ = redact(known_facts.one_line(item.text))
    if facts.alike(connection, store.engine, text) is not None:
        return
    new = NewFact(
        text=text,
        source_class="profile",
        confidence=min(known_facts.IMPORTED, item.confidence or known_facts.IMPORTED),
        confidence_reason=f"handed over by the profile {giver}, where it is {item.fact_name}",
        said_at=item.said_at or clock.now(),
        subject=item.subject,
        attribute=item.attribute,
        value=item.value,
        polarity=item.polarity,
        source_message=message_uid,
        span_start=0,
        span_end=len(text),
        valid_from=item.valid_from,
        valid_to=item.valid_to,
    )
    made = facts.add(connection, store.engine, new)
    entry = NewEntry(
        "fact.received",
        made.name,
        f"{made.name} was handed over by {giver}: “{made.text}”.",
        cause=handover_name(uid),
        after=known_facts.told(made),
        session_id=session_id,
    )
    write_down(connection, entry, added=[made])
    entities.link(connection, "fact", {made.id: named_in([text])})


def _clean(summary: str) -> str:
    text = redact(printable(summary).strip())[0]
    if not text:
        raise UsageError("The summary is empty.", hint='Say it: --summary "…"')
    if len(text) > LONGEST:
        raise UsageError(
            f"A summary has at most {LONGEST:,} characters; this one has {len(text):,}.", hint="Say it shorter."
        )
    return text
