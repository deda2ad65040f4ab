"""What is embedded of an exchange, with the real local embedder, and what comes back from the store."""

from pathlib import Path

import numpy
import pytest

from hermes_agent.embedders.embedder import Matrix
from hermes_agent.embedders.local import Local
from hermes_agent.errors import EmbedderMismatch
from hermes_agent.memory import embedding
from hermes_agent.memory.embedding import Kept, Spoken
from hermes_agent.store import fingerprints, passages, vectors
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.hashed_embedder import HashedEmbedder
from tests.store.talk import say

LONG = (
    " ".join(f"The {thing} stands on the hill above the old town." for thing in ("mill", "church", "school")) * 5
)


def test_a_message_is_embedded_whole_and_in_passages_if_it_has_several() -> None:
    short, long = Spoken("user", "Where is the mill?"), Spoken("assistant", LONG)
    assert embedding.texts_of(short) == ["Where is the mill?"]
    whole, *pieces = embedding.texts_of(long)
    assert whole == LONG and len(pieces) > 1
    (prepared,) = embedding.prepare(Local(), [[short, long]])
    assert [matrix.shape for matrix in prepared.messages] == [(1, 256), (1 + len(pieces), 256)]


def test_the_vector_of_an_exchange_is_the_direction_of_its_messages() -> None:
    embedder = Local()
    said = [Spoken("user", "my sister plays the violin"), Spoken("assistant", "how long has she played it?")]
    (prepared,) = embedding.prepare(embedder, [said])
    total = embedder.embed([message.text for message in said]).sum(axis=0)
    assert prepared.vector == pytest.approx(total / numpy.linalg.norm(total), abs=1e-6)


def test_equal_texts_are_embedded_once_and_nothing_is_asked_for_nothing() -> None:
    embedder = HashedEmbedder()
    embedding.prepare(embedder, [[Spoken("user", "yes"), Spoken("assistant", "fine")], [Spoken("user", "yes")]])
    assert embedder.texts == ["yes", "fine"]
    assert embedding.prepare(embedder, []) == []
    (silent,) = embedding.prepare(embedder, [[]])
    assert not silent.vector.any() and silent.messages == []
    assert embedder.texts == ["yes", "fine"]


def test_a_blank_message_has_a_vector_of_zeros_and_does_not_bend_its_exchange() -> None:
    embedder = Local()
    (prepared,) = embedding.prepare(embedder, [[Spoken("user", "the harbour"), Spoken("assistant", " \n")]])
    assert prepared.vector == pytest.approx(embedder.embed(["the harbour"])[0], abs=1e-6)
    assert not prepared.messages[1].any()


def test_of_a_huge_message_only_so_many_passages_are_embedded() -> None:
    texts = embedding.texts_of(Spoken("user", "A sentence of some length, about the harbour. " * 50_000))
    assert len(texts) == 65


@pytest.mark.parametrize("strange", [numpy.nan, numpy.inf])
def test_numbers_that_are_none_are_refused(strange: float) -> None:
    class Broken(HashedEmbedder):
        def embed(self, texts: object) -> Matrix:
            return numpy.full((1, 32), strange, numpy.float32)

    with pytest.raises(EmbedderMismatch, match="numbers that are none"):
        embedding.prepare(Broken(), [[Spoken("user", "hello")]])


def test_what_is_kept_comes_back_for_the_messages_that_are_asked_for(tmp_path: Path) -> None:
    store = Store(Sqlite(tmp_path / "state.db"), "default")
    ids = say(store, "the mill", LONG, "unrelated")
    embedder = Local()
    said = [Spoken("user", "the mill"), Spoken("assistant", LONG)]
    prepared = embedding.prepare(embedder, [said])
    with store.write() as connection:
        fingerprint = fingerprints.require(connection, embedder.fingerprint, embedder.dimensions)
        for _ in range(2):  # twice is once
            embedding.keep(connection, fingerprint.id, [Kept(7, ids[:2], prepared[0])])
        assert vectors.count(connection, fingerprint.id, "episode") == 1
    with store.read() as connection:
        found = passages.of_messages(connection, fingerprint.id, 256, [ids[1], ids[0], ids[2], 999])
        nearest = store.engine.match_vectors(connection, fingerprint, prepared[0].vector, 1)
    assert nearest.items[0].item == 7 and nearest.items[0].cosine == pytest.approx(1, abs=1e-3)
    counted = dict(zip(found.message_ids.tolist(), found.row_counts.tolist(), strict=True))
    assert counted == {ids[0]: 1, ids[1]: len(prepared[0].messages[1])}
    restored = found.rows * found.scales[:, None]
    given = numpy.concatenate([prepared[0].messages[ids.index(i)] for i in found.message_ids.tolist()])
    assert restored == pytest.approx(given, abs=2e-3)
    assert passages.unpack(passages.pack(given), len(given)) == pytest.approx(given, abs=2e-3)
    with store.read() as connection:
        none = passages.of_messages(connection, fingerprint.id, 256, [])
    assert none.rows.shape == (0, 256) and none.message_ids.size == 0
