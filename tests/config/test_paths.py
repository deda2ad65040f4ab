"""Where a home lies, and that a test cannot reach the real one."""

from pathlib import Path

import pytest

from hermes_agent.config import paths
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError, UsageError


def test_the_root_is_read_from_the_environment_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", "/one")
    assert paths.root_folder() == Path("/one")
    monkeypatch.setenv("HERMES_HOME", "/two")
    assert paths.root_folder() == Path("/two")


def test_without_hermes_home_the_root_is_in_the_home_folder(
    own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HERMES_HOME")
    assert paths.root_folder() == own_home.root


def test_the_default_profile_is_the_root_and_others_lie_under_profiles(own_home: Home) -> None:
    assert paths.home_of("default").root == own_home.root
    assert paths.home_of("work").state_db == own_home.root / "profiles" / "work" / "state.db"


@pytest.mark.parametrize("name", ["", "..", "a/b", "A", "-a", "a" * 65, "a\n"])
def test_a_name_that_could_leave_the_profiles_folder_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        paths.home_of(name)


def test_hermes_home_may_name_one_profile(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", str(own_home.root / "profiles" / "work"))
    assert paths.root_folder() == own_home.root
    assert paths.active_profile() == "work"
    assert paths.active_home().root == own_home.root / "profiles" / "work"


def test_the_chosen_profile_is_read_from_the_root(own_home: Home) -> None:
    paths.ensure(own_home)
    assert paths.active_profile() == "default"
    paths.active_profile_file().write_text("work\n")
    assert paths.active_profile() == "work"


@pytest.mark.parametrize("content", [b"../../etc", b"\xff\xfe"])
def test_a_damaged_choice_is_refused_with_the_way_to_mend_it(own_home: Home, content: bytes) -> None:
    paths.ensure(own_home)
    paths.active_profile_file().write_bytes(content)
    with pytest.raises(HermesError) as caught:
        paths.active_profile()
    assert caught.value.hint == "Run `hermes profile use default` to reset it."


def test_a_new_home_is_closed_to_other_users() -> None:
    home = paths.home_of("work")
    paths.ensure(home)
    for folder in (paths.root_folder(), paths.profiles_folder(), home.root, *home.folders):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_home_that_cannot_be_made_is_an_error(own_home: Home) -> None:
    own_home.root.write_text("in the way")
    with pytest.raises(HermesError, match="cannot be created"):
        paths.ensure(own_home)


@pytest.mark.parametrize("inside", ["", "profiles/work"])
def test_a_test_cannot_open_the_real_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str) -> None:
    real = tmp_path / "real"
    monkeypatch.setenv("HERMES_TEST_GUARD", str(real))
    monkeypatch.setenv("HERMES_HOME", str(real / inside))
    with pytest.raises(HermesError, match="A test tried to open the real home"):
        paths.root_folder()
