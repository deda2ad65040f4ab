"""Holographic vectors: words, names and whole facts as angles that can be bound together and found again.

Every word has a fixed vector of angles, made from its hash. Binding adds angles, bundling takes their mean, and
what was bundled is still found in the outcome (Plate 1995, holographic reduced representations). A fact is the
bundle of its words, bound to the role of content, and of the names in it, bound to the role of entities. The
numbers and their bytes are those of the public Hermes Agent, so that both read the same file.
"""

import math
import struct
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256

import numpy
from numpy.typing import NDArray

Phases = NDArray[numpy.float64]

_TURN = 2 * math.pi
_ROLE_CONTENT, _ROLE_ENTITY = "__hrr_role_content__", "__hrr_role_entity__"
_EMPTY = "__hrr_empty__"
_MARKS = ".,!?;:\"'()[]{}"
_WORDS_PER_HASH = 16
_SHORT = b"HRR1"
"""Stands before vectors of 4-byte numbers, which newer versions of the public product write."""
_MOST_WORDS = 2_000
"""More words than that leave no trace that could be told from noise, and take seconds."""
_NOISE = 4.0
"""Unrelated vectors are alike by about 1/√(2·dimensions); so many times that is no accident."""


@lru_cache(maxsize=1024)
def atom(word: str, dimensions: int) -> Phases:
    """Return the vector of one word; the same on every machine."""
    blocks = range(math.ceil(dimensions / _WORDS_PER_HASH))
    numbers = b"".join(sha256(f"{word}:{block}".encode("utf-8", "replace")).digest() for block in blocks)
    made: Phases = numpy.frombuffer(numbers, "<u2")[:dimensions].astype(numpy.float64) * (_TURN / 65_536)
    made.flags.writeable = False
    return made


def bound(left: Phases, right: Phases) -> Phases:
    """Bind two vectors: the outcome is like neither."""
    made: Phases = (left + right) % _TURN
    return made


def bundled(vectors: Iterable[tuple[Phases, int]]) -> Phases:
    """Return the vector that is like each of the given ones, as often as it counts."""
    total = sum(numpy.exp(1j * vector) * count for vector, count in vectors)
    made: Phases = numpy.angle(total) % _TURN
    return made


def likeness(left: Phases, right: Phases) -> float:
    """Return how alike two vectors are: 1 the same, about 0 unrelated."""
    return float(numpy.mean(numpy.cos(left - right)))


def of_text(text: str, dimensions: int) -> Phases:
    """Return the vector of a text's words, whatever their order."""
    stripped = (word.strip(_MARKS) for word in text.lower().split()[:_MOST_WORDS])
    counts = Counter(word for word in stripped if word)
    if not counts:
        return atom(_EMPTY, dimensions)
    return bundled((atom(word, dimensions), count) for word, count in counts.items())


def as_content(text: str, dimensions: int) -> Phases:
    """Return what a text is like inside of a fact."""
    return bound(of_text(text, dimensions), atom(_ROLE_CONTENT, dimensions))


def of_fact(content: str, entities: Iterable[str], dimensions: int) -> Phases:
    """Return the vector of a fact: what it says, and whom it names."""
    return bundled([(as_content(content, dimensions), 1), *((_named(name, dimensions), 1) for name in entities)])


def presence(fact: Phases, name: str) -> float:
    """Return how much a fact is about somebody or something: the likeness as a name, 0 where it is noise."""
    return _above_noise(likeness(fact, _named(name, len(fact))), len(fact))


def mention(fact: Phases, name: str) -> float:
    """Return how much a fact names something or says all of its words, 0 where neither."""
    role = atom(_ROLE_CONTENT, len(fact))
    words = [word for word in (part.strip(_MARKS) for part in name.lower().split()) if word]
    said = min((likeness(fact, bound(atom(word, len(fact)), role)) for word in words), default=0.0)
    return max(presence(fact, name), _above_noise(said, len(fact)))


def packed(vector: Phases) -> bytes:
    """Return the bytes of a vector, in the form that every version of the public product reads."""
    return vector.astype("<f8").tobytes()


def unpacked(data: bytes | None, dimensions: int) -> Phases | None:
    """Return the vector of stored bytes; None if there are none, or if they are of another length."""
    if data is None:
        return None
    if data.startswith(_SHORT) and len(data) == len(_SHORT) + 4 * dimensions:
        return numpy.frombuffer(data, "<f4", offset=len(_SHORT)).astype(numpy.float64)
    if len(data) != struct.calcsize("<d") * dimensions:
        return None
    return numpy.frombuffer(data, "<f8")


def _named(name: str, dimensions: int) -> Phases:
    return bound(atom(name.lower(), dimensions), atom(_ROLE_ENTITY, dimensions))


def _above_noise(value: float, dimensions: int) -> float:
    return value if value > _NOISE / math.sqrt(2 * dimensions) else 0.0
