"""What a skill says of itself stands in every prompt: it is looked at when written, and when loaded.

Its files are followed, and are looked at when they are written: for orders that a text from elsewhere would give,
for secrets, and for commands that do harm.
"""

from functools import lru_cache

from hermes_agent.notes import screening
from hermes_agent.skills import dangers
from hermes_agent.text import secrets


@lru_cache(maxsize=1_024)
def threat_in(name: str, description: str) -> str | None:
    """Say what is wrong with a name and a description that stand in the prompt."""
    # A description speaks of the user and tells the assistant when to use a skill: as a text from elsewhere one
    # of nine public ones was stopped.
    found = screening.find(f"{name}: {description}", "soul")
    if not found:
        return None
    told = ", ".join(threat.replace("_", " ") for threat in found)
    return f"Its name or description was stopped by the security scan, which found: {told}."


def threats_in(text: str) -> tuple[str, ...]:
    """Return what the scan finds in a file of a skill, each once."""
    kinds = (one.kind for one in secrets.find(text))
    return tuple(dict.fromkeys((*screening.find(text, "foreign"), *dangers.find(text), *kinds)))
