"""Run the network: words in, what each of them may be, and what a run of them says. Only arithmetic.

Six layers of attention (MiniLM, changed by training), then for each word whether a value begins or goes on there,
and for each value its attribute, its polarity, and whom it is about.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import numpy.typing as npt

from hermes_agent.learn.trained.weights import Floats, Weights
from hermes_agent.learn.trained.words import Piece

LAYERS, HEADS = 6, 12
_TINY = 1e-12
_FAR = numpy.float32(-1e4)


@dataclass(frozen=True, slots=True)
class Encoded:
    """Pieces as numbers: their tokens, which of those count, and which token each word begins with."""

    pieces: Sequence[Piece]
    tokens: npt.NDArray[numpy.int64]
    counts: Floats
    firsts: Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a run of words says, as chances: attributes, polarities, whom, and which word names them."""

    attributes: Floats
    polarities: Floats
    whom: Floats
    naming: Floats


def states(weights: Weights, encoded: Encoded) -> Floats:
    """Return a vector for each token."""
    length = encoded.tokens.shape[1]
    x = weights.embedded(encoded.tokens) + weights["position"][:length] + weights["kind"]
    x = _normed(x, weights, "norm")
    hidden = ((1 - encoded.counts) * _FAR)[:, None, None, :]
    for layer in range(LAYERS):
        query, key, value = (_cut(_linear(x, weights, f"{layer}.{one}")) for one in ("query", "key", "value"))
        scores = query @ key.swapaxes(2, 3) / numpy.float32(query.shape[-1] ** 0.5) + hidden
        seen = (_softmax(scores) @ value).swapaxes(1, 2).reshape(x.shape)
        x = _normed(x + _linear(seen, weights, f"{layer}.joined"), weights, f"{layer}.norm1")
        wide = _gelu(_linear(x, weights, f"{layer}.wide"))
        x = _normed(x + _linear(wide, weights, f"{layer}.narrow"), weights, f"{layer}.norm2")
    return x


def worded(weights: Weights, row: Floats, firsts: Sequence[int], piece: Piece) -> Floats:
    """Return a vector for each word of a piece, of the vectors of its tokens."""
    shapes = numpy.array(piece.shapes(), numpy.float32)
    found: Floats = row[list(firsts)] + shapes @ weights["shape"]
    return found


def tag_scores(weights: Weights, words: Floats) -> Floats:
    """Return for each word how well it fits outside a value, at the beginning of one, or within."""
    return _linear(words, weights, "tag")


def judged(weights: Weights, words: Floats, begin: int, end: int) -> Judged:
    """Return what a run of words says."""
    run = words[begin:end]
    seen = numpy.concatenate([run[0], run[-1], run.mean(axis=0), words.max(axis=0)])
    told = numpy.maximum(_linear(seen, weights, "span"), 0)
    return Judged(
        _softmax(_linear(told, weights, "attribute")),
        _softmax(_linear(told, weights, "polarity")),
        _softmax(_linear(told, weights, "whom")),
        _softmax(words @ _linear(told, weights, "naming")),
    )


def _linear(x: Floats, weights: Weights, name: str) -> Floats:
    product: Floats = x @ weights[name] + weights[f"{name}.bias"]
    return product


def _cut(x: Floats) -> Floats:
    rows, length, width = x.shape
    return x.reshape(rows, length, HEADS, width // HEADS).swapaxes(1, 2)


def _normed(x: Floats, weights: Weights, name: str) -> Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = numpy.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _TINY)
    scaled: Floats = centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return scaled


def _gelu(x: Floats) -> Floats:
    bent: Floats = 0.5 * x * (1 + numpy.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
    return bent.astype(numpy.float32, copy=False)


def _softmax(x: Floats) -> Floats:
    raised = numpy.exp(x - x.max(axis=-1, keepdims=True))
    chances: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return chances
