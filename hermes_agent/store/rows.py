"""Between rows and records."""

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from sqlalchemy import RowMapping

from hermes_agent.records.archive import Message, Session
from hermes_agent.records.arrivals import Arrival, Chat
from hermes_agent.records.jobs import Job
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import Dispute, Episode, Fact
from hermes_agent.records.outbox import Delivery
from hermes_agent.records.quarantine import Quarantined
from hermes_agent.records.receipts import Receipt
from hermes_agent.records.reflections import Reflection
from hermes_agent.records.skills import KeptSkill
from hermes_agent.records.summaries import Summary
from hermes_agent.records.tokens import Token

_Record = TypeVar(
    "_Record",
    Message,
    Session,
    Job,
    Entry,
    Episode,
    Fact,
    Dispute,
    Quarantined,
    Reflection,
    KeptSkill,
    Summary,
    Receipt,
    Token,
    Arrival,
    Chat,
    Delivery,
)


def to_record(kind: type[_Record], row: RowMapping) -> _Record:
    """Make a record of a row whose columns bear the record's names."""
    # Any: a row's values are typed by the table, which mypy cannot see.
    values: dict[str, Any] = {name: row[name] for name in kind.__dataclass_fields__}
    if "metadata" in values:
        values["metadata"] = cast("Mapping[str, object]", values["metadata"] or {})
    return kind(**values)
