"""Session titles: one clean line, at most 100 characters, and the next free name of a lineage."""

import re
import unicodedata

from hermes_agent.errors import UsageError

TITLE_CAP = 100

_HIDDEN = re.compile("[\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]")
_SPACE = re.compile(r"\s+")
_NUMBERED = re.compile(r"^(?P<base>.*?) #(?P<number>\d+)$", re.DOTALL)


def clean_title(typed: str) -> str | None:
    """Drop control, zero-width and direction characters, fold white space; nothing left is no title."""
    spaced = _SPACE.sub(" ", typed)
    visible = "".join(c for c in _HIDDEN.sub("", spaced) if not unicodedata.category(c).startswith("C"))
    title = _SPACE.sub(" ", visible).strip()
    if len(title) > TITLE_CAP:
        raise UsageError(
            f"A title has at most {TITLE_CAP} characters; this one has {len(title)}.",
            hint="Choose a shorter title.",
        )
    return title or None


def base_title(title: str) -> str:
    """Return the title without its lineage number: `plan #3` is `plan`."""
    match = _NUMBERED.match(title)
    return match["base"] if match else title


def next_title(title: str, taken: list[str]) -> str:
    """Return the next free title of the lineage: `plan`, `plan #2`, `plan #3`."""
    base = base_title(title)
    numbers = [1] + [int(m["number"]) for t in taken if (m := _NUMBERED.match(t)) and m["base"] == base]
    number = f" #{max(numbers) + 1}"
    return base[: TITLE_CAP - len(number)].rstrip() + number
