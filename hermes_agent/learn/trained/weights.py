"""The weights of the network: MiniLM's, out of the package that the extra `minilm` brings, changed by ours.

`reader.safetensors` holds what training changed: for each matrix of MiniLM two thin ones whose product is added,
and the layers that read facts off the words. Where MiniLM's own numbers lie in their file is written there too;
that file is known by its checksum, so they lie nowhere else.
"""

import functools
import json
import threading
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy
import numpy.typing as npt
from safetensors.numpy import load

from hermes_agent.embedders import minilm

Floats = npt.NDArray[numpy.float32]
FILE = "reader.safetensors"
_LOADING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Weights:
    """Every matrix by its name; what the word embeddings are is kept small: whole numbers and a scale a row."""

    matrices: dict[str, Floats]
    embeddings: npt.NDArray[numpy.int8]
    scales: Floats
    attributes: tuple[str, ...]

    def __getitem__(self, name: str) -> Floats:
        return self.matrices[name]

    def embedded(self, tokens: npt.NDArray[numpy.int64]) -> Floats:
        """Return the vectors of tokens."""
        found: Floats = self.embeddings[tokens] * self.scales[tokens]
        return found


def weights() -> Weights:
    """Return the weights, loaded once: 0.2 seconds and 60 MB."""
    with _LOADING:  # without it two threads that are first would both load
        return _load()


@functools.cache
def _load() -> Weights:
    return _made(is_trained=True)


def plain_weights() -> Weights:
    """Return them with MiniLM's as they were before training."""
    return _made(is_trained=False)


def _made(*, is_trained: bool) -> Weights:
    ours = load(files(__package__).joinpath(FILE).read_bytes())
    plan: dict[str, Any] = json.loads(ours.pop("plan").tobytes())
    theirs = minilm.model_file().read_bytes()
    matrices = {name: numbers.astype(numpy.float32) for name, numbers in ours.items()}
    for name, place in plan["plain"].items():
        matrices[name] = _numbers(theirs, numpy.float32, place)
    for name, places in plan["scaled"].items():
        matrices[name] = _scaled(theirs, places)
        if is_trained and f"{name}.in" in ours:
            matrices[name] += matrices.pop(f"{name}.in") @ matrices.pop(f"{name}.out")
    numbers, scale = plan["words"]
    return Weights(
        matrices,
        _numbers(theirs, numpy.int8, numbers),
        _numbers(theirs, numpy.float32, scale),
        tuple(plan["attributes"]),
    )


def _scaled(file: bytes, places: list[Any]) -> Floats:
    numbers, scale = places
    product: Floats = _numbers(file, numpy.int8, numbers) * _numbers(file, numpy.float32, scale)
    return product


def _numbers(file: bytes, kind: type[Any], place: list[Any]) -> npt.NDArray[Any]:
    offset, shape = place
    return numpy.frombuffer(file, kind, int(numpy.prod(shape)), offset).reshape(shape).copy()
