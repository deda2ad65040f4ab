"""Every rule of tools/shape.py, shown failing on a few made-up lines, and silent where it should be."""

from textwrap import dedent

import pytest

from tools.shape import Source, check, cycle, measure, over


def broken(path: str, text: str) -> list[str]:
    return [finding.sentence for finding in check(Source(path, dedent(text)))]


BROKEN = {
    "a file too long": ("hermes_agent/a.py", "x = 1\n" * 401, "401 lines"),
    "a function too long": ("hermes_agent/a.py", "def f():\n" + "    x = 1\n" * 80, "f has 81 lines"),
    "a broad except": ("hermes_agent/a.py", "try: f()\nexcept Exception: g()\n", "catches every error"),
    "a bare except": ("hermes_agent/a.py", "try: f()\nexcept: g()\n", "catches every error"),
    "a broad type among others": (
        "hermes_agent/a.py",
        "try: f()\nexcept (OSError, BaseException): g()\n",
        "catches every error",
    ),
    "a broad except that passes": (
        "hermes_agent/jobs/worker.py",
        "try: f()\nexcept Exception: pass\n",
        "swallows every error",
    ),
    "a broad suppress": (
        "hermes_agent/jobs/worker.py",
        "with contextlib.suppress(Exception): f()\n",
        "suppresses every error",
    ),
    "a print": ("hermes_agent/store/a.py", "print('hello')\n", "prints"),
    "datetime.now": ("hermes_agent/a.py", "import datetime\ndatetime.datetime.now()\n", "`datetime.now`"),
    "date.today": ("hermes_agent/a.py", "from datetime import date\ndate.today()\n", "`date.today`"),
    "time.time": ("hermes_agent/a.py", "import time\ntime.time()\n", "`time.time`"),
    "an imported clock": ("hermes_agent/a.py", "from time import monotonic\n", "`time.monotonic`"),
    "os.environ": ("hermes_agent/a.py", "import os\nos.environ['HOME']\n", "`os.environ`"),
    "an imported environment": ("hermes_agent/a.py", "from os import getenv\n", "`os.getenv`"),
    "sqlalchemy outside the store": (
        "hermes_agent/recall/a.py",
        "import sqlalchemy as sa\n",
        "imports sqlalchemy",
    ),
    "sqlite3 outside the store": (
        "hermes_agent/ops/a.py",
        "from sqlite3 import connect\n",
        "imports sqlite3",
    ),
    "SQL outside the store": ("hermes_agent/recall/a.py", "q = 'SELECT id FROM messages'\n", "holds SQL"),
    "a vague file": ("hermes_agent/utils.py", "", "`utils` names no idea"),
    "a vague folder in tests": ("tests/helpers/a.py", "", "`helpers` names no idea"),
    "a long tool": ("tools/a.py", "x = 1\n" * 401, "401 lines"),
}


@pytest.mark.parametrize(("path", "text", "sentence"), BROKEN.values(), ids=BROKEN)
def test_it_finds(path: str, text: str, sentence: str) -> None:
    [finding] = broken(path, text)
    assert sentence in finding


ALLOWED = {
    "a file and a function at the limit": (
        "hermes_agent/a.py",
        "def f():\n" + "    x = 1\n" * 79 + "x = 1\n" * 320,
    ),
    "the worker's boundary": ("hermes_agent/jobs/worker.py", "try: f()\nexcept Exception: g()\n"),
    "a tool call's boundary": ("hermes_agent/agent/toolbox.py", "try: f()\nexcept Exception: g()\n"),
    "a gateway's boundary": ("hermes_agent/gateways/telegram.py", "try: f()\nexcept Exception: g()\n"),
    "a narrow except that passes": ("hermes_agent/a.py", "try: f()\nexcept FileNotFoundError: pass\n"),
    "a print of the command line": ("hermes_agent/cli/sessions.py", "print('hello')\n"),
    "the clock": ("hermes_agent/clock.py", "import time\ntime.time()\n"),
    "sleep": ("hermes_agent/a.py", "import time\ntime.sleep(1)\n"),
    "settings read the environment": ("hermes_agent/config/environment.py", "import os\nos.environ\n"),
    "the store speaks SQL": ("hermes_agent/store/a.py", "import sqlalchemy\nq = 'DELETE FROM messages'\n"),
    "a migration of the store": ("hermes_agent/store/migrations/versions/a.py", "import alembic\n"),
    "the file of a provider": ("hermes_agent/providers/holographic_file.py", "import sqlite3\n"),
    "a sentence with a word of SQL": ("hermes_agent/a.py", "x = 'SELECT a model from the list'\n"),
    "a long test file": ("tests/test_a.py", "x = 1\n" * 401),
    "a tool that prints the time": ("tools/a.py", "import time\nprint(time.time())\n"),
}


@pytest.mark.parametrize(("path", "text"), ALLOWED.values(), ids=ALLOWED)
def test_it_allows(path: str, text: str) -> None:
    assert broken(path, text) == []


def test_a_cycle_of_imports_is_found() -> None:
    sources = [
        Source("hermes_agent/__init__.py", ""),
        Source("hermes_agent/a.py", "from hermes_agent import b\n"),
        Source("hermes_agent/b.py", "def f():\n    from .c import g\n"),
        Source("hermes_agent/c.py", "import hermes_agent.a\n"),
    ]
    assert set(cycle(sources)) == {"hermes_agent.a", "hermes_agent.b", "hermes_agent.c"}
    [sentence] = over(measure(sources))
    assert sentence.startswith("imports go in a circle")


def test_a_package_may_export_its_own_modules() -> None:
    sources = [
        Source("hermes_agent/a/__init__.py", "from .b import f\nfrom .c import g\n"),
        Source("hermes_agent/a/b.py", "from hermes_agent.a import c\n"),
        Source("hermes_agent/a/c.py", "import json\n"),
    ]
    assert cycle(sources) == []


@pytest.mark.parametrize(
    "mock",
    [
        "from unittest.mock import Mock",
        "import unittest.mock",
        "monkeypatch.setattr(a, 'b', 1)",
        "patch('a.b')",
    ],
)
def test_mocks_are_counted_and_limited(mock: str) -> None:
    def tests_with(number: int) -> list[Source]:
        return [Source("tests/test_a.py", f"{mock}\n" * number)]

    assert measure(tests_with(2)).mocks == 2
    assert over(measure(tests_with(2))) == []
    assert over(measure(tests_with(3))) == ["3 mocks: at most 2 per 1,000 lines of tests"]


def test_broad_excepts_are_limited_even_where_they_are_allowed() -> None:
    text = "try: f()\nexcept Exception: g()\n"
    sources = [Source("hermes_agent/jobs/worker.py", text * 2)]
    assert check(sources[0]) == []
    assert over(measure(sources)) == ["2 broad excepts: at most 1 per 1,000 lines"]


def test_the_figures_name_the_largest_file_and_the_longest_function() -> None:
    shape = measure([Source("hermes_agent/a.py", "x = 1\n"), Source("hermes_agent/b.py", "def f():\n    g()\n")])
    assert shape.modules == 2
    assert shape.lines == 3
    assert shape.largest_file == (2, "hermes_agent/b.py")
    assert shape.longest_function == (2, "hermes_agent/b.py:1 f")
