"""A home that is moved under a daemon in the background: it lives on, and works again when the home is back."""

import json
from dataclasses import replace
from pathlib import Path

import httpx2

from hermes_agent.config import pid_file
from hermes_agent.config.paths import Home
from tests.daemon.conftest import Machine, wait_until


def test_a_daemon_lives_on_whose_home_is_moved_while_it_is_at_work(machine: Machine, tmp_path: Path) -> None:
    token = json.loads(machine.run("token", "create", "test", "--scope", "admin", "--json"))["token"]
    machine.run("start")
    daemon = pid_file.running(machine.home)
    assert daemon is not None and daemon.address is not None
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=daemon.address, headers=headers, trust_env=False) as client:
        for number in range(8):
            assert client.post("/api/facts", json={"text": f"The mat {number} is red."}).status_code == 201
        machine.home.root.rename(tmp_path / "elsewhere")
        log = tmp_path / "elsewhere" / "logs" / "daemon.log"
        wait_until(lambda: "is not the file any more that was opened" in log.read_text())
        assert client.post("/api/facts", json={"text": "The mat is blue."}).status_code == 503
        assert not machine.home.root.exists()
        moved = replace(machine, home=Home(tmp_path / "elsewhere", machine.home.profile))
        assert "It cannot use its memory" in moved.run("status", code=1)
        assert not machine.home.root.exists()
        (tmp_path / "elsewhere").rename(machine.home.root)
        assert client.post("/api/facts", json={"text": "The mat is blue."}).status_code == 201
    machine.run("stop")
    assert "Stopped." in machine.log
    refusals = [line for line in machine.log.splitlines() if " ERROR " in line]
    assert len(refusals) == 1 and "Put it back where it was" in refusals[0], "said once"
    assert "in schedule" not in machine.log and "Traceback" not in machine.log
