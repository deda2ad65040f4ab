"""Texts that are none, and JSON that is none: SQLite checks its pages, not what stands in them."""

import json
from collections.abc import Iterator, Mapping

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from hermes_agent.errors import DamagedStore
from hermes_agent.store.gateway_tables import metadata
from hermes_agent.store.types import Json, String

_BLOCK = 2_000


def find(connection: Connection) -> Iterator[str]:
    """Name the tables with a text that is none, or with one that should be JSON and is not."""
    if not _is_schema_whole(connection):
        yield "the schema is damaged"
        return
    for name, table in metadata.tables.items():
        texts = [one.name for one in table.columns if isinstance(one.type, String | Json)]
        if texts and not _is_whole(connection, name, texts):
            yield f"a text in the table {name} is damaged"


def json_columns(name: str) -> Mapping[str, bool]:
    """Return the columns of a table that hold JSON, and whether each may be empty."""
    table = metadata.tables[name]
    return {one.name: bool(one.nullable) for one in table.columns if isinstance(one.type, Json)}


def is_json(kept: str | bytes | None) -> bool:
    """Tell whether what a column of JSON holds can be read; of what is packed others tell."""
    if not isinstance(kept, str):
        return True
    try:
        json.loads(kept)
    except (ValueError, RecursionError):
        return False
    return True


def _is_schema_whole(connection: Connection) -> bool:
    try:
        connection.exec_driver_sql("SELECT name, sql FROM sqlite_master").all()
        return all(
            _columns(connection, name).issuperset(one.columns.keys()) for name, one in metadata.tables.items()
        )
    except DamagedStore:
        return False
    except DBAPIError as error:
        _raise_if_other(error)
        return False


def _columns(connection: Connection, name: str) -> set[str]:
    return {row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({name})")}


def _is_whole(connection: Connection, name: str, texts: list[str]) -> bool:
    json_places = [place for place, column in enumerate(texts) if column in json_columns(name)]
    names = ", ".join(f'"{column}"' for column in texts)
    try:
        rows = connection.exec_driver_sql(f"SELECT {names} FROM {name}").yield_per(_BLOCK)
        return all(is_json(row[place]) for row in rows for place in json_places)
    except DamagedStore:
        return False
    except DBAPIError as error:
        _raise_if_other(error)
        return False


def _raise_if_other(error: DBAPIError) -> None:
    """Raise what is not about a text that cannot be decoded."""
    if "decode" not in str(error.orig).lower():
        raise error
