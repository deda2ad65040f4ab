"""The embedder of the extra `minilm`, with its real weights."""

import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from hermes_agent.embedders import minilm
from hermes_agent.embedders.minilm import MiniLm
from hermes_agent.errors import EmbedderDown


def test_likeness_of_meaning_is_nearness() -> None:
    question = MiniLm().embed_query("When do I fly?")
    texts = ["The plane leaves on Monday at nine.", "I bought a plain white shirt.", "Insects have six legs."]
    likeness = MiniLm().embed(texts) @ question
    assert numpy.argmax(likeness) == 0
    assert likeness[0] > likeness[1] + 0.1


def test_words_behind_the_window_do_not_count() -> None:
    start = "one two three four " * 80
    rows = MiniLm().embed([start, start + "elephants and castles " * 500])
    assert rows[0] @ rows[1] == pytest.approx(1, abs=1e-3)


def test_a_file_that_is_not_the_known_one_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "forged_model"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.onnx").write_bytes(b"another model")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(EmbedderDown, match="forged_model") as refused:
        minilm._known_file("forged_model", "model.onnx", minilm._MODEL_SHA256)
    assert refused.value.hint is not None


def test_without_its_packages_it_says_which_are_missing() -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from hermes_agent.config.load import Given, Origin, Settings\n"
        "from hermes_agent.embedders.choose import choose\n"
        "given = {'memory.embeddings.provider': Given('minilm', Origin('default'), True)}\n"
        "chosen = choose(Settings(given, lambda text, name: text), {})\n"
        "print(chosen.embedder, chosen.problem.message, chosen.problem.hint)"
    )
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert outcome.stdout.startswith("None ")
    assert "not installed: onnxruntime." in outcome.stdout
    assert 'pip install "hermes-agent[minilm]"' in outcome.stdout


@pytest.mark.parametrize("first", ["usearch.index", "onnxruntime"])
def test_the_vector_library_and_the_runtime_live_in_one_process(first: str) -> None:
    code = (
        f"import {first}, numpy, onnxruntime, usearch.index\n"
        "from hermes_agent.embedders.minilm import MiniLm\n"
        "rows = MiniLm().embed(['one', 'two'])\n"
        "found = usearch.index.search(rows, rows, 1, 'cos', exact=True)\n"
        "print(found.keys.ravel().tolist())"
    )
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (outcome.returncode, outcome.stdout) == (0, "[0, 1]\n"), outcome.stderr
