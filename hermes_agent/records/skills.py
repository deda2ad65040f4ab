"""Skills as the store keeps them: the texts of their folders, every version through the journal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

SkillState = Literal["live", "archived", "deleted"]
SkillMaker = Literal["owner", "agent", "learning"]


@dataclass(frozen=True, slots=True)
class KeptSkill:
    """A skill; `files` are the texts of its folder by their names, `SKILL.md` among them."""

    id: int
    uid: str
    skill: str
    """The name of the skill, which is that of its folder."""
    category: str | None
    files: Mapping[str, str]
    state: SkillState
    made_by: SkillMaker
    made_at: int
    changed_at: int

    @property
    def name(self) -> str:
        """The name it goes by in changes: `skill:7`."""
        return f"skill:{self.id}"


@dataclass(frozen=True, slots=True)
class SkillUse:
    """How often the agent read a skill, and when last; None if never."""

    count: int
    last_at: int | None
