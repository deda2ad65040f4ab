"""What every embedder keeps: ours in this process, ours over HTTP, and those of other packages."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest

from hermes_agent.embedders.embedder import Embedder, Matrix
from tests.embedders.acme import ACME
from tests.embedders.conftest import Choose
from tests.embeddings_server import Vectors, serve

TEXTS = ["The cat sat on the mat.", "PostgreSQL pool size is five.", "Übermorgen fährt der Zug um neun."]
STRANGE = ["🙂" * 50, "東京の天気はどうですか", "a\ud800b", "\udcff", "a\0b", "\u200b", "</s><s>[CLS]", "\n\n- x"]


@pytest.fixture(params=["local", "minilm", "openai", "ollama", "voyage", "acme"])
def embedder(request: pytest.FixtureRequest, decide: Choose, install: Callable[[str], None]) -> Iterator[Embedder]:
    provider: str = request.param
    if provider == "acme":
        install(ACME)
    with serve(Vectors(1024 if provider == "voyage" else 768 if provider == "ollama" else 1536)) as server:
        address = {"openai": server.url, "voyage": server.url, "ollama": server.root}.get(provider)
        chosen = decide({"provider": provider} | ({} if address is None else {"baseUrl": address}))
        assert chosen.embedder is not None
        assert (chosen.notices, chosen.problem) == ((), None)
        yield chosen.embedder


def lengths(rows: Matrix) -> Matrix:
    return numpy.asarray(numpy.linalg.norm(rows, axis=-1), numpy.float32)


def test_each_text_has_a_row_of_length_one(embedder: Embedder) -> None:
    rows = embedder.embed(TEXTS)
    assert rows.shape == (3, embedder.dimensions)
    assert rows.dtype == numpy.float32
    assert lengths(rows) == pytest.approx(1, abs=1e-5)


def test_the_order_of_the_texts_does_not_matter(embedder: Embedder) -> None:
    texts = [*TEXTS, "short", "a much longer text " * 20]
    rows, back = embedder.embed(texts), embedder.embed(texts[::-1])[::-1]
    # The int8 model rounds by what else is in the batch.
    assert numpy.einsum("ij,ij->i", rows, back) == pytest.approx(1, abs=0.02)
    assert numpy.argmax(rows @ back.T, axis=1).tolist() == [0, 1, 2, 3, 4]


def test_a_blank_text_has_zeros_and_does_not_move_the_others(embedder: Embedder) -> None:
    rows = embedder.embed(["", TEXTS[0], " \n\t\u3000", TEXTS[1]])
    assert not rows[[0, 2]].any()
    assert lengths(rows[[1, 3]]) == pytest.approx(1, abs=1e-5)
    assert not embedder.embed_query("  ").any()


def test_no_texts_are_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_any_string_can_be_embedded(embedder: Embedder) -> None:
    rows = embedder.embed(STRANGE)
    assert rows.shape == (len(STRANGE), embedder.dimensions)
    assert numpy.isfinite(rows).all()
    assert (numpy.isclose(lengths(rows), 1, atol=1e-5) | (lengths(rows) == 0)).all()


def test_a_huge_text_is_cut(embedder: Embedder) -> None:
    words = "the quick brown fox " * 200_000
    [row] = embedder.embed([words])
    assert lengths(row) == pytest.approx(1, abs=1e-5)


def test_a_query_has_one_vector(embedder: Embedder) -> None:
    row = embedder.embed_query(TEXTS[0])
    assert row.shape == (embedder.dimensions,)
    assert lengths(row) == pytest.approx(1, abs=1e-5)


def test_the_fingerprint_names_provider_model_and_dimensions(embedder: Embedder) -> None:
    provider, model, *_, dimensions, form = embedder.fingerprint.split("/")
    assert embedder.name.startswith(provider)
    assert "@" in model
    assert dimensions == str(embedder.dimensions)
    assert form


def test_threads_may_share_it(embedder: Embedder) -> None:
    texts = [f"message {number} about {TEXTS[number % 3]}" for number in range(24)]
    alone = [embedder.embed([text])[0] for text in texts]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda text: embedder.embed([text])[0], texts))
    assert numpy.array_equal(numpy.stack(alone), numpy.stack(together))
