"""Say things in a home, let them be learned, and look at what came of it."""

import json
from pathlib import Path
from typing import Any

from hermes_agent.memory.memory import Memory
from tests.conftest import Hermes
from tests.recall.conversations import talk


def say(memory: Memory, hermes: Hermes, *said: str, day: int) -> None:
    """Say things in a session of their own, and let the jobs run."""
    answered = [text for one in said for text in (one, "All right.")]
    talk(memory, f"day-{day}", *answered, day=day, ended="user_exit")
    learned(hermes)


def learned(hermes: Hermes) -> None:
    """Let the jobs run, after whatever the owner did by hand is noticed."""
    hermes("notes", "show")
    assert hermes("jobs", "run").exit_code == 0


def entries(note: Path) -> list[str]:
    return note.read_bytes().decode().split("\n§\n")


def texts(hermes: Hermes, *arguments: str) -> list[str]:
    return [fact["text"] for fact in json.loads(hermes("memory", "facts", "list", *arguments, "--json").stdout)]


# Any: JSON as a program reads it.
def known(hermes: Hermes, *arguments: str) -> list[Any]:
    found = json.loads(hermes("memory", "user", *arguments, "--json").stdout)
    assert isinstance(found, list)
    return found


SAID = (
    "My name is Ada. I live in Lyon.",
    "I work as a nurse. My time zone is Europe/Paris.",
    "I use Firefox. I use Helix. Please keep your answers short.",
    "My sister Mia lives in Oslo.",
)
LINES = [
    "Name: Ada",
    "Lives in Lyon",
    "Time zone: Europe/Paris",
    "Keep your answers short",
    "Works as a nurse",
    "Uses Firefox and Helix",
    "Sister: Mia; lives in Oslo",
]
