"""What goes out to a vendor: texts that any server takes, in pieces, with a key by which the same turn is known.

The outbox may bring a turn twice. Its key follows from the conversation and the words alone, so that the second
time can be told from the first; two turns of the same words in one conversation count as one.
"""

from collections.abc import Iterable
from hashlib import sha256

from hermes_agent.text.clean import preview

_LONGEST_LINE = 400


def sendable(text: str) -> str:
    """Return a text without what JSON and databases refuse: lone surrogates, and the character NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "").strip()


def key(*parts: str) -> str:
    """Return the key of what these texts stand for; the same ones always have the same."""
    whole = "\0".join(f"{len(part)}:{part}" for part in parts)
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32]


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
