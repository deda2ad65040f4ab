"""Nudges: after so many turns without a saved note, or rounds of tools without a saved skill, look back.

The counts come from the archive itself, so they survive a resume and a change of process. Nothing is
ever put into the user's message: a review is a job that follows the answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hermes_agent.agent.window import calls_of
from hermes_agent.records.archive import Step
from hermes_agent.records.turn import NewJob

REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Intervals:
    """After how many turns or rounds a review is due; 0 is never."""

    memory_turns: int
    skill_rounds: int


NEVER = Intervals(0, 0)


def jobs(session_id: str, backwards: Iterable[Step], intervals: Intervals) -> list[NewJob]:
    """Return the review that is due after this turn, if one is; the steps come newest first."""
    if intervals == NEVER:
        return []
    turns, rounds, rounds_before = _count(backwards)
    due = {
        "memory": _crosses(max(turns - 1, 0), turns, intervals.memory_turns),
        "skills": _crosses(rounds_before, rounds, intervals.skill_rounds),
    }
    if not any(due.values()):
        return []
    return [NewJob(REVIEW, f"{REVIEW}:{session_id}", {"session": session_id, **due})]


def _count(backwards: Iterable[Step]) -> tuple[int, int, int]:
    """Count the user's turns since a note was saved, and the rounds of tools since a skill was, now and before."""
    turns = rounds = rounds_before = 0
    counts_turns = counts_rounds = True
    is_this_turn = True
    for step in backwards:
        names = {call.name for call in calls_of(step.tool_calls)} if step.role == "assistant" else set()
        counts_turns = counts_turns and "memory" not in names
        counts_rounds = counts_rounds and "skill_manage" not in names
        if not counts_turns and not counts_rounds:
            break
        rounds += counts_rounds and bool(names)
        rounds_before += counts_rounds and bool(names) and not is_this_turn
        if step.role == "user":
            turns += counts_turns
            is_this_turn = False
    return turns, rounds, rounds_before


def _crosses(before: int, after: int, interval: int) -> bool:
    # At each whole interval, not from then on: a review that found nothing is not repeated every turn.
    return interval > 0 and after // interval > before // interval
