"""What a client may do, and whose word it speaks.

One ladder for stdio and for the tokens of HTTP: `read` looks, `write` also adds, as a program's word that never
takes the place of the owner's, `admin` speaks for the owner. Who opens the door says which.
"""

import re
from dataclasses import dataclass

from hermes_agent.records.tokens import SCOPES, Scope
from hermes_agent.text.clean import preview

_HINTS: dict[Scope, str] = {
    "read": "",
    "write": "The owner allows it: start `hermes mcp` without --read-only, or use a token of scope write.",
    "admin": "The owner allows it: start `hermes mcp --as-owner`, or use a token of scope admin.",
}
_LONGEST_NAME = 60
_STRANGE = re.compile(r"[^\w.@/+-]+")


@dataclass(frozen=True, slots=True)
class Access:
    """The right of one request, and who sends it: the name of the client, or of its token."""

    scope: Scope
    name: str

    @property
    def actor(self) -> str:
        """What the journal calls whoever writes: `mcp:claude-code`."""
        name = _STRANGE.sub("-", preview(self.name, _LONGEST_NAME)).strip("-")
        return f"mcp:{name or 'unknown'}"

    @property
    def is_owner(self) -> bool:
        """Whether what is written counts like the owner's word."""
        return self.scope == "admin"

    def allows(self, needed: Scope) -> bool:
        """Tell whether this right is enough."""
        return SCOPES.index(self.scope) >= SCOPES.index(needed)


def hint_for(needed: Scope) -> str:
    """Say how the owner gives a right."""
    return _HINTS[needed]
