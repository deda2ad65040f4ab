"""Quarantine: what came from elsewhere and speaks to the assistant is kept, but not used before the owner says so.

A message is looked at when a turn keeps it; what came another way, by an import, is looked at before its session
is learned from. Looking takes a while, so no transaction is open meanwhile. What the owner types is never
quarantined, what they paste may be; an answer is if it was given after reading such a text and speaks like one.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.memory import numbers
from hermes_agent.notes import screening
from hermes_agent.records.archive import UNTRUSTED, Message, NewMessage
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.quarantine import NewQuarantined, Quarantined, QuarantineState
from hermes_agent.store import journal, learned, messages, quarantine
from hermes_agent.store.engine import Connection
from hermes_agent.store.messages import source_of
from hermes_agent.store.store import Store
from hermes_agent.text.pasted import holds_pasted

ACTOR = "screening"
Reasons = tuple[str, ...]
_SEAM = 400
"""So much of two texts is read together: a sentence may be cut in two."""


def is_from_elsewhere(message: Message | NewMessage) -> bool:
    """Tell whether a message holds words that neither the owner nor the assistant said."""
    return source_of(message) in UNTRUSTED or (message.role == "user" and holds_pasted(message.content or ""))


def suspicions(store: Store, session_id: str, new: Sequence[NewMessage]) -> list[Reasons]:
    """Return for each message that a turn is about to keep why it must be quarantined; nothing for most."""
    if not any(is_from_elsewhere(message) or message.role == "assistant" for message in new):
        return [() for _ in new]
    with store.read() as connection:
        request, last, has_read = quarantine.read_last(connection, session_id)
    has_read = has_read or holds_pasted(request)
    found = []
    for message in new:
        found.append(_reasons(message, last, has_read=has_read))
        if is_from_elsewhere(message):
            last, has_read = message.content, True
    return found


def keep(
    connection: Connection,
    session_id: str,
    ids: Sequence[int],
    new: Sequence[NewMessage],
    found: Sequence[Reasons],
) -> None:
    """Quarantine what was found among messages that were just kept, in the transaction that keeps them."""
    for message_id, message, reasons in zip(ids, new, found, strict=True):
        if reasons:
            _add(connection, NewQuarantined("message", session_id, source_of(message), reasons, message_id))


def screen_session(store: Store, session_id: str) -> None:
    """Look at what a session holds since it was last learned from, and nobody looked at yet."""
    with store.read() as connection:
        reached = learned.reached(connection, session_id)
        known = quarantine.of_session(connection, session_id)
        said = [
            one for one in messages.of_session(connection, session_id) if one.id > reached and one.id not in known
        ]
    found = []
    last: str | None = None
    has_read = False
    for message in said:
        reasons = _reasons(message, last, has_read=has_read)
        if reasons:
            found.append(NewQuarantined("message", session_id, message.source_class, reasons, message.id))
        if is_from_elsewhere(message):
            last, has_read = message.content, True
        elif message.role == "user":
            has_read = False
    if found:
        with store.write() as connection:
            for new in found:
                _add(connection, new)


def usable(connection: Connection, session_id: str, said: Sequence[Message]) -> list[Message]:
    """Return what may be learned from: nothing in quarantine, nothing pasted; what was accepted is the owner's."""
    states = quarantine.of_session(connection, session_id)
    return [
        replace(one, source_class="user") if states.get(one.id) == "accepted" else one
        for one in said
        if states.get(one.id, "accepted") == "accepted"
        and (one.id in states or one.role != "user" or not holds_pasted(one.content or ""))
    ]


def hold_notes(connection: Connection, held: Sequence[NewQuarantined]) -> None:
    """Keep entries that somebody wanted to write into a note, for the owner to decide."""
    for new in held:
        _add(connection, new)


def waiting(
    store: Store, limit: int, state: QuarantineState | None = "waiting", offset: int = 0
) -> list[Quarantined]:
    """Return what waits for the owner, or was decided, the latest first."""
    with store.read() as connection:
        return quarantine.recent(connection, limit, state, offset)


def states(store: Store, said: Sequence[Message]) -> dict[int, QuarantineState]:
    """Return how it stands with those of the messages that are, or were, in quarantine."""
    with store.read() as connection:
        return quarantine.states(connection, [one.id for one in said])


def require(store: Store, typed: str) -> Quarantined:
    """Return what somebody means by `review:7`, `review:007` or `7`."""
    number = numbers.read(typed, "review")
    with store.read() as connection:
        found = quarantine.get(connection, number)
    if found is None:
        raise NotFound(f"There is no review:{number:03}.", hint="List what waits: hermes memory review")
    return found


def words_of(store: Store, one: Quarantined) -> tuple[str, Message | None]:
    """Return the words in question, and the message that they are, or were taken from."""
    with store.read() as connection:
        message = None if one.message_id is None else messages.get(connection, one.message_id)
    if one.text is not None:
        return one.text, message
    return ("" if message is None else message.content or ""), message


def decide(connection: Connection, one: Quarantined, state: QuarantineState, cause: str | None) -> None:
    """Keep the owner's word. What was accepted stays so: facts may have been learned of it."""
    now = quarantine.get(connection, one.id)
    if now is None or now.state == state or now.state == "accepted":
        was = "gone" if now is None else now.state
        raise UsageError(
            f"{one.name} is {was} already.", hint="What was accepted is taken back by deleting its facts."
        )
    quarantine.decide(connection, one.id, state)
    entry = NewEntry(
        f"quarantine.{state}",
        one.name,
        f"{one.name} was {state}.",
        cause=cause,
        before=now.state,
        after=state,
        session_id=one.session_id,
    )
    journal.write(connection, entry)


def _reasons(message: Message | NewMessage, last: str | None, *, has_read: bool) -> Reasons:
    text = message.content or ""
    if is_from_elsewhere(message):
        return screening.find(text, "foreign") or _over_the_seam(last or "", text)
    return screening.find(text, "foreign") if message.role == "assistant" and has_read else ()


def _over_the_seam(last: str, text: str) -> Reasons:
    """Return what only both texts together say: a sentence that was cut in two."""
    end, begin = last[-_SEAM:], text[:_SEAM]
    found = screening.find(f"{end} {begin}", "foreign") if end.strip() else ()
    # What the end says alone was found when it was kept.
    return () if found and screening.find(end, "foreign") else found


def _add(connection: Connection, new: NewQuarantined) -> None:
    added = quarantine.add(connection, new)
    if added is None:
        return
    what = f"Message {new.message_id}" if new.kind == "message" else "A note"
    text = f"{added.name}: {what} of session {new.session_id} was quarantined ({', '.join(new.reasons)})."
    entry = NewEntry(
        "quarantine.added", added.name, text, ACTOR, after=new.source_class, session_id=new.session_id
    )
    journal.write(connection, entry)
