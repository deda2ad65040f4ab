"""Whose memory a SQLite file is, told without changing it: not even its shape is brought up to date."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes_agent.store import conversion, meta
from hermes_agent.store.sqlite import Sqlite


@dataclass(frozen=True, slots=True)
class Whose:
    """The profile that a store belongs to, and what tells the store from every other."""

    profile: str | None
    uid: str | None


def whose(engine: Sqlite, keys: Sequence[bytes | None]) -> Whose | None:
    """Tell whose a file is, opened with one of these keys; None if it is no store of ours."""
    candidates = (replace(engine, key=key) for key in keys)
    found = next((one for one in candidates if conversion.opens(one)), None)
    if found is None:
        return None
    connection = found.connect("ro")
    try:
        rows = dict(connection.execute("SELECT key, value FROM store_meta").fetchall())
    except found.driver.DatabaseError:
        return None
    finally:
        connection.close()
    return Whose(rows.get("profile"), rows.get(meta.STORE_UID))
