"""Judge how well questions were answered, and whether it got worse. Pure: answers in, numbers out."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.records.selftests import Answer, Run, Score

DEPTH = 10
"""An answer further down is none."""
FEWEST_JUDGED = 20
"""With fewer questions one more or less found is chance, and nothing is judged."""
ALLOWED_POINTS = 2.0
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Verdict:
    """Recall@10 of two runs over the same questions, as far as they asked the same; `questions` is how many."""

    before: float
    after: float
    questions: int

    @property
    def points(self) -> float:
        """The change in points of a hundred; below 0 it got worse."""
        return 100 * (self.after - self.before)

    @property
    def is_drop(self) -> bool:
        return self.questions >= FEWEST_JUDGED and self.points < -ALLOWED_POINTS - _ROUNDING


def score(answers: Sequence[Answer]) -> Score:
    """Count the answers; without any every share is 0."""
    ranks = [answer.rank for answer in answers if answer.rank is not None]
    total = len(answers) or 1

    def within(depth: int) -> float:
        return sum(rank <= depth for rank in ranks) / total

    return Score(len(answers), within(1), within(5), within(DEPTH), sum(1 / rank for rank in ranks) / total)


def compare(before: Run, after: Run) -> Verdict:
    """Compare two runs on the questions that both asked; where those are few, on all that each asked.

    The same questions are compared where that is possible: history grows, and other questions are harder or
    easier by chance.
    """
    shared = {answer.message for answer in before.answers} & {answer.message for answer in after.answers}
    if len(shared) < FEWEST_JUDGED:
        fewest = min(len(before.answers), len(after.answers))
        return Verdict(score(before.answers).recall_10, score(after.answers).recall_10, fewest)
    then = score([answer for answer in before.answers if answer.message in shared])
    now = score([answer for answer in after.answers if answer.message in shared])
    return Verdict(then.recall_10, now.recall_10, len(shared))
