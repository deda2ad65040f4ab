"""The embedder that needs nothing: its words, its meaning, its price."""

import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.embedders import local
from hermes_agent.embedders.embedder import Matrix
from hermes_agent.embedders.local import Local

WORDS = Path(__file__).parent.parent.parent / "docs"


@pytest.fixture(scope="module")
def library() -> Any:  # Any: the library is not typed
    """The library whose weights are used, as its own authors load them."""
    import logging

    import wordllama

    logging.getLogger().handlers.clear()  # the library sets up the root logger when it is imported
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


def words_of_the_docs(count: int) -> list[str]:
    found = {word for page in sorted(WORDS.rglob("*.md")) for word in page.read_text(encoding="utf-8").split()}
    return sorted(found)[:count]


def one_by_one(library: Any, words: list[str]) -> Matrix:
    return numpy.concatenate([library.embed([word], norm=False) for word in words])


def test_words_have_the_vectors_that_the_library_gives_them(library: Any) -> None:
    words = [
        *words_of_the_docs(2_000),
        "Zürich",
        "東京",
        "🙂",
        "a b",
        "▁",
        "x▁y",
        "</s>",
        "<s>b",
        "don't",
        "\n",
        "",
    ]
    assert numpy.allclose(Local().word_vectors(words), one_by_one(library, words), atol=1e-6)


@given(words=st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)))
def test_words_of_any_letters_too(library: Any, words: list[str]) -> None:
    expected = one_by_one(library, words) if words else numpy.zeros((0, 256), numpy.float32)
    assert numpy.allclose(Local().word_vectors(words), expected, atol=1e-6)


def test_a_word_may_be_half_a_surrogate_pair() -> None:
    assert numpy.array_equal(Local().word_vectors(["a\ud800"]), Local().word_vectors(["a?"]))


def test_no_token_reaches_from_one_word_into_the_next() -> None:
    tokens = local._model().tokenizer.get_vocab()
    assert len(tokens) == len(local._model().vectors)
    assert [token for token in tokens if "▁" in token.lstrip("▁")] == []


def test_texts_have_the_directions_that_the_library_gives_them(library: Any) -> None:
    texts = ["The cat sat on the mat.", "Wie spät ist es in Tokio?", "def main() -> int:\n    return 0"]
    expected = library.embed(texts, norm=True)
    assert numpy.allclose(Local().embed(texts), expected, atol=1e-5)


def test_likeness_of_meaning_is_nearness() -> None:
    question = Local().embed_query("which database do we use?")
    texts = ["Our data is stored in PostgreSQL.", "My sister likes to dance.", "It rained all day in Porto."]
    assert numpy.argmax(Local().embed(texts) @ question) == 0


def test_only_the_beginning_of_a_huge_text_counts() -> None:
    start = "the beginning counts " * 1_000
    rows = Local().embed([start, start + "and the end is about elephants " * 10_000])
    assert numpy.array_equal(rows[0], rows[1])


def test_the_library_itself_is_never_imported() -> None:
    code = (
        "import sys; from hermes_agent.embedders.local import Local; Local().embed(['text'])\n"
        "print([name for name in ('wordllama', 'requests', 'huggingface_hub', 'pydantic') if name in sys.modules])"
    )
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (outcome.stdout, outcome.stderr) == ("[]\n", "")


def test_missing_weights_are_said_with_the_way_to_mend_it() -> None:
    code = (
        "import sys; sys.modules['wordllama'] = None\n"
        "from hermes_agent.embedders.local import Local\n"
        "from hermes_agent.errors import EmbedderDown\n"
        "try: Local().embed(['text'])\n"
        "except EmbedderDown as error: print(error.message, error.hint)"
    )
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "wordllama" in outcome.stdout
    assert "pip install" in outcome.stdout


@pytest.mark.alone
def test_thousands_of_words_cost_less_than_one_by_one() -> None:
    words = words_of_the_docs(5_000)
    embedder = Local()
    embedder.word_vectors(words)
    began = perf_counter()
    embedder.word_vectors(words)
    together = perf_counter() - began
    began = perf_counter()
    for word in words:
        embedder.word_vectors([word])
    assert together < (perf_counter() - began) / 2
