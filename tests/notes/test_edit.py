"""Operations on entries, decided without a file: what is made, what is refused, and what a refusal tells."""

from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.notes import format
from hermes_agent.notes.edit import Edited, edit
from hermes_agent.records.notes import Operation, Refused

LIMIT = 100


def make(entries: list[str], *operations: Operation, limit: int = LIMIT) -> Edited:
    outcome = edit(entries, operations, limit, "MEMORY.md")
    assert isinstance(outcome, Edited), outcome
    return outcome


def refuse(entries: list[str], *operations: Operation, limit: int = LIMIT) -> Refused:
    outcome = edit(entries, operations, limit, "MEMORY.md")
    assert isinstance(outcome, Refused), outcome
    return outcome


def add(content: str) -> Operation:
    return Operation("add", content)


def replace(old: str, new: str) -> Operation:
    return Operation("replace", new, old)


def remove(old: str) -> Operation:
    return Operation("remove", old_text=old)


def test_what_is_added_stands_last_and_is_stripped() -> None:
    edited = make(["one"], add("  two \n"))
    assert (edited.entries, edited.saved) == (["one", "two"], ["two"])


def test_a_duplicate_is_a_success_that_adds_nothing() -> None:
    edited = make(["one"], add("one"))
    assert (edited.entries, edited.message) == (["one"], "MEMORY.md holds this entry already; nothing was added.")


def test_a_duplicate_in_the_file_goes_with_the_next_change() -> None:
    assert make(["one", "two", "one"], add("three")).entries == ["one", "two", "three"]


def test_an_entry_is_replaced_in_its_place() -> None:
    assert make(["one", "two", "three"], replace("tw", "2")).entries == ["one", "2", "three"]


def test_a_replacement_that_makes_two_entries_alike_leaves_one() -> None:
    assert make(["one", "two"], replace("two", "one")).entries == ["one"]


def test_an_entry_that_is_a_part_of_another_can_be_named_whole() -> None:
    assert make(["Likes tea with milk", "Likes tea"], remove("Likes tea")).entries == ["Likes tea with milk"]


def test_a_part_that_two_entries_hold_names_neither() -> None:
    refused = refuse(["x" * 90 + " tea", "green tea"], remove("tea"), limit=1_000)
    assert refused.error.startswith("Multiple entries")
    assert refused.matches == ["x" * 80 + "...", "green tea"]


def test_a_part_must_be_spelled_as_it_is() -> None:
    assert refuse(["Likes Tea"], remove("likes tea")).current_entries == ["Likes Tea"]


def test_an_entry_with_a_wildcard_in_it_is_found_literally() -> None:
    assert make(["a.*b", "axxb"], remove(".*")).entries == ["axxb"]


def test_the_end_of_a_batch_must_fit_and_not_its_middle() -> None:
    edited = make(["a" * 90], add("b" * 90), remove("a" * 90))
    assert edited.entries == ["b" * 90]
    assert edited.message == "All 2 operations were made."


def test_a_batch_sees_what_its_own_operations_did() -> None:
    assert make(["one"], add("two"), replace("two", "three"), remove("one")).entries == ["three"]


def test_one_bad_operation_stops_the_batch_and_names_itself() -> None:
    refused = refuse(["one"], add("two"), remove("nope"))
    assert refused.error.startswith("Operation 2 of 2 (remove): No entry of MEMORY.md holds 'nope'.")
    assert "all-or-nothing" in refused.error
    assert (refused.current_entries, refused.usage) == (["one"], "3/100")


def test_a_full_note_says_what_is_in_it_the_longest_first() -> None:
    refused = refuse(["b" * 30, "a" * 50], add("c" * 30))
    assert "would exceed the limit of MEMORY.md: 116 of 100 characters" in refused.error
    assert "retry" in refused.advice
    assert refused.current_entries == ["a" * 50, "b" * 30]
    assert refused.entry_sizes == {"0:" + "a" * 40: 50, "1:" + "b" * 30: 30}
    assert refused.usage == "83/100"


def test_a_huge_content_is_not_sent_back() -> None:
    refused = refuse(["one"], add("x" * 1_000_000))
    assert "1,000,000 characters" in refused.error
    assert len(str(refused)) < 2_000


def test_huge_entries_of_a_file_are_cut_in_a_reply() -> None:
    refused = refuse(["x" * 50_000, "y" * 50_000], remove("nope"))
    assert refused.current_entries == ["x" * 200 + "...", "y" * 200 + "..."]


def test_a_note_that_is_too_long_already_may_become_shorter() -> None:
    long = ["a" * 80, "b" * 80, "c" * 80]
    assert make(long, remove("aaa")).entries == long[1:]
    assert make(long, replace("aaa", "a" * 70)).entries == ["a" * 70, *long[1:]]
    assert refuse(long, add("d")).reason == "full"


def test_a_limit_is_reached_exactly() -> None:
    assert make(["a" * 50], add("b" * 47)).entries == ["a" * 50, "b" * 47]
    assert refuse(["a" * 50], add("b" * 48)).reason == "full"


_WORD = st.sampled_from(["tea", "milk", "tea with milk", "coffee", "a" * 60, ""])
_OPERATION = st.builds(Operation, st.sampled_from(["add", "replace", "remove", "shout"]), _WORD, _WORD)


@given(st.lists(_WORD.filter(bool), unique=True, max_size=4), st.lists(_OPERATION, min_size=1, max_size=5))
def test_any_operations_end_whole_or_not_at_all(entries: list[str], operations: list[Operation]) -> None:
    outcome = edit(entries, operations, LIMIT, "USER.md")
    if isinstance(outcome, Refused):
        assert outcome.error
        return
    assert format.reads_back(outcome.entries)
    assert len(set(outcome.entries)) == len(outcome.entries)
    assert format.size(outcome.entries) <= max(LIMIT, format.size(entries))
