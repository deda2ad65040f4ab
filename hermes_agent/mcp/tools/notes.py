"""`read_notes` and `change_notes`: the short texts that are in every prompt."""

import json
from dataclasses import asdict, dataclass
from typing import Annotated, Literal, get_args

from hermes_agent.agent.tools.memory import MemoryTool
from hermes_agent.errors import ToolError
from hermes_agent.mcp.access import hint_for
from hermes_agent.mcp.tools.tool import NOTE, Reply, Tool
from hermes_agent.mcp.visit import Visit
from hermes_agent.memory import told_by_program
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.told_by_program import REVIEW
from hermes_agent.records.notes import SUBJECTS, Note, Target

_LONGEST = 8_000
_MOST_OPERATIONS = 100
_EVERY: tuple[Note, ...] = get_args(Note)


@dataclass(frozen=True, slots=True)
class ReadNotesCall:
    """Arguments of `read_notes`."""

    note: Annotated[
        Literal["soul", "user", "memory", "workspace"] | None,
        "Only this one: user is about the user, memory everything else, soul who the agent is, workspace free "
        "text.",
    ] = None


@dataclass(frozen=True, slots=True)
class NoteOperation:
    """One change of an entry."""

    action: Annotated[Literal["add", "replace", "remove"], "What to do."]
    content: Annotated[str | None, "The text of the entry, for add and replace."] = None
    old_text: Annotated[
        str | None, "A short part of the entry that is meant, found in no other one; for replace and remove."
    ] = None


@dataclass(frozen=True, slots=True)
class ChangeNotesCall:
    """Arguments of `change_notes`."""

    target: Annotated[Literal["user", "memory"], "user is about the user, memory is everything else."]
    operations: Annotated[list[NoteOperation], "Changes that are made together or not at all."]


@dataclass(frozen=True, slots=True)
class NoteText:
    """A note; `limit` is how many characters it may have, null where there is no limit."""

    note: str
    file: str
    text: str
    characters: int
    limit: int | None
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Notes:
    """Notes as they are now."""

    note: str
    notes: list[NoteText]


@dataclass(frozen=True, slots=True)
class NotesChanged:
    """What became of a change."""

    outcome: Literal["changed", "waiting"]
    message: str
    usage: str | None
    saved: list[str]


def read(visit: Visit, call: ReadNotesCall) -> Reply:
    """Return notes, whole."""
    wanted: tuple[Note, ...] = _EVERY if call.note is None else (call.note,)
    notebook = visit.notebook()
    texts = [_text(notebook, note) for note in wanted]
    shown = "\n\n".join(f"# {one.file} ({_size(one)})\n{one.text}" for one in texts if one.text)
    return Reply(Notes(NOTE, texts), shown or "The notes are empty.")


def change(visit: Visit, call: ChangeNotesCall) -> Reply:
    """Change the entries of a note for the owner; what another program adds waits for the owner's review."""
    if not call.operations:
        raise ToolError("There is nothing to do.", hint="Send at least one operation.")
    if len(call.operations) > _MOST_OPERATIONS:
        raise ToolError(
            f"{len(call.operations):,} operations are too many.", hint=f"Send at most {_MOST_OPERATIONS} at once."
        )
    if not visit.access.is_owner:
        return _propose(visit, call.target, call.operations)
    tool = MemoryTool(visit.app.notebook, None, visit.access.actor, is_owner=True)
    result = tool.run({"target": call.target, "operations": [asdict(one) for one in call.operations]})
    answer = json.loads(result.text)
    if result.is_error:
        found = answer.get("matches") or answer.get("current_entries")
        entries = f" Entries: {json.dumps(found, ensure_ascii=False)}" if found else ""
        raise ToolError(f"{answer['error']}{entries}")
    value = NotesChanged("changed", answer["message"], answer["usage"], answer["entries_saved"])
    return Reply(value, f"{value.message} {value.usage}")


def _propose(visit: Visit, target: Target, operations: list[NoteOperation]) -> Reply:
    if any(one.action != "add" for one in operations):
        raise ToolError(
            f"Entries of {SUBJECTS[target]} are the owner's: another program may only propose new ones.",
            hint=hint_for("admin"),
        )
    entries = [one.content or "" for one in operations]
    waiting = told_by_program.propose_notes(visit.memory, visit.notebook(), target, entries, visit.program)
    message = f"{waiting.why} {REVIEW}"
    return Reply(NotesChanged("waiting", message, None, []), message)


def _text(notebook: Notebook, note: Note) -> NoteText:
    text = notebook.text(note).strip()
    return NoteText(note, SUBJECTS[note], text[:_LONGEST], len(text), notebook.limit(note), len(text) > _LONGEST)


def _size(text: NoteText) -> str:
    return f"{text.characters:,} characters" if text.limit is None else f"{text.characters:,} of {text.limit:,}"


TOOLS = (
    Tool(
        "read_notes",
        "Read the notes",
        "Read the notes that stand in every prompt of this agent: who the user is, what always matters, who "
        "the agent is. Use it once at the start of work for this user; the rest of memory is found by recall.",
        ReadNotesCall,
        Notes,
        read,
    ),
    Tool(
        "change_notes",
        "Change the notes",
        "Add, replace or remove entries of USER.md or MEMORY.md. They must stay short: only what always "
        "matters; for everything else use remember. Unless you speak for the owner you may only propose new "
        "entries, which wait for the owner's review.",
        ChangeNotesCall,
        NotesChanged,
        change,
        needs="write",
        is_destructive=True,
    ),
)
