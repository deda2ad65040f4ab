"""One key for all spellings of one thing: "Project Atlas", "the Atlas project" and "atlas's" are `atlas`."""

from urllib.parse import urlsplit

from hermes_agent.text.compiled import compiled
from hermes_agent.text.entity_words import PROJECT_WORDS
from hermes_agent.text.words import fold

KEY_CAP = 200

_URL = r"(?i)[a-z][a-z0-9+.-]{1,20}://"
_POSSESSIVE = r"(?i)(?:['’]s|(?<=s)['’])(?=\s|$)"
_JOINT = r"[\s._/\\-]+"
# C++ and C# are not C.
_DROPPED = r"[^\w\s._/\\+#-]|^[@#]+"
_ARTICLES = frozenset({"the", "a", "an", "der", "die", "das", "le", "la", "el", "il", "o"})


def entity_key(name: str) -> str:
    """Fold a name to what all its spellings have in common; an address of the web to its host."""
    short = name.strip()[: 2 * KEY_CAP]
    if compiled(_URL).match(short):
        short = host_of(short) or short
    plain = compiled(_DROPPED).sub(" ", fold(compiled(_POSSESSIVE).sub("", short)).strip())
    parts = [part for part in compiled(_JOINT).split(plain) if part]
    while len(parts) > 1 and (parts[0] in _ARTICLES or parts[0] in PROJECT_WORDS):
        parts = parts[1:]
    while len(parts) > 1 and parts[-1] in PROJECT_WORDS:
        parts = parts[:-1]
    return (" ".join(parts) or fold(short))[:KEY_CAP]


def host_of(address: str) -> str:
    """Return the host of an address of the web, without `www`; nothing when it has none."""
    try:
        host = urlsplit(address).hostname
    except ValueError:
        return ""
    return (host or "").removeprefix("www.").rstrip(".")
