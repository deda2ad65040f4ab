"""Export and import are measured on real commands, in small: every message comes, and the memory is told."""

from pathlib import Path

from benchmarks.transfer import measure, report


def test_every_message_is_carried(tmp_path: Path) -> None:
    found = measure(tmp_path, 200)
    assert {one.name for one in found} == {"export", "import", "joining", "plain.export", "plain.import"}
    assert all(one.taken.value == 200 for one in found)
    assert all(one.taken.peak_megabytes > 1 for one in found)
    assert report(found).count("| 200 |") == len(found)
