"""Tell a value that somebody generated from one that somebody wrote.

Generated text changes between small letters, capitals and digits every second character or so; names,
versions, dates and paths keep to one of them for longer. Counting the pieces is cheaper than measuring
entropy, and says more about twelve characters than entropy can.
"""

import re

_SEGMENT = re.compile(r"[A-Za-z0-9]{4,}")
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_HEX = re.compile(r"(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])(?:[0-9a-f]+|[0-9A-F]+)")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_PATH = re.compile(r"://|(?:^|/)(?:[a-z_-]{3,}|[.~])(?:/|$)|/[\w.-]*\.[a-z]{2,5}$")
_CODE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\.?")
_STAND_IN = re.compile(
    r"[<{]|\[redacted|\$[{(]|\$\w+$|%\(|%\w+%?$|(?:my|the)[ _-]|your|x{3,}|example|change.?me|replace.?me"
    r"|placeholder|dummy|fake|redacted|(?:pass(?:word|wd)?|pwd|secret|token|key)$",
    re.IGNORECASE,
)
_NAMED_PASSWORD = re.compile(r"[a-z0-9_]*(?:pass|pwd)[a-z0-9_]*")
_SYMBOL = re.compile(r"[!@#$%^&*?+~]")

_RANDOM_CHARACTERS = 12
_LEAST_DISTINCT = 6
# A segment's characters per piece, at most, by its length. Measured on generated text: letters of both
# cases and digits 2.0, hexadecimal 2.1, small letters and digits 2.5, base32 in small letters 3.2.
_MOST_PER_PIECE = ((20, 3.6), (12, 2.8), (0, 2.0))
_SHORTEST_HEX = 16
_SHORTEST_PASSWORD = 8


def is_random(value: str) -> bool:
    """Tell whether a value looks generated; a UUID does, a path, a name or an expression does not."""
    if len(value) < _RANDOM_CHARACTERS or is_stand_in(value) or _PATH.search(value) or _CODE.fullmatch(value):
        return False
    random_characters = sum(len(segment) for segment in _SEGMENT.findall(value) if _is_random_segment(segment))
    return random_characters >= _RANDOM_CHARACTERS


def is_uuid(value: str) -> bool:
    """Tell whether a value is a UUID: more often the name of a thing than a secret."""
    return _UUID.fullmatch(value) is not None


def is_password(value: str) -> bool:
    """Tell whether a value is fit to be a password: it mixes letters with digits or symbols.

    Only for a value that stands where a password stands; many ordinary words and numbers pass.
    """
    if len(value) < _SHORTEST_PASSWORD or is_stand_in(value):
        return False
    if value.startswith("/") or _PATH.search(value) or _CODE.fullmatch(value):
        return False
    if "_" in value and _NAMED_PASSWORD.fullmatch(value):  # `new_password2` is a variable
        return False
    has_letter = any(character.isalpha() for character in value)
    return has_letter and (any(character.isdigit() for character in value) or _SYMBOL.search(value) is not None)


def is_stand_in(value: str) -> bool:
    """Tell whether a value holds the place of another: `$TOKEN`, `<token>`, `your-token`, `xxxx`."""
    return _STAND_IN.match(value) is not None or len(set(value)) <= 2


def _is_random_segment(segment: str) -> bool:
    if len(set(segment)) < _LEAST_DISTINCT:
        # Too few kinds of characters to tell; a long run of hexadecimal digits has more.
        return False
    if len(segment) >= _SHORTEST_HEX and _HEX.fullmatch(segment):
        return True
    pieces = len(_PIECE.findall(segment))
    most = next(most for length, most in _MOST_PER_PIECE if len(segment) >= length)
    return pieces >= 3 and len(segment) / pieces <= most
