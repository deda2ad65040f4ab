"""The proof page fails loudly when a promise has no value, or a value outside its bounds."""

from pathlib import Path

from tests.counts import record
from tools.proof import Claim, failures, judge, page, read_record

LATENCY = Claim("search.p95_ms", "Search, p95 in ms", at_most=30)
KILLS = Claim("kills", "Writers killed", at_least=200)
CLAIMS = (LATENCY, KILLS)
FINDING = Claim("found", "Share found", at_least=0.9, recipe="make recall")


def written(tmp_path: Path, *entries: tuple[str, int | float | str]) -> str:
    path = tmp_path / "record.jsonl"
    for name, value in entries:
        record(name, value, to=path)
    return path.read_text()


def test_what_was_recorded_stands_on_the_page(tmp_path: Path) -> None:
    values = read_record(written(tmp_path, ("kills", 200), ("search.p95_ms", 12.5)), CLAIMS)
    results = judge(CLAIMS, values)
    assert failures(results) == []
    text = page(results, {"cores": "2"}, values)
    assert "- cores: 2" in text
    assert "| Search, p95 in ms | ≤ 30 | 12.5 | yes |" in text


def test_a_promise_without_a_value_fails(tmp_path: Path) -> None:
    values = read_record(written(tmp_path, ("kills", 200)), CLAIMS)
    assert failures(judge(CLAIMS, values)) == ["search.p95_ms: nothing was recorded"]


def test_a_value_outside_its_bounds_fails(tmp_path: Path) -> None:
    values = read_record(written(tmp_path, ("kills", 199), ("search.p95_ms", 31)), CLAIMS)
    assert failures(judge(CLAIMS, values)) == [
        "search.p95_ms: 31, promised ≤ 30",
        "kills: 199, promised ≥ 200",
    ]


def test_the_worst_of_several_values_counts(tmp_path: Path) -> None:
    entries = (
        ("kills", 300),
        ("kills", 200),
        ("search.p95_ms", 9),
        ("search.p95_ms", 20),
        ("search.p95_ms", 3),
    )
    assert read_record(written(tmp_path, *entries), CLAIMS) == {"kills": 200, "search.p95_ms": 20}


def test_a_value_without_a_promise_is_shown_too(tmp_path: Path) -> None:
    values = read_record(written(tmp_path, ("seed", "42")), ())
    assert "| `seed` | 42 |" in page([], {}, values)


def test_a_promise_with_a_recipe_of_its_own_is_neither_kept_nor_broken_until_that_was_run(tmp_path: Path) -> None:
    results = judge((FINDING,), {})
    assert failures(results) == []
    assert "| Share found | ≥ 0.9 | – | not measured here: `make recall` |" in page(results, {}, {})
    values = read_record(written(tmp_path, ("found", 0.5)), (FINDING,))
    assert failures(judge((FINDING,), values)) == ["found: 0.5, promised ≥ 0.9"]


def test_an_open_promise_is_shown_as_broken_and_fails_nothing(tmp_path: Path) -> None:
    claim = Claim("found", "Share found", at_least=0.9, is_open=True)
    values = read_record(written(tmp_path, ("found", 0.5)), (claim,))
    results = judge((claim,), values)
    assert failures(results) == []
    assert "| Share found | ≥ 0.9 | 0.5 | **no**, open |" in page(results, {}, values)
    assert failures(judge((claim,), {})) == ["found: nothing was recorded"]
