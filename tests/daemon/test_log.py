"""The daemon's log file: bounded, in UTC."""

import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.config import paths
from hermes_agent.config.paths import Home
from hermes_agent.daemon import log
from hermes_agent.errors import HermesError
from hermes_agent.jobs.worker import LOG, REQUESTS
from tests.conftest import Hermes


@pytest.fixture(autouse=True)
def closed_log() -> Iterator[None]:
    """Leave the log of this process as it was."""
    yield
    for used in (LOG, REQUESTS):
        for handler in [*used.handlers]:
            used.removeHandler(handler)
            handler.close()
        used.propagate = True


def words(home: Home) -> list[str]:
    """Return what the log says, without when and how grave it is."""
    return [line.split(" ", 2)[2] for line in home.daemon_log.read_text().splitlines()]


@pytest.mark.parametrize(("name", "used"), [("daemon.log", LOG), ("requests.log", REQUESTS)])
def test_a_large_log_is_set_aside_and_the_oldest_one_goes(own_home: Home, name: str, used: logging.Logger) -> None:
    paths.ensure(own_home)
    log.to_file(own_home)
    for number in range(6_000):
        used.info("line %d %s", number, "x" * 1_000)
    kept = sorted(file for file in own_home.logs.iterdir() if file.stat().st_size)
    assert [file.name for file in kept] == [name, f"{name}.1", f"{name}.2", f"{name}.3"]
    assert all(file.stat().st_size <= 1_000_000 for file in kept)
    last = (own_home.logs / name).read_text().splitlines()[-1]
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ INFO line 5999 x", last)


def test_the_logs_belong_to_their_owner_alone(own_home: Home) -> None:
    paths.ensure(own_home)
    own_home.daemon_log.touch(mode=0o644)
    log.to_file(own_home)
    REQUESTS.info("GET /facts 200")
    assert [file.stat().st_mode & 0o777 for file in (own_home.daemon_log, own_home.request_log)] == [0o600, 0o600]


def test_a_log_that_cannot_be_written_is_said(own_home: Home) -> None:
    paths.ensure(own_home)
    own_home.daemon_log.mkdir()
    with pytest.raises(HermesError, match=re.escape("daemon.log cannot be written")):
        log.to_file(own_home)


def test_the_log_goes_on_in_the_file_that_forgetting_put_in_its_place(hermes: Hermes, own_home: Home) -> None:
    hermes("notes", "add", "-t", "memory", "The Wibbelstetz fork lies in the drawer")
    log.to_file(own_home)
    LOG.info("failed at Wibbelstetz")
    assert hermes("memory", "forget", "--about", "Wibbelstetz", "--yes").exit_code == 0
    LOG.info("and goes on")
    assert words(own_home) == ["and goes on"]


def test_a_log_whose_home_was_moved_goes_with_it_and_goes_on_when_it_is_back(
    own_home: Home, tmp_path: Path
) -> None:
    paths.ensure(own_home)
    log.to_file(own_home)
    LOG.info("before")
    own_home.root.rename(tmp_path / "elsewhere")
    LOG.info("meanwhile")
    assert not own_home.root.exists()
    (tmp_path / "elsewhere").rename(own_home.root)
    LOG.info("after")
    assert words(own_home) == ["before", "meanwhile", "after"]


def test_a_log_that_was_deleted_with_its_home_goes_on_when_there_is_one(own_home: Home) -> None:
    paths.ensure(own_home)
    log.to_file(own_home)
    shutil.rmtree(own_home.root)
    LOG.info("meanwhile")
    assert not own_home.root.exists()
    paths.ensure(own_home)
    LOG.info("after")
    assert words(own_home) == ["after"]


def test_in_the_foreground_requests_are_told_too(capsys: pytest.CaptureFixture[str]) -> None:
    log.to_stderr()
    LOG.info("the worker began")
    REQUESTS.info("GET /facts 200 1.2 ms token laptop")
    told = [line.split(" ", 2)[2] for line in capsys.readouterr().err.splitlines()]
    assert told == ["the worker began", "GET /facts 200 1.2 ms token laptop"]
