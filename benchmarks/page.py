"""The page docs/benchmarks.md: hand-written text, and sections that the benchmarks write.

A section stands between `<!-- NAME: begin -->` and `<!-- NAME: end -->`. A benchmark replaces what is between
its own two lines and leaves the rest of the page as it is.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from tools.proof import describe_machine

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
_BEGIN, _END = "<!-- {}: begin -->", "<!-- {}: end -->"


def write_section(page: Path, name: str, text: str) -> None:
    """Replace a section of the page; the page must have it already."""
    written = with_section(page.read_text(encoding="utf-8"), name, text)
    page.write_text(written, encoding="utf-8")


def with_section(page: str, name: str, text: str) -> str:
    """Return the page with another text between the lines of a section."""
    begin, end = _BEGIN.format(name), _END.format(name)
    before, found, rest = page.partition(f"{begin}\n")
    _, closed, after = rest.partition(f"{end}\n")
    if not found or not closed:
        raise LookupError(f"the page has no section {name!r}: it needs the lines {begin} and {end}")
    return f"{before}{begin}\n{text.strip()}\n{end}\n{after}"


def sections(page: Path) -> list[str]:
    """Return the names of the page's sections."""
    return re.findall(r"^<!-- (.+): begin -->$", page.read_text(encoding="utf-8"), re.MULTILINE)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table of Markdown; every column but the first is set to the right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def measured_on() -> str:
    """Write when and on what this was measured, and how busy that is, as one line of the page."""
    about = {**describe_machine(), "load": f"{os.getloadavg()[0]:.1f}"}
    return ", ".join(f"{name} {value}" for name, value in about.items())
