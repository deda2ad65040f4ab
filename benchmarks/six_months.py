"""Half a year of an agent at work: conversations of the public sets, with real tool output between them.

What people and assistants say is drawn from the public conversations, what tools return from the files of this
Python and its packages: files that are read, searched and listed. Every message is older than 30 days.
"""

import json
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random

from benchmarks.conversations import CHAT, names, read
from hermes_agent import clock
from hermes_agent.records.archive import NewMessage, NewSession

_DAY = 86_400 * clock.MICROSECONDS
_SPAN, _ENDED = 182 * _DAY, 31 * _DAY
_ROUNDS = (2, 12)
_CALLS = (1, 5)
_OUTPUT_LINES = (15, 140)
_MOST_FILE_BYTES = 400_000


@dataclass(frozen=True)
class Worked:
    """One conversation of the log."""

    session: NewSession
    messages: Sequence[NewMessage]


def log(folder: Path, messages: int, seed: int = 1) -> Iterator[Worked]:
    """Yield conversations with so many messages in all, in order of time."""
    chance = Random(seed)
    said = {role: cycle(texts) for role, texts in _texts(folder).items()}
    files = _files()
    chance.shuffle(files)
    outputs = _outputs(files, chance)
    now = clock.now()
    written = 0
    while written < messages:
        began = now - _ENDED - _SPAN + _SPAN * written // messages
        new = list(_conversation(said, outputs, began, chance))
        written += len(new)
        yield Worked(NewSession(started_at=began, folder=f"/home/me/project-{chance.randint(1, 6)}"), new)


def _conversation(
    said: "dict[str, cycle[str]]", outputs: Iterator[tuple[str, str]], began: int, chance: Random
) -> Iterator[NewMessage]:
    moment = began
    for _ in range(chance.randint(*_ROUNDS)):
        moment += chance.randint(20, 600) * clock.MICROSECONDS
        yield NewMessage("user", next(said["user"]), said_at=moment)
        for number in range(chance.randint(*_CALLS)):
            command, output = next(outputs)
            arguments = json.dumps({"command": command})
            calls = [{"id": f"call_{number}", "function": {"name": "shell", "arguments": arguments}}]
            yield NewMessage("assistant", None, tool_calls=calls, said_at=moment + 1)
            yield NewMessage("tool", output, tool_call_id=f"call_{number}", tool_name="shell", said_at=moment + 2)
        yield NewMessage("assistant", next(said["assistant"]), said_at=moment + 3)


def _texts(folder: Path) -> dict[str, list[str]]:
    """Return what users and assistants say in the public sets, each text once."""
    found: dict[str, dict[str, None]] = {"user": {}, "assistant": {}}
    for name in names(folder):
        for conversation in read(folder, name):
            for session in conversation.sessions:
                for turn in session.turns:
                    role = turn.speaker if turn.speaker in CHAT else "user"
                    if role in found:
                        found[role][turn.text] = None
    return {role: list(texts) for role, texts in found.items()}


def _files() -> list[Path]:
    paths = sysconfig.get_paths()
    folders = {Path(paths["stdlib"]), Path(paths["purelib"])}
    every = sorted(file for folder in folders for file in folder.rglob("*.py"))
    return [file for file in every if file.stat().st_size <= _MOST_FILE_BYTES]


def _outputs(files: Sequence[Path], chance: Random) -> Iterator[tuple[str, str]]:
    """Yield commands with what they print."""
    for file in cycle(files):
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        if len(lines) < _OUTPUT_LINES[0]:
            continue
        count, start = chance.randint(*_OUTPUT_LINES), chance.randrange(len(lines))
        match chance.randint(0, 3):
            case 0:
                wanted = "def " if chance.random() < 0.5 else "import"
                found = [f"{file}:{number}:{line}" for number, line in enumerate(lines, 1) if wanted in line]
                yield f"grep -n '{wanted}' {file}", "\n".join(found[:count]) or "[exit code 1]"
            case 1:
                listed = sorted(file.parent.iterdir())[:count]
                rows = [f"-rw-r--r-- 1 me me {one.lstat().st_size:>8} Mar  2 09:15 {one.name}" for one in listed]
                yield f"ls -la {file.parent}", "\n".join(rows)
            case _:
                shown = lines[start : start + count]
                numbered = [f"{number:>6}\t{line}" for number, line in enumerate(shown, start + 1)]
                yield f"sed -n '{start + 1},{start + count}p' {file}", "\n".join(numbered)
