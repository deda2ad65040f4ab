"""The arithmetic of the network, against the runtime that MiniLM was made for."""

import numpy
import pytest
from onnxruntime import InferenceSession

from hermes_agent.embedders import minilm
from hermes_agent.learn.trained.network import Encoded, states
from hermes_agent.learn.trained.seeing import encoded, tokenized
from hermes_agent.learn.trained.weights import plain_weights
from hermes_agent.learn.trained.words import Piece, pieces


def numbers(given: list[Piece]) -> Encoded:
    return encoded(given, tokenized(given))


TEXTS = ("I live in Lyon and my sister Ana is a nurse.", "hi", "Ik woon sinds kort in Gent 🏡, mañana más.")


def test_without_what_was_trained_it_is_minilm() -> None:
    given = numbers([piece for text in TEXTS for piece in pieces(text)])
    ours = states(plain_weights(), given)
    tokens, mask = given.tokens, given.counts.astype(numpy.int64)
    runtime = InferenceSession(str(minilm.model_file()), providers=["CPUExecutionProvider"])
    inputs = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": numpy.zeros_like(tokens)}
    theirs = runtime.run(None, inputs)[0]
    assert ours[mask == 1] == pytest.approx(theirs[mask == 1], abs=0.02)


def test_what_is_read_beside_it_changes_nothing() -> None:
    long, short = (list(pieces(text)) for text in (TEXTS[0], TEXTS[1]))
    together = states(plain_weights(), numbers([*long, *short]))
    alone = states(plain_weights(), numbers(short))
    assert together[1, : alone.shape[1]] == pytest.approx(alone[0], abs=1e-3)
