"""Skills: folders with a SKILL.md, as agentskills.io has them."""
