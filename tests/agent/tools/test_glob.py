"""Patterns by which files are named."""

import re

import pytest

from hermes_agent.agent.tools.glob import as_expression

FITTING = [
    ("*.py", "a.py"),
    ("*.py", "deep/er/a.py"),
    ("a?.py", "ab.py"),
    ("[ab].py", "b.py"),
    ("[!ab].py", "c.py"),
    ("[a-c].py", "b.py"),
    ("*.{md,txt}", "x/a.txt"),
    ("{a,b}/*.py", "b/c.py"),
    ("src/*.py", "src/a.py"),
    ("./src/*.py", "src/a.py"),
    ("src/**/*.py", "src/a.py"),
    ("src/**/*.py", "src/x/y/a.py"),
    ("**/a.py", "a.py"),
    ("**/a.py", "x/y/a.py"),
    ("src/**", "src/x/y"),
    ("a,b.txt", "a,b.txt"),
    ("a{b.txt", "a{b.txt"),
    ("}a{", "}a{"),
    ("a+b (1).txt", "a+b (1).txt"),
    ("[", "["),
    ("[]", "[]"),
    ("[a^]", "^"),
]
OTHERS = [
    ("*.py", "a.pyc"),
    ("a?.py", "a/.py"),
    ("[!ab].py", "a.py"),
    ("[!a]b", "/b"),
    ("src/*.py", "src/x/a.py"),
    ("src/*.py", "x/src/a.py"),
    ("*.{md,txt}", "a.py"),
    ("a.b", "axb"),
]


@pytest.mark.parametrize(("pattern", "path"), FITTING)
def test_the_pattern_fits(pattern: str, path: str) -> None:
    assert re.fullmatch(as_expression(pattern), path)


@pytest.mark.parametrize(("pattern", "path"), OTHERS)
def test_the_pattern_does_not_fit(pattern: str, path: str) -> None:
    assert not re.fullmatch(as_expression(pattern), path)
