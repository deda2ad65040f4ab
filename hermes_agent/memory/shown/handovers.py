"""Hand-overs between profiles as JSON."""

from hermes_agent import clock
from hermes_agent.records.archive import Json
from hermes_agent.records.handover import Handover


def handover_json(one: Handover) -> dict[str, Json]:
    """Write a hand-over as one of the two profiles tells it, its time in UTC."""
    return {
        "id": one.uid,
        "direction": one.direction,
        "from": one.sender,
        "to": one.receiver,
        "at": clock.iso(one.at),
        "state": one.state,
        "actor": one.actor,
        "session": one.session_id,
        "items": [item.told for item in one.items],
    }
