"""Train the reader: `python -m tools.train_reader` writes `hermes_agent/learn/trained/reader.safetensors`.

It learns from the labelled messages that may be read (`tests/learn/labelled/`), never from those that measure it.
MiniLM's own weights stay as they are; what is trained are thin matrices beside them and the layers that read facts
off the words. Needs what hermes itself does not: `pip install torch onnx`. What came of it is scored by
`python -m benchmarks.extraction --reader trained`.
"""

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import onnx
import torch
from safetensors.numpy import save_file
from torch.nn import functional

from benchmarks.agreement import Label
from benchmarks.extraction import FOLDER, LEARNED, Labelled, read
from hermes_agent.embedders import minilm
from hermes_agent.learn.trained.network import HEADS, LAYERS, Encoded
from hermes_agent.learn.trained.seeing import POLARITIES, WHOM, encoded, tokenized
from hermes_agent.learn.trained.tags import BEGINS, NOT_FIRST, OUTSIDE, WITHIN
from hermes_agent.learn.trained.weights import FILE
from hermes_agent.learn.trained.words import SHAPES, Piece, pieces
from hermes_agent.text.words import lowered_in_place

OUT = Path(__file__).parent.parent / "hermes_agent" / "learn" / "trained" / FILE
_WIDTH, _RANK, _HIDDEN, _TINY = 384, 16, 256, 1e-12
_DROPPED = 0.1
_RATE, _DECAY, _WARMUP = 1e-3, 0.01, 0.1
_BATCH = 16
_WEIGHTS = {"attribute": 0.5, "polarity": 1.0, "whom": 1.0, "naming": 0.5}
_LEAST_NAMED = 15
"""An attribute that fewer facts have is a note."""
_OTHER = "note"
_FEW = -30.0
_PLACES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "joined": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}
_NORMS = {"norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}
_SIZES = {"wide": (_WIDTH, 4 * _WIDTH), "narrow": (4 * _WIDTH, _WIDTH)}
_WORD = re.compile(r"\w+")
_NO_NAMES = {"the", "a", "my", "our"}
_TEAM = ("we", "our team", "team")

Tensors = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """A value of a piece: its words, attribute, polarity, whom it is about, and the words that name them."""

    begin: int
    end: int
    attribute: int
    polarity: int
    whom: int
    naming: Sequence[int]


@dataclass(frozen=True)
class Lesson:
    """A piece of a labelled message with what is to be read off it."""

    piece: Piece
    tags: Sequence[int]
    told: Sequence[Told]


def lessons(messages: Sequence[Labelled], attributes: Sequence[str]) -> Iterator[Lesson]:
    """Yield what is to be learned from messages."""
    for message in messages:
        for piece in pieces(message.text):
            told = [one for label in message.facts if (one := _told(message.text, label, piece, attributes))]
            yield Lesson(piece, _tags(len(piece.words), told), told)


def _told(text: str, label: Label, piece: Piece, attributes: Sequence[str]) -> Told | None:
    start = text.index(label.quote) + lowered_in_place(label.quote).index(lowered_in_place(label.value))
    end = start + len(label.value)
    inside = [place for place, word in enumerate(piece.words) if word.start < end and start < word.end]
    if not inside:
        return None
    subject = label.subject.lower()
    whom = WHOM.index("user" if subject == "user" else "we" if subject in _TEAM else "other")
    named = {word.lower() for word in _WORD.findall(subject)} - _NO_NAMES
    naming = [place for place, word in enumerate(piece.words) if re.split("['’]", word.text.lower())[0] in named]
    attribute = label.attribute if label.attribute in attributes else _OTHER
    return Told(
        inside[0],
        inside[-1] + 1,
        attributes.index(attribute),
        POLARITIES.index(label.polarity),
        whom,
        naming if WHOM[whom] == "other" else (),
    )


def _tags(words: int, told: Sequence[Told]) -> list[int]:
    tags = [OUTSIDE] * words
    for one in told:
        if not any(tags[one.begin : one.end]):
            tags[one.begin : one.end] = [BEGINS, *[WITHIN] * (one.end - one.begin - 1)]
    return tags


def named(messages: Sequence[Labelled]) -> list[str]:
    """Return the attributes that are common enough to be learned, the most common first."""
    counted = Counter(label.attribute for message in messages for label in message.facts)
    found = [name for name, number in counted.most_common() if number >= _LEAST_NAMED]
    return found if _OTHER in found else [*found, _OTHER]


class Base:
    """MiniLM out of its file: its weights, and where in the file they lie."""

    def __init__(self) -> None:
        self._file = minilm.model_file().read_bytes()
        graph = onnx.load_from_string(self._file).graph
        self._tensors = {one.name: one for one in graph.initializer}
        numbers = [int(found[1]) for name in self._tensors if (found := re.fullmatch(r"val_(\d+)_q", name))]
        matrices = (f"val_{number}" for number in sorted(numbers))
        self._scaled = {"position": "inner.embeddings.position_embeddings.weight"}
        self._scaled |= {f"{layer}.{name}": next(matrices) for layer in range(LAYERS) for name in _PLACES}
        self._plain = {f"norm.{kind}": f"inner.embeddings.LayerNorm.{kind}" for kind in ("weight", "bias")}
        for layer in range(LAYERS):
            within = f"inner.encoder.layer.{layer}"
            self._plain |= {f"{layer}.{name}.bias": f"{within}.{place}.bias" for name, place in _PLACES.items()}
            self._plain |= {
                f"{layer}.{name}.{kind}": f"{within}.{place}.{kind}"
                for name, place in _NORMS.items()
                for kind in ("weight", "bias")
            }

    def weights(self) -> Tensors:
        """Return every weight by the name it has in the network."""
        found = {name: self._numbers(theirs) for name, theirs in self._plain.items()}
        found |= {name: self._scale(theirs) for name, theirs in self._scaled.items()}
        found["word"] = self._scale("inner.embeddings.word_embeddings.weight")
        found["kind"] = self._numbers("inner.embeddings.token_type_embeddings.weight")[0]
        return {name: torch.from_numpy(numpy.array(numbers)) for name, numbers in found.items()}

    def plan(self) -> dict[str, Any]:
        """Return where in the file each weight lies."""
        kinds, _ = self._place("inner.embeddings.token_type_embeddings.weight")
        return {
            "plain": {
                **{name: self._place(theirs) for name, theirs in self._plain.items()},
                "kind": [kinds, [_WIDTH]],
            },
            "scaled": {name: self._places(theirs) for name, theirs in self._scaled.items()},
            "words": self._places("inner.embeddings.word_embeddings.weight"),
        }

    def _numbers(self, name: str) -> Any:
        return onnx.numpy_helper.to_array(self._tensors[name])

    def _scale(self, name: str) -> Any:
        return self._numbers(f"{name}_q").astype(numpy.float32) * self._numbers(f"{name}_scale")

    def _place(self, name: str) -> list[Any]:
        return [self._file.index(self._tensors[name].raw_data), list(self._tensors[name].dims)]

    def _places(self, name: str) -> list[Any]:
        return [self._place(f"{name}_q"), self._place(f"{name}_scale")]


def fresh(attributes: int) -> Tensors:
    """Return what is trained, as it is before: beside MiniLM it changes nothing."""
    made: Tensors = {}
    for layer in range(LAYERS):
        for name in _PLACES:
            wide, narrow = _SIZES.get(name, (_WIDTH, _WIDTH))
            made[f"{layer}.{name}.in"] = torch.randn(wide, _RANK) / wide**0.5
            made[f"{layer}.{name}.out"] = torch.zeros(_RANK, narrow)
    made["shape"] = torch.zeros(SHAPES, _WIDTH)
    made["steps"] = torch.tensor([[0, 0, _FEW], [0, 0, 0], [0, 0, 0]])
    heads = {
        "tag": (_WIDTH, len((OUTSIDE, BEGINS, WITHIN))),
        "span": (4 * _WIDTH, _HIDDEN),
        "attribute": (_HIDDEN, attributes),
        "polarity": (_HIDDEN, len(POLARITIES)),
        "whom": (_HIDDEN, len(WHOM)),
        "naming": (_HIDDEN, _WIDTH),
    }
    for name, (wide, narrow) in heads.items():
        made[name] = (torch.rand(wide, narrow) * 2 - 1) / wide**0.5
        made[f"{name}.bias"] = torch.zeros(narrow)
    return {name: tensor.float().requires_grad_() for name, tensor in made.items()}


def _drop(x: Any) -> Any:
    return functional.dropout(x, _DROPPED)


def _states(base: Tensors, ours: Tensors, given: Encoded) -> Any:
    tokens, counts = torch.from_numpy(given.tokens), torch.from_numpy(given.counts)
    rows, length = tokens.shape

    def linear(x: Any, name: str) -> Any:
        added = (_drop(x) @ ours[f"{name}.in"]) @ ours[f"{name}.out"]
        return x @ base[name] + base[f"{name}.bias"] + added

    def normed(x: Any, name: str) -> Any:
        return functional.layer_norm(x, (_WIDTH,), base[f"{name}.weight"], base[f"{name}.bias"], _TINY)

    def cut(x: Any) -> Any:
        return x.view(rows, length, HEADS, _WIDTH // HEADS).transpose(1, 2)

    x = _drop(normed(base["word"][tokens] + base["position"][:length] + base["kind"], "norm"))
    hidden = ((1 - counts) * -1e4)[:, None, None, :].expand(rows, HEADS, length, length)
    for layer in range(LAYERS):
        parts = [cut(linear(x, f"{layer}.{name}")) for name in ("query", "key", "value")]
        seen = functional.scaled_dot_product_attention(*parts, attn_mask=hidden, dropout_p=_DROPPED)
        seen = seen.transpose(1, 2).reshape(rows, length, _WIDTH)
        x = normed(x + _drop(linear(seen, f"{layer}.joined")), f"{layer}.norm1")
        wide = functional.gelu(linear(x, f"{layer}.wide"), approximate="tanh")
        x = normed(x + _drop(linear(wide, f"{layer}.narrow")), f"{layer}.norm2")
    return x


def _linear(ours: Tensors, name: str, x: Any) -> Any:
    return x @ ours[name] + ours[f"{name}.bias"]


def _tag_loss(scores: Any, tags: Any, steps: Any) -> Any:
    """Return how unlikely the tags of one piece are, over all ways to tag it."""
    right = scores[range(len(tags)), tags].sum() + steps[tags[:-1], tags[1:]].sum()
    total = scores[0] + torch.from_numpy(NOT_FIRST)
    for row in scores[1:]:
        total = torch.logsumexp(total[:, None] + steps, 0) + row
    return torch.logsumexp(total, 0) - right


def loss_of(base: Tensors, ours: Tensors, batch: Sequence[Lesson]) -> Any:
    """Return how far the network is from what a batch of lessons says."""
    pieces_of = [one.piece for one in batch]
    given = encoded(pieces_of, tokenized(pieces_of))
    states = _states(base, ours, given)
    tagged, told = [], []
    for row, firsts, lesson in zip(states, given.firsts, batch, strict=True):
        words = row[list(firsts)] + torch.tensor(lesson.piece.shapes()) @ ours["shape"]
        scores = _linear(ours, "tag", _drop(words))
        tagged.append(_tag_loss(scores, torch.tensor(lesson.tags), ours["steps"]))
        told += [_told_loss(ours, words, one) for one in lesson.told]
    loss = torch.stack(tagged).mean()
    return loss + torch.stack(told).mean() if told else loss


def _told_loss(ours: Tensors, words: Any, one: Told) -> Any:
    run = words[one.begin : one.end]
    seen = torch.cat([run[0], run[-1], run.mean(0), words.max(0).values])
    told = functional.relu(_linear(ours, "span", _drop(seen)))
    right = {"attribute": one.attribute, "polarity": one.polarity, "whom": one.whom}
    loss = sum(
        _WEIGHTS[name] * functional.cross_entropy(_linear(ours, name, told), torch.tensor(place))
        for name, place in right.items()
    )
    if one.naming:
        chances = functional.log_softmax(words @ _linear(ours, "naming", told), 0)
        loss = loss - _WEIGHTS["naming"] * torch.logsumexp(chances[list(one.naming)], 0)
    return loss


def train(base: Tensors, ours: Tensors, given: Sequence[Lesson], epochs: int) -> None:
    """Train on lessons, those of like length together."""
    size = (len(given) + _BATCH - 1) // _BATCH
    optimizer = torch.optim.AdamW(list(ours.values()), lr=_RATE, weight_decay=_DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, epochs * size + 1, pct_start=_WARMUP)
    for epoch in range(epochs):
        order = sorted(given, key=lambda one: len(one.piece.words) + random.random() * 8)
        batches = [order[place : place + _BATCH] for place in range(0, len(order), _BATCH)]
        random.shuffle(batches)
        total = 0.0
        for number, batch in enumerate(batches, 1):
            loss = loss_of(base, ours, batch)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(ours.values()), 1)
            optimizer.step()
            rate.step()
            total += loss.item()
            if number % 25 == 0:
                print(
                    f"epoch {epoch + 1} of {epochs}, batch {number} of {size}, loss {total / number:.2f}",
                    flush=True,
                )


def save(path: Path, plan: dict[str, Any], ours: Tensors) -> None:
    """Write what was trained, as half-precision numbers."""
    kept = {name: tensor.detach().numpy().astype(numpy.float16) for name, tensor in ours.items()}
    kept["plan"] = numpy.frombuffer(json.dumps(plan).encode(), numpy.uint8)
    save_file(kept, path)


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(prog="python -m tools.train_reader", description=__doc__)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--file", type=Path, action="append", help="labelled messages instead of those in tests/")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    paths = options.file or [FOLDER / f"{name}.jsonl" for name in LEARNED]
    messages = [message for path in paths for message in read(path)]
    attributes = named(messages)
    base, ours = Base(), fresh(len(attributes))
    train(base.weights(), ours, list(lessons(messages, attributes)), options.epochs)
    save(options.out, {**base.plan(), "attributes": attributes}, ours)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
