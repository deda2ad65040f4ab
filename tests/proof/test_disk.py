"""A disk that is full, a file that may not grow, a folder that may not be written: said clearly, nothing lost."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import StoreFull
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops import doctor
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import NewMessage, NewSession
from tests.counts import count
from tests.proof.ledger import uids_by_session, wrong_counts
from tests.proof.places import open_at
from tests.proof.processes import as_ordinary_user, assert_plain_error, hermes, start


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real disk of 2 MB; skip where none can be mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def make_room(disk: Path, size: str = "64m") -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", disk], check=True)


def fill_up(disk: Path) -> None:
    """Leave no byte free."""
    with (disk / "ballast").open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue


def fill(place: Path, limit_bytes: int) -> tuple[list[str], str]:
    """Append in a process of its own until it fails; return what was kept and the last line it told."""
    told = start("fill", str(place), str(limit_bytes)).communicate()[0].splitlines()
    kept = [line.split(" ")[1] for line in told if line.startswith("kept ")]
    assert len(told) == len(kept) + 1, told[len(kept) :]
    return kept, told[-1]


def assert_all_there(place: Path, kept: list[str]) -> None:
    store = open_at(str(place))
    assert uids_by_session(store).get("s", [])[: len(kept)] == kept
    assert wrong_counts(store) == []
    assert doctor.check(store).problems == ()
    store.close()


def test_a_full_disk_is_told_and_loses_nothing(small_disk: Path) -> None:
    place = small_disk / "state.db"
    kept, last = fill(place, 0)
    assert last.startswith("failed StoreFull 1 ") and "full" in last
    assert len(kept) > 10
    make_room(small_disk, "5m")
    assert_all_there(place, kept)
    more, last = fill(place, 0)
    assert more
    assert last.startswith("failed StoreFull 1 ")


def test_filling_a_disk_again_and_again_loses_nothing(small_disk: Path) -> None:
    place = small_disk / "state.db"
    kept, _ = fill(place, 0)
    for _ in range(count(2, 10)):
        more, last = fill(place, 0)
        assert last.startswith("failed StoreFull 1 "), last
        kept += more
    make_room(small_disk)
    assert_all_there(place, kept)


@pytest.mark.parametrize("limit_bytes", [100_000, 400_000, 1_000_003])
def test_a_file_that_may_not_grow_is_told_and_loses_nothing(tmp_path: Path, limit_bytes: int) -> None:
    place = tmp_path / "state.db"
    kept, last = fill(place, limit_bytes)
    assert last.startswith("failed StoreFull 1 ") and "full or failing" in last
    assert_all_there(place, kept)


def test_commands_on_a_full_disk_say_so(small_disk: Path) -> None:
    home = small_disk / "home"
    kept, _ = fill(home / "state.db", 900_000)
    fill_up(small_disk)
    renamed = hermes("sessions", "rename", "s", "A title " * 10, HERMES_HOME=str(home))
    assert_plain_error(renamed, "full")
    for command in (("sessions", "list"), ("db", "check"), ("db", "vacuum")):
        done = hermes(*command, HERMES_HOME=str(home))
        if done.returncode:
            assert_plain_error(done, "full")
    make_room(small_disk)
    assert hermes("sessions", "rename", "s", "A title", HERMES_HOME=str(home)).returncode == 0
    assert_all_there(home / "state.db", kept)


def test_a_new_home_on_a_full_disk_says_so(small_disk: Path) -> None:
    fill_up(small_disk)
    home = small_disk / "home"
    assert_plain_error(hermes("sessions", "list", HERMES_HOME=str(home)), "full", "No space")
    make_room(small_disk)
    assert hermes("sessions", "list", HERMES_HOME=str(home)).returncode == 0


@pytest.fixture
def used_home(own_home: Home) -> Home:
    """A home with a store that has one session."""
    store = open_at(str(own_home.state_db))
    store.close()
    assert hermes("sessions", "list").returncode == 0
    kept, _ = fill(own_home.state_db, 900_000)
    assert kept
    return own_home


def protect(home: Home, file: int, folder: int) -> None:
    for path in home.root.glob("state.db*"):
        path.chmod(file)
    home.root.chmod(folder)


@pytest.mark.parametrize(
    ("file", "folder"), [(0o400, 0o700), (0o400, 0o500), (0o600, 0o500)], ids=["file", "both", "folder"]
)
def test_a_store_that_may_not_be_written_says_so(used_home: Home, file: int, folder: int) -> None:
    user = as_ordinary_user()
    protect(used_home, file, folder)
    try:
        renamed = hermes("sessions", "rename", "s", "A title", prefix=user)
        assert_plain_error(renamed, "may not be written")
    finally:
        protect(used_home, 0o600, 0o700)
    assert hermes("sessions", "rename", "s", "A title").returncode == 0


def test_a_store_that_may_not_be_read_says_so(used_home: Home) -> None:
    user = as_ordinary_user()
    protect(used_home, 0, 0o700)
    try:
        assert_plain_error(hermes("sessions", "list", prefix=user), "may not be")
    finally:
        protect(used_home, 0o600, 0o700)


def test_root_is_bound_as_others_are(tmp_path: Path) -> None:
    """If this fails the tests above prove nothing."""
    user = as_ordinary_user()
    tmp_path.chmod(0o500)
    try:
        touched = subprocess.run([*user, "touch", tmp_path / "x"], capture_output=True)
    finally:
        tmp_path.chmod(0o700)
    assert touched.returncode != 0 and not os.path.lexists(tmp_path / "x")


def test_a_forgetting_that_finds_no_room_says_what_is_done_and_is_finished_later(small_disk: Path) -> None:
    make_room(small_disk)
    home = Home(small_disk / "home", "default")
    ensure(home)
    with closing(App(home, load(home))) as app:
        name = app.memory.begin(NewSession("cli"))
        app.memory.append(name, NewMessage("user", "The vault opens with krzbtwf flmqvxd."))
        steps = carrying_out.carry_out(app.forgetting, carrying_out.seek(Asked(session=name)))
        while next(steps).what != "Writing the database anew":
            pass
        fill_up(small_disk)
        with pytest.raises(StoreFull, match="receipt:001: it is forgotten, but there is no room") as told:
            finish(steps)
        assert told.value.hint == "Make room, then run: hermes memory forget --finish"
        (small_disk / "ballast").unlink()
        (receipt,) = finish(carrying_out.finish(app.forgetting))
    assert (receipt.state, receipt.found) == ("done", [])
