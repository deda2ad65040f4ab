"""Insert a row unless one with its key is there, also when two processes do it at once."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Insert, Table, TextClause


# Any: the conflict clause is each dialect's own kind of insert.
def insert_fresh(
    connection: Connection,
    table: Table,
    values: dict[str, Any],
    key: Sequence[str],
    where: TextClause | None = None,
) -> Insert:
    """Return an INSERT that does nothing where a row has the key; `where` names a partial index."""
    # Imported here: each dialect costs start-up time, and one is in use.
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as insert_sqlite

        return insert_sqlite(table).values(values).on_conflict_do_nothing(index_elements=key, index_where=where)
    from sqlalchemy.dialects.postgresql import insert as insert_postgres

    return insert_postgres(table).values(values).on_conflict_do_nothing(index_elements=key, index_where=where)
