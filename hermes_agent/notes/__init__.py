"""Notes: SOUL.md, USER.md and MEMORY.md as files; their format, limits, matching and screening."""
