"""What a skill says is looked at when it is written, and when it is loaded.

Its name, description and category stand in every prompt; the rest is looked at where it is read, listed or
validated, not at every start: a hundred long skills would take a second. Its files are followed: they are looked
at for orders that a text from elsewhere would give, for secrets, and for commands that do harm.
"""

from functools import lru_cache

from hermes_agent.notes import screening
from hermes_agent.skills import dangers
from hermes_agent.text import secrets


@lru_cache(maxsize=1_024)
def threat_in(name: str, description: str, category: str | None = None) -> str | None:
    """Say what is wrong with a name, a description and a category that stand in the prompt."""
    # A description speaks of the user and tells the assistant when to use a skill: as a text from elsewhere one
    # of nine public ones was stopped.
    found = screening.find(f"{name}: {description}", "soul")
    if found:
        return f"Its name or description {_stopped(found)}."
    found = screening.find(category or "", "soul")
    return f"Its category {_stopped(found)}." if found else None


def threat_in_file(file: str, text: str) -> str | None:
    """Say what must not stand in a file of a skill."""
    found = _scan(text)
    return f"{file} {_stopped(found)}. {_MEND}" if found else None


_MEND = "Take out secrets, hidden signs, orders to the assistant and commands that do harm."


@lru_cache(maxsize=64)
def _scan(text: str) -> tuple[str, ...]:
    kinds = (one.kind for one in secrets.find(text))
    return tuple(dict.fromkeys((*screening.find(text, "foreign"), *dangers.find(text), *kinds)))


def _stopped(found: tuple[str, ...]) -> str:
    told = ", ".join(threat.replace("_", " ") for threat in found)
    return f"was stopped by the security scan, which found: {told}"
