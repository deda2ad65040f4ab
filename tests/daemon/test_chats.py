"""What is being said when a daemon ends, by a kill or by a word."""

import os
import signal

import httpx2
import pytest

from hermes_agent.config import pid_file
from hermes_agent.memory import tokens
from hermes_agent.store.sessions import Listing
from tests.daemon.conftest import Machine, wait_until
from tests.openai_server import Hang, serve
from tests.web.talking import Program


def program(machine: Machine) -> Program:
    """Return a program with a token for the daemon that runs."""
    running = pid_file.running(machine.home)
    assert running is not None
    wait_until(lambda: (found := pid_file.running(machine.home)) is not None and found.address is not None)
    found = pid_file.running(machine.home)
    assert found is not None and found.address is not None
    app = machine.open()
    shown = tokens.create(app.store, "laptop", "write").shown
    app.close()
    return Program(found.address, shown)


def said(machine: Machine) -> list[tuple[str, str | None]]:
    """Return what was said in the one session there is."""
    app = machine.open()
    try:
        (listed,) = app.memory.sessions(Listing(), 5)
        return [(message.role, message.content) for message in app.memory.window(listed.session.id)]
    finally:
        app.close()


def test_a_kill_in_the_middle_of_an_answer_keeps_what_the_user_said(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Hang("Half an ans")) as model:
        monkeypatch.setenv("HERMES_BASE_URL", model.url)
        machine.run("start")
        with pytest.raises((AssertionError, httpx2.HTTPError)), program(machine).say("Never lose this.") as talk:
            talk.until("text")
            running = pid_file.running(machine.home)
            assert running is not None
            os.kill(running.pid, signal.SIGKILL)
            talk.until("finished")
    assert said(machine)[0] == ("user", "Never lose this.")


def test_a_daemon_that_is_stopped_keeps_the_words_that_had_come(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Hang("Half an ans")) as model:
        monkeypatch.setenv("HERMES_BASE_URL", model.url)
        machine.run("start")
        with program(machine).say("Tell me all.") as talk:
            talk.until("text")
            machine.run("stop")
    assert said(machine) == [("user", "Tell me all."), ("assistant", "Half an ans")]
    assert "failed" not in machine.log
