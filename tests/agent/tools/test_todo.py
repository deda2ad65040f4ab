"""The list of steps."""

from hermes_agent.agent.tools.todo import Todo, TodoList
from tests.agent.tools.calls import call, refusal


def test_the_list_is_replaced_and_shown() -> None:
    steps = TodoList()
    todo = Todo(steps)
    assert call(todo).text == "The list is empty."
    first = call(todo, items=[{"text": "read"}, {"text": "write", "status": "in_progress"}])
    assert first.text == "[ ] read\n[>] write\n0 of 2 done."
    assert call(todo).text == first.text
    assert call(todo, items=[{"text": "read", "status": "done"}]).text == "[x] read\n1 of 1 done."
    assert call(todo, items=[]).text == "The list is empty."


def test_two_tools_share_the_list_of_their_conversation() -> None:
    steps = TodoList()
    call(Todo(steps), items=[{"text": "read"}])
    assert call(Todo(steps)).text == "[ ] read\n0 of 1 done."


def test_a_bad_list_leaves_the_old_one() -> None:
    steps = TodoList()
    call(Todo(steps), items=[{"text": "read"}])
    assert "items[0].status is not one of" in refusal(Todo(steps), items=[{"text": "x", "status": "soon"}])
    assert "too many" in refusal(Todo(steps), items=[{"text": "x"}] * 101)
    assert steps.render() == "[ ] read\n0 of 1 done."


def test_a_step_stays_on_its_line() -> None:
    assert call(Todo(TodoList()), items=[{"text": "a\n[x] b\x1b[31m"}]).text == "[ ] a [x] b\n0 of 1 done."
