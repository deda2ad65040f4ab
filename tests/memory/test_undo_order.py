"""Which changes can go among later ones that stay, however many there are."""

import time

from hermes_agent.memory.undo_order import unless_built_on
from hermes_agent.records.archive import Json
from hermes_agent.records.journal import Entry
from hermes_agent.records.notes import Refused


def changed(number: int, name: str, field: str, *, undoes: list[Json] | None = None) -> Entry:
    """Return an entry that changed one field of a record."""
    before: dict[str, Json] = {"records": {name: {field: number - 1}}}
    after: dict[str, Json] = {"records": {name: {field: number}}}
    if undoes is not None:
        after["undoes"] = undoes
    kind = "fact.changed" if undoes is None else "memory.undone"
    return Entry(number, f"uid-{number}", 0, kind, name, f"{number}.", "owner", None, before, after, None, None)


def test_hundreds_of_changes_go_among_thousands_in_a_moment() -> None:
    chosen = [changed(number, f"summary:{number}", "state") for number in range(1, 401)]
    later = [changed(number, f"fact:{number}", "state") for number in range(401, 10_401)]
    began = time.perf_counter()
    assert unless_built_on(chosen[::-1], [*later[::-1], *chosen[::-1]]) == chosen[::-1]
    assert time.perf_counter() - began < 2, "each with each took eleven seconds"


def test_the_newest_change_that_builds_on_one_is_named() -> None:
    every = [changed(number, "fact:1", "text") for number in (1, 2, 3)]
    refused = unless_built_on(every[:1], every[::-1])
    assert isinstance(refused, Refused) and "A later change builds on it: 3." in refused.error


def test_an_undo_of_what_came_after_is_as_if_neither_had_been() -> None:
    first, second = (changed(number, "fact:1", "text") for number in (1, 2))
    undo = changed(3, "fact:1", "text", undoes=[second.uid])
    assert unless_built_on([first], [undo, second, first]) == [first]
    older = changed(3, "fact:1", "text", undoes=[first.uid])
    assert isinstance(unless_built_on([second], [older, second, first]), Refused)
