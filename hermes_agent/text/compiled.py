"""Regular expressions that are compiled when they are first used: there are many, and most texts need few."""

import re
from functools import cache


@cache
def compiled(source: str) -> re.Pattern[str]:
    """Compile a pattern, once."""
    return re.compile(source)
