"""Nudges: after so many turns without a saved note, or rounds of tools without a saved skill, look back.

The counts come from the archive itself, so they survive a resume and a change of process. Nothing is
ever put into the user's message: a review is a job that follows the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.agent.window import calls_of
from hermes_agent.records.archive import Message
from hermes_agent.records.turn import NewJob

REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Intervals:
    """After how many turns or rounds a review is due; 0 is never."""

    memory_turns: int
    skill_rounds: int


NEVER = Intervals(0, 0)


def jobs(session_id: str, window: Sequence[Message], intervals: Intervals) -> list[NewJob]:
    """Return the review that is due after this turn, if one is."""
    said = [i for i, message in enumerate(window) if message.role == "user"]
    before = window[: said[-1]] if said else []
    due = {
        "memory": _crosses(turns_without_note(before), turns_without_note(window), intervals.memory_turns),
        "skills": _crosses(rounds_without_skill(before), rounds_without_skill(window), intervals.skill_rounds),
    }
    if not any(due.values()):
        return []
    return [NewJob(REVIEW, f"{REVIEW}:{session_id}", {"session": session_id, **due})]


def turns_without_note(window: Sequence[Message]) -> int:
    """Count the user's messages since `memory` was last used."""
    count = 0
    for message in reversed(window):
        if _uses(message, "memory"):
            break
        count += message.role == "user"
    return count


def rounds_without_skill(window: Sequence[Message]) -> int:
    """Count the rounds of tool calls since `skill_manage` was last used."""
    count = 0
    for message in reversed(window):
        if _uses(message, "skill_manage"):
            break
        count += message.role == "assistant" and any(True for _ in calls_of(message.tool_calls))
    return count


def _uses(message: Message, tool: str) -> bool:
    return message.role == "assistant" and any(call.name == tool for call in calls_of(message.tool_calls))


def _crosses(before: int, after: int, interval: int) -> bool:
    # At each whole interval, not from then on: a review that found nothing is not repeated every turn.
    return interval > 0 and after // interval > before // interval
