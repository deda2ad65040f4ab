"""Run a cross-encoder from a folder with `model.onnx` and `tokenizer.json`; the extra `minilm` brings the rest.

The caller waits in another thread (`rerank.py`) and may leave; then no further batch is begun.
"""

import functools
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.errors import HermesError
from hermes_agent.text.clean import preview

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_FILES = ("model.onnx", "tokenizer.json")
_WINDOW_TOKENS = 512
_BATCH = 8
_THREADS = 2
_LOADING = threading.Lock()


class RerankFailed(HermesError):
    """No better order was given; the sentence says why."""


def scores(query: str, texts: Sequence[str], folder: Path | None, timeout_ms: int) -> list[float]:
    """Score each text beside the query, some at a time; loading the model counts towards the time."""
    if folder is None:
        raise RerankFailed("memory.rerank.provider is onnx, but memory.rerank.path is not set.")
    for name in _FILES:
        if not (folder / name).is_file():
            raise RerankFailed(f"The folder {folder} of memory.rerank.path has no {name}.")
    if find_spec("onnxruntime") is None:
        raise RerankFailed(
            'Reranking with onnx needs the package onnxruntime: pip install "hermes-agent[minilm]".'
        )
    end = clock.monotonic() + timeout_ms / 1_000
    found: list[float] = []
    try:
        with _LOADING:  # a search that came while it was loaded finds it loaded
            tokenizer, network = _load(folder)
        for start in range(0, len(texts), _BATCH):
            if clock.monotonic() > end:
                raise RerankFailed(f"The model in {folder} needed more than {timeout_ms} ms.")
            found += _batch(tokenizer, network, query, texts[start : start + _BATCH])
    except RerankFailed:
        raise
    except Exception as error:  # a file that is not ours: onnxruntime and tokenizers raise bare exceptions
        raise RerankFailed(f"The model in {folder} cannot be run: {preview(str(error), 200)}") from error
    return found


@functools.lru_cache(maxsize=1)
def _load(folder: Path) -> "tuple[Tokenizer, InferenceSession]":
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / _FILES[1]))
    tokenizer.enable_truncation(_WINDOW_TOKENS)
    tokenizer.enable_padding()
    options = SessionOptions()
    options.intra_op_num_threads = _THREADS
    return tokenizer, InferenceSession(str(folder / _FILES[0]), options, providers=["CPUExecutionProvider"])


def _batch(tokenizer: "Tokenizer", network: "InferenceSession", query: str, texts: Sequence[str]) -> list[float]:
    import numpy

    encoded = tokenizer.encode_batch([(query, text) for text in texts])
    given = {
        "input_ids": numpy.array([one.ids for one in encoded], numpy.int64),
        "attention_mask": numpy.array([one.attention_mask for one in encoded], numpy.int64),
        "token_type_ids": numpy.array([one.type_ids for one in encoded], numpy.int64),
    }
    wanted = {each.name for each in network.get_inputs()}
    logits = numpy.asarray(network.run(None, {name: given[name] for name in given if name in wanted})[0])
    rows = logits.reshape(len(texts), -1)
    if not numpy.isfinite(rows).all():
        raise RerankFailed("The model gave scores that are no numbers.")
    # With two numbers for a text the last one says that it fits.
    return [float(row[-1]) for row in rows]
