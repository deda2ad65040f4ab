"""The docs say what the program does: nothing undocumented, no dead link, no code that does not run."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tools import docs, schema

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def relative_links(page: Path) -> Iterator[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(page: Path) -> set[str]:
    """Return the names that GitHub gives to a page's headings."""
    headings = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def python_blocks() -> list[tuple[str, str]]:
    return [
        (f"{name(page)}-{number}", code)
        for page in PAGES
        for number, (language, code) in enumerate(FENCE.findall(page.read_text(encoding="utf-8")))
        if language == "python"
    ]


COMMANDS = docs.all_commands()


@pytest.mark.parametrize("context", COMMANDS, ids=lambda context: context.command_path)
def test_every_command_is_documented(context: click.Context) -> None:
    page = (REFERENCE / "cli.md").read_text(encoding="utf-8")
    assert f"## {context.command_path}\n" in page, "run `make docs`"
    assert context.command.help, "a command needs a sentence of help"


@pytest.mark.parametrize("context", COMMANDS, ids=lambda context: context.command_path)
def test_every_option_is_documented(context: click.Context) -> None:
    options = [option for option in context.command.params if isinstance(option, click.Option)]
    assert [option.opts for option in options if not option.help and not option.hidden] == []


def test_every_setting_is_documented() -> None:
    from hermes_agent.config.settings import TABLE

    page = (REFERENCE / "settings.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([^`]+)`", page, re.MULTILINE))
    assert documented == {setting.name for setting in TABLE}, "run `make docs`"
    assert [setting.name for setting in TABLE if not setting.help] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    dead = []
    for target in relative_links(page):
        path, _, anchor = target.partition("#")
        aim = (page.parent / path).resolve() if path else page
        is_missing_anchor = anchor and aim.suffix == ".md" and aim.exists() and anchor not in anchors(aim)
        if not aim.exists() or is_missing_anchor:
            dead.append(target)
    assert dead == []


def test_every_page_on_a_shelf_can_be_reached_from_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    reached, waiting = {index}, [index]
    while waiting:
        page = waiting.pop()
        for target in relative_links(page):
            aim = (page.parent / target.partition("#")[0]).resolve()
            if aim.suffix == ".md" and aim.exists() and aim not in reached:
                reached.add(aim)
                waiting.append(aim)
    assert [name(page) for page in (ROOT / "docs").glob("*/**/*.md") if page not in reached] == []


@pytest.mark.parametrize("code", [pytest.param(code, id=place) for place, code in python_blocks()])
def test_python_in_the_docs_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "docs", "exec"), {"__name__": "docs"})


def test_the_schema_of_an_export_is_that_of_the_tables() -> None:
    assert schema.FILE.read_text(encoding="ascii") == schema.text(), "run `make docs`"
