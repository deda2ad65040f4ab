"""Write all of a memory to a file, as of one moment, while others go on using it."""

from collections.abc import Generator, Mapping
from importlib.metadata import version
from typing import BinaryIO

from hermes_agent import clock
from hermes_agent.ops.steps import Step
from hermes_agent.ops.whole.form import FORMAT, SUMS, VERSION, Sum, line
from hermes_agent.records.archive import Json
from hermes_agent.store import canonical, entity_joins
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.store import Store

_TOLD = 1_000
"""Steps are told every so many rows."""


def export(
    store: Store, out: BinaryIO, notes: Mapping[str, str], settings: Mapping[str, Json]
) -> Generator[Step, None, Mapping[str, int]]:
    """Write a memory; return how many rows each table has.

    All rows are of one moment: they are read in one transaction, a block at a time. The notes and settings are
    those that the caller read before.
    """
    sums: dict[str, Sum] = {}

    def put(text: str) -> None:
        out.write(text.encode("ascii"))

    def put_value(name: str, value: Json) -> None:
        sums[name] = Sum()
        sums[name].add(value)
        put(f'"{name}": {line(value)},\n')

    with store.read() as connection:
        total = sum(canonical.count(connection, name) for name in canonical.TABLES)
        put(f'{{"format": "{FORMAT}", "version": {VERSION},\n')
        put(f'"exported": {line(_exported(store))},\n')
        put_value("settings", dict(settings))
        put_value("notes", dict(notes))
        put_value("joined", [[one.alias, one.key] for one in entity_joins.every(connection)])
        done = 0
        for name in canonical.TABLES:
            sums[name] = Sum()
            put(f'"{name}": [')
            for row in canonical.rows(connection, name):
                put(f"{',' if sums[name].rows else ''}\n{line(row)}")
                sums[name].add(row)
                if (done := done + 1) % _TOLD == 0:
                    yield Step("rows", done, total)
            put("\n],\n")
        put(f'"{SUMS}": {line({name: one.told() for name, one in sums.items()})}\n}}\n')
    yield Step("rows", total, total)
    return {name: sums[name].rows for name in canonical.TABLES}


def _exported(store: Store) -> dict[str, Json]:
    return {
        "at": clock.iso(clock.now()),
        "profile": store.owner,
        "program": version("hermes-agent"),
        "shape": HEAD,
    }
