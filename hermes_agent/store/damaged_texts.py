"""Texts that are none: SQLite checks its pages, not what stands in them."""

from collections.abc import Iterator

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from hermes_agent.store import canonical

_BLOCK = 2_000


def find(connection: Connection) -> Iterator[str]:
    """Name the tables with a text that is none: SQLite's own check looks at pages, not at what stands in them."""
    for name in canonical.TABLES:
        columns = ", ".join(f'"{column}"' for column in canonical.columns(name))
        try:
            for _ in connection.exec_driver_sql(f"SELECT {columns} FROM {name}").yield_per(_BLOCK):
                pass
        except DBAPIError as error:
            if "decode" not in str(error.orig).lower():
                raise
            yield f"a text in the table {name} is damaged"
