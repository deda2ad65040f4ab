"""What a skill says of itself stands in every prompt: it is looked at when written, and when loaded."""

from functools import lru_cache

from hermes_agent.notes import screening


@lru_cache(maxsize=1_024)
def threat_in(name: str, description: str) -> str | None:
    """Say what is wrong with a name and a description that stand in the prompt."""
    said = f"{name}: {description}"
    # As a free text of the owner's, and as one from elsewhere: nobody can see who wrote it.
    found = dict.fromkeys((*screening.find(said, "soul"), *screening.find(said, "foreign")))
    if not found:
        return None
    told = ", ".join(threat.replace("_", " ") for threat in found)
    return f"Its name or description was stopped by the security scan, which found: {told}."
