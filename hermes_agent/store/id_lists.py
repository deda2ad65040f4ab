"""Compare a column with many ids at once, bound as one value.

So a statement is built and compiled once, however many ids it is asked for, and no limit of an
engine on the number of values is ever met.
"""

import json
from collections.abc import Iterable
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

from hermes_agent.store.types import Uid


class _Ids(TypeDecorator[Iterable[int]]):
    """A list of ids: an array on PostgreSQL, JSON on SQLite."""

    impl = Text
    cache_ok = True

    # Any: what load_dialect_impl takes and gives is typed so by SQLAlchemy.
    def load_dialect_impl(self, dialect: Dialect) -> Any:
        return dialect.type_descriptor(ARRAY(BigInteger) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: Iterable[int] | None, dialect: Dialect) -> list[int] | str:
        ids = list(value or ())
        return ids if dialect.name == "postgresql" else json.dumps(ids)


class _Uids(TypeDecorator[Iterable[str]]):
    """A list of uids: an array on PostgreSQL, JSON of their hexadecimal digits on SQLite."""

    impl = Text
    cache_ok = True

    # Any: what load_dialect_impl takes and gives is typed so by SQLAlchemy.
    def load_dialect_impl(self, dialect: Dialect) -> Any:
        return dialect.type_descriptor(ARRAY(UUID(as_uuid=False)) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: Iterable[str] | None, dialect: Dialect) -> list[str] | str:
        uids = list(value or ())
        return uids if dialect.name == "postgresql" else json.dumps([uid.replace("-", "") for uid in uids])


class _IsIn(FunctionElement[bool]):
    inherit_cache = True
    type = Boolean()

    @property
    def has_uids(self) -> bool:
        return any(isinstance(part.type, _Uids) for part in self.clauses)

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
    """Return the condition that a column holds one of the ids, or uids, that are bound under a name."""
    return _IsIn(column, bindparam(name, type_=_Uids() if isinstance(column.type, Uid) else _Ids()))
