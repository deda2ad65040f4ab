"""Made-up conversations that behave like real ones, the same in every run.

Words are pronounceable and nobody's language; their frequencies follow Zipf, between them stand English
function words, and each conversation has a handful of words it keeps coming back to. One word in a hundred is
an identifier, one conversation in twenty is Chinese. Every conversation is drawn from its own seed, so any of
them can be made without making those before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.text.stopwords import STOP_WORDS

SEED = 20_240_101
WORD_TYPES = 220_000
HAN_TYPES = 30_000
IDENTIFIERS = 40_000
_RARE_FROM = 20_000

_EXPONENT, _SHIFT = 1.05, 2.7
_SHORTEST, _LONGEST = 5, 60
_HAN_SHARE = 0.05
_TITLED_SHARE = 0.7
_FUNCTION_SHARE, _TOPIC_SHARE, _IDENTIFIER_SHARE = 0.35, 0.14, 0.01
_TOPICS = 12
_TOPIC_RANKS = (50, 60_000)
_SENTENCE_END = 1 / 12
_TOOL_FOLLOWS = 0.45
_MEAN_WORDS = {"user": 24, "assistant": 45, "tool": 56}
_SPREAD = 0.7
_MOST_WORDS = 3_000
_FIRST = datetime(2024, 1, 1, tzinfo=UTC)
_APART = timedelta(minutes=30)
_PAUSE_MICROSECONDS = 20_000_000

_FUNCTION_WORDS = """the of and to a in is that for it was on are as with be by at this from or have an not
    but had his they you were there been one all their has would what will if can when so no out about which
    some them then other into more very up these just over only such than how its our also now where after
    before should could because"""
_HAN_FUNCTION_WORDS = "的了是在我有和就不人都一上也很到说要去你会着没看好自己这"
_ONSETS = (
    *"bcdfghjklmnprstvwz",
    "br",
    "cl",
    "dr",
    "fl",
    "gr",
    "kr",
    "pl",
    "pr",
    "sk",
    "sl",
    "st",
    "tr",
    "th",
    "sh",
    "ch",
)
_VOWELS = (*"aeiou", "ai", "ea", "io", "ou")
_CODAS = ["", "", "", "n", "r", "s", "l", "m", "t", "nd", "rk"]
_TOOLS = ("read_file", "run_shell", "web_search", "edit_file")
_ENDINGS = ("ts", "py", "rs", "json", "md")

Words = NDArray[np.object_]


@dataclass(frozen=True)
class Conversation:
    """A session as an import would bring it."""

    session: NewSession
    messages: list[NewMessage]
    is_han: bool


class Corpus:
    """All conversations there could be; which of them make an archive is a matter of counting."""

    def conversations(self, message_count: int) -> Iterator[Conversation]:
        """Yield conversations from the first on until they hold exactly so many messages."""
        left, index = message_count, 0
        while left > 0:
            made = self.conversation(index)
            yield Conversation(made.session, made.messages[:left], made.is_han)
            left -= len(made.messages)
            index += 1

    def conversation(self, index: int) -> Conversation:
        """Make one conversation."""
        chance = np.random.default_rng([SEED, index])
        count = _SHORTEST + int(chance.random() * (_LONGEST - _SHORTEST + 1))
        roles = _roles(chance, count)
        is_han = bool(chance.random() < _HAN_SHARE)
        means = np.array([_MEAN_WORDS[role] for role in roles])
        spread = np.exp(chance.standard_normal(count) * _SPREAD - _SPREAD**2 / 2)
        lengths = np.clip(means * spread, 2, _MOST_WORDS).astype(int)
        topics = self.topics(chance)
        if is_han:
            tokens = self._han_tokens(chance, int(lengths.sum()))
        else:
            tokens = self.tokens(chance, int(lengths.sum()), topics)
        started = _FIRST + index * _APART
        texts = _cut(tokens, lengths.tolist(), "" if is_han else " ")
        messages = self._messages(roles, texts, int(started.timestamp()) * 1_000_000, index)
        title = " ".join([*topics[:3], str(index)]) if chance.random() < _TITLED_SHARE else None
        session = NewSession(
            id=f"{started:%Y%m%d_%H%M%S}_{index:06x}",
            started_at=messages[0].said_at,
            title=title,
            title_source="auto" if title else None,
            model="bench",
        )
        return Conversation(session, messages, is_han)

    def _messages(self, roles: list[str], texts: list[str], started_at: int, index: int) -> list[NewMessage]:
        made = []
        for place, (role, text) in enumerate(zip(roles, texts, strict=True)):
            call = f"call_{index}_{place}"
            calls = None
            if place + 1 < len(roles) and roles[place + 1] == "tool":
                file = self.identifiers[(index * 61 + place) % IDENTIFIERS]
                calls = [
                    {"id": f"call_{index}_{place + 1}", "name": _TOOLS[place % 4], "arguments": {"path": file}}
                ]
            made.append(
                NewMessage(
                    role,
                    text,
                    said_at=started_at + place * _PAUSE_MICROSECONDS,
                    tool_calls=calls,
                    tool_call_id=call if role == "tool" else None,
                    tool_name=_TOOLS[(place - 1) % 4] if role == "tool" else None,
                )
            )
        return made

    def topics(self, chance: np.random.Generator) -> list[str]:
        low, high = np.log(_TOPIC_RANKS[0]), np.log(_TOPIC_RANKS[1])
        ranks = np.exp(low + (high - low) * chance.random(_TOPICS)).astype(int)
        return [str(word) for word in self.words[ranks]]

    def tokens(self, chance: np.random.Generator, count: int, topics: list[str]) -> Words:
        """Draw the words of a whole conversation, its sentences ended and begun."""
        kind, draw = chance.random(count), chance.random(count)
        tokens = self.words[np.searchsorted(self._word_shares, draw)]
        edges = np.cumsum([_FUNCTION_SHARE, _TOPIC_SHARE, _IDENTIFIER_SHARE])
        for values, low, high in (
            (self._function_words, 0.0, edges[0]),
            (np.array(topics, dtype=object), edges[0], edges[1]),
            (self.identifiers, edges[1], edges[2]),
        ):
            chosen = (kind >= low) & (kind < high)
            # Squaring the draw makes the first of a list the likely ones.
            tokens[chosen] = values[(draw[chosen] ** 2 * len(values)).astype(int)]
        for end in np.flatnonzero(chance.random(count - 1) < _SENTENCE_END):
            tokens[end] += "."
            tokens[end + 1] = tokens[end + 1][:1].upper() + tokens[end + 1][1:]
        return tokens

    def _han_tokens(self, chance: np.random.Generator, count: int) -> Words:
        kind, draw = chance.random(count), chance.random(count)
        tokens = self.han_words[np.searchsorted(self._han_shares, draw)]
        chosen = kind < _FUNCTION_SHARE
        tokens[chosen] = self._han_function_words[(draw[chosen] ** 2 * len(_HAN_FUNCTION_WORDS)).astype(int)]
        for end in np.flatnonzero(chance.random(count) < _SENTENCE_END):
            tokens[end] += "。" if draw[end] < 0.5 else "，"
        return tokens

    @cached_property
    def words(self) -> Words:
        """The vocabulary, the most frequent word first; frequent words are short."""
        chance = Random(SEED)
        found: dict[str, None] = {}
        while len(found) < WORD_TYPES:
            syllables = chance.choice((1, 2) if len(found) < 500 else (2, 3) if len(found) < 20_000 else (2, 3, 4))
            word = "".join(
                chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS) for _ in range(syllables)
            )
            if word not in STOP_WORDS:
                found[word] = None
        return np.array(list(found), dtype=object)

    @cached_property
    def rare_words(self) -> frozenset[str]:
        """The last of the vocabulary: each is in a few of 100,000 messages."""
        return frozenset(self.words[_RARE_FROM:])

    @cached_property
    def han_words(self) -> Words:
        """Chinese-looking words of one to three characters out of the 3,000 first of the block."""
        chance = Random(SEED)
        found: dict[str, None] = {}
        while len(found) < HAN_TYPES:
            size = chance.choice((1, 2, 2, 2, 3))
            found["".join(chr(0x4E00 + int(chance.random() ** 2 * 3_000)) for _ in range(size))] = None
        return np.array(list(found), dtype=object)

    @cached_property
    def identifiers(self) -> Words:
        """Names as programs have them: getUserById, file.name.ts, max_retry_count, src/area/part.py."""
        chance = Random(SEED)
        common = self.words[:8_000]
        found: dict[str, None] = {}
        while len(found) < IDENTIFIERS:
            parts = [str(chance.choice(common)) for _ in range(chance.choice((2, 3, 3, 4)))]
            camel = parts[0] + "".join(part.capitalize() for part in parts[1:])
            ending = chance.choice(_ENDINGS)
            forms = (camel, "_".join(parts), ".".join([*parts[:2], ending]), "/".join(parts) + f".{ending}")
            found[chance.choice(forms)] = None
        return np.array(list(found), dtype=object)

    @cached_property
    def _function_words(self) -> Words:
        return np.array(_FUNCTION_WORDS.split(), dtype=object)

    @cached_property
    def _han_function_words(self) -> Words:
        return np.array(list(_HAN_FUNCTION_WORDS), dtype=object)

    @cached_property
    def _word_shares(self) -> NDArray[np.float64]:
        return _zipf(WORD_TYPES)

    @cached_property
    def _han_shares(self) -> NDArray[np.float64]:
        return _zipf(HAN_TYPES)


def _zipf(types: int) -> NDArray[np.float64]:
    """Return the shares of the first, the first two, … words by the law of Zipf and Mandelbrot."""
    weights = 1.0 / (np.arange(types) + 1 + _SHIFT) ** _EXPONENT
    shares: NDArray[np.float64] = np.cumsum(weights) / weights.sum()
    shares[-1] = 1.0
    return shares


def _roles(chance: np.random.Generator, count: int) -> list[str]:
    """Let the user ask, the assistant answer, and tools answer the assistant now and then."""
    roles = ["user"]
    while len(roles) < count:
        if roles[-1] != "assistant":
            roles.append("assistant")
        else:
            roles.append("tool" if chance.random() < _TOOL_FOLLOWS else "user")
    return roles


def _cut(tokens: Words, lengths: list[int], space: str) -> list[str]:
    pieces: list[str] = tokens.tolist()
    texts, at = [], 0
    for length in lengths:
        texts.append(space.join(pieces[at : at + length]))
        at += length
    return texts
