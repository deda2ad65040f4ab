"""Changes of a notebook as the tests write them, and what the journal says of them."""

from hermes_agent.memory import undoing
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.undo_choice import Latest, Named
from hermes_agent.notes.files import digest
from hermes_agent.records.changes import Undone
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.records.notes import Changed, Note, Operation, Refused, Target
from hermes_agent.store import journal
from hermes_agent.store import notes as versions


def add(content: str) -> Operation:
    return Operation("add", content)


def remove(old: str) -> Operation:
    return Operation("remove", old_text=old)


def replace(old: str, new: str) -> Operation:
    return Operation("replace", new, old)


def change(notebook: Notebook, *operations: Operation, target: Target = "memory") -> Changed:
    outcome = notebook.change(target, operations, actor="agent", session_id="s1")
    assert isinstance(outcome, Changed), outcome
    return outcome


def attempt(notebook: Notebook, uid: str | None = None) -> Undone | Refused:
    """Undo the latest change, or the one that is named, if that is allowed."""
    return undoing.undo(notebook, Latest() if uid is None else Named(uid))


def undo(notebook: Notebook, uid: str | None = None) -> Undone:
    outcome = attempt(notebook, uid)
    assert isinstance(outcome, Undone), outcome
    return outcome


def log(notebook: Notebook) -> list[Entry]:
    """Return the journal, the oldest first."""
    with notebook.store.read() as connection:
        return journal.recent(connection, 100)[::-1]


def kinds(notebook: Notebook) -> list[str]:
    return [entry.kind for entry in log(notebook)]


def intend(notebook: Notebook, note: Note, text: str) -> None:
    """Write a version down and stop there, as a process that is killed does."""
    with notebook.store.write() as connection:
        entry = journal.write(connection, NewEntry("note.changed", "MEMORY.md", "was cut short", actor="agent"))
        versions.add(connection, note, text, digest(text), "intended", entry)
