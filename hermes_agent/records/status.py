"""How one thing is: a line of the status."""

from dataclasses import dataclass

from hermes_agent.records.archive import Json


@dataclass(frozen=True, slots=True)
class Line:
    """One thing and how it is: `value` for programs, `advice` only if it is not well."""

    name: str
    text: str
    value: Json = None
    advice: str | None = None
    is_problem: bool = True
    """Whether it is wrong if there is advice; else it could be better."""
