"""Homes as they are found in the world: not there, empty, closed, linked, huge, or begun by two at once."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor
from hermes_agent.records.archive import NewMessage, NewSession
from tests.counts import count
from tests.proof.places import open_at
from tests.proof.processes import as_ordinary_user, assert_plain_error, hermes


def test_a_home_that_is_not_there_is_made(own_home: Home) -> None:
    assert not own_home.root.exists()
    listed = hermes("sessions", "list", "--json")
    assert (listed.returncode, listed.stdout, listed.stderr) == (0, "[]\n", "")
    assert own_home.root.stat().st_mode & 0o777 == 0o700
    assert own_home.state_db.stat().st_mode & 0o777 == 0o600


def test_processes_that_begin_a_home_at_once_all_succeed(own_home: Home) -> None:
    for _ in range(count(2, 20)):
        commands = [("sessions", "list"), ("sessions", "stats"), ("db", "status"), ("jobs", "list")]
        with ThreadPoolExecutor(len(commands)) as threads:
            ended = list(threads.map(lambda command: hermes(*command), commands))
        assert [(done.returncode, done.stderr) for done in ended] == [(0, "")] * len(commands)
        assert hermes("db", "check").returncode == 0
        shutil.rmtree(own_home.root)


def closed_empty(home: Home) -> None:
    home.root.mkdir()


def closed_without_a_store(home: Home) -> None:
    ensure(home)


def closed_without_the_link(home: Home) -> None:
    assert hermes("sessions", "list").returncode == 0
    home.memory_db_link.unlink()


@pytest.mark.parametrize("prepare", [closed_empty, closed_without_a_store])
def test_a_home_that_may_not_be_written_says_so(own_home: Home, prepare: Callable[[Home], None]) -> None:
    user = as_ordinary_user()
    prepare(own_home)
    own_home.root.chmod(0o500)
    try:
        assert_plain_error(hermes("sessions", "list", prefix=user))
    finally:
        own_home.root.chmod(0o700)


def test_a_home_that_may_not_be_written_can_be_read(own_home: Home) -> None:
    user = as_ordinary_user()
    closed_without_the_link(own_home)
    own_home.root.chmod(0o500)
    try:
        assert hermes("sessions", "list", prefix=user).returncode == 0
        assert_plain_error(hermes("memory", "fact", "add", "Bo likes ham", prefix=user), "may not be written")
    finally:
        own_home.root.chmod(0o700)


def test_a_home_in_a_closed_folder_says_so(own_home: Home) -> None:
    user = as_ordinary_user()
    parent = own_home.root.parent
    parent.chmod(0o500)
    try:
        assert_plain_error(hermes("sessions", "list", prefix=user))
    finally:
        parent.chmod(0o700)


@pytest.mark.parametrize("mode", [0o000, 0o600])
def test_a_home_that_may_not_be_entered_says_so(own_home: Home, mode: int) -> None:
    user = as_ordinary_user()
    ensure(own_home)
    own_home.root.chmod(mode)
    try:
        assert_plain_error(hermes("sessions", "list", prefix=user))
    finally:
        own_home.root.chmod(0o700)


def test_a_file_in_place_of_the_home_says_so(own_home: Home) -> None:
    own_home.root.write_text("not a folder")
    assert_plain_error(hermes("sessions", "list"))


def test_a_file_in_place_of_a_folder_of_the_home_says_so(own_home: Home) -> None:
    own_home.root.mkdir()
    own_home.cache.write_text("not a folder")
    outcome = hermes("sessions", "list")
    assert (outcome.returncode, outcome.stderr.count("cache is not a folder")) == (0, 1)


def test_a_store_may_be_a_link_to_another_disk(own_home: Home, tmp_path: Path) -> None:
    ensure(own_home)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    own_home.state_db.symlink_to(elsewhere / "real.db")
    store = open_at(str(own_home.state_db))
    memory = Memory(store, "default")
    memory.append(memory.begin(NewSession(id="s")), NewMessage("user", "hello"))
    store.close()
    assert hermes("sessions", "search", "hello").returncode == 0
    assert hermes("db", "check").returncode == 0
    assert own_home.state_db.is_symlink()
    assert (elsewhere / "real.db").stat().st_mode & 0o777 == 0o600


def test_a_store_linked_to_nowhere_says_so(own_home: Home, tmp_path: Path) -> None:
    ensure(own_home)
    own_home.state_db.symlink_to(tmp_path / "missing" / "real.db")
    assert_plain_error(hermes("sessions", "list"))


def test_a_store_linked_to_itself_says_so(own_home: Home) -> None:
    ensure(own_home)
    own_home.state_db.symlink_to(own_home.state_db)
    assert_plain_error(hermes("sessions", "list"))


def test_a_real_file_named_memory_db_is_left_alone(own_home: Home) -> None:
    own_home.root.mkdir()
    own_home.memory_db_link.write_bytes(b"somebody else's")
    assert hermes("sessions", "list").returncode == 0
    assert own_home.memory_db_link.read_bytes() == b"somebody else's"
    assert own_home.state_db.exists()


def test_a_folder_named_memory_db_is_left_alone(own_home: Home) -> None:
    own_home.memory_db_link.mkdir(parents=True)
    assert hermes("sessions", "list").returncode == 0
    assert own_home.memory_db_link.is_dir()


def test_a_big_home_is_listed_searched_and_checked(own_home: Home) -> None:
    ensure(own_home)
    for number in range(500):
        (own_home.skills / f"skill{number}").mkdir()
    sessions, size = count(300, 3_000), 20
    store = open_at(str(own_home.state_db))
    memory = Memory(store, "default")
    for number in range(sessions):
        said = (NewMessage("user", f"talk{number % 50} number{number} " + "word " * 30) for _ in range(size))
        memory.append(memory.begin(NewSession(id=f"s{number}")), *said)
    memory.append(memory.begin(NewSession(id="long")), *(NewMessage("user", f"line {n}") for n in range(5_000)))
    assert doctor.check(store).messages == sessions * size + 5_000
    store.close()
    for command in (
        ("sessions", "list", "--limit", "1000"),
        ("sessions", "search", f"number{sessions - 1}"),
        ("sessions", "show", "long"),
        ("sessions", "stats"),
        ("db", "check"),
    ):
        done = hermes(*command)
        assert (done.returncode, done.stderr) == (0, ""), command
