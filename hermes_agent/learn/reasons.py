"""Find the reason a message gives for something it says: "because …", "so that …", "Reason: …".

A reason keeps the word it begins with, so that it reads on: "because SQLite locked up under load".
"""

from collections.abc import Sequence

from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import Sentence

LONGEST = 300
# "since Monday" is a time, "as soon as" too; "so" alone may mean anything.
_NO_TIME = (
    r"(?!\s+(?:\d|mon|tues|wednes|thurs|fri|satur|sun|yesterday|last|this\s+(?:morning|week|month|year)|then\b"
    r"|when\b|the\s+(?:beginning|start|first|release|move|update|deploy)|january|february|march|april|may\b|june|july"
    r"|august|september|october|november|december))"
)
_JOINT = rf"(?:because|since{_NO_TIME}|so\s+that|in\s+order\s+to|due\s+to|thanks\s+to|as\s+otherwise)"
_BEHIND = Pattern(rf"[\s,;(–—-]+(?P<reason>{_JOINT}\s+\S.*)")
_BEFORE = Pattern(rf"(?P<reason>{_JOINT}\s+[^,]+(?:,[^,]+)?),\s*(?:so\s+)?$")
_NEXT = Pattern(
    r"(?:the\s+|our\s+|my\s+)?(?:reason\s+(?:is|was)(?:\s+that)?\s+(?P<stated>\S.*)|(?P<named>reasons?:\s+\S.*))"
    r"|(?:that's|that\s+is|that\s+was|this\s+is|it's|mostly|mainly|simply|just)?\s*(?P<reason>because\s+\S.*)"
)


def with_reason(message: str, start: int, end: int, found: Sequence[Sentence]) -> tuple[str, str]:
    """Return what stands between two places, without the reason it gives, and the reason; empty if there is none.

    `found` are the sentences of the message: a reason may stand before it, or in the next one.
    """
    plain = message.replace("’", "'")
    place = next((number for number, one in enumerate(found) if one.start <= start < one.end), None)
    if place is None:
        return message[start:end], ""
    sentence = found[place]
    if behind := _BEHIND.search(plain[start : max(end, sentence.end)]):
        return message[start : min(end, start + behind.start())], _lowered(behind["reason"])
    if before := _BEFORE.match(plain[sentence.start : start]):
        return message[start:end], _lowered(before["reason"])
    following = found[place + 1] if place + 1 < len(found) else None
    if following is None or following.is_asked or (given := _NEXT.fullmatch(following.text)) is None:
        return message[start:end], ""
    return message[start:end], _lowered(given["reason"] or given["named"] or f"because {given['stated']}")


def _lowered(words: str) -> str:
    text = words.strip(" .!,;)")[:LONGEST]
    return text[:1].lower() + text[1:]
