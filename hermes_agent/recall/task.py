"""What memory puts in front of a task: what the user said before that shares its words.

Only statements count: a question, however close, is no evidence for its own answer. What the
conversation itself holds, and what was sent in it before, is not sent again.
"""

from collections.abc import Collection
from datetime import tzinfo

from hermes_agent.recall.block import Item
from hermes_agent.recall.looking import HIDDEN_SOURCES
from hermes_agent.recall.payload import when
from hermes_agent.records.archive import Message
from hermes_agent.store import messages, search
from hermes_agent.store.store import Store
from hermes_agent.text.clean import preview
from hermes_agent.text.query import any_of, parse
from hermes_agent.text.questions import asks
from hermes_agent.text.tokens import CHARACTERS_PER_TOKEN

_ITEMS = 8
_LOOKED_AT = 80
_ITEM_CHARACTERS = 600


def recall(
    store: Store,
    said: str,
    session_id: str,
    zone: tzinfo | None,
    *,
    budget_tokens: int,
    without: Collection[str] = (),
) -> list[Item]:
    """Return what fits a task, in the order it was said; `without` are the places sent before."""
    query = any_of(parse(said))
    if not query.groups:
        return []
    with store.read() as connection:
        filters = search.Filters(roles=("user",), hidden_sources=HIDDEN_SOURCES)
        hits = search.find(connection, store.engine, query, filters, _LOOKED_AT, "best").best
        found = messages.get_many(connection, [hit.message_id for hit in hits])
    best = [found[hit.message_id] for hit in hits if hit.message_id in found]
    chosen: list[Message] = []
    left = budget_tokens * CHARACTERS_PER_TOKEN
    seen = set(without)
    for message in best:
        text = message.content or ""
        is_evidence = message.session_id != session_id and not asks(text)
        is_new = place(message) not in seen and text not in seen
        cost = min(len(text), _ITEM_CHARACTERS)
        if is_evidence and is_new and cost <= left and len(chosen) < _ITEMS:
            chosen.append(message)
            seen.update((place(message), text))
            left -= cost
    return [_item(message, zone) for message in sorted(chosen, key=lambda message: message.id)]


def place(message: Message) -> str:
    """Say where a message can be looked up."""
    return f"session {message.session_id}, message {message.id}"


def _item(message: Message, zone: tzinfo | None) -> Item:
    text = preview(message.content or "", _ITEM_CHARACTERS)
    return Item(when(message.said_at, zone), message.role, place(message), text)
