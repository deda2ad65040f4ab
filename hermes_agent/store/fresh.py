"""Insert a row unless one with its key is there, also when two processes do it at once."""

from functools import cache

from sqlalchemy import Connection, Insert, Table, text


def insert_fresh(
    connection: Connection, table: Table, key: str | tuple[str, ...], where: str | None = None
) -> Insert:
    """Return an INSERT that does nothing where a row has the key; `where` names a partial index.

    Give it the values when it is executed: then it is built once, not for every row.
    """
    return _insert(connection.dialect.name, table, (key,) if isinstance(key, str) else key, where)


@cache
def _insert(dialect: str, table: Table, key: tuple[str, ...], where: str | None) -> Insert:
    condition = None if where is None else text(where)
    # Imported here: each dialect costs start-up time, and one is in use.
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as insert_sqlite

        return insert_sqlite(table).on_conflict_do_nothing(index_elements=key, index_where=condition)
    from sqlalchemy.dialects.postgresql import insert as insert_postgres

    return insert_postgres(table).on_conflict_do_nothing(index_elements=key, index_where=condition)
