"""A large memory made of copies of a smaller one, on SQLite: minutes instead of hours.

Every copy has sessions, messages and episodes of its own, with their sketches, links, vectors, passages and index
entries, so that each table and index has as many rows as if it had been filled. Words are as frequent as before;
what is found is found once in each copy.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, insert, null, select

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
from hermes_agent.text.words import words

_BLOCK = 5_000

# Any: the type of whichever column is changed.
Changes = Mapping[str, ColumnElement[Any]]


def grow(store: Store, copies: int) -> None:
    """Add so many copies of everything that is there."""
    with store.read() as connection:
        last_message = connection.execute(select(func.max(messages.c.id))).scalar_one()
        last_episode = connection.execute(select(func.max(episodes.c.id))).scalar_one()
        said = [
            (one, words(text or "")) for one, text in connection.execute(select(messages.c.id, messages.c.content))
        ]
    for number in range(1, copies + 1):
        with store.write() as connection:
            _copy_rows(connection, number, last_message, last_episode)
            for start in range(0, len(said), _BLOCK):
                texts = [
                    IndexedText(one + number * last_message, "talk", cut, ())
                    for one, cut in said[start : start + _BLOCK]
                ]
                store.engine.text.put(connection, texts)


def _copy_rows(connection: Connection, number: int, last_message: int, last_episode: int) -> None:
    name, uid = f"-{number}", func.randomblob(16)
    to_message, to_episode = number * last_message, number * last_episode
    first_sessions = sessions.c.id.in_(select(messages.c.session_id).where(messages.c.id <= last_message))
    _copy(connection, sessions, first_sessions, {"id": sessions.c.id + name, "uid": uid, "title": null()})
    of_messages = {"id": messages.c.id + to_message, "session_id": messages.c.session_id + name, "uid": uid}
    _copy(connection, messages, messages.c.id <= last_message, of_messages)
    of_episodes = {
        "id": episodes.c.id + to_episode,
        "uid": uid,
        "session_id": episodes.c.session_id + name,
        "first_message": episodes.c.first_message + to_message,
        "last_message": episodes.c.last_message + to_message,
    }
    _copy(connection, episodes, episodes.c.id <= last_episode, of_episodes)
    of_sketches = {
        "message_id": sketches.c.message_id + to_message,
        "episode_id": sketches.c.episode_id + to_episode,
        "session_id": sketches.c.session_id + name,
    }
    _copy(connection, sketches, sketches.c.message_id <= last_message, of_sketches)
    _copy(
        connection, entity_links, entity_links.c.item <= last_episode, {"item": entity_links.c.item + to_episode}
    )
    _copy(connection, vectors, vectors.c.item <= last_episode, {"id": null(), "item": vectors.c.item + to_episode})
    of_passages = {"message_id": passages.c.message_id + to_message}
    _copy(connection, passages, passages.c.message_id <= last_message, of_passages)


def _copy(connection: Connection, table: Table, which: ColumnElement[bool], changes: Changes) -> None:
    values = [changes.get(column.name, column) for column in table.c]
    connection.execute(
        insert(table).from_select([column.name for column in table.c], select(*values).where(which))
    )
