"""A laptop whose memory is on a server: the same commands, the same words, and nothing kept on the laptop."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sqlalchemy import update

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import MODEL
from hermes_agent.memory import facts, tokens
from hermes_agent.records.tokens import Scope
from hermes_agent.store import tables
from hermes_agent.store.sessions import Listing
from hermes_agent.web.server import Server
from hermes_agent.web.site import build
from tests import openai_server
from tests.conftest import Hermes, Outcome
from tests.loopback import QuietHandler, listening
from tests.openai_server import Call, Say, Use


@dataclass(frozen=True)
class Laptop:
    """A machine with a home of its own, and the server that it is a door to."""

    app: App
    address: str
    home: Path
    hermes: Hermes

    def __call__(self, *arguments: str, scope: Scope = "admin", **more: str) -> Outcome:
        """Run a command on the laptop, for the server."""
        shown = tokens.create(self.app.store, f"{scope} {len(tokens.every(self.app.store))}", scope).shown
        environment = {"HERMES_HOME": str(self.home), "HERMES_TOKEN": shown, "HERMES_SERVER": self.address}
        return self.bare(*arguments, environment=environment, **more)

    def bare(self, *arguments: str, environment: dict[str, str], **more: str) -> Outcome:
        """Run a command on the laptop with this environment."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in {"HERMES_HOME": str(self.home), **environment}.items():
                patch.setenv(name, value)
            return self.hermes(*arguments, **more)

    def there(self, *arguments: str, **more: str) -> Outcome:
        """Run the same command on the server's own machine."""
        return self.hermes(*arguments, **more)


@pytest.fixture
def laptop(own_home: Home, hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Laptop]:
    """Serve the test's home; the laptop has another, empty one."""
    monkeypatch.setenv("HERMES_WEB_PORT", "0")
    monkeypatch.setenv("HERMES_NO_JOBS", "true")
    with _served(own_home) as (app, address):
        yield Laptop(app, address, tmp_path / "laptop", hermes)


@contextmanager
def _served(home: Home) -> Iterator[tuple[App, str]]:
    with closing(App(home, load(home))) as app, closing(Server(build(app), app.settings)) as server:
        server.start()
        yield app, server.address


def test_commands_print_there_what_they_print_here(laptop: Laptop) -> None:
    facts.add(laptop.app.store, "My dentist is Dr. Okafor in Leeds.")
    for line in (
        ("memory", "fact", "list"),
        ("memory", "fact", "show", "1", "--json"),
        ("memory", "fact", "show", "99"),
        ("memory", "search", "dentist", "--json"),
        ("memory", "nonsense"),
        ("memory", "fact", "show"),
    ):
        near, far = laptop.there(*line), laptop(*line)
        assert (far.exit_code, far.stdout, far.stderr) == (near.exit_code, near.stdout, near.stderr), line


def test_what_is_written_is_written_there_and_nothing_here(laptop: Laptop) -> None:
    made = laptop("memory", "fact", "add", "Ana likes “tea”; $(id)", "--json")
    assert made.exit_code == 0, made
    assert [one.text for one in facts.recent(laptop.app.store, 5)] == ["Ana likes “tea”; $(id)"]
    assert not (laptop.home / "state.db").exists()


def test_a_question_is_answered_from_here(laptop: Laptop) -> None:
    facts.add(laptop.app.store, "It rains.")
    no = laptop("memory", "reset", input="n\n")
    assert "[y/N]" in no.stderr
    assert facts.recent(laptop.app.store, 5)
    nobody = laptop("memory", "reset")
    assert nobody.exit_code == 2 and "nobody to ask" in nobody.stderr
    yes = laptop("memory", "reset", "--yes")
    assert yes.exit_code == 0, yes
    assert facts.recent(laptop.app.store, 5) == []


def test_files_are_those_of_the_laptop(laptop: Laptop, tmp_path: Path) -> None:
    facts.add(laptop.app.store, "The key is under the mat.")
    target = tmp_path / "some folder" / "memory.json"
    target.parent.mkdir()
    made = laptop("memory", "export", "--output", str(target))
    assert made.exit_code == 0, made
    assert made.stdout.startswith("Exported to memory.json:")
    assert "under the mat" in target.read_text() and target.stat().st_mode & 0o777 == 0o600
    again = laptop("memory", "export", f"--output={target}")
    assert again.exit_code == 2 and "exists already" in again.stderr
    assert laptop("memory", "import", str(target), "--json").exit_code == 0
    nothing = tmp_path / "nothing.json"
    nothing.write_text("no memory")
    for line in (("memory", "import", "--dry-run"), ("memory", "import"), ("sessions", "import")):
        refused = laptop(*line, str(nothing))
        assert refused.stderr.startswith("Error: nothing.json "), refused
    printed = laptop("memory", "export")
    assert "under the mat" in printed.stdout and json.loads(printed.stdout)
    skill = tmp_path / "SKILL.md"
    skill.write_text("---\nname: brew\ndescription: Brew tea.\n---\n\n1. Boil.\n")
    assert laptop("skills", "create", "brew", "--file", str(skill)).exit_code == 0
    assert laptop("skills", "create", "other").exit_code == 2


def test_from_elsewhere_no_setting_reads_a_variable_of_the_server(laptop: Laptop) -> None:
    refused = laptop("model", "set", "openai:${HERMES_PASSPHRASE}")
    assert (refused.exit_code, "named at the terminal" in refused.stderr) == (2, True)
    assert load(laptop.app.home).origin(MODEL).kind == "default"


def test_a_file_that_is_larger_than_the_server_takes_is_not_sent(
    laptop: Laptop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.json"
    file.write_bytes(b" " * 800_000)
    assert "too large" not in laptop("memory", "import", str(file)).stderr
    monkeypatch.setenv("HERMES_WEB_MOST_BODY_MB", "1")
    with _served(laptop.app.home) as (_, address):
        refused = replace(laptop, address=address)("memory", "import", str(file))
    assert refused.exit_code == 2 and "takes 0.7 MB with a command" in refused.stderr


def test_a_token_does_no_more_than_it_may(laptop: Laptop) -> None:
    refused = laptop("memory", "fact", "add", "No.", scope="read")
    assert refused.exit_code == 1 and "may only read" in refused.stderr
    assert laptop("memory", "reset", "--yes", scope="write").exit_code == 1
    assert laptop("status", scope="read").exit_code == 0
    wordless = laptop("memory", "fact", "add", "No.", scope="write")
    assert wordless.exit_code == 1 and "hermes token create NAME --scope admin" in wordless.stderr
    assert facts.recent(laptop.app.store, 5) == []


@pytest.mark.parametrize(
    "line",
    [
        ["-p", "other", "status"],
        ["--server", "local", "status"],
        ["start"],
        ["chat", "-q", "hi"],
        ["config", "set", "tools.shell", "allow"],
        ["status", "-\0"],
        ["notes", "edit"],
        [],
    ],
)
def test_what_is_not_for_others_is_refused_at_the_door(laptop: Laptop, line: list[str]) -> None:
    import httpx2

    shown = tokens.create(laptop.app.store, "a", "admin").shown
    headers = {"Authorization": f"Bearer {shown}"}
    with httpx2.Client(base_url=laptop.address, headers=headers, trust_env=False) as client:
        assert client.post("/api/run", json={"arguments": line}).status_code in (403, 422)


@pytest.mark.parametrize(
    "line",
    [
        ("memory", "export", "--output", "/tmp/x.json"),
        ("memory", "import", "/etc/passwd"),
        ("memory", "selftest", "--json", "accept"),
        ("skills", "edit", "brew"),
        ("backup", "create", "--output", "x.age"),
        ("sessions", "export", "../x"),
    ],
)
def test_the_line_is_checked_as_it_is_really_read(laptop: Laptop, line: tuple[str, ...]) -> None:
    from hermes_agent.cli import served
    from tests.cli.remote_lines import left

    scope = "read" if "selftest" in line else "admin"
    assert left(lambda: served.run(["default", scope, "a test", *line])) == 2


def test_other_versions_are_refused(laptop: Laptop) -> None:
    import httpx2

    shown = tokens.create(laptop.app.store, "a", "admin").shown
    headers = {"Authorization": f"Bearer {shown}", "Hermes-Version": "99.0.0"}
    with httpx2.Client(base_url=laptop.address, headers=headers, trust_env=False) as client:
        refused = client.post("/api/run", json={"arguments": ["status"]})
    assert refused.status_code == 409 and "99.0.0" in refused.json()["detail"]


def test_a_login_is_tried_and_saved_for_its_owner_alone(laptop: Laptop) -> None:
    wrong = laptop.bare("login", laptop.address, environment={}, input="hermes_wrong\n")
    assert wrong.exit_code == 1 and "opens nothing" in wrong.stderr
    shown = tokens.create(laptop.app.store, "door", "write").shown
    right = laptop.bare("login", laptop.address, environment={}, input=f"{shown}\n")
    assert right.exit_code == 0 and "profile default" in right.stdout
    assert "in your name needs another" in right.stdout
    assert shown not in right.stdout + right.stderr
    saved = laptop.home / "credentials.json"
    assert saved.stat().st_mode & 0o777 == 0o600
    assert laptop.bare("--server", laptop.address, "status", environment={}).exit_code == 0
    saved.chmod(0o644)
    assert "chmod 600" in laptop.bare("--server", laptop.address, "status", environment={}).stderr
    saved.chmod(0o600)
    assert laptop.bare("logout", laptop.address, environment={}).exit_code == 0
    assert "no token" in laptop.bare("--server", laptop.address, "status", environment={}).stderr


def test_the_setting_names_the_server_and_local_is_here(laptop: Laptop) -> None:
    shown = tokens.create(laptop.app.store, "door", "write").shown
    environment = {"HERMES_TOKEN": shown}
    assert laptop.bare("config", "set", "server.url", laptop.address, environment=environment).exit_code == 0
    far = laptop.bare("status", "--json", environment=environment)
    assert str(laptop.app.home.root) in far.stdout
    near = laptop.bare("--server", "local", "status", "--json", environment=environment)
    assert str(laptop.home) in near.stdout
    refused = laptop.bare("start", environment=environment)
    assert refused.exit_code == 2 and "--server local start" in refused.stderr
    assert laptop.bare("config", "unset", "server.url", environment=environment).exit_code == 0


def test_the_token_of_the_environment_goes_to_no_other_server_than_it_names(laptop: Laptop) -> None:
    shown = tokens.create(laptop.app.store, "door", "read").shown
    for named, is_sent in ((laptop.address, True), ("local", True), ("http://127.0.0.1:9", False)):
        environment = {"HERMES_TOKEN": shown, "HERMES_SERVER": named}
        told = laptop.bare("--server", laptop.address, "status", environment=environment)
        assert (told.exit_code == 0, "There is no token for" in told.stderr) == (is_sent, not is_sent)


def test_what_goes_wrong_on_the_way_is_a_sentence(laptop: Laptop) -> None:
    def tried(address: str) -> str:
        outcome = laptop.bare("--server", address, "status", environment={"HERMES_TOKEN": "hermes_x"})
        assert outcome.exit_code in (1, 2) and outcome.stderr.startswith("Error: ")
        return outcome.stderr

    assert "does not answer" in tried("http://127.0.0.1:9")
    assert "has no TLS" in tried("http://memory.example.org")
    assert "holds no token" in tried("https://me:secret@memory.example.org")
    assert "is no server's address" in tried("ftp://memory.example.org")
    assert "opens nothing" in tried(laptop.address)
    with openai_server.serve() as other:
        assert "not as hermes does" in tried(other.root)
        assert "cannot be trusted" in tried(other.root.replace("http", "https"))


def test_a_question_of_the_embedded_default_is_answered_there(laptop: Laptop) -> None:
    facts.add(laptop.app.store, "My time zone is Europe/London")
    answer = laptop("chat", "-q", "What is my time zone?", scope="write")
    assert answer.exit_code == 0 and "Europe/London" in answer.stdout
    (session,) = laptop.app.memory.sessions(Listing(), 5)
    assert session.session.source == "web"
    piped = laptop("chat", "--json", "--continue", scope="write", input="And where?\nThank you!\n")
    answers = [json.loads(line) for line in piped.stdout.splitlines()]
    assert [one["session_id"] for one in answers] == [session.session.id] * 2
    assert laptop("chat", "-q", "Hi", scope="read").exit_code == 1


def test_continue_goes_on_with_what_was_said_last_not_with_what_is_pinned(laptop: Laptop) -> None:
    laptop("chat", "-q", "I live in Lyon.")
    (old,) = laptop.app.memory.sessions(Listing(), 5)
    with laptop.app.store.write() as connection:
        connection.execute(update(tables.sessions).values(is_pinned=True))
    laptop("chat", "-q", "Good night!")
    assert laptop.app.memory.sessions(Listing(), 5)[0].session.id == old.session.id
    answer = laptop("chat", "--json", "--continue", "-q", "Thank you!")
    assert json.loads(answer.stdout)["session_id"] != old.session.id


@pytest.mark.parametrize(
    "typed", [None, "I live in Lyon.\n", "I live in Lyon.\n/quit\n", "I live in Lyon.\n/new\n/quit\n"]
)
def test_what_was_said_is_learned_when_the_chat_is_left(laptop: Laptop, typed: str | None) -> None:
    line = ("chat", "-q", "I live in Lyon.") if typed is None else ("chat",)
    left = laptop(*line, scope="write", **({} if typed is None else {"input": typed}))
    assert (left.exit_code, "learned from" in left.stderr) == (0, False)
    assert laptop.there("jobs", "run").exit_code == 0
    assert [one.text for one in facts.recent(laptop.app.store, 5)] == ["User lives in Lyon"]


def test_leaving_for_another_conversation_ends_the_first(laptop: Laptop) -> None:
    laptop("chat", "-q", "I live in Lyon.")
    (old,) = laptop.app.memory.sessions(Listing(), 5)
    laptop("chat", input=f"Thank you!\n/resume {old.session.id}\nAnd good night!\n")
    every = [one.session for one in laptop.app.memory.sessions(Listing(), 5)]
    assert len(every) == 2 and all(one.ended_at is not None for one in every)


def test_a_chat_shows_tools_and_asks_nobody_in_a_pipe(
    own_home: Home, hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_WEB_PORT", "0")
    tool = Use(Call("shell", json.dumps({"command": "echo made > x"})))
    with openai_server.serve(tool, Say("I did", " not.")) as model:
        monkeypatch.setenv("HERMES_BASE_URL", model.url)
        with _served(own_home) as (app, address):
            answer = Laptop(app, address, tmp_path / "laptop", hermes)("chat", "-q", "Make it.")
    assert answer.stdout == "I did not.\n"
    assert "Nobody is there to be asked" in answer.stderr and "shell" in answer.stderr


def test_slash_commands_work_from_elsewhere(laptop: Laptop) -> None:
    said = "/help\n/memory\n/sessions\n/rollback\n/nonsense\n/quit\n"
    talk = laptop("chat", scope="write", input=said)
    assert "/resume" in talk.stdout and "/rollback" not in talk.stdout
    assert "/rollback does not work here" in talk.stderr
    assert "/nonsense does not work here" in talk.stderr


def test_several_commands_at_once_do_not_mix(laptop: Laptop) -> None:
    import httpx2

    shown = tokens.create(laptop.app.store, "a", "admin").shown
    codes: list[int] = []

    def one(number: int) -> Callable[[], None]:
        def ask() -> None:
            headers = {"Authorization": f"Bearer {shown}"}
            with httpx2.Client(base_url=laptop.address, headers=headers, trust_env=False, timeout=120) as client:
                lines = client.post("/api/run", json={"arguments": ["memory", "fact", "add", f"N {number}."]}).text
            codes.append(json.loads(lines.splitlines()[-1])["exit"])

        return ask

    threads = [threading.Thread(target=one(number)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [0, 0, 0]
    assert {one.text for one in facts.recent(laptop.app.store, 9)} == {"N 0.", "N 1.", "N 2."}


def test_a_login_is_not_saved_for_whoever_answers_otherwise(
    hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Other(QuietHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "laptop"))
    with listening(Other) as port:
        refused = hermes("login", f"http://127.0.0.1:{port}", input="hermes_x\n")
    assert refused.exit_code == 1 and "not as hermes does" in refused.stderr
    assert not (tmp_path / "laptop" / "credentials.json").exists()


@pytest.mark.parametrize(
    "line",
    [b'{"stdout": "no base64!"}', b'{"stdout": 5}', b'{"file": "x"}', b'{"exit": "soon"}', b'{"exit": null}'],
)
def test_a_server_that_answers_otherwise_is_told_in_a_sentence(
    hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    class Other(QuietHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.send_response(200)
            self.send_header("Content-Type", "application/x-ndjson")
            self.send_header("Content-Length", str(len(line) + 1))
            self.end_headers()
            self.wfile.write(line + b"\n")

    with listening(Other) as port:
        monkeypatch.setenv("HERMES_SERVER", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("HERMES_TOKEN", "hermes_any")
        outcome = hermes("memory", "facts", "list")
    assert outcome.exit_code == 1
    assert "answers, but not as hermes does" in outcome.stderr
