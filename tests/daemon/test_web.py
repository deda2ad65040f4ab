"""What the daemon serves: told where it is, ended in order, nothing secret in its logs, seen when a part dies."""

import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from hermes_agent import clock
from hermes_agent.config import pid_file
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.daemon import process
from hermes_agent.ids import new_uid
from hermes_agent.web.callers import cookie_at
from hermes_agent.web.server import Server
from hermes_agent.web.site import build
from tests.daemon.conftest import PATIENCE_SECONDS, Machine, wait_until
from tests.postgres import server_address


def address_of(machine: Machine) -> str:
    found = pid_file.running(machine.home)
    assert found is not None and found.address is not None
    return found.address


def token_of(machine: Machine, scope: str = "write") -> str:
    made = json.loads(machine.run("token", "create", f"a {scope} test", "--scope", scope, "--json"))
    return str(made["token"])


def ask(address: str, path: str, token: str = "", body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    """Ask once; a refusal is an answer, too."""
    known = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(f"{address}{path}", body, {**known, **headers})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def add_fact(address: str, token: str, text: str) -> int:
    body = json.dumps({"text": text}).encode()
    return ask(address, "/api/facts", token, body, **{"Content-Type": "application/json"})[0]


def test_start_and_status_tell_where_the_dashboard_is(machine: Machine) -> None:
    told = machine.run("start")
    address = address_of(machine)
    assert f"Dashboard: {address} (open it: hermes dashboard)" in told
    assert address in machine.run("status") and address in machine.run("start")
    assert json.loads(machine.run("status", "--json"))["dashboard"] == {"address": address, "trouble": None}
    assert ask(address, "/health/ready")[0] == 200
    machine.run("stop")
    assert "Dashboard" not in machine.run("status")


def test_a_port_that_is_taken_is_told_and_the_work_goes_on(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("HERMES_WEB_PORT", str(taken.getsockname()[1]))
        machine.run("start")
        told = json.loads(machine.run("status", "--json", code=1))
        assert told["dashboard"]["address"] is None
        assert "in use" in told["dashboard"]["trouble"]
        assert "hermes restart" in machine.run("status", code=1)
        assert "in use" in machine.run("dashboard", "--print", code=1) and "in use" in machine.log
    machine.run("restart")
    assert ask(address_of(machine), "/health")[0] == 200


def test_an_address_that_is_not_safe_is_told(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_WEB_HOST", "0.0.0.0")
    machine.run("start")
    assert "no TLS" in machine.run("status", code=1)


def test_without_web_there_is_no_trouble(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_WEB_ENABLED", "false")
    assert "ashboard" not in machine.run("start")
    assert "off (web.enabled)" in machine.run("status")


class Half:
    """A request whose body is only half sent: the server has begun, and waits."""

    def __init__(self, address: str, token: str, text: str) -> None:
        parts = urlsplit(address)
        assert parts.hostname is not None
        self._body = json.dumps({"text": text}).encode()
        self._connection = HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE_SECONDS)
        self._connection.putrequest("POST", "/api/facts")
        self._connection.putheader("Authorization", f"Bearer {token}")
        self._connection.putheader("Content-Type", "application/json")
        self._connection.putheader("Content-Length", str(len(self._body)))
        self._connection.endheaders(self._body[:5])

    def finish(self) -> HTTPResponse:
        self._connection.send(self._body[5:])
        return self._connection.getresponse()

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def half(machine: Machine) -> Iterator[Half]:
    machine.run("start")
    token = token_of(machine)
    made = Half(address_of(machine), token, "The ferry leaves at nine")
    # Whoever asks behind it is answered after the server has seen it.
    assert ask(address_of(machine), "/api/facts", token)[0] == 200
    yield made
    made.close()


def test_what_is_under_way_is_answered_before_the_daemon_ends(machine: Machine, half: Half) -> None:
    address, daemon = address_of(machine), pid_file.running(machine.home)
    assert daemon is not None
    process.ask_to_end(daemon)
    wait_until(lambda: not is_listening(address))
    assert half.finish().status == 201
    assert process.has_ended(machine.home, daemon, PATIENCE_SECONDS)
    assert "Stopped." in machine.log
    assert not machine.home.state_db.with_name("state.db-wal").exists()
    assert "ferry" in machine.run("memory", "fact", "list")


def test_a_second_signal_waits_for_no_request(machine: Machine, half: Half) -> None:
    address, daemon = address_of(machine), pid_file.running(machine.home)
    assert daemon is not None
    process.ask_to_end(daemon)
    wait_until(lambda: not is_listening(address))
    begun = clock.monotonic()
    process.insist(daemon)
    assert process.has_ended(machine.home, daemon, PATIENCE_SECONDS)
    assert clock.monotonic() - begun < 8
    assert "Ended in the middle" in machine.log


def is_listening(address: str) -> bool:
    parts = urlsplit(address)
    with socket.socket() as tried:
        return tried.connect_ex((parts.hostname, parts.port)) == 0


def test_no_log_has_a_token_or_a_word_that_was_typed(machine: Machine) -> None:
    machine.run("start")
    address, token = address_of(machine), token_of(machine)
    link = re.findall(r"code=(\S+)", machine.run("dashboard", "--print"))[0]
    form = urlencode({"token": token}).encode()
    add_fact(address, token, "My diary is under the stairs")
    ask(address, "/api/facts?about=diary", token)
    ask(address, f"/login?code={link}")
    ask(address, "/login", body=form)
    ask(address, "/facts", Cookie=f"{cookie_at(urlsplit(address).port)}={token}")
    ask(address, f"/facts/diary?token={token}", token)
    ask(address, f"/{token}/diary")
    ask(address, "/api/facts", f"{token}wrong")
    machine.run("stop")
    logs = "".join(file.read_text() for file in machine.home.logs.iterdir())
    assert "POST /api/facts 201" in logs and "'a write test'" in logs
    assert "hermes_" not in logs and "diary" not in logs and link not in logs


def test_a_worker_that_dies_is_told_and_the_dashboard_goes_on(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packages"
    (package / "deadly-1.dist-info").mkdir(parents=True)
    (package / "deadly-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: deadly\nVersion: 1\n")
    points = "[hermes_agent.embedders]\ndeadly = deadly:made\n"
    (package / "deadly-1.dist-info" / "entry_points.txt").write_text(points)
    (package / "deadly.py").write_text("def made(settings):\n    raise SystemExit(' '.join(['my', 'diary']))\n")
    monkeypatch.setenv("PYTHONPATH", str(package))
    monkeypatch.syspath_prepend(str(package))
    machine.run("start")
    address, token = address_of(machine), token_of(machine)
    machine.run("stop")
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "deadly")
    launched = process.launch(machine.home, {})
    assert launched.code is None
    address = address_of(machine)
    assert add_fact(address, token, "Rex is a dog") == 201
    wait_until(lambda: ask(address, "/health/ready")[0] == 503)
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "local")
    assert "The worker ended by itself" in machine.run("status", code=1)
    assert json.loads(machine.run("status", "--json", code=1))["daemon"]["trouble"] is not None
    assert "A job ended the worker: SystemExit" in machine.log and "my diary" not in machine.log
    assert ask(address, "/api/facts", token)[0] == 200


def test_a_server_that_ends_by_itself_is_noticed(own_home: Home, machine: Machine) -> None:
    told: list[str] = []
    app = machine.open()
    server = Server(build(app), load(own_home), lambda: told.append("ended"))
    server.start()
    assert ask(server.address, "/health")[0] == 200 and not told
    server.stop()
    wait_until(lambda: bool(told))
    assert server.close()
    app.close()


def test_an_encrypted_home_is_served_and_nothing_plain_is_written(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "a long way to the harbour")
    machine.run("memory", "fact", "add", "Rex is a dog")
    machine.run("encrypt", "--yes")
    machine.run("start")
    address, token = address_of(machine), token_of(machine)
    assert add_fact(address, token, "The kztfwjxb is in the attic") == 201
    assert b"kztfwjxb" in ask(address, "/api/facts", token)[1]
    assert ask(address, "/metrics", token)[0] == 200
    machine.run("stop")
    files = [file for file in machine.home.root.rglob("*") if file.is_file()]
    assert not [file for file in files if b"kztfwjxb" in file.read_bytes()]


def test_two_daemons_on_one_postgres_each_serve_the_same_memory(
    tmp_path: Path, machines: Callable[[Home], Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
    monkeypatch.setenv("HERMES_MEMORY_SCHEMA", f"h{new_uid().replace('-', '')}")
    first, second = (machines(Home(tmp_path / name, "default")) for name in ("laptop", "server"))
    for machine in (first, second):
        machine.run("start")
    token = token_of(first)
    assert address_of(first) != address_of(second)
    assert add_fact(address_of(first), token, "Rex is a dog") == 201
    status, text = ask(address_of(second), "/api/facts", token)
    assert status == 200 and b"Rex is a dog" in text
