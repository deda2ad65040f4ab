"""A process that keeps changing notes until it is killed: `python -m tests.memory.note_changer HOME PLACE SEED`.

It tells `try` with the operations before a change and `kept` right after it returned; each line is one write
to the pipe, so what was told has been told, however hard the process dies.
"""

import json
import random
import sys
from pathlib import Path

from hermes_agent.config.paths import Home
from hermes_agent.memory.notebook import Notebook
from hermes_agent.records.notes import Changed, Operation
from tests.proof.places import open_at, tell

LIMIT = 2_000


def main(home: str, place: str, seed: str) -> None:
    """Change MEMORY.md without end."""
    chance = random.Random(int(seed))
    notebook = Notebook(open_at(place), Home(Path(home), "default"), LIMIT, LIMIT)
    notebook.reconcile()
    entries = notebook.entries("memory")
    tell("begun")
    number = 0
    while True:
        number += 1
        operations = [
            _operation(chance, entries, f"{seed}-{number}-{step}") for step in range(chance.randint(1, 3))
        ]
        told = json.dumps([[o.action, o.content, o.old_text] for o in operations])
        tell("try", told)
        outcome = notebook.change("memory", operations, actor="agent")
        if isinstance(outcome, Changed):
            tell("kept", told)
        else:
            tell("refused", told)
        entries = notebook.entries("memory")


def _operation(chance: random.Random, entries: list[str], name: str) -> Operation:
    if len(entries) > 12 or (entries and chance.random() < 0.3):
        return Operation("remove", old_text=entries.pop(chance.randrange(len(entries))))
    content = f"{name} " + "word " * chance.randint(0, 20)
    if entries and chance.random() < 0.3:
        return Operation("replace", content, entries.pop(chance.randrange(len(entries))))
    return Operation("add", content)


if __name__ == "__main__":
    main(*sys.argv[1:])
