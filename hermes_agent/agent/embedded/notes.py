"""Read the notes out of the system prompt, and bring them up to date with what this conversation changed.

The prompt holds the notes as they were when the session began; what `memory` did since is in the calls and
their replies, which the model sees like any other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import AssistantLine, Line, ToolLine
from hermes_agent.text import outside_json

# Tolerant: the length of the rule and what stands behind the title may change.
_BLOCK = Pattern(r"(?m)^═{8,}[ \t]*\n(?P<title>[^\n═]+)\n═{8,}[ \t]*(?:\n|\Z)")
_DELIMITER = Pattern(r"\r?\n§\r?\n")
_BLOCKED = "[BLOCKED"

FILES = {"user": "USER.md", "memory": "MEMORY.md", "workspace": "workspace/MEMORY.md"}


@dataclass(frozen=True, slots=True)
class Notes:
    """The entries of each note, as they stand now."""

    user: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    workspace: tuple[str, ...] = ()

    def of(self, target: str) -> tuple[str, ...]:
        """Return the entries of a note."""
        return {"user": self.user, "memory": self.memory}.get(target, self.workspace)

    def having(self, target: str, entries: Sequence[str]) -> "Notes":
        """Return the notes with other entries in one of them."""
        if target == "user":
            return replace(self, user=tuple(entries))
        return replace(self, memory=tuple(entries))


def read_notes(system_prompt: str) -> Notes:
    """Find the note blocks of a system prompt; whatever else it holds is left alone."""
    found: dict[str, tuple[str, ...]] = {}
    blocks = list(_BLOCK.finditer(system_prompt))
    for place, block in enumerate(blocks):
        end = blocks[place + 1].start() if place + 1 < len(blocks) else len(system_prompt)
        pieces = (piece.strip() for piece in _DELIMITER.split(system_prompt[block.end() : end]))
        entries = tuple(piece for piece in pieces if piece and not piece.startswith(_BLOCKED))
        title = block["title"].upper()
        if "USER PROFILE" in title:
            found["user"] = entries
        elif "WORKSPACE" in title:
            found["workspace"] = entries
        elif title.startswith("MEMORY"):
            found["memory"] = entries
    return Notes(**found)


def updated(notes: Notes, lines: Sequence[Line]) -> Notes:
    """Apply to the notes what `memory` was asked to do and said it did."""
    for changes in _changes(lines):
        for target, operation in changes:
            entries = list(notes.of(target))
            _apply(entries, operation)
            notes = notes.having(target, entries)
    return notes


def last_change(lines: Sequence[Line]) -> list[tuple[str, Mapping[str, Json]]]:
    """Return what one answer last changed in the notes: the note and the operation, in order."""
    return next((changes for changes in reversed(list(_changes(lines))) if changes), [])


def _changes(lines: Sequence[Line]) -> Iterator[list[tuple[str, Mapping[str, Json]]]]:
    """Yield for each answer what `memory` was asked to do and said it did."""
    done = {line.call_id for line in lines if isinstance(line, ToolLine) and _succeeded(line.text)}
    for line in lines:
        made: list[tuple[str, Mapping[str, Json]]] = []
        for call in line.calls if isinstance(line, AssistantLine) else ():
            arguments = parsed(call.arguments)
            if call.name == "memory" and call.id in done and arguments is not None:
                target = "user" if arguments.get("target") == "user" else "memory"
                made += [(target, operation) for operation in _operations(arguments)]
        yield made


def undone(operation: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """Return the operation that takes another back; None when there is none."""
    content, old = operation.get("content"), operation.get("old_text")
    match operation.get("action"):
        case "add" if content:
            return {"action": "remove", "old_text": content}
        case "replace" if content and old:
            return {"action": "replace", "old_text": content, "content": old}
        case "remove" if old:
            return {"action": "add", "content": old}
    return None


def parsed(text: str) -> dict[str, Json] | None:
    """Read a JSON object; anything else is None."""
    value = outside_json.read(text)
    return value if isinstance(value, dict) else None


def _succeeded(reply: str) -> bool:
    answer = parsed(reply)
    return answer is not None and answer.get("success") is True and not answer.get("staged")


def _operations(arguments: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    operations = arguments.get("operations")
    for operation in operations if isinstance(operations, list) else [arguments]:
        if isinstance(operation, Mapping):
            yield operation


def _apply(entries: list[str], operation: Mapping[str, Json]) -> None:
    content = str(operation.get("content") or "").strip()
    old = str(operation.get("old_text") or "").strip()
    whole = entries.index(old) if old in entries else None
    place = (
        whole if whole is not None else next((i for i, entry in enumerate(entries) if old and old in entry), None)
    )
    match operation.get("action"):
        case "add" if content and content not in entries:
            entries.append(content)
        case "replace" if place is not None and content:
            entries[place] = content
        case "remove" if place is not None:
            del entries[place]
