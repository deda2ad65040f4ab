"""A signal ends `hermes chat`: what was said is kept, and the exit code tells which signal it was."""

import os
import signal
import subprocess
from contextlib import suppress

import pytest

from tests.cli.conversations import HERMES, ROOT, messages, sessions
from tests.conftest import Hermes
from tests.openai_server import Hang, Server, serve

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize(
    ("number", "code", "reason"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"), (signal.SIGHUP, 129, "terminated")],
)
def test_a_signal_keeps_what_was_said_and_ends_the_session(
    hermes: Hermes, number: signal.Signals, code: int, reason: str
) -> None:
    with serve(Hang("Half an answer")) as server:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HERMES_BASE_URL": server.url}
        process = subprocess.Popen(
            [*HERMES, "chat", "-q", "Tell me"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        wait_for_request(server, process)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=60)
        assert server.left.wait(60)
    assert process.returncode == code, stderr
    assert b"Traceback" not in stderr
    (session,) = sessions(hermes)
    assert session["end_reason"] == reason
    assert [message["role"] for message in messages(hermes)] == ["user", "assistant"]


def wait_for_request(server: Server, process: "subprocess.Popen[bytes]") -> None:
    """Wait until the model was asked."""
    while not server.requests:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
            raise AssertionError(process.communicate()[1])
