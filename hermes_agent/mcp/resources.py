"""Notes and skills as resources: `hermes://notes/user`, `hermes://skills/deploy`, `…/deploy/references/x.md`.

A client lists them, its user picks one, and its text goes into the conversation; no model has to call a tool.
"""

from dataclasses import dataclass
from typing import get_args
from urllib.parse import quote, unquote

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.mcp.visit import Visit
from hermes_agent.records.notes import SUBJECTS, Note

NOTES = "hermes://notes/"
SKILLS = "hermes://skills/"
_WHAT: dict[Note, str] = {
    "soul": "Who the agent is.",
    "user": "Who the user is: name, preferences, habits.",
    "memory": "What always matters beside that: projects, machines, conventions.",
    "workspace": "The owner's free text for the workspace.",
}
_MOST_COMPLETED = 100


@dataclass(frozen=True, slots=True)
class Listed:
    """A resource or, with a gap in its address, a template of them."""

    address: str
    name: str
    description: str


TEMPLATES = (
    Listed(NOTES + "{note}", "note", f"One of the notes: {', '.join(get_args(Note))}."),
    Listed(SKILLS + "{name}", "skill", "The SKILL.md of a skill."),
    Listed(SKILLS + "{name}/{+file}", "skill file", "Another file of a skill, as its SKILL.md names it."),
)


def listed(visit: Visit) -> list[Listed]:
    """Return the notes, and the skills that can be used."""
    notes = [Listed(NOTES + note, SUBJECTS[note], _WHAT[note]) for note in get_args(Note)]
    usable = [skill for skill in visit.library().list() if skill.problem is None]
    return [*notes, *(Listed(SKILLS + quote(one.name), f"skill: {one.name}", one.description) for one in usable)]


def read(visit: Visit, address: str) -> str:
    """Return the text of a resource; NotFound says what there is instead."""
    if address.startswith(NOTES):
        note = unquote(address.removeprefix(NOTES))
        for known in get_args(Note):
            if note == known:
                return visit.notebook().text(known)
    elif address.startswith(SKILLS):
        name, _, file = address.removeprefix(SKILLS).partition("/")
        return _skill(visit, unquote(name), unquote(file) or None)
    raise NotFound(
        f"There is no resource {address[:200]!r}.",
        hint=f"There are {NOTES}user, memory, soul, workspace, and {SKILLS}NAME.",
    )


def completed(visit: Visit, gap: str, begun: str) -> list[str]:
    """Return what may stand in a gap of a template, given how it begins."""
    names: list[str] = []
    if gap == "note":
        names = list(get_args(Note))
    elif gap == "name":
        names = [skill.name for skill in visit.library().list() if skill.problem is None]
    return [name for name in names if name.startswith(begun)][:_MOST_COMPLETED]


def _skill(visit: Visit, name: str, file: str | None) -> str:
    library = visit.library()
    problem = library.problem(name, file)
    if problem is not None:
        raise UsageError(
            f"The skill {name!r} must not be followed: {problem}", hint="The owner looks: hermes skills list"
        )
    return library.view(name, file)
