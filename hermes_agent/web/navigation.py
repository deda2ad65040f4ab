"""The dashboard's sections, in the order of its menu."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A page of the menu."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that belong together."""

    title: str
    pages: Sequence[Section]


SECTIONS: Sequence[Group] = (
    Group(
        "Memory",
        (
            Section("/", "Overview"),
            Section("/search", "Search"),
            Section("/facts", "Facts"),
            Section("/user", "You"),
            Section("/notes", "Notes"),
            Section("/skills", "Skills"),
            Section("/reflections", "Reflections"),
            Section("/map", "Map"),
        ),
    ),
    Group(
        "History",
        (
            Section("/sessions", "Sessions"),
            Section("/episodes", "Episodes"),
            Section("/journal", "Journal"),
        ),
    ),
    Group(
        "Work",
        (
            Section("/chat", "Chat"),
            Section("/context", "Context"),
            Section("/review", "Review"),
            Section("/jobs", "Jobs"),
        ),
    ),
    Group(
        "Home",
        (
            Section("/backups", "Backups"),
            Section("/profiles", "Profiles"),
            Section("/tokens", "Tokens"),
            Section("/settings", "Settings"),
            Section("/data", "Export and reset"),
        ),
    ),
)
