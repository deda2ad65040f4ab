"""Names for stored things: uids that sort by time, and session ids a person can read.

A uid is a UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits. It is what references,
exports and merges use; the integers of the store are its own affair and differ between stores.
"""

import os
import re
import secrets
import uuid

from hermes_agent import clock

_UID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OURS = re.compile(r"\b(?:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}(?:-[0-9a-f]{4,12}){2}|\d{8}_\d{6}_[0-9a-f]{6})\b")


def is_uid(text: str) -> bool:
    """Tell whether a text is a uid as we write it."""
    return _UID.fullmatch(text) is not None


def with_mark(text: str, mark: str) -> str:
    """Return a text with a mark in the place of each uid and session id of ours."""
    return _OURS.sub(mark, text)


def new_uid(moment: int | None = None) -> str:
    """Make a UUIDv7 for `moment` (microseconds, default now)."""
    milliseconds = (clock.now() if moment is None else moment) // 1_000
    number = int.from_bytes(os.urandom(16), "big")
    number &= ~(0xFFFFFFFFFFFF << 80 | 0xF << 76 | 0x3 << 62)
    number |= (milliseconds & 0xFFFFFFFFFFFF) << 80 | 0x7 << 76 | 0x2 << 62
    return str(uuid.UUID(int=number))


def new_session_id(moment: int) -> str:
    """Make a session id in the public product's form: date, time, six hex digits."""
    return f"{clock.to_datetime(moment):%Y%m%d_%H%M%S}_{secrets.token_hex(3)}"
