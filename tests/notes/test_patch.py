"""Changes between lists of entries, made to other lists: the ground of undoing and of joining two machines."""

from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.notes.patch import Lost, apply, hunks, merge

ENTRIES = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=7)


@given(ENTRIES, ENTRIES)
def test_a_change_made_to_what_it_was_made_of_gives_what_it_gave(before: list[str], after: list[str]) -> None:
    assert apply(hunks(before, after), before) == after


@given(ENTRIES, ENTRIES, ENTRIES)
def test_a_change_made_elsewhere_doubles_nothing(before: list[str], after: list[str], other: list[str]) -> None:
    result = apply(hunks(before, after), other)
    if isinstance(result, list):
        assert len(set(result)) == len(result)
        assert set(other) - set(before) - set(after) <= set(result), "what the change is not about stays"


@given(ENTRIES, ENTRIES, ENTRIES)
def test_joining_keeps_what_either_added_and_drops_what_either_removed(
    base: list[str], ours: list[str], theirs: list[str]
) -> None:
    merged = merge(base, ours, theirs)
    if isinstance(merged, Lost):
        assert merged.entry in base
        return
    assert set(ours) - set(base) <= set(merged)
    assert set(theirs) - set(base) <= set(merged)
    assert not (set(base) - set(theirs)) & set(merged)
    assert set(base) & set(ours) & set(theirs) <= set(merged)


@given(ENTRIES, ENTRIES)
def test_joining_with_somebody_who_did_nothing_changes_nothing(base: list[str], changed: list[str]) -> None:
    assert merge(base, base, changed) == changed
    assert merge(base, changed, base) == changed


def test_an_entry_that_is_gone_stops_a_change_of_it() -> None:
    assert apply(hunks(["a", "b"], ["a", "c"]), ["a"]) == Lost("b")


def test_a_removed_entry_comes_back_behind_its_neighbour() -> None:
    assert apply(hunks(["a", "c"], ["a", "b", "c"]), ["x", "a", "c", "y"]) == ["x", "a", "b", "c", "y"]


def test_a_replaced_entry_comes_back_in_its_place() -> None:
    assert apply(hunks(["a", "new", "c"], ["a", "old", "c"]), ["new", "z"]) == ["old", "z"]


def test_two_who_change_the_same_entry_differently_cannot_be_joined() -> None:
    assert merge(["a", "b"], ["a1", "b"], ["a2", "b"]) == Lost("a")
    assert merge(["a", "b"], ["b"], ["a2", "b"]) == Lost("a")


def test_two_who_do_the_same_are_joined() -> None:
    assert merge(["a", "b"], ["a1", "b"], ["a1", "b"]) == ["a1", "b"]
    assert merge(["a", "b"], ["b"], ["b"]) == ["b"]
    assert merge([], ["x"], ["x"]) == ["x"]
