"""Tell a fact from an instruction that somebody smuggled in: what enters every prompt is looked at first.

A text is looked at as it came (invisible characters), with its signs (commands and markup), and as bare
words in many languages (`phrases.py`, `threats.py`, `threats_worldwide.py`). An alarm is an id; people and
models see it. Mentioning a file, a key or a rule is no alarm: doing something to it is. A text from elsewhere may
say more than a note; what gives it away is in `foreign.py`.
"""

import re
import unicodedata
from functools import cache
from typing import Literal

from hermes_agent.notes import foreign, phrases
from hermes_agent.notes.phrases import Threat
from hermes_agent.notes.threats import COMMANDS, ENGLISH
from hermes_agent.notes.threats_worldwide import SOLID, SPACED
from hermes_agent.text import secrets

Scope = Literal["note", "soul", "foreign"]
"""What is looked at: an entry of a note, a free text of the owner's, or a text from elsewhere."""

# The owner's own texts may say who the agent is and what it should do; a fact may not.
_FOR_PERSONAS = frozenset(
    {"role_hijack", "role_pretend", "identity_override", "agent_config_mod", "hermes_config_mod", "forced_action"}
)
_SPACE = re.compile(r"\s+")
_HIDDEN = re.compile(
    "[\u200b\u2060\u2062-\u2064\ufeff\u202a-\u202e\u2066-\u2069]"
    # Joiners hold emoji and the letters of some scripts together; beside a Latin letter they only hide.
    "|(?<=[ -~])[\u200c\u200d]|[\u200c\u200d](?=[ -~])|[\u200c\u200d]{2,}"
    # Signs that carry a text nobody sees; a black flag's own tags are its country.
    "|(?<![\U000e0020-\U000e007f\U0001f3f4])[\U000e0000-\U000e007f]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)


def find(text: str, scope: Scope = "note") -> tuple[str, ...]:
    """Return the ids of what is wrong with a text, each once; nothing means that it may pass."""
    if scope == "foreign":
        return foreign.find(text)
    found: dict[str, None] = {}
    if _HIDDEN.search(text):
        found["invisible_characters"] = None
    line = _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    found |= dict.fromkeys(name for name, pattern in _commands() if pattern.search(line))
    plain = phrases.plain(text)
    found |= dict.fromkeys(threat.id for threat in _spaced() if threat.is_in(plain))
    if not text.isascii():
        solid = phrases.solid(plain)
        found |= dict.fromkeys(threat.id for threat in _solid() if threat.is_in(solid))
    if secrets.find(text):
        found["hardcoded_secret"] = None
    return tuple(name for name in found if scope == "note" or name not in _FOR_PERSONAS)


@cache
def _commands() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(pattern)) for name, pattern in COMMANDS.items()]


@cache
def _spaced() -> list[Threat]:
    return [threat for table in (ENGLISH, *SPACED) for threat in phrases.read_table(table)]


@cache
def _solid() -> list[Threat]:
    return [threat for table in SOLID for threat in phrases.read_table(table, is_solid=True)]
