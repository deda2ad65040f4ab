"""The embedder `local`: wordllama, a static model; a text's vector is the mean of its tokens' vectors.

The weights (16 MB) and the tokenizer lie in the package `wordllama`. They are read from there without importing
it: the import takes 0.4 s, needs an HTTP library and sets up the root logger; reading the two files takes 0.13 s.
"""

import functools
import math
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from hermes_agent.embedders.batches import Limits, clean, embed_in_batches
from hermes_agent.embedders.embedder import Matrix, Vector
from hermes_agent.errors import EmbedderDown

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MODEL = "wordllama-l2-supercat"
DIMENSIONS = 256

_LIMITS = Limits(text_bytes=16_384, batch_texts=64, batch_bytes=262_144)
_SPACE = "▁"  # how the tokenizer writes a space; every word begins with it
# Words that hold nothing that may begin another word, nor a special token such as </s>.
_PLAIN = re.compile(f"[^ {_SPACE}<]+")
# Joined, words cost a third of what they cost one by one; parts of this size keep the tokenizer's cores busy.
_WORDS_OF_A_PART = 50
_MANY_WORDS = 1_000
"""So many words are worth looking through the whole vocabulary once, which takes 40 ms."""
_LOADING = threading.Lock()
_FIRST_WORDS, _TOKENS = 300, 32_000
"""Tokens before the first are letters and the commonest words; so many there are."""
RAREST_TOKEN, _RAREST = math.log(_TOKENS / _FIRST_WORDS), 7.0


class Local:
    """Turns text into vectors in this process, 0.1 ms a text, with nothing to set up."""

    name = f"local:{MODEL}"
    fingerprint = f"local/{MODEL}@0.4/{DIMENSIONS}/plain-1"
    dimensions = DIMENSIONS
    is_local = True
    batch_size = 1_024

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return a row of length 1 for each text; the first 16,384 bytes of a text count."""
        return embed_in_batches(texts, DIMENSIONS, _LIMITS, _embed)

    def embed_query(self, text: str) -> Vector:
        """Return the vector of what somebody looks for: the same as of a text."""
        row: Vector = self.embed([text])[0]
        return row

    def word_vectors(self, words: Sequence[str]) -> Matrix:
        """Return the vectors of single words as the model has them, not brought to one length."""
        model = _model()
        ready = [clean(word, _LIMITS.text_bytes) for word in words]
        plain = [position for position, word in enumerate(ready) if _PLAIN.fullmatch(word)]
        others = [position for position, word in enumerate(ready) if word and not _PLAIN.fullmatch(word)]
        rows = numpy.zeros((len(words), DIMENSIONS), numpy.float32)
        if plain:
            encode = _tokens_of_plain_words if len(plain) >= _MANY_WORDS else _tokens
            rows[plain] = _means(model, *encode(model, [ready[position] for position in plain]))
        if others:
            rows[others] = _means(model, *_tokens(model, [ready[position] for position in others]))
        return rows

    def common_vector(self) -> Vector:
        """Return what the vectors of all words have in common."""
        return _common_vector()

    def rarities(self, words: Sequence[str]) -> Vector:
        """Return how rare each word is in the language, about: from 0 to 7.

        The tokenizer learned what is common first: a low number is a common word, several tokens are a rare one.
        """
        ready = [clean(word, _LIMITS.text_bytes) for word in words]
        encoded = _model().tokenizer.encode_batch_fast(ready, add_special_tokens=False)
        return numpy.array([_rarity(word.ids) for word in encoded], numpy.float32)


@dataclass(frozen=True, slots=True)
class _Model:
    """The tokenizer, and a vector for each token."""

    tokenizer: "Tokenizer"
    vectors: Matrix


def _model() -> _Model:
    with _LOADING:  # without it two threads that are first would both load
        return _load()


@functools.cache
def _load() -> _Model:
    from safetensors import SafetensorError, safe_open
    from tokenizers import Tokenizer

    folder = _folder()
    try:
        tokenizer = Tokenizer.from_buffer(
            (folder / "tokenizers" / "l2_supercat_tokenizer_config.json").read_bytes()
        )
        with safe_open(folder / "weights" / "l2_supercat_256.safetensors", framework="numpy") as file:
            vectors = file.get_tensor("embedding.weight").astype(numpy.float32)
    except (OSError, ValueError, SafetensorError) as error:
        raise _broken() from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return _Model(tokenizer, vectors)


@functools.cache
def _common_vector() -> Vector:
    mean: Vector = _model().vectors.mean(axis=0)
    return mean


def _rarity(tokens: Sequence[int]) -> float:
    if len(tokens) != 1:
        return min(RAREST_TOKEN + len(tokens) - 1, _RAREST) if tokens else 0.0
    return math.log(max(tokens[0], _FIRST_WORDS) / _FIRST_WORDS)


@functools.cache
def _begins_word() -> NDArray[numpy.bool_]:
    """Return for each token whether it begins a word."""
    tokens = sorted(_model().tokenizer.get_vocab().items(), key=lambda item: item[1])
    return numpy.array([token.startswith(_SPACE) for token, _ in tokens])


def _folder() -> Path:
    found = find_spec("wordllama")
    if found is None or not found.submodule_search_locations:
        raise _broken()
    return Path(found.submodule_search_locations[0])


def _broken() -> EmbedderDown:
    return EmbedderDown(
        "The package wordllama, which holds the local embedder's model, is missing or damaged.",
        hint='Install it again: pip install --force-reinstall "wordllama<0.5".',
    )


def _embed(texts: Sequence[str]) -> Matrix:
    model = _model()
    encoded = model.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    return numpy.stack([model.vectors[text.ids].mean(axis=0) for text in encoded])


def _tokens(model: _Model, words: list[str]) -> tuple[NDArray[numpy.intp], NDArray[numpy.intp]]:
    """Return the tokens of all words in a row, and how many each word has."""
    tokens = [word.ids for word in model.tokenizer.encode_batch_fast(words, add_special_tokens=False)]
    return _flat(tokens), numpy.fromiter(map(len, tokens), numpy.intp, len(tokens))


def _tokens_of_plain_words(model: _Model, words: list[str]) -> tuple[NDArray[numpy.intp], NDArray[numpy.intp]]:
    """Do the same faster: no token reaches from one word into the next, so words can be encoded together."""
    parts = [" ".join(words[at : at + _WORDS_OF_A_PART]) for at in range(0, len(words), _WORDS_OF_A_PART)]
    tokens, _ = _tokens(model, parts)
    starts = numpy.flatnonzero(_begins_word()[tokens])
    return tokens, numpy.diff(starts, append=len(tokens))


def _flat(lists: list[list[int]]) -> NDArray[numpy.intp]:
    return numpy.fromiter(chain.from_iterable(lists), numpy.intp, sum(map(len, lists)))


def _means(model: _Model, tokens: NDArray[numpy.intp], counts: NDArray[numpy.intp]) -> Matrix:
    """Return the mean of each word's tokens: first tokens, then second ones, for as many words as have one.

    Adding up rows that lie behind one another (`add.reduceat`) takes ten times as long.
    """
    order = numpy.argsort(-counts, kind="stable")
    starts, counts = (numpy.cumsum(counts) - counts)[order], counts[order]
    sums = model.vectors[tokens[starts]]
    for place in range(1, int(counts[0])):
        longer = int(numpy.count_nonzero(counts > place))
        sums[:longer] += model.vectors[tokens[starts[:longer] + place]]
    means: Matrix = numpy.empty_like(sums)
    means[order] = sums / counts[:, None].astype(numpy.float32)
    return means
