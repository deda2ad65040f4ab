"""The queries that are asked, by how common their words are; the same for every engine and every run.

How common a word is, is counted in what was said (tool output apart) in the first conversations.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.corpus import SEED, Conversation, Corpus
from hermes_agent.text.identifiers import identifiers
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import words

EACH = 60
WARM_UP = 3
_SAMPLE_MESSAGES = 20_000
_MEDIUM = (0.005, 0.02)
_COMMON = (0.05, 0.40)
_OPENINGS = ("What did we say about", "Where did we talk about", "How was it with", "Why was there")
_HAN = re.compile("[\u4e00-\u9fff]{6,}")


@dataclass(frozen=True)
class Ask:
    """A query as typed, and its topical words where it is a matter of single words."""

    typed: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class QueryClass:
    """Queries of one kind. Only those of words are asked of the baselines, only ranked ones are compared."""

    name: str
    asks: tuple[Ask, ...]
    warm_up: tuple[Ask, ...]
    is_ranked: bool = False


class Questions:
    """Draws queries from a corpus of so many messages."""

    def __init__(self, corpus: Corpus, message_count: int) -> None:
        self._corpus = corpus
        self._chance = Random(SEED)
        counts: Counter[str] = Counter()
        said = 0
        conversations = 0
        for conversation in corpus.conversations(min(message_count, _SAMPLE_MESSAGES)):
            conversations += 1
            for message in conversation.messages:
                if message.role != "tool":
                    said += 1
                    counts.update(set(words(message.content or "")))
        self._medium = _between(counts, said, _MEDIUM)
        self._common = _between(counts, said, _COMMON)
        # Conversations are of one size on average, so these are nearly all there are.
        self._conversations = max(
            1, int(conversations * message_count / min(message_count, _SAMPLE_MESSAGES) * 0.95)
        )

    def classes(self) -> list[QueryClass]:
        """Draw every class of queries."""
        return [
            self._of_words("rare, question", self._rare, _question),
            self._of_words("rare, plain", self._rare, " ".join),
            self._of_words("medium, question", lambda: self._some(self._medium), _question),
            self._of_words("medium, plain", lambda: self._some(self._medium), " ".join),
            self._of_words("common, question", lambda: self._some(self._common), _question),
            self._of_words("common, plain", lambda: self._some(self._common), " ".join),
            self._literal("phrase", self._phrase),
            self._literal("Chinese", self._han_run),
            self._literal("fragment", self._fragment),
            self._literal("absent", self._absent),
        ]

    def _of_words(self, name: str, draw: Callable[[], list[str]], write: Callable[[list[str]], str]) -> QueryClass:
        drawn = [draw() for _ in range(EACH + WARM_UP)]
        asks = tuple(Ask(write(chosen), tuple(chosen)) for chosen in drawn)
        return QueryClass(name, asks[:EACH], asks[EACH:], is_ranked="question" in name)

    def _literal(self, name: str, draw: Callable[[], str]) -> QueryClass:
        asks = tuple(Ask(draw()) for _ in range(EACH + WARM_UP))
        return QueryClass(name, asks[:EACH], asks[EACH:])

    def _some(self, among: list[str]) -> list[str]:
        return self._chance.sample(among, self._chance.choice((2, 3, 4)))

    def _rare(self) -> list[str]:
        """Choose a word of some message that the vocabulary ranks low, and two common ones."""
        while True:
            found = [word for word in words(self._said(is_han=False)) if word in self._corpus.rare_words]
            if found:
                return [self._chance.choice(found), *self._chance.sample(self._common, 2)]

    def _phrase(self) -> str:
        """Take two or three words that stand side by side in some message."""
        while True:
            said = self._said(is_han=False).split()
            size = self._chance.choice((2, 3))
            at = self._chance.randrange(max(1, len(said) - size))
            chosen = said[at : at + size]
            is_telling = not STOP_WORDS.issuperset(word.lower() for word in chosen)
            if len(chosen) == size and all(word.isalpha() for word in chosen) and is_telling:
                return '"' + " ".join(chosen) + '"'

    def _han_run(self) -> str:
        while True:
            runs = _HAN.findall(self._said(is_han=True))
            if runs:
                run = self._chance.choice(runs)
                at = self._chance.randrange(len(run) - 5)
                return str(run[at : at + self._chance.choice((2, 3, 4, 6))])

    def _fragment(self) -> str:
        """Take the inner part of an identifier: no word of the index is like it."""
        while True:
            found = [name for name in identifiers(self._said(is_han=False)) if len(name) >= 12]
            if found:
                name = self._chance.choice(found)
                return name[2 : self._chance.randrange(8, len(name) - 1)]

    def _absent(self) -> str:
        return "qx" + "".join(self._chance.choice("bcdfghjklmnpqrstvwxz") for _ in range(8))

    def _said(self, *, is_han: bool) -> str:
        """Return what someone said in some conversation."""
        while True:
            conversation: Conversation = self._corpus.conversation(self._chance.randrange(self._conversations))
            if conversation.is_han is is_han:
                spoken = [m.content or "" for m in conversation.messages if m.role != "tool"]
                return self._chance.choice(spoken)


def _question(chosen: list[str]) -> str:
    return f"{_OPENINGS[len(chosen[0]) % len(_OPENINGS)]} {' '.join(chosen)}?"


def _between(counts: Counter[str], said: int, shares: tuple[float, float]) -> list[str]:
    low, high = shares
    return sorted(
        word
        for word, count in counts.items()
        if low <= count / said <= high and word not in STOP_WORDS and word.isascii()
    )
