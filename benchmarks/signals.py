"""Groups of the signals that recall weighs, to ask what each group is worth."""

from collections.abc import Mapping
from typing import Final

from hermes_agent.recall.weights import CHATS, CHATS_BY_WORDS, PEOPLE, PEOPLE_BY_WORDS

NOTHING: Final = "nothing"
"""The name of the group without signals."""

GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "words": frozenset(
        {
            "window_words",
            "own_words",
            "session_best_words",
            "session_words",
            "passage_words",
            "asked_words",
            "cover",
            "part_cover",
        }
    ),
    "soft words": frozenset({"soft_words"}),
    "meaning": frozenset(
        {"own_meaning", "near_meaning", "session_meaning", "asked_meaning", "exchange_meaning", "gist"}
    ),
    "kinds": frozenset({"kind"}),
    "speaker": frozenset({"speaker"}),
    "role": frozenset({"role"}),
    "days": frozenset({"day", "told_day", "time", "days_alone"}),
    "cues": frozenset(
        {
            "when",
            "where",
            "title",
            "count_past",
            "how_many",
            "denial",
            "summary_answer",
            "order_answer",
        }
    ),
    "priors": frozenset(
        {
            "first_person",
            "number",
            "asks",
            "start",
            "rarity",
            "goes_on",
            "answer_length",
            "place",
            "names",
            "news",
        }
    ),
    "freshness": frozenset({"fresh"}),
    "instructions and preferences": frozenset({"instruction", "preference"}),
}

LEFT_OUT: Final[Mapping[str, frozenset[str]]] = {
    NOTHING: frozenset(),
    **GROUPS,
    # Each stands in for the other when one is missing.
    "words and soft words": GROUPS["words"] | GROUPS["soft words"],
}


def left_out(present: frozenset[str]) -> dict[str, frozenset[str]]:
    """Return the groups that make a difference where only these signals are weighed, and nothing."""
    found: dict[frozenset[str], str] = {}
    for name, members in LEFT_OUT.items():
        found.setdefault(members & present, name)
    return {name: members for members, name in found.items()}


def weighed() -> frozenset[str]:
    """Return every signal that has a weight."""
    return frozenset(PEOPLE) | frozenset(PEOPLE_BY_WORDS) | frozenset(CHATS) | frozenset(CHATS_BY_WORDS)


def chosen(names: str) -> frozenset[str]:
    """Return the signals named, or of the groups named, in a list with commas."""
    found: frozenset[str] = frozenset()
    for name in filter(None, (one.strip() for one in names.split(","))):
        signals = GROUPS.get(name, frozenset({name}) & weighed())
        if not signals:
            raise ValueError(f"no signal or group is named {name!r}; groups: {', '.join(GROUPS)}")
        found |= signals
    return found
