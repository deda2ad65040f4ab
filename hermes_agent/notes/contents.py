"""What may be written into an entry: text that any program reads back, and that reads like a fact."""

import re
from collections.abc import Sequence

from hermes_agent.notes import format, screening
from hermes_agent.notes.edit import preview
from hermes_agent.records.notes import Operation, Refused

_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def refuse(operations: Sequence[Operation]) -> Refused | None:
    """Say why the operations may not be made, looking only at what they bring; None lets them pass.

    Everything is looked at before anything is written.
    """
    for number, operation in enumerate(operations, start=1):
        content = (operation.content or "").strip()
        if operation.action not in ("add", "replace") or not content:
            continue
        refused = problem(content)
        if refused is not None and len(operations) > 1:
            where = f"Operation {number} of {len(operations)} ({preview(operation.action)}): "
            return Refused(
                refused.reason,
                f"{where}{refused.error} Nothing was changed: a batch is all-or-nothing.",
                refused.advice,
            )
        if refused is not None:
            return refused
    return None


def problem(content: str) -> Refused | None:
    """Say what is wrong with one content."""
    refused = unwritable(content)
    if refused is not None:
        return refused
    if format.holds_boundary(content):
        return Refused(
            "unwritable",
            "The text has a line with nothing but §, which is what separates entries.",
            "Send one operation for each entry, or leave the line out.",
        )
    ids = screening.find(content)
    if not ids:
        return None
    if "hardcoded_secret" in ids:
        return Refused(
            "blocked",
            f"Blocked ({', '.join(ids)}): the text holds a key, token or password, and notes are plain files that"
            " go into every prompt.",
            "Say where the secret is kept instead.",
        )
    return Refused(
        "blocked",
        f"Blocked ({', '.join(ids)}): the text reads like an instruction to an agent, and notes go into every"
        " prompt.",
        "Say it as a plain fact, or leave it out. Do not retry with the same text.",
    )


def unwritable(content: str) -> Refused | None:
    """Say which character of a content no note can hold."""
    found = _UNWRITABLE.search(content)
    if found is None:
        return None
    return Refused(
        "unwritable",
        f"The text holds a character that cannot stand in a note (U+{ord(found[0]):04X}).",
        "Leave it out, and retry.",
    )
