"""The page of faults is made of what the tests wrote down, and says what is missing or wrong."""

import json

from tools import reliability


def told(values: dict[str, int | str]) -> list[str]:
    return [json.dumps({"name": name, "value": value}) for name, value in values.items()]


def test_tries_are_added_up_and_the_page_shows_them() -> None:
    lines = told({"fault.kill.tries.chat": 3, "fault.kill.wrong": 0, "fault.kill.seen": "Error: /home/state.db"})
    found, _ = reliability.read([*lines, *told({"fault.kill.tries.chat": 4, "kill.append.kills": 9})])
    assert found["kill"].tries == {"chat": 7}
    page = reliability.page(found, {}, {})
    assert "| 7 | nothing | Error: ~/.hermes/state.db |" in page
    assert "| chat | 7 |" in page


def test_a_fault_that_was_not_tried_or_took_something_fails() -> None:
    found, _ = reliability.read(told({"fault.full.tries.chat": 1, "fault.full.wrong": 2}))
    broken = reliability.failures(found)
    assert "full: 2 times something was wrong" in broken
    assert "kill: it was never tried" in broken
    assert "2 times something was wrong" in reliability.page(found, {}, {})
