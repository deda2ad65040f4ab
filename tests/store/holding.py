"""Where a word is kept: every text of every table, packed ones too.

Pages of a word index are no texts: an engine gives them back in its own time, at the latest with a vacuum.
"""

from collections.abc import Iterator

from sqlalchemy import inspect, select, table, text

from hermes_agent.store import tables
from hermes_agent.store.store import Store


def holding(store: Store, word: str) -> list[str]:
    """Return the columns that hold a word, in any case, as `table.column: value`."""
    found = []
    with store.read() as connection:
        for name in sorted(inspect(connection).get_table_names()):
            # Ours unpack what is packed; what only the engine knows is read as it is.
            ours = tables.metadata.tables.get(name)
            query = select(text("*")).select_from(table(name)) if ours is None else select(ours)
            for row in connection.execute(query).mappings():
                found += [f"{name}.{key}: {value!r}" for key, value in row.items() if word in _words(value)]
    return found


def _words(value: object) -> str:
    return "\n".join(_strings(value)).casefold()


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from (str(name), *_strings(one))
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, str):
        yield value
