"""The settings file: what is refused, and that a change keeps everything else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.config import files, paths
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import MEMORY_BACKEND, MEMORY_PATH, MEMORY_POOL_SIZE, TABLE
from hermes_agent.errors import SettingError


@pytest.fixture
def home(own_home: Home) -> Home:
    paths.ensure(own_home)
    return own_home


def test_two_settings_files_are_an_error_naming_both(home: Home) -> None:
    home.config_yaml.touch()
    home.config_jsonc.touch()
    with pytest.raises(SettingError, match=r"config\.yaml and config\.jsonc"):
        files.read(home)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"memory: \xff", "is not UTF-8 text (byte 8)."),
        (b"a: b: c", ", line 1: mapping values are not allowed here."),
        (b"- a\n- b", "holds no settings: its top level must be names with values."),
        (b"just text", "holds no settings: its top level must be names with values."),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(home: Home, content: bytes, message: str) -> None:
    home.config_yaml.write_bytes(content)
    with pytest.raises(SettingError) as caught:
        files.read(home)
    assert caught.value.message.startswith(str(home.config_yaml))
    assert caught.value.message.endswith(message)


def test_a_folder_and_a_link_to_nothing_are_no_settings_files(home: Home) -> None:
    home.config_yaml.mkdir()
    with pytest.raises(SettingError, match="is not a file"):
        files.read(home)
    home.config_yaml.rmdir()
    home.config_yaml.symlink_to("nowhere")
    with pytest.raises(SettingError, match="is a link to nothing"):
        files.read(home)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# nothing\n", b"\xef\xbb\xbfmemory:\n"])
def test_an_empty_file_sets_nothing(home: Home, content: bytes) -> None:
    home.config_yaml.write_bytes(content)
    assert load(home)[MEMORY_POOL_SIZE] == MEMORY_POOL_SIZE.default


def test_a_change_keeps_links_modes_and_line_ends(home: Home, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.yaml"
    real.write_bytes(b"# mine\r\nmemory:\r\n  poolSize: 5 # five\r\n")
    real.chmod(0o640)
    home.config_yaml.symlink_to(real)
    files.write(home, MEMORY_POOL_SIZE, 6)
    assert home.config_yaml.is_symlink()
    assert real.read_bytes() == b"# mine\r\nmemory:\r\n  poolSize: 6 # five\r\n"
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_new_file_is_closed_to_other_users(home: Home) -> None:
    files.write(home, MEMORY_POOL_SIZE, 6)
    assert home.config_yaml.read_text() == "memory:\n  poolSize: 6\n"
    assert home.config_yaml.stat().st_mode & 0o777 == 0o600


def test_a_change_uses_the_spelling_that_is_there(home: Home) -> None:
    home.config_yaml.write_text("Memory:\n  pool_size: 5\n")
    files.write(home, MEMORY_POOL_SIZE, 6)
    files.write(home, MEMORY_BACKEND, "postgres")
    assert home.config_yaml.read_text() == "Memory:\n  pool_size: 6\n  backend: postgres\n"


def test_a_json_file_keeps_its_comments(home: Home) -> None:
    home.config_json.write_text('{\n  // mine\n  "memory": {"poolSize": 5}, // end\n}\n')
    files.write(home, MEMORY_POOL_SIZE, 6)
    files.write(home, MEMORY_BACKEND, "postgres")
    assert home.config_json.read_text() == (
        '{\n  // mine\n  "memory": {"poolSize": 6, "backend": "postgres"}, // end\n}\n'
    )
    assert files.erase(home, MEMORY_POOL_SIZE) == home.config_json
    assert load(home)[MEMORY_POOL_SIZE] == 5
    assert files.erase(home, MEMORY_POOL_SIZE) is None


@pytest.mark.parametrize(
    "text",
    [
        "base: &base {poolSize: 5}\nmemory:\n  <<: *base\n",
        "base: &base {poolSize: 5}\nmemory: *base\n",
    ],
)
def test_a_layout_that_cannot_be_edited_safely_is_refused_and_stays(home: Home, text: str) -> None:
    home.config_yaml.write_text(text)
    try:
        files.write(home, MEMORY_POOL_SIZE, 6)
    except SettingError as error:
        assert "cannot be edited safely" in error.message
        assert home.config_yaml.read_text() == text
    else:
        assert load(home)[MEMORY_POOL_SIZE] == 6


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_is_refused(home: Home) -> None:
    home.config_yaml.touch(mode=0o400)
    with pytest.raises(SettingError, match="may not be written"):
        files.write(home, MEMORY_POOL_SIZE, 6)


def test_processes_that_set_different_settings_at_once_lose_none(home: Home) -> None:
    numbers = [setting for setting in TABLE if isinstance(setting.default, int) and setting.default > 1]
    script = "import sys; from hermes_agent.cli.main import run; run(sys.argv[1:])"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script, "config", "set", setting.name, str(setting.default + 1)],
            stdout=subprocess.DEVNULL,
        )
        for setting in numbers
    ]
    assert [process.wait() for process in started] == [0] * len(numbers)
    loaded = load(home)
    assert [loaded[setting] for setting in numbers] == [setting.default + 1 for setting in numbers]


@given(st.text(min_size=1).filter(lambda text: "\0" not in text))
def test_any_text_comes_back_from_the_file_as_it_was_written(text: str) -> None:
    home = paths.active_home()
    literal = text.replace("${", "$")
    try:
        files.write(home, MEMORY_PATH, literal)
    except SettingError:
        assert any(0xD800 <= ord(character) < 0xE000 for character in literal)
        return
    assert load(home)[MEMORY_PATH] == literal
