"""Summarise old episodes without a model: which belong together, and which of their sentences tell most.

Episodes belong together by their conversation, by what they are about, or by the weeks they were said in. A
summary is made of their own sentences: each near what all of them are about, none like another, one at least of
every conversation; rather what somebody tells, a name, a day, a decision, than advice, or what only acknowledges.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.learn import topics
from hermes_agent.learn.cheers import only_cheers
from hermes_agent.records.memory import Episode, Said
from hermes_agent.text.clean import preview
from hermes_agent.text.passages import passages
from hermes_agent.text.questions import only_asks
from hermes_agent.text.stems import content_words

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Vector = NDArray[float32]

FEWEST, MOST = 10, 40
"""A summary stands for about so many episodes."""
_HOUR = 3_600 * clock.MICROSECONDS
_DAY = 24 * _HOUR
_PAUSE = 12 * _HOUR
"""What is said after so long is something else, also in one conversation."""
_SOON = 7 * _DAY
"""Episodes of one topic belong together for so long."""
_SAME_TIME = 30 * _DAY
_SEVERAL = 3
"""A topic of so many conversations has a summary of its own, however few its episodes are."""
_SAME_TOPIC = 0.45
_EPISODES_FOR_A_LINE = 3
_FEWEST_LINES, _MOST_LINES = 3, 12
_SHORTEST_LINE, _LONGEST_LINE = 4, 240
_SHORTEST_SPECIFIC = 2
"""So many words are enough where one is a name or a number, or where a conversation has nothing longer."""
_PASSAGES_OF_A_MESSAGE = 5
_NOVELTY = 0.45
"""How much it counts that a line says something new, beside how near it is to all."""
_TYPED, _TELLS, _SPECIFIC = 0.2, 0.1, 0.1
"""How much nearer a line counts that a person typed, that tells of somebody, for each name and number in it."""
_FILLER, _OPENS, _ACKNOWLEDGED = -0.2, -1.0, -1.0
"""The same for what only judges, what only opens a talk, and a word that something was heard, or only cheers."""
_ADVISED = -0.3
"""The same for a point of a list of advice: "8. Use a wedge pillow" tells nothing of whoever asked."""
_POINT = re.compile(r"^\W{0,3}\d{1,2}[.)]\s|^\s*(?:[-*•+]\s|#{1,6}\s|\*\*)")
_MOST_SPECIFIC = 4
_ASKS = -0.25
"""A question says what somebody wanted to know, not what is so."""
_SOMEBODY = re.compile(r"\b(?:i|i'm|i've|my|we|we're|our|decided|because|prefers?|uses?|works?|lives?)\b", re.I)
_EMPTY = re.compile(
    r"^\W*(?:i(?:'m| am) (?:glad|happy|sure|afraid)\b|i (?:think|guess|believe|suppose|hope|feel)\b|it will be\b"
    r"|(?:that|this|it)(?:'s| is| sounds| looks) (?:fine|good|great|nice|fair|right|okay|ok|lovely)\b"
    r"|(?:ok|okay|sure|great|thanks|thank you|yes|no problem|hello|hi)\b)",
    re.I,
)
_HEARD = re.compile(
    r"^\W*(?:(?:ok|okay|great|sure|thanks|thank you|alright)\W+)*(?:i(?:'ll| will) (?:remember|keep|note)\b"
    r"|noted\b|understood\b|got it\b|of course\b|happy to\b|certainly\b|kept in this conversation\b"
    r"|you're welcome\b|well done\b|good to hear\b|that (?:sounds|needs a language model)\b"
    r"|i've (?:noted|saved|added)\b)",
    re.I,
)
_LONGEST_HEARD = 120
_NAME_OR_NUMBER = re.compile(r"(?<=[\w,;:] )[A-Z][\w-]+|\d[\w.:/-]*|[\w-]+[./_][\w./-]*\w")


@dataclass(slots=True)
class Cluster:
    """Episodes that one summary is to stand for, in order of time."""

    episodes: list[Episode]
    total: "Vector"
    """The sum of what their messages mean."""

    @property
    def source(self) -> str:
        return self.episodes[0].source

    @property
    def said_at(self) -> int:
        return self.episodes[0].said_at

    @property
    def ended_at(self) -> int:
        return max(one.ended_at for one in self.episodes)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of what was said that could be a line."""

    episode: Episode
    said: Said
    text: str


@dataclass(slots=True)
class _Chosen:
    lines: list[int] = field(default_factory=list)
    sessions: set[str] = field(default_factory=set)


def clusters(old: Sequence[Episode], meant: "Sequence[Vector]") -> list[Cluster]:
    """Put episodes together, given in order of time with what each of them means; each door's by themselves."""
    found: list[Cluster] = []
    for one in _stretches(old, meant):
        near = [each for each in reversed(found) if _is_near(each, one)]
        home = next((each for each in near if _is_same_task(each, one)), None)
        home = home or next((each for each in near if _is_same_topic(each, one)), None)
        if home is None:
            found.append(one)
        else:
            home.episodes += one.episodes
            home.total = home.total + one.total
    found.sort(key=lambda each: (each.source, each.said_at))
    return [made for _, of_door in groupby(found, key=lambda each: each.source) for made in _by_time(of_door)]


def passages_of(episodes: Sequence[Episode], said: Mapping[int, Sequence[Said]]) -> list[Passage]:
    """Return the pieces of episodes that could be lines, in order; `said` is what is fit to be told."""
    found = []
    for episode in episodes:
        for one in said.get(episode.id, ()):
            for text in passages(one.text, one.role)[:_PASSAGES_OF_A_MESSAGE]:
                line = preview(topics.without_opening(text), _LONGEST_LINE)
                if len(content_words(line)) >= _SHORTEST_SPECIFIC:
                    found.append(Passage(episode, one, line))
    told = {one.episode.session_id for one in found if _is_long_enough(one)}
    return [one for one in found if one.episode.session_id not in told or _is_long_enough(one)]


def line_count(episodes: Sequence[Episode]) -> int:
    """Return how many lines stand for episodes: one at least for each of their conversations."""
    by_length = min(_MOST_LINES, math.ceil(len(episodes) / _EPISODES_FOR_A_LINE))
    return max(_FEWEST_LINES, by_length, len({one.session_id for one in episodes}))


def choose(found: Sequence[Passage], vectors: "Sequence[Vector]", count: int) -> list[int]:
    """Return the places of the passages that tell most, in order: near to all, and unlike each other.

    While there are conversations that no line tells of, the next line is one of theirs.
    """
    import numpy

    if not found:
        return []
    matrix = numpy.array(vectors, numpy.float32)
    centre = matrix.sum(0)
    centre = centre / (float(numpy.linalg.norm(centre)) or 1.0)
    near = matrix @ centre + numpy.array([_telling(one) for one in found], numpy.float32)
    alike = numpy.zeros(len(found), numpy.float32)
    sessions = numpy.array([one.episode.session_id for one in found])
    chosen = _Chosen()
    is_free = numpy.ones(len(found), bool)
    while len(chosen.lines) < count and is_free.any():
        is_untold = is_free & ~numpy.isin(sessions, list(chosen.sessions))
        pool = is_untold if is_untold.any() else is_free
        scores = numpy.where(pool, near * (1 - _NOVELTY) - alike * _NOVELTY, -numpy.inf)
        best = int(scores.argmax())
        chosen.lines.append(best)
        chosen.sessions.add(str(sessions[best]))
        is_free[best] = False
        alike = numpy.maximum(alike, matrix @ matrix[best])
    return sorted(chosen.lines)


def _telling(one: Passage) -> float:
    """Return how much a passage tells beside what it is about."""
    is_advice = one.said.role == "assistant" and _POINT.match(one.text) is not None
    specific = 0 if is_advice else min(_MOST_SPECIFIC, len(set(_NAME_OR_NUMBER.findall(one.text))))
    return (
        _TYPED * (one.said.role != "assistant")
        + _TELLS * (_SOMEBODY.search(one.text) is not None)
        + _SPECIFIC * specific
        + _ASKS * only_asks(one.text)
        + _FILLER * (_EMPTY.match(one.text) is not None)
        + _OPENS * topics.is_opening(one.text)
        + _ADVISED * is_advice
        + _ACKNOWLEDGED * (_is_heard(one) or only_cheers(one.text))
    )


def _is_heard(one: Passage) -> bool:
    is_short_answer = one.said.role == "assistant" and len(one.text) <= _LONGEST_HEARD
    return is_short_answer and _HEARD.match(one.text) is not None


def _is_long_enough(one: Passage) -> bool:
    return _NAME_OR_NUMBER.search(one.text) is not None or len(content_words(one.text)) >= _SHORTEST_LINE


def _stretches(old: Sequence[Episode], meant: "Sequence[Vector]") -> Iterator[Cluster]:
    """Yield what was said in one conversation without a long pause, in order of time."""
    open_ones: dict[str, Cluster] = {}
    made: list[Cluster] = []
    for episode, vector in zip(old, meant, strict=True):
        known = open_ones.get(episode.session_id)
        if known is None or episode.said_at - known.ended_at > _PAUSE or len(known.episodes) >= MOST:
            known = Cluster([], vector * 0)
            open_ones[episode.session_id] = known
            made.append(known)
        known.episodes.append(episode)
        known.total = known.total + vector
    yield from made


def _is_near(cluster: Cluster, one: Cluster) -> bool:
    """Tell whether episodes may be told together: of one door, of about one week, not too many."""
    is_small = len(cluster.episodes) + len(one.episodes) <= MOST
    return is_small and cluster.source == one.source and one.said_at - cluster.ended_at <= _SOON


def _is_same_task(cluster: Cluster, one: Cluster) -> bool:
    """Tell whether conversations are the same one, or were opened for the same."""
    first = one.episodes[0]
    if any(each.session_id == first.session_id for each in cluster.episodes):
        return True
    tasks = {each.task for each in cluster.episodes if each.task is not None}
    return first.task is not None and any(topics.is_same_subject(task, first.task) for task in tasks)


def _is_same_topic(cluster: Cluster, one: Cluster) -> bool:
    """Tell whether conversations are about the same, by what they mean; who names another topic means another."""
    named, last = one.episodes[0].task, cluster.episodes[-1].task
    if named and last and topics.is_named(named) and topics.is_named(last):
        return False
    return _cosine(cluster.total, one.total) >= _SAME_TOPIC


def _cosine(one: "Vector", other: "Vector") -> float:
    length = math.sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / length if length else 0.0


def _by_time(found: Iterable[Cluster]) -> Iterator[Cluster]:
    """Put what is too little for a summary of its own together with what was said next."""
    waiting: Cluster | None = None
    for one in found:
        if len(one.episodes) >= FEWEST or len({each.session_id for each in one.episodes}) >= _SEVERAL:
            yield one
            continue
        if waiting is not None and one.said_at - waiting.said_at <= _SAME_TIME:
            waiting.episodes += one.episodes
            waiting.total = waiting.total + one.total
        else:
            if waiting is not None:
                yield waiting
            waiting = one
        if len(waiting.episodes) >= FEWEST:
            yield waiting
            waiting = None
    if waiting is not None:
        yield waiting
