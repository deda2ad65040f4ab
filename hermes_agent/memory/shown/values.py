"""The fields of a record as JSON."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.records.archive import Json

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MOMENTS = frozenset(
    {
        "started_at",
        "began_at",
        "made_at",
        "ended_at",
        "last_active_at",
        "said_at",
        "at",
        "happened_at",
        "due_at",
        "created_at",
        "expires_at",
        "used_at",
        "revoked_at",
        "lease_until",
        "finished_at",
        "learned_at",
        "valid_from",
        "valid_to",
    }
)
"""The fields that are moments, whichever record they are of."""


def record_values(record: "DataclassInstance") -> dict[str, Json]:
    """Return the fields of a record that holds only plain values; `asdict` would copy each of them deeply."""
    return {one.name: getattr(record, one.name) for one in fields(record)}


def values_json(values: Mapping[str, Json]) -> dict[str, Json]:
    """Write fields of a record, their times in UTC."""
    return {
        name: clock.iso(value) if name in MOMENTS and isinstance(value, int) else value
        for name, value in values.items()
    }
