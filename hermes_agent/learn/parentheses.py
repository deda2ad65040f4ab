"""What is only said by the way between two commas: "I am, as you know, a widower", "I am not, I fear, a cook".

Such words hold a clause apart and tell nothing; they are left out before the clauses are read. What makes the
clause another's word or a guess ("I am told", "I think") stays.
"""

from collections.abc import Sequence

_PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        *("i fear", "i am afraid", "i 'm afraid", "i regret to say", "i am sorry to say", "i must confess"),
        *("i must admit", "i confess", "i admit", "i am glad to say", "i am happy to say", "i should add"),
        *("i hasten to add", "i might add", "as you know", "as you may know", "as you may recall", "as ever"),
        *("as you will recall", "as you are aware", "as i mentioned", "needless to say", "for my part", "alas"),
        *("for my sins", "to be honest", "to be frank", "to my shame", "to my regret", "in truth", "at any rate"),
    )
)
_FIRST = frozenset(phrase[0] for phrase in _PHRASES)
_LONGEST = max(map(len, _PHRASES))


def parenthesis(words: Sequence[str]) -> tuple[int, int] | None:
    """Return where such words stand, with both their commas; None if there are none."""
    for place in range(1, len(words) - 2):
        if words[place] != "," or words[place + 1] not in _FIRST:
            continue
        for end in range(place + 2, min(place + 2 + _LONGEST, len(words))):
            if words[end] == ",":
                is_one = tuple(words[place + 1 : end]) in _PHRASES
                return (place, end + 1) if is_one else None
    return None
