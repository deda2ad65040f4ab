"""Column types that hold the same values on both engines.

PostgreSQL refuses NUL and both drivers refuse lone surrogates; a message may hold either, so such
characters are written with a reversible escape. Uids take 16 bytes on SQLite and are native on
PostgreSQL. JSON is text: it comes back exactly as it was given, key order included.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import UUID, BigInteger, Dialect, LargeBinary, Text, TypeDecorator
from sqlalchemy.types import UserDefinedType

from hermes_agent.store.packing import unpack

ESCAPE = "\ue0ff"
_UNSAFE = re.compile("[\x00\ud800-\udfff\ue0ff]")
_ESCAPED = re.compile("\ue0ff([0-9a-f]{4})")

_UID_BYTES = 16
BITS = 256

Moment = BigInteger
"""Microseconds since 1970, UTC."""


def escape(text: str) -> str:
    """Write the characters an engine refuses as a marker and four hex digits."""
    if text.isascii() and "\0" not in text:  # far cheaper to ask than any pattern, and nearly always so
        return text
    return _UNSAFE.sub(lambda m: f"{ESCAPE}{ord(m[0]):04x}", text)


def unescape(text: str) -> str:
    """Undo `escape`."""
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)), text) if ESCAPE in text else text


class String(TypeDecorator[str]):
    """Any Python string, lone surrogates and NUL included."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else escape(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else unescape(value)


class Json(TypeDecorator[object]):
    """Any JSON value as text; `None` is NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=True, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> object:
        return None if value is None else json.loads(value)


class Body(String):
    """A string that may be kept packed (`packing.py`); written it is always plain."""

    cache_ok = True

    def process_result_value(self, value: str | bytes | None, dialect: Dialect) -> str | None:
        return super().process_result_value(unpack(value) if isinstance(value, bytes) else value, dialect)


class JsonBody(Json):
    """A JSON value that may be kept packed."""

    cache_ok = True

    def process_result_value(self, value: str | bytes | None, dialect: Dialect) -> object:
        return super().process_result_value(unpack(value) if isinstance(value, bytes) else value, dialect)


class Uid(TypeDecorator[str]):
    """A UUID as its usual text in Python, 16 bytes in the store."""

    impl = LargeBinary(_UID_BYTES)
    cache_ok = True

    # Any: what load_dialect_impl takes and gives is typed so by SQLAlchemy.
    def load_dialect_impl(self, dialect: Dialect) -> Any:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(UUID(as_uuid=False))
        return dialect.type_descriptor(LargeBinary(_UID_BYTES))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | bytes | None:
        if value is None or dialect.name == "postgresql":
            return value
        # By hand: uuid.UUID takes five times as long, and every message has one.
        packed = bytes.fromhex(value.replace("-", ""))
        if len(packed) != _UID_BYTES:
            raise ValueError(f"not a uid: {value!r}")
        return packed

    def process_result_value(self, value: bytes | str | None, dialect: Dialect) -> str | None:
        if value is None or isinstance(value, str):
            return value
        digits = value.hex()
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


class _HalfVector(UserDefinedType[str]):
    """pgvector's type; it reads and writes `[1,2,3]`."""

    cache_ok = True

    # Any: SQLAlchemy passes keyword arguments of its own.
    def get_col_spec(self, **_: Any) -> str:
        return "halfvec"


class Vector(TypeDecorator[Sequence[float]]):
    """Numbers in half precision; come back as the engine keeps them, since only the engine reads them.

    SQLite keeps two bytes for each, little endian. Half precision keeps a cosine to about three decimals.
    """

    impl = LargeBinary
    cache_ok = True

    # Any: what load_dialect_impl takes and gives is typed so by SQLAlchemy.
    def load_dialect_impl(self, dialect: Dialect) -> Any:
        return dialect.type_descriptor(_HalfVector() if dialect.name == "postgresql" else LargeBinary())

    def process_bind_param(self, value: Sequence[float] | None, dialect: Dialect) -> bytes | str | None:
        import numpy  # here: most commands have nothing to do with vectors

        if value is None:
            return None
        if dialect.name == "postgresql":
            return vector_text(value)
        return numpy.asarray(value, dtype="<f2").tobytes()


class _BitString(UserDefinedType[str]):
    """PostgreSQL's type for so many bits; it reads and writes `0110…`."""

    cache_ok = True

    # Any: SQLAlchemy passes keyword arguments of its own.
    def get_col_spec(self, **_: Any) -> str:
        return f"bit({BITS})"


class Bits(TypeDecorator[bytes]):
    """A bit for each dimension of our own model, eight in a byte, the first of them the highest."""

    impl = LargeBinary
    cache_ok = True

    # Any: what load_dialect_impl takes and gives is typed so by SQLAlchemy.
    def load_dialect_impl(self, dialect: Dialect) -> Any:
        return dialect.type_descriptor(_BitString() if dialect.name == "postgresql" else LargeBinary())

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | str | None:
        return bit_text(value) if value is not None and dialect.name == "postgresql" else value

    def process_result_value(self, value: bytes | str | None, dialect: Dialect) -> bytes | None:
        return int(value, 2).to_bytes(BITS // 8) if isinstance(value, str) else value


def bit_text(bits: bytes) -> str:
    """Write bits the way PostgreSQL reads them."""
    return f"{int.from_bytes(bits):0{BITS}b}"


def vector_text(vector: Sequence[float], digits: int = 5) -> str:
    """Write a vector the way pgvector reads it; five digits tell any two halves apart, nine any two floats."""
    return "[" + ",".join([f"{number:.{digits}g}" for number in vector]) + "]"
