"""Make a change to the entries of a note, or say why not; nothing here opens a file.

One operation or several: several are made together or not at all, and only the end must fit the limit.
A refusal tells the model what it needs to try again: the entries as they are, their sizes, how full the
note is. A part of an entry names it as long as no other entry holds the part too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.notes import format
from hermes_agent.records.notes import Operation, Refused

ACTIONS = ("add", "replace", "remove")

_PREVIEW = 80
_SIZE_PREVIEW = 40
# A reply goes into the model's window: beyond this the entries are cut, and beyond that left out.
_SHOWN_CHARACTERS = 10_000
_SHOWN_CUT = 200
_SHOWN_ENTRIES = 100


@dataclass(frozen=True, slots=True)
class Edited:
    """The entries after a change; `message` says what was done, `saved` holds what was added or put in."""

    entries: Sequence[str]
    saved: Sequence[str]
    message: str


@dataclass(frozen=True, slots=True)
class _Step:
    """One operation made: what is there now, what was saved, and whether anything is different."""

    entries: list[str]
    saved: str | None
    message: str


def edit(text_entries: Sequence[str], operations: Sequence[Operation], limit: int, name: str) -> Edited | Refused:
    """Make the operations in order to the entries of the file called `name`."""
    before = format.unique(text_entries)
    entries, saved = before, list[str]()
    message = ""
    for number, operation in enumerate(operations, start=1):
        step = _make(entries, operation, limit, name)
        if isinstance(step, Refused):
            return step if len(operations) == 1 else _batch(step, operation, number, operations, before, limit)
        entries, message = step.entries, step.message
        saved += [] if step.saved is None else [step.saved]
    size = format.size(entries)
    # A note that an owner let grow too long may still be made shorter, step by step.
    if size > limit and size > format.size(before):
        return _full(before, operations, size, limit, name)
    if len(operations) > 1:
        is_same = entries == before
        message = "Nothing had to be changed." if is_same else f"All {len(operations)} operations were made."
    return Edited(entries, saved, message)


def live(entries: Sequence[str], *, longest_first: bool = False) -> list[str]:
    """Return the entries as a reply shows them: whole, or cut when they are too much to send."""
    shown = sorted(entries, key=len, reverse=True) if longest_first else list(entries)
    if sum(map(len, shown)) <= _SHOWN_CHARACTERS:
        return shown
    return [preview(entry, _SHOWN_CUT) for entry in shown[:_SHOWN_ENTRIES]]


def preview(entry: str, length: int = _PREVIEW) -> str:
    """Return the beginning of an entry."""
    return entry if len(entry) <= length else entry[:length] + "..."


def _make(entries: list[str], operation: Operation, limit: int, name: str) -> _Step | Refused:
    content = (operation.content or "").strip()
    old_text = (operation.old_text or "").strip()
    usage = format.fraction(format.size(entries), limit)
    if operation.action not in ACTIONS:
        asked = preview(operation.action)
        return Refused("unknown", f"There is no action {asked!r}. Use one of: {', '.join(ACTIONS)}.")
    if operation.action != "add" and not old_text:
        return Refused(
            "missing",
            f"{operation.action} needs old_text: a short part of the entry that is meant, found in no other one.",
            "The entries are in current_entries.",
            current_entries=live(entries),
            usage=usage,
        )
    if operation.action == "replace" and not content:
        return Refused("missing", "replace needs content, the new text.", "To take an entry out use remove.")
    if operation.action == "add":
        return _add(entries, content, name)
    found = _find(entries, old_text, usage, name)
    if isinstance(found, Refused):
        return found
    if operation.action == "remove":
        return _Step(entries[:found] + entries[found + 1 :], None, f"Removed from {name}.")
    if content == entries[found]:
        return _Step(entries, content, f"{name} says exactly this already; nothing was changed.")
    replaced = format.unique([*entries[:found], content, *entries[found + 1 :]])
    return _Step(replaced, content, f"Replaced in {name}.")


def _add(entries: list[str], content: str, name: str) -> _Step | Refused:
    if not content:
        return Refused("missing", "There is nothing to add: content is empty.", "Send the text of the entry.")
    if content in entries:
        return _Step(entries, content, f"{name} holds this entry already; nothing was added.")
    return _Step([*entries, content], content, f"Added to {name}.")


def _find(entries: Sequence[str], old_text: str, usage: str, name: str) -> int | Refused:
    """Return the place of the one entry that is meant."""
    if old_text in entries:
        return entries.index(old_text)
    places = [place for place, entry in enumerate(entries) if old_text in entry]
    if not places:
        return Refused(
            "no_match",
            f"No entry of {name} holds {preview(old_text)!r}.",
            "Take a part of one of current_entries, letter for letter, and retry.",
            current_entries=live(entries),
            usage=usage,
        )
    if len(places) > 1:
        return Refused(
            "ambiguous",
            f"Multiple entries of {name} hold {preview(old_text)!r}.",
            "Send a longer part that only one of them has, and retry.",
            matches=[preview(entries[place]) for place in places[:_SHOWN_ENTRIES]],
        )
    return places[0]


def _full(before: Sequence[str], operations: Sequence[Operation], size: int, limit: int, name: str) -> Refused:
    longest = live(before, longest_first=True)
    if len(operations) == 1:
        length = len((operations[0].content or "").strip())
        what = f"This {operations[0].action} of {length:,} characters"
    else:
        what = "Nothing was changed, a batch is all-or-nothing: together the operations"
    return Refused(
        "full",
        f"{what} would exceed the limit of {name}: {size:,} of {limit:,} characters.",
        "Replace long entries by shorter ones or remove what is stale, in one batch of operations together with"
        " the new text, and retry.",
        current_entries=longest,
        entry_sizes={f"{place}:{entry[:_SIZE_PREVIEW]}": len(entry) for place, entry in enumerate(longest)},
        usage=format.fraction(format.size(before), limit),
    )


def _batch(
    step: Refused,
    operation: Operation,
    number: int,
    operations: Sequence[Operation],
    before: Sequence[str],
    limit: int,
) -> Refused:
    """Say which operation of a batch stopped all of them, with the entries as they still are."""
    return Refused(
        step.reason,
        f"Operation {number} of {len(operations)} ({preview(operation.action)}): {step.error} Nothing was changed:"
        " a batch is all-or-nothing.",
        step.advice,
        current_entries=live(before),
        usage=format.fraction(format.size(before), limit),
        matches=step.matches,
    )
