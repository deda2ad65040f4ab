"""Two daemons on one PostgreSQL: two machines, one memory, one queue."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.ids import new_uid
from hermes_agent.store import jobs
from tests.daemon.conftest import Machine, wait_until
from tests.postgres import server_address

NUMBER = 200


def test_two_daemons_share_a_queue_and_do_each_job_once(
    tmp_path: Path, machines: Callable[[Home], Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
    monkeypatch.setenv("HERMES_MEMORY_SCHEMA", f"h{new_uid().replace('-', '')}")
    pair = [machines(Home(tmp_path / name, "default")) for name in ("laptop", "server")]
    for machine in pair:
        machine.run("start")
    app = pair[0].open()
    with app.store.write() as connection:
        added = {jobs.add(connection, "prune", f"prune {number}") for number in range(NUMBER)}

    def is_done() -> bool:
        with app.store.read() as connection:
            return {job.id for job in jobs.recent(connection, 2 * NUMBER, state="done")} >= added

    wait_until(is_done)
    with app.store.read() as connection:
        attempts = {job.attempts for job in jobs.recent(connection, NUMBER, kind="prune")}
    app.close()
    for machine in pair:
        machine.run("stop")
    done = [[int(number) for number in re.findall(r"Job (\d+) \(prune\): done", m.log)] for m in pair]
    assert attempts == {1}
    assert sorted(done[0] + done[1]) == sorted(added)
    assert done[0] and done[1], "both had their share"
