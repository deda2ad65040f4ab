"""The guide of the two weeks: what it shows is what hermes prints."""

from pathlib import Path

from tools.story import GUIDE, guide


def test_the_guide_is_what_hermes_prints(tmp_path: Path) -> None:
    assert guide(tmp_path) == GUIDE.read_text(encoding="utf-8"), "renew it: python -m tools.story"
