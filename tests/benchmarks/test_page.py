"""A benchmark writes its own section of the page and leaves the rest alone."""

from pathlib import Path

import pytest

from benchmarks.page import PAGE, sections, table, write_section

TEXT = """\
# Page

<!-- one: begin -->
old
<!-- one: end -->

By hand.

<!-- two: begin -->
<!-- two: end -->
"""


def test_only_its_own_section_changes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(TEXT, encoding="utf-8")
    write_section(page, "one", "\nnew → figures\n\n")
    assert page.read_text(encoding="utf-8") == TEXT.replace("\nold\n", "\nnew → figures\n")


def test_writing_twice_gives_the_same_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(TEXT, encoding="utf-8")
    write_section(page, "two", "figures")
    once = page.read_text(encoding="utf-8")
    write_section(page, "two", "figures")
    assert page.read_text(encoding="utf-8") == once
    assert sections(page) == ["one", "two"]


@pytest.mark.parametrize("broken", ["", "<!-- one: end -->\n<!-- one: begin -->\n", "<!-- one: begin -->\n"])
def test_a_page_without_the_section_is_left_as_it_is(tmp_path: Path, broken: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(broken, encoding="utf-8")
    with pytest.raises(LookupError, match="no section 'one'"):
        write_section(page, "one", "new")
    assert page.read_text(encoding="utf-8") == broken


def test_a_table() -> None:
    assert table(("set", "@10"), [("locomo", "84.5")]) == "| set | @10 |\n| --- | ---: |\n| locomo | 84.5 |"


def test_the_docs_have_the_sections_that_benchmarks_write() -> None:
    assert {"archive", "turn", "recall local", "recall minilm", "recall none"} <= set(sections(PAGE))
    assert {"recall signals", "recall unanswerable", "vectors 1000000", "scale sqlite 1000000"} <= set(
        sections(PAGE)
    )
