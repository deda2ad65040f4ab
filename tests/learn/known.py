"""Facts that are known, as tables of tests need them."""

from dataclasses import replace
from typing import Any

from hermes_agent.records.memory import Fact

_FACT = Fact(
    id=1,
    uid="uid1",
    text="",
    subject="user",
    attribute=None,
    value=None,
    polarity="is",
    confidence=0.9,
    confidence_reason="stated by the user",
    source_class="user",
    source_message="old",
    span_start=0,
    span_end=1,
    source_entry=None,
    said_at=1,
    learned_at=1,
    valid_from=None,
    valid_to=None,
    superseded_by=None,
    corroborations=0,
    state="current",
    ended_at=None,
    is_pinned=False,
)


# Any: whatever fields a fact has.
def known_fact(number: int, text: str, **values: Any) -> Fact:
    """Return a current fact that was said by the user."""
    return replace(_FACT, id=number, uid=f"uid{number}", text=text, **values)
