"""Between which profiles the agent may hand something over by itself: `work -> home`, one way."""

import re

_PAIR = re.compile(r"\s*([a-z0-9][a-z0-9_-]{0,63})\s*->\s*([a-z0-9][a-z0-9_-]{0,63})\s*")


def problem(pairs: list[str]) -> str | None:
    """Say what is wrong with the pairs, None if nothing is."""
    for pair in pairs:
        found = _PAIR.fullmatch(pair)
        if found is None:
            return f"{pair!r} names no two profiles: write it as work -> home"
        if found[1] == found[2]:
            return f"{pair!r} names one profile twice"
    return None


def receivers(pairs: list[str], giver: str) -> list[str]:
    """Return the profiles that one profile's agent may hand something over to."""
    found = [match for pair in pairs if (match := _PAIR.fullmatch(pair)) is not None]
    return list(dict.fromkeys(match[2] for match in found if match[1] == giver))
