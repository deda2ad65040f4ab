"""The dashboard's sections, in the order of its menu."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.records.tokens import Scope, Token


@dataclass(frozen=True, slots=True)
class Section:
    """A page of the menu."""

    path: str
    title: str
    needs: Scope = "read"


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that belong together."""

    title: str
    pages: Sequence[Section]

    def has_any_for(self, token: Token) -> bool:
        """Tell whether a token opens any of the pages."""
        return any(token.allows(page.needs) for page in self.pages)


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
            Section("/backups", "Backups", "admin"),
            Section("/profiles", "Profiles", "admin"),
            Section("/tokens", "Tokens", "admin"),
            Section("/settings", "Settings", "admin"),
            Section("/data", "Export and reset", "admin"),
        ),
    ),
)
