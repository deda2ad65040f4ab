"""A home on a full disk: every door says that there is no room, and the server does not call itself ready."""

import os
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.web.conftest import Doors

_SIZE = 14 << 20


@pytest.fixture
def filler(own_home: Home) -> Iterator[Path]:
    """Put a small disk under the home; a file on it may fill it."""
    own_home.root.mkdir(parents=True, exist_ok=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={_SIZE},mode=700", "tmpfs", str(own_home.root)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may mount a disk")
    yield own_home.root / "filler"
    subprocess.run(["umount", "-l", str(own_home.root)], check=True)


def fill(filler: Path) -> None:
    with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
        while True:
            file.write(os.urandom(1 << 12))


def test_every_door_says_that_the_disk_is_full(filler: Path, doors: Doors) -> None:
    program = doors.program()
    fill(filler)
    answers = {
        "import": program.post("/api/import", content=b"{}"),
        "sessions": program.post("/api/import/sessions", content=b"{}"),
        "run": program.post(
            "/api/run",
            json={"arguments": ["memory", "import", "m.json"], "files": {"m.json": b64encode(b"{}").decode()}},
        ),
        "setting": program.put("/api/settings/memory.poolSize", json={"value": 7}, headers={"If-Match": "*"}),
    }
    told = {name: (answer.status_code, answer.json()["detail"]) for name, answer in answers.items()}
    assert {status for status, _ in told.values()} == {507}, told
    assert all("is full" in detail for _, detail in told.values()), told


def test_a_server_whose_writes_find_no_room_is_not_ready_until_there_is_some(filler: Path, doors: Doors) -> None:
    program = doors.program()
    fill(filler)
    told = [
        program.post("/api/facts", json={"text": f"Number {number}: {os.urandom(100).hex()}"}).status_code
        for number in range(100)
    ]
    assert told[-1] == 507
    assert doors.stranger().get("/health/ready").json()["store"] is False
    filler.unlink()
    assert doors.stranger().get("/health/ready").status_code == 200
    assert program.post("/api/facts", json={"text": "The mat is red."}).status_code == 201


def test_the_status_tells_of_a_disk_that_is_full_until_there_is_room(
    filler: Path, doors: Doors, hermes: Hermes
) -> None:
    program = doors.program()
    assert program.get("/api/status").json()["is_well"] is True
    fill(filler)
    for number in range(100):
        program.post("/api/facts", json={"text": f"Number {number}: {os.urandom(100).hex()}"})
    told = program.get("/api/status").json()
    (advice,) = [one for one in told["advice"] if one["about"] == "store"]
    assert told["is_well"] is False and "is full" in advice["trouble"] and "Make room" in advice["advice"]
    outcome = hermes("status")
    assert outcome.exit_code == 1 and "is full" in outcome.stdout and "→ Make room" in outcome.stdout
    filler.unlink()
    assert program.get("/api/status").json()["is_well"] is True
    assert hermes("status").exit_code == 0
