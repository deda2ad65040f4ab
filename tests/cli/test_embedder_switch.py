"""An embedder that is away, refuses, or finds worse than the one before: what a person sees, and what to do."""

import json
import re
from collections.abc import Iterator

import numpy
import pytest
from numpy.typing import NDArray

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.embedders.local import Local
from hermes_agent.embedders.unrelated import SENTENCES
from hermes_agent.store import fingerprints, jobs, vectors
from tests.cli.test_selftest_command import THINGS, talk
from tests.conftest import Hermes
from tests.embeddings_server import AtMost, Declining, Fail, Made, Server, Vectors, serve, vector_of

TOLD = 27
FEW = THINGS[:3]


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs run when the test says so."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")


def misleading(text: str, dimensions: int) -> NDArray[numpy.float32]:
    """Put what was told of a thing beside questions about the one before it."""
    row = numpy.full(dimensions, 0.01, "<f4")
    for number, thing in enumerate(FEW):
        if thing in text:
            row[(number + (not text.startswith("I bought"))) % len(FEW)] = 1
    return row


@pytest.fixture
def bad() -> Iterator[Server]:
    """A server whose vectors lead to the wrong things."""
    with serve(Vectors(16, made=misleading)) as server:
        yield server


def use(monkeypatch: pytest.MonkeyPatch, url: str, model: str, dimensions: int) -> None:
    """Choose a model on a server."""
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "openai")
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_BASE_URL", url)
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_MODEL", model)
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_DIMENSIONS", str(dimensions))


def set_server(hermes: Hermes, url: str) -> None:
    """Write a model on a server into the settings."""
    for name, value in (("provider", "openai"), ("baseUrl", url), ("model", "one"), ("dimensions", "16")):
        assert hermes("config", "set", f"memory.embeddings.{name}", value).exit_code == 0


def use_local(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PROVIDER", "BASE_URL", "MODEL", "DIMENSIONS"):
        monkeypatch.delenv(f"HERMES_MEMORY_EMBEDDINGS_{name}", raising=False)


def kept(home: Home) -> dict[str, int]:
    """Count the vectors of each fingerprint."""
    app = App(home, load(home))
    with app.store.read() as connection:
        found = {one.name: vectors.count(connection, one.id, "episode") for one in fingerprints.every(connection)}
    app.close()
    return found


def test_a_worse_embedder_is_told_and_nothing_of_the_one_before_is_discarded(
    hermes: Hermes, own_home: Home, bad: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(own_home, TOLD, FEW)
    hermes("jobs", "run")
    for model in ("one", "two"):  # the second is no worse than the first, but than what was before both
        use(monkeypatch, bad.url, model, 16)
        assert hermes("jobs", "run").exit_code == 0
        assert hermes("jobs", "run").stdout == "Nothing is due.\n"
        told = hermes("status")
        assert told.exit_code == 1
        assert re.search(rf"Recall +With openai:{model} recall@10 fell from 100.0% to \d", told.stdout)
        assert "hermes memory selftest accept" in told.stdout
        assert kept(own_home)[Local.fingerprint] == TOLD
    assert "recall@10 fell" in hermes("memory", "status").stdout
    assert "recall@10 fell" in json.loads(hermes("memory", "status", "--json").stdout)["recall_dropped"]
    assert hermes("memory", "log").stdout.count("selftest.dropped") == 2
    use_local(monkeypatch)
    hermes("jobs", "run")
    hermes("jobs", "run")
    assert hermes("status").exit_code == 0, "going back mends it"
    assert list(kept(own_home).values()) == [TOLD, TOLD]
    assert Local.fingerprint in kept(own_home)


def test_a_drop_that_was_accepted_is_told_no_more_and_what_is_old_goes_with_the_next_switch(
    hermes: Hermes, own_home: Home, bad: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(own_home, TOLD, FEW)
    hermes("jobs", "run")
    use(monkeypatch, bad.url, "one", 16)
    hermes("jobs", "run")
    assert "recall@10 fell" in hermes("memory", "selftest", "accept").stdout
    assert hermes("status").exit_code == 0
    use(monkeypatch, bad.url, "two", 16)
    hermes("jobs", "run")
    assert set(kept(own_home)) == {"openai/one@1/16/plain-1", "openai/two@1/16/plain-1"}


def test_a_server_that_goes_away_while_recall_is_tested_is_no_drop_and_asked_again(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(own_home, TOLD, FEW)
    hermes("jobs", "run")
    vectors_made = Vectors(16, made=misleading)
    with serve(vectors_made, Fail(401), vectors_made) as server:  # all texts at once, then the questions
        use(monkeypatch, server.url, "one", 16)
        assert hermes("jobs", "run").exit_code == 1
        told = hermes("status").stdout
        assert "wants a key" in told and "recall@10 fell" not in told
        assert hermes("jobs", "retry", str(waiting(own_home))).exit_code == 0
        assert hermes("jobs", "run").exit_code == 0
    told = hermes("status").stdout
    assert "wants a key" not in told and "recall@10 fell" in told


def test_a_dead_server_is_told_with_its_time_and_another_embedder_need_not_wait(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(own_home, 3)
    use(monkeypatch, "http://127.0.0.1:9/v1", "one", 16)
    assert hermes("jobs", "run").exit_code == 1
    told = hermes("status")
    assert told.exit_code == 1
    assert re.search(r"0 of 3 vectors; at 20\d\d-\S+ \S+: No server answers at \S+ Is it running\?", told.stdout)
    assert f"hermes jobs retry {waiting(own_home)} && hermes jobs run" in told.stdout
    assert json.loads(hermes("status", "--json").stdout)["embedder"]["trouble_at"].endswith("Z")
    assert re.search(r"Embedder trouble: 20\S+ \S+: No server", hermes("memory", "status", "-v").stdout)
    assert hermes("jobs", "run").stdout == "Nothing is due.\n", "it waits"
    use_local(monkeypatch)
    hermes("jobs", "run")
    assert hermes("status").exit_code == 0
    assert kept(own_home)[Local.fingerprint] == 3


def test_wrong_dimensions_are_told_with_the_way_out(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(own_home, 3)
    with serve(Vectors(8)) as server:
        use(monkeypatch, server.url, "one", 12)
        assert hermes("jobs", "run").exit_code == 1
        told = hermes("status").stdout
        assert "Vectors of 12 numbers were expected, and vectors of 8 came." in told
        (command,) = re.findall(r"hermes (config set memory.embeddings.dimensions 8)$", told, re.MULTILINE)
        monkeypatch.delenv("HERMES_MEMORY_EMBEDDINGS_DIMENSIONS")
        assert hermes(*command.split()).exit_code == 0
        assert hermes("jobs", "run").exit_code == 0
        assert hermes("status").exit_code == 0


def test_a_text_too_long_for_the_server_does_not_keep_the_others_from_their_vectors(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(own_home, 3)
    talk(own_home, 1, ["violin " * 1_000])
    with serve(AtMost(100, 16, characters=1_000, refusal=Fail(500, "input is too large to process"))) as server:
        use(monkeypatch, server.url, "one", 16)
        assert hermes("jobs", "run").exit_code == 0
    assert list(kept(own_home).values()) == [4]
    assert hermes("status").exit_code == 0


def test_a_text_that_a_server_always_declines_is_told_and_does_not_keep_the_others_from_their_vectors(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(own_home, 10)
    with serve(Declining("violin", 16)) as server:
        use(monkeypatch, server.url, "one", 16)
        assert hermes("jobs", "run").exit_code == 0
        told = hermes("status")
        assert told.exit_code == 1
        assert (
            "10 of 10 vectors" in told.stdout
            and "openai:one refused 1 text, which only words find now." in told.stdout
        )
        assert hermes("memory", "log").stdout.count("embedding.refused") == 1
        assert hermes("jobs", "run").stdout == "Nothing is due.\n"
        talk(own_home, 1, ["kettle"])
        hermes("jobs", "run")
    assert hermes("status").exit_code == 0, "it is told until the next ones got their vectors"


def zeros(text: str, dimensions: int) -> NDArray[numpy.float32]:
    """Embed nothing at all."""
    return numpy.zeros(dimensions, "<f4")


def only_known(text: str, dimensions: int) -> NDArray[numpy.float32]:
    """Embed what an embedder is tested with, and nothing of the owner's."""
    return (vector_of if text in SENTENCES else zeros)(text, dimensions)


@pytest.mark.parametrize("broken", [zeros, only_known])
def test_an_embedder_that_gives_zeros_for_all_is_not_used_until_it_is_mended(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch, broken: Made
) -> None:
    talk(own_home, 5)
    hermes("jobs", "run")
    with serve(Vectors(16, made=broken)) as server:
        use(monkeypatch, server.url, "one", 16)
        for _ in range(3):
            ran = hermes("jobs", "run")
            assert ran.exit_code == 1
            assert "zeros" in ran.stderr
            hermes("jobs", "retry", str(waiting(own_home)))
        told = hermes("status")
        assert told.exit_code == 1
        assert f"hermes jobs retry {waiting(own_home)} && hermes jobs run" in told.stdout
        assert json.loads(hermes("status", "--json").stdout)["embedder"]["used"] == Local.fingerprint
        server.script = [Vectors(16)]
        assert hermes("jobs", "run").exit_code == 0
    told = hermes("status")
    assert (told.exit_code, "5 of 5 vectors" in told.stdout) == (0, True)
    assert findable(own_home) == 5


def test_zeros_that_come_later_replace_nothing_and_what_is_new_waits(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(own_home, 3)
    with serve(Vectors(16)) as server:
        use(monkeypatch, server.url, "one", 16)
        hermes("jobs", "run")
        server.script = [Vectors(16, made=zeros)]
        talk(own_home, 1, ["kettle"])
        assert hermes("jobs", "run").exit_code == 1
        assert findable(own_home) == 3
        server.script = [Vectors(16)]
        hermes("jobs", "retry", str(waiting(own_home)))
        assert hermes("jobs", "run").exit_code == 0
    assert findable(own_home) == 4


def findable(home: Home) -> int:
    """Count what the server's vectors find; one of zeros is never found."""
    app = App(home, load(home))
    with app.store.read() as connection:
        made = fingerprints.get(connection, "openai/one@1/16/plain-1")
        assert made is not None
        found = app.store.engine.match_vectors(connection, made, vector_of("anything", 16), 100)
    app.close()
    return len(found.items)


@pytest.fixture
def without_daemon(hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three exchanges with their vectors, and commands that do what is due when they have answered."""
    talk(own_home, 3)
    hermes("jobs", "run")
    monkeypatch.delenv("HERMES_NO_JOBS")


@pytest.mark.usefixtures("without_daemon")
def test_without_a_daemon_the_commands_after_a_switch_bring_the_new_vectors(
    hermes: Hermes, own_home: Home
) -> None:
    with serve(Vectors(16)) as server:
        set_server(hermes, server.url)
        hermes("notes", "add", "Prefers tabs")
        hermes("memory", "fact", "add", "The harbour has four piers.")
        told = hermes("status")
    assert told.exit_code == 0, told.stdout
    assert "openai/one@1/16/plain-1, 4 of 4 vectors" in told.stdout
    assert kept(own_home) == {Local.fingerprint: 3, "openai/one@1/16/plain-1": 3}
    hermes("config", "set", "memory.embeddings.provider", "local")
    hermes("notes", "add", "Uses vim")
    assert json.loads(hermes("status", "--json").stdout)["embedder"]["used"] == Local.fingerprint


@pytest.mark.usefixtures("without_daemon")
def test_without_a_daemon_the_status_tells_why_a_switch_brings_nothing(hermes: Hermes) -> None:
    with serve(Fail(401)) as server:
        set_server(hermes, server.url)
        hermes("notes", "add", "Prefers tabs")
        hermes("notes", "add", "Uses vim")
    told = hermes("status")
    assert told.exit_code == 1
    assert re.search(r"0 of 3 vectors; .* wants a key", told.stdout)


def waiting(home: Home) -> int:
    """Return the job that waits to embed."""
    app = App(home, load(home))
    with app.store.read() as connection:
        (job,) = jobs.recent(connection, 1, kind="embed", state="waiting")
    app.close()
    return job.id
