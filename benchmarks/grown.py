"""A large memory made of copies of a smaller one, on SQLite: minutes instead of hours.

Every copy has sessions, messages and episodes of its own, with their sketches, links, vectors, passages and index
entries, so that each table and index has as many rows as if it had been filled. Words are as frequent as before;
what is found is found once in each copy.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, Table, func, insert, null, select

from hermes_agent.store.store import Store
from hermes_agent.store.tables import (
    entity_links,
    episodes,
    messages,
    passages,
    sessions,
    sketches,
    vectors,
)
from hermes_agent.store.text_index import IndexedText
from hermes_agent.store.vectors import EPISODE
from hermes_agent.text.words import words

_BLOCK = 5_000

# Any: the type of whichever column is changed.
Changes = Mapping[str, ColumnElement[Any]]


class Last(NamedTuple):
    """The numbers of the last message and of the last episode."""

    message: int
    episode: int


_NOTHING = Last(0, 0)


def last(store: Store) -> Last:
    """Return the last of what is there; 0 where nothing is."""
    with store.read() as connection:
        found = (connection.execute(select(func.max(one.c.id))).scalar() for one in (messages, episodes))
        return Last(*(int(number or 0) for number in found))


def grow(store: Store, copies: int, after: Last = _NOTHING) -> None:
    """Add so many copies of the conversations that came after something: of everything, if nothing is named."""
    until = last(store)
    with store.read() as connection:
        query = select(messages.c.id, messages.c.content).where(messages.c.id > after.message)
        said = [(one, words(text or "")) for one, text in connection.execute(query)]
    for number in range(1, copies + 1):
        with store.write() as connection:
            _copy_rows(connection, number, after, until)
            further = number * (until.message - after.message)
            for start in range(0, len(said), _BLOCK):
                texts = [IndexedText(one + further, "talk", cut, ()) for one, cut in said[start : start + _BLOCK]]
                store.engine.text.put(connection, texts)


def _copy_rows(connection: Connection, number: int, after: Last, until: Last) -> None:
    name, uid = f"-{number}", func.randomblob(16)
    to_message = number * (until.message - after.message)
    to_episode = number * (until.episode - after.episode)

    def is_one(message: Column[int]) -> ColumnElement[bool]:
        return message.between(after.message + 1, until.message)

    def is_of_one(table: Table) -> ColumnElement[bool]:
        return (table.c.kind == EPISODE) & table.c.item.between(after.episode + 1, until.episode)

    first_sessions = sessions.c.id.in_(select(messages.c.session_id).where(is_one(messages.c.id)))
    _copy(connection, sessions, first_sessions, {"id": sessions.c.id + name, "uid": uid, "title": null()})
    of_messages = {"id": messages.c.id + to_message, "session_id": messages.c.session_id + name, "uid": uid}
    _copy(connection, messages, is_one(messages.c.id), of_messages)
    of_episodes = {
        "id": episodes.c.id + to_episode,
        "uid": uid,
        "session_id": episodes.c.session_id + name,
        "first_message": episodes.c.first_message + to_message,
        "last_message": episodes.c.last_message + to_message,
    }
    _copy(connection, episodes, episodes.c.id.between(after.episode + 1, until.episode), of_episodes)
    of_sketches = {
        "message_id": sketches.c.message_id + to_message,
        "episode_id": sketches.c.episode_id + to_episode,
        "session_id": sketches.c.session_id + name,
    }
    _copy(connection, sketches, is_one(sketches.c.message_id), of_sketches)
    _copy(connection, entity_links, is_of_one(entity_links), {"item": entity_links.c.item + to_episode})
    _copy(connection, vectors, is_of_one(vectors), {"id": null(), "item": vectors.c.item + to_episode})
    of_passages = {"message_id": passages.c.message_id + to_message}
    _copy(connection, passages, is_one(passages.c.message_id), of_passages)


def _copy(connection: Connection, table: Table, which: ColumnElement[bool], changes: Changes) -> None:
    values = [changes.get(column.name, column) for column in table.c]
    connection.execute(
        insert(table).from_select([column.name for column in table.c], select(*values).where(which))
    )
