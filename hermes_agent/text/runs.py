"""Look for runs of bytes: many at once, in texts and in whole files, plainly or by keyed hashes only.

A receipt must not hold the words it is about, so of each run it keeps an HMAC. Hashing every twelve bytes of a
disk that way would take hours: of eight bytes a quick keyed number of 20 bits is compared first, in numpy, and
only what passes is hashed (one place in a thousand or fewer). The runs that a receipt keeps do not overlap: from
overlapping ones the text could be guessed byte by byte, each with 256 tries.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hermes_agent.text import phrases
from hermes_agent.text.snippet import OPEN, unmarked

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

RUN = 12
"""So many bytes are a run."""
PLAIN_RUN = 24
"""So many are one where the words are plain."""
LONGEST = 64
"""Longer ones are not looked for."""
_HEAD = 8
_BITS = 20
_MANY_BITS = 24
_MANY = 10_000
_CHUNK = 4 << 20
_MIXER = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_DIGITS = 24
_PHRASE = "word:"
_MOST_WORDS = 999
_HASHED = re.compile(rf"(?:[0-9a-f]{{5}}|{_PHRASE}[1-9][0-9]{{0,2}}):[0-9a-f]{{{_DIGITS}}}")

Place = tuple[int, int]
"""Where a run begins, and how long it is."""
Look = Callable[[bytes], list[Place]]
"""How runs are looked for: `find` of any of the classes here."""


@dataclass(frozen=True)
class Runs:
    """Runs of bytes, of eight bytes or more each; shorter ones are looked for one by one."""

    runs: frozenset[bytes]

    def find(self, data: bytes) -> list[Place]:
        """Return where any of them stands."""
        short, lengths = self._kinds
        found = [place for one in short for place in _all_of(data, one)]
        if lengths:
            runs = self.runs
            for at in _candidates(data, self._filter, _MIXER):
                found += [(at, length) for length in lengths if data[at : at + length] in runs]
        return found

    def without(self, others: Collection[bytes]) -> "Runs":
        """Return them without some."""
        return Runs(self.runs - frozenset(others))

    @cached_property
    def _kinds(self) -> tuple[list[bytes], list[int]]:
        """The runs that are looked for one by one, and how long the others are."""
        short = [one for one in self.runs if len(one) < _HEAD]
        return short, sorted({len(one) for one in self.runs} - {len(one) for one in short})

    @cached_property
    def _filter(self) -> "NDArray[numpy.bool_]":
        bits = _MANY_BITS if len(self.runs) > _MANY else _BITS
        return _filter([_tag(one, _MIXER, bits) for one in self.runs if len(one) >= _HEAD], bits)


@dataclass(frozen=True)
class HashedRuns:
    """Runs of which only keyed hashes are known: `tag:hash` each, or `word:size:hash` of a phrase."""

    key: bytes
    hashes: frozenset[str]

    def find(self, data: bytes) -> list[Place]:
        """Return where any of them stands."""
        said = phrases.find(data, self._sizes, self._is_phrase)
        return said + self._runs_in(data) if self._known else said

    def _runs_in(self, data: bytes) -> list[Place]:
        known = self._known
        return [
            (at, length)
            for at in _candidates(data, self._filter, _odd(self.key))
            for length in (RUN, PLAIN_RUN)
            if len(run := data[at : at + length]) == length and digest(self.key, run) in known
        ]

    def _is_phrase(self, phrase: str) -> bool:
        size = phrase.count(" ") + 1
        return f"{_PHRASE}{size}:{digest(self.key, encoded(phrase))}" in self.hashes

    @cached_property
    def _sizes(self) -> list[int]:
        return sorted({int(one.split(":")[1]) for one in self.hashes if one.startswith(_PHRASE)})

    @cached_property
    def _known(self) -> set[str]:
        return {one.partition(":")[2] for one in self.hashes if not one.startswith(_PHRASE)}

    @cached_property
    def _filter(self) -> "NDArray[numpy.bool_]":
        tags = [one.partition(":")[0] for one in self.hashes if not one.startswith(_PHRASE)]
        return _filter([int(one, 16) for one in tags], _BITS)


@dataclass(frozen=True)
class Sought:
    """Runs, and phrases that stand between other letters nowhere, however their case is."""

    runs: Runs
    phrases: Sequence[str] = ()

    def find(self, data: bytes) -> list[Place]:
        """Return where any of them stands."""
        found = self.runs.find(data)
        for phrase in self._spelled:
            found += [place for place in _all_of(data, phrase) if _stands_alone(data, place)]
        return found + phrases.find(data, self._sizes_in(data), self._normal.__contains__)

    def _sizes_in(self, data: bytes) -> set[int]:
        """Return how many words those phrases have whose words all stand in it: to tell words apart takes long."""
        told = data.decode("utf-8", "replace").casefold() if self._normal else ""
        return {size for one, size in self._normal.items() if size and all(word in told for word in one.split())}

    @cached_property
    def _normal(self) -> dict[str, int]:
        """The phrases as they are compared word by word, and how many words each has."""
        return dict(map(phrases.normal, self.phrases))

    @cached_property
    def _spelled(self) -> list[bytes]:
        spellings = [
            spelled
            for phrase in self.phrases
            for spelled in (phrase, phrase.lower(), phrase.upper(), phrase.title(), phrase.capitalize())
        ]
        return [encoded(one) for one in dict.fromkeys(spellings)]


def encoded(text: str) -> bytes:
    """Return the bytes of a text; lone surrogates have some, too."""
    return text.encode("utf-8", "surrogatepass")


def strings(value: object) -> Iterator[str]:
    """Yield every string in a value of JSON, names among them; one with marks of a search also without."""
    if isinstance(value, str):
        yield value
        if OPEN in value:
            yield unmarked(value)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from (name, *strings(one))


def hashed(key: bytes, run: bytes) -> str:
    """Return what is kept of a run: a few bits to find it quickly, and its HMAC."""
    return f"{_tag(run, _odd(key), _BITS):05x}:{digest(key, run)}"


def hashed_phrase(key: bytes, phrase: str) -> str | None:
    """Return what is kept of a phrase, which may be shorter than a run; None if it has no word, or too many."""
    told, size = phrases.normal(phrase)
    return f"{_PHRASE}{size}:{digest(key, encoded(told))}" if 0 < size <= _MOST_WORDS else None


def is_hashed(kept: str) -> bool:
    """Tell whether this is what is kept of a run or of a phrase."""
    return _HASHED.fullmatch(kept) is not None


def digest(key: bytes, data: bytes) -> str:
    """Return the keyed hash of anything, 96 bits of it."""
    return hmac.new(key, data, hashlib.sha256).hexdigest()[:_DIGITS]


def apart(runs: Collection[bytes], texts: Sequence[bytes], most: int) -> list[bytes]:
    """Choose runs that do not overlap in the texts, spread over them, at most so many."""
    chosen: dict[bytes, None] = {}
    for text in texts:
        at = 0
        while at <= len(text) - RUN:
            sizes = (RUN, PLAIN_RUN)
            found = next((size for size in sizes if at + size <= len(text) and text[at : at + size] in runs), 0)
            if found:
                chosen[text[at : at + found]] = None
            at += found or 1
    step = max(1, -(-len(chosen) // most))
    return list(chosen)[::step]


def _candidates(data: bytes, table: "NDArray[numpy.bool_]", mixer: int) -> Iterable[int]:
    """Yield the places whose first eight bytes pass the filter, some of them by chance."""
    import numpy

    shift = numpy.uint64(64 - (len(table).bit_length() - 1))
    factor = numpy.uint64(mixer)
    for start in range(0, max(len(data) - _HEAD + 1, 0), _CHUNK):
        # A place in this chunk may need the eight bytes that end in the next one.
        end = min(len(data), start + _CHUNK + _HEAD - 1)
        places = []
        for offset in range(start, min(start + _HEAD, end - _HEAD + 1)):
            values = numpy.frombuffer(data, "<u8", count=(end - offset) // _HEAD, offset=offset)
            hits = numpy.flatnonzero(table[(values * factor) >> shift])
            places.append(hits * _HEAD + offset)
        if places:
            yield from map(int, numpy.sort(numpy.concatenate(places)))


def _filter(tags: Sequence[int], bits: int) -> "NDArray[numpy.bool_]":
    import numpy

    table = numpy.zeros(1 << bits, numpy.bool_)
    table[tags] = True
    return table


def _tag(run: bytes, mixer: int, bits: int) -> int:
    return ((int.from_bytes(run[:_HEAD], "little") * mixer) & _MASK) >> (64 - bits)


def _odd(key: bytes) -> int:
    return int.from_bytes(hmac.new(key, b"tag", hashlib.sha256).digest()[:8], "little") | 1


def _stands_alone(data: bytes, place: Place) -> bool:
    at, length = place
    around = data[max(0, at - 1) : at] + data[at + length : at + length + 1]
    return not any(byte < 128 and chr(byte).isalnum() for byte in around)


def _all_of(data: bytes, run: bytes) -> list[Place]:
    found: list[Place] = []
    at = data.find(run)
    while at >= 0:
        found.append((at, len(run)))
        at = data.find(run, at + 1)
    return found
