"""What is in quarantine as JSON, and why in words."""

from hermes_agent import clock
from hermes_agent.records.archive import Json, Message
from hermes_agent.records.quarantine import Quarantined

REASONS = {
    "address": "it speaks to an assistant",
    "order": "it gives orders",
    "wish": "it wants something done",
    "override": "it wants instructions to be ignored",
    "lasting": "it wants to last",
    "memory": "it wants to be remembered",
    "secret": "it wants to be kept from you",
    "consent": "it claims your consent or your wishes",
    "authority": "it claims an authority",
    "transfer": "it wants data to be sent",
    "forged": "it imitates the marks of a prompt",
    "unseen": "people do not see it",
    "hidden": "it was encoded",
    "taken_from_elsewhere": "it was taken from a text from elsewhere",
    "told_by_program": "another program asked for it",
    "after_reading": "it was to be saved after a text from elsewhere was read, and you did not say it",
    "handed_over": "another profile handed it over",
    "after_quarantined_text": "it was to be saved after something in quarantine was read",
}
"""Why a text is in quarantine, to be said to its owner."""


def quarantined_json(one: Quarantined, words: str, message: Message | None) -> dict[str, Json]:
    """Write what is in quarantine, its words and the message they are in, None for those of a note."""
    return {
        "id": one.name,
        "uid": one.uid,
        "kind": one.kind,
        "state": one.state,
        "source": one.source_class,
        "reasons": list(one.reasons),
        "target": one.target,
        "text": words,
        "session": one.session_id,
        "message": None if message is None else message.uid,
        "at": clock.iso(one.at),
        "decided_at": None if one.decided_at is None else clock.iso(one.decided_at),
    }


def decided_json(one: Quarantined) -> dict[str, Json]:
    """Write what became of it."""
    return {"id": one.name, "state": one.state}
