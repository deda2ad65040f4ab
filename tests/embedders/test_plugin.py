"""Embedders that other packages bring, through a real entry point."""

from collections.abc import Callable

import numpy
import pytest

from hermes_agent.errors import EmbedderDown, EmbedderMismatch, SettingError
from tests.conftest import Hermes
from tests.embedders.acme import ACME
from tests.embedders.conftest import Choose

Install = Callable[..., None]


def test_it_is_chosen_by_its_name_and_told_the_settings(decide: Choose, install: Install) -> None:
    install(ACME)
    chosen = decide({"provider": "acme", "model": "big", "dimensions": 26}, ACME_API_KEY="k")
    assert chosen.embedder is not None
    assert chosen.embedder.fingerprint == "acme/letters@1/26/plain-1"
    inner = chosen.embedder._inner  # type: ignore[attr-defined]
    assert inner.settings == {
        "model": "big",
        "dimensions": 26,
        "batchSize": 100,
        "baseUrl": None,
        "variables": {"ACME_API_KEY": "k"},
    }
    rows = chosen.embedder.embed(["aaa", "", "bbb", "aab"])
    assert rows[0] @ rows[3] > rows[0] @ rows[2]


def test_a_name_that_nobody_has_is_refused_with_the_nearest(hermes: Hermes, install: Install) -> None:
    install(ACME)
    outcome = hermes("config", "set", "memory.embeddings.provider", "acmee")
    assert outcome.exit_code == 2
    assert "minilm" in outcome.stderr
    assert "did you mean acme?" in outcome.stderr
    assert hermes("config", "set", "memory.embeddings.provider", "acme").exit_code == 0


def test_a_plugin_that_is_gone_is_a_wrong_setting(decide: Choose) -> None:
    with pytest.raises(SettingError, match=r"must be one of local, .*, not 'acme'"):
        decide({"provider": "acme"})


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("broken", "acme failed: KeyError: 'no licence'"),
        ("nothing", "did not give an embedder"),
        ("absent", "acme failed: AttributeError"),
    ],
)
def test_one_that_cannot_be_built_is_a_problem_and_no_end(
    decide: Choose, install: Install, function: str, words: str
) -> None:
    install(ACME, function)
    chosen = decide({"provider": "acme"})
    assert chosen.embedder is None
    assert isinstance(chosen.problem, EmbedderDown)
    assert words in chosen.problem.message


def test_a_module_that_cannot_be_imported_is_a_problem_too(decide: Choose, install: Install) -> None:
    install("def make(:")
    problem = decide({"provider": "acme"}).problem
    assert problem is not None
    assert "acme failed: SyntaxError" in problem.message


def test_what_it_raises_while_embedding_is_said(decide: Choose, install: Install) -> None:
    install(ACME, "raises")
    embedder = decide({"provider": "acme"}).embedder
    assert embedder is not None
    with pytest.raises(EmbedderDown, match="acme failed: Exception: the moon is full"):
        embedder.embed(["text"])
    with pytest.raises(EmbedderDown, match="the moon is full"):
        embedder.embed_query("text")


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("too_short", "Vectors of 26 numbers were expected, and vectors of 3 came"),
        ("too_few", "was to give 2 vectors"),
        ("no_numbers", "something else than numbers"),
    ],
)
def test_what_it_returns_is_checked(decide: Choose, install: Install, function: str, words: str) -> None:
    install(ACME, function)
    embedder = decide({"provider": "acme"}).embedder
    assert embedder is not None
    with pytest.raises(EmbedderMismatch, match=words):
        embedder.embed(["one", "two"])
    assert not numpy.any(embedder.embed([" "]))
