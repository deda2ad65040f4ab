"""What goes out to a vendor: texts that any server takes, in pieces, with a key by which the same turn is known.

The outbox may bring a turn twice, or days later. Its key follows from the conversation, the words and when they
were said, so that the second time can be told from the first, and from another turn of the same words.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from hermes_agent.text.clean import preview, whole

_LONGEST_LINE = 400


def sendable(text: str) -> str:
    """Return a text without what JSON and databases refuse: lone surrogates, and the character NUL."""
    return whole(text).replace("\0", "").strip()


def key(*parts: str) -> str:
    """Return the key of what these texts stand for; the same ones always have the same."""
    whole = "\0".join(f"{len(part)}:{part}" for part in parts)
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def said_at(messages: Sequence[Mapping[str, Any]] | None) -> str:
    """Return when a turn began, as ISO 8601; empty where nobody tells."""
    times = (str(one.get("timestamp") or "") for one in messages or ())
    return next(filter(None, times), "")


def turn_key(session_id: str, user: str, assistant: str, messages: Sequence[Mapping[str, Any]] | None) -> str:
    """Return the key of a turn."""
    return key(*filter(None, (said_at(messages),)), session_id, user, assistant)


def pieces(text: str, characters: int) -> list[str]:
    """Cut a text where it is too long for the vendor; an empty one has no pieces."""
    text = sendable(text)
    cut = (text[start : start + characters] for start in range(0, len(text), characters))
    return [piece for piece in cut if piece.strip()]


def line(text: str, when: str = "") -> str:
    """Write what a vendor remembers on one line, with its date where there is one."""
    words = preview(text, _LONGEST_LINE)
    return f"{when}: {words}" if when and words else words


def lines(found: Iterable[str], characters: int) -> str:
    """Put lines below each other, each once, as many as there is room for."""
    taken: list[str] = []
    for one in found:
        characters -= len(one) + 1
        if characters < 0:
            break
        if one and one not in taken:
            taken.append(one)
    return "\n".join(taken)
