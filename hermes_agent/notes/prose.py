"""Change a free text such as SOUL.md by its parts; everything else in it stays as it is."""

from hermes_agent.notes.edit import preview
from hermes_agent.records.notes import Refused


def add(text: str, content: str) -> str | Refused:
    """Put a paragraph at the end."""
    content = content.strip()
    if not content:
        return Refused("missing", "There is nothing to add.")
    return f"{text.rstrip()}\n\n{content}\n" if text.strip() else f"{content}\n"


def replace(text: str, old_text: str, content: str, name: str) -> str | Refused:
    """Put another text in the place of the one part that is meant."""
    if not old_text.strip():
        return Refused("missing", "Say which part is meant: a piece of the text that stands in it once.")
    count = text.count(old_text)
    if count == 0:
        return Refused("no_match", f"{name} does not hold {preview(old_text)!r}.")
    if count > 1:
        return Refused(
            "ambiguous",
            f"{name} holds {preview(old_text)!r} {count} times. Send a longer part that stands there once.",
        )
    return text.replace(old_text, content)


def remove(text: str, old_text: str, name: str) -> str | Refused:
    """Take the one part out that is meant, and its line if nothing is left on it."""
    without = replace(text, old_text, "\0", name)
    if isinstance(without, Refused):
        return without
    lines = without.split("\n")
    return "\n".join(line.replace("\0", "") for line in lines if line.strip() != "\0")
