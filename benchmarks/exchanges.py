"""Made-up exchanges of a user and an assistant for the memory: short, dated, about people as well as things.

They are of the words of `corpus.py`, in sessions of about ten over three years, and name people: the same names
come again, few of them often. A session is drawn from its own seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from random import Random

import numpy

from benchmarks.corpus import SEED, Corpus
from hermes_agent.records.archive import NewMessage, NewSession

FIRST = datetime(2023, 1, 1, tzinfo=UTC)
YEARS = timedelta(days=3 * 365)
_FEWEST, _MOST = 4, 16
_USER_WORDS, _ANSWER_WORDS = 20, 42
_PEOPLE = 3_000
_NAMED_SHARE = 0.3
_OPENINGS = ("I met", "Yesterday I called", "I told", "We worked with", "Please write to", "I wonder about")
_MINUTE = 60_000_000


@dataclass(frozen=True)
class Session:
    """A session and what was said in it: a message of the user, its answer, and so on."""

    session: NewSession
    messages: list[NewMessage]


class Exchanges:
    """So many exchanges, spread over the years whatever their number is."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.corpus = Corpus()

    def __iter__(self) -> Iterator[Session]:
        left, index = self.count, 0
        while left > 0:
            made = self.session(index)
            yield Session(made.session, made.messages[: 2 * left])
            left -= len(made.messages) // 2
            index += 1

    @property
    def sessions(self) -> int:
        """About how many sessions there are: a little fewer than there will be."""
        return max(1, int(self.count / ((_FEWEST + _MOST) / 2) * 0.95))

    def session(self, index: int) -> Session:
        """Make one session."""
        chance = numpy.random.default_rng([SEED, 4, index])
        exchanges = int(chance.integers(_FEWEST, _MOST + 1))
        started = FIRST + YEARS * min(index / max(self.sessions, 1), 1.0)
        topics = self.corpus.topics(chance)
        at = int(started.timestamp()) * 1_000_000
        messages = []
        for place in range(2 * exchanges):
            role, mean = ("assistant", _ANSWER_WORDS) if place % 2 else ("user", _USER_WORDS)
            length = max(2, int(mean * numpy.exp(0.5 * chance.standard_normal() - 0.125)))
            text = " ".join(self.corpus.tokens(chance, length, topics))
            if role == "user" and chance.random() < _NAMED_SHARE:
                person = self.people[int(chance.random() ** 2 * _PEOPLE)]
                text = f"{_OPENINGS[int(chance.integers(len(_OPENINGS)))]} {person} about {text}"
            messages.append(NewMessage(role, text, said_at=at + place * _MINUTE))
        title = " ".join(topics[:3])
        session = NewSession(id=f"{started:%Y%m%d_%H%M%S}_{index:06x}", started_at=at, title=title)
        return Session(session, messages)

    @cached_property
    def people(self) -> list[str]:
        """First name and surname, the best known first."""
        chance = Random(SEED)
        words = [str(word).capitalize() for word in self.corpus.words[2_000:8_000] if len(word) > 4]
        return [f"{chance.choice(words)} {chance.choice(words)}" for _ in range(_PEOPLE)]
