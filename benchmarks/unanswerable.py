"""Questions that a memory cannot answer, because it is asked what another conversation is about.

Three kinds, each harder than the one before: the questions of conversations that share no speaker with this
one; the same with the names of this one's people in them; and those that the set itself calls unanswerable,
which speak of what was talked about and twist it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from benchmarks.conversations import CHAT, Conversation, Question, score
from benchmarks.kept import THRESHOLD, kept

FOREIGN, RENAMED, OWN = "foreign", "renamed", "own"
CATEGORIES = frozenset({"adversarial", "abstention"})
"""What sets call their own unanswerable questions; others without gold evidence may well have an answer."""
_MOST = 50
"""Foreign questions for one conversation."""
_SEED = 7


@dataclass(frozen=True)
class Thresholded:
    """How a set fares with the threshold: hits that should not be, and the recall@10 it costs."""

    is_hit: dict[str, list[bool]]
    """By kind of question: whether something was at least as relevant as the threshold."""
    recall: list[float]
    recall_above: list[float]

    def share(self, kind: str) -> float | None:
        """Return the share of the questions of a kind that got a hit; None without such questions."""
        found = self.is_hit.get(kind)
        return sum(found) / len(found) if found else None

    @property
    def cost(self) -> float:
        """What the threshold takes from the recall@10 of answerable questions."""
        return (sum(self.recall) - sum(self.recall_above)) / len(self.recall)


def measure(conversations: Sequence[Conversation], embedder: str) -> Thresholded:
    """Ask every conversation what it can answer and what it cannot."""
    found = Thresholded({}, [], [])
    for conversation in conversations:
        with kept(conversation, embedder) as memory:
            for kind, question in unanswerable(conversation, conversations):
                answer = memory.ask(question.text, question.now, 10)
                found.is_hit.setdefault(kind, []).append(bool(answer.turns_above(THRESHOLD)))
            for question in conversation.scored:
                answer = memory.ask(question.text, question.now, 10)
                found.recall.append(score(answer.turns(), question.evidence)["recall@10"])
                above = answer.turns_above(THRESHOLD)
                found.recall_above.append(score(above, question.evidence)["recall@10"])
    return found


def unanswerable(
    conversation: Conversation, conversations: Sequence[Conversation]
) -> Iterator[tuple[str, Question]]:
    """Yield questions with their kind; as many of others as the conversation has of its own, within limits."""
    people, here = _people(conversation), frozenset(conversation.text_of.values())
    foreign = [
        (other, question)
        for other in conversations
        if other is not conversation and not set(people) & set(_people(other))
        for question in other.scored
        if not any(other.text_of[turn] in here for turn in question.evidence)
    ]
    wanted = min(len(foreign), len(conversation.scored), _MOST)
    for other, question in Random(f"{_SEED}/{conversation.id}").sample(foreign, wanted):
        asked_now = replace(question, now=conversation.questions[0].now)
        yield FOREIGN, asked_now
        if people:
            yield RENAMED, replace(asked_now, text=renamed(question.text, _people(other), people))
    for question in conversation.questions:
        if not question.scored and question.category in CATEGORIES:
            yield OWN, question


def renamed(text: str, names: Sequence[str], others: Sequence[str]) -> str:
    """Put other people's names in place of these, the first for the first."""
    other_of = {name.lower(): others[place % len(others)] for place, name in enumerate(names)}
    if not other_of:
        return text
    named = re.compile(rf"\b({'|'.join(map(re.escape, other_of))})\b", re.IGNORECASE)
    return named.sub(lambda found: other_of[found[0].lower()], text)


def _people(conversation: Conversation) -> list[str]:
    said = (turn.speaker for session in conversation.sessions for turn in session.turns)
    return [speaker for speaker in dict.fromkeys(said) if speaker not in CHAT]
