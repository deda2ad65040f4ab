"""Tables, times and warnings as people see them."""

import os
import pty
import subprocess
import sys
from zoneinfo import ZoneInfo

import pytest

from hermes_agent import clock
from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.output import print_table
from hermes_agent.config import paths
from hermes_agent.config.paths import Home
from hermes_agent.config.reader_time import local_time
from hermes_agent.errors import SettingError


def test_a_table_in_a_pipe_is_aligned_and_cuts_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    long = "x" * 300
    print_table(("Id", "Title"), [("日本", "a"), ("b", long), ("c", "red\x1b[31m\nline")])
    assert capsys.readouterr().out.splitlines() == [
        "Id    Title",
        "日本  a",
        f"b     {long}",
        "c     red\\x1b[31m\\nline",
    ]


def test_a_table_on_a_terminal_is_folded_to_its_width_and_cuts_nothing() -> None:
    script = "from hermes_agent.cli.output import print_table; print_table(('Id',), [('x' * 100 + '[b]',)])"
    mine, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": "40", "LINES": "24", "TERM": "dumb"}
    subprocess.run([sys.executable, "-c", script], stdout=theirs, env=environment, check=True)
    os.close(theirs)
    printed = os.read(mine, 10_000).decode()
    os.close(mine)
    assert printed.count("x") == 100
    assert "[b]" in printed
    assert max(len(line) for line in printed.splitlines()) <= 40


def test_a_time_is_shown_in_the_zone_of_the_reader(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_DISPLAY_TIME_ZONE", "Asia/Tokyo")
    moment = clock.from_seconds(1_775_000_000)
    shown = clock.to_datetime(moment, ZoneInfo("Asia/Tokyo"))
    assert local_time(moment, Invocation().settings) == f"{shown:%Y-%m-%d %H:%M:%S}"


def test_a_command_says_once_what_is_ignored_and_refuses_what_does_not_fit(
    own_home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    paths.ensure(own_home)
    own_home.config_yaml.write_text("memory: {poolsiez: 3}\n")
    invocation = Invocation()
    assert invocation.settings is invocation.settings
    assert capsys.readouterr().err == (
        f"Warning: {own_home.config_yaml}: memory.poolsiez is not a setting and is ignored."
        " Did you mean memory.poolSize?\n"
    )
    own_home.config_yaml.write_text("memory: {poolSize: many}\n")
    with pytest.raises(SettingError, match="must be a whole number"):
        assert Invocation().settings
