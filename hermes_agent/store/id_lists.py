"""Compare a column with many ids at once, bound as one value.

So a statement is built and compiled once, however many ids it is asked for, and no limit of an
engine on the number of values is ever met.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from sqlalchemy import (
    ARRAY,
    UUID,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Dialect,
    Text,
    TypeDecorator,
    bindparam,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from hermes_agent.store.types import String, Uid, escape

_BLOCK = 500


# Any: ids are whole numbers, uids and names texts; a driver takes either.
class _Ids(TypeDecorator[Iterable[Any]]):
    """A list of ids, uids or names: an array on PostgreSQL, JSON on SQLite, of uids with their digits alone."""

    impl = Text
    cache_ok = True

    def __init__(self, *, has_uids: bool = False, has_names: bool = False) -> None:
        super().__init__()
        self.has_uids = has_uids
        self.has_names = has_names

    # Any: what load_dialect_impl takes and gives is typed so by SQLAlchemy.
    def load_dialect_impl(self, dialect: Dialect) -> Any:
        each = UUID(as_uuid=False) if self.has_uids else Text() if self.has_names else BigInteger()
        return dialect.type_descriptor(ARRAY(each) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: Iterable[Any] | None, dialect: Dialect) -> list[Any] | str:
        ids = [escape(name) for name in value or ()] if self.has_names else list(value or ())
        if dialect.name == "postgresql":
            return ids
        return json.dumps([uid.replace("-", "") for uid in ids] if self.has_uids else ids)


def batched(names: Iterable[str]) -> Iterator[list[str]]:
    """Yield names so many at a time as one statement takes: they are bound one by one."""
    left = iter(names)
    while block := list(islice(left, _BLOCK)):
        yield block


class _IsIn(FunctionElement[bool]):
    inherit_cache = True
    type = Boolean()

    @property
    def has_uids(self) -> bool:
        return any(isinstance(part.type, _Ids) and part.type.has_uids for part in self.clauses)

    # Any: what it is grouped against; SQLAlchemy types it so.
    def self_group(self, against: Any = None) -> "_IsIn":
        """Stand as it is: SQLAlchemy would add `= 1` on SQLite, and then no index is used."""
        return self


# Any: how SQLAlchemy types a compiler and what it passes on.
@compiles(_IsIn, "sqlite")
def _on_sqlite(element: _IsIn, compiler: Any, **options: Any) -> str:
    column, ids = (compiler.process(part, **options) for part in element.clauses)
    value = "unhex(value)" if element.has_uids else "value"
    return f"{column} IN (SELECT {value} FROM json_each({ids}))"


@compiles(_IsIn, "postgresql")
def _on_postgres(element: _IsIn, compiler: Any, **options: Any) -> str:
    column, ids = (compiler.process(part, **options) for part in element.clauses)
    return f"{column} = ANY({ids})"


def is_in(column: "Column[Any]", name: str = "ids") -> ColumnElement[bool]:
    """Return the condition that a column holds one of the ids, uids or names that are bound under a name."""
    kept = _Ids(has_uids=isinstance(column.type, Uid), has_names=isinstance(column.type, String))
    return _IsIn(column, bindparam(name, type_=kept))
