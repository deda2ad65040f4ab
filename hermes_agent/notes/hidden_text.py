"""Bring to light what a text hides: letters nobody sees, and words in a code that a model reads and people do not.

Each way out is tried only where the text shows a trace of it, so that plain text costs a glance. What comes out
must look like words; a checksum or a picture decodes to noise and is left alone.
"""

import base64
import binascii
import codecs
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069]")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}")
_HEX = re.compile(r"(?:(?:0x|\\x)?[0-9a-fA-F]{2}[\s:,]{0,2}){16,}")
_HEX_PAIR = re.compile(r"(?<![0-9a-fA-F])[0-9a-fA-F]{2}(?![0-9a-fA-F])")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}[^\s%]{0,12}){4,}")
_ENTITIES = re.compile(r"(?:&#x?[0-9a-fA-F]{2,5};){6,}")
_UNICODE_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4}){6,}")
_ROT13 = re.compile(r"\b(?:gur|naq|lbhe|gung|sbe)\b", re.IGNORECASE)
_REVERSED = re.compile(
    r"\b(?:eht|dna|taht|ruoy|resu|rof|lla|yam|tnega|tnatsissa|yromem|snoitcurtsni|reven|syawla|rebmemer)\b",
    re.IGNORECASE,
)
# A number at the end hides nothing: programs are full of `float32`, `utf8` and `r105`.
_LEET_WORD = re.compile(r"\b(?=\w{0,40}[013457@$]\w{0,40}[a-zA-Z])[\w@$]{3,}")
_LEET = str.maketrans("0134578@$", "oieastbas")
_SPACED_OUT = re.compile(r"(?<!\S)(?:[^\W\d_][ ._-]){5,}[^\W\d_](?!\S)")
_FEWEST_LEET = 6
_FEWEST_MARKS = 2
_MOST_CODES = 40
_WORDY = 0.9


def brought_to_light(text: str) -> Iterator[str]:
    """Yield what the text hides, each as plain text; nothing for most texts."""
    if not text.isascii():
        if _UNSEEN.search(text):
            yield _UNSEEN.sub("", text)
        for found in _TAGS.findall(text):
            yield "".join(chr(ord(letter) - 0xE0000) for letter in found)
    if "&#" in text and _ENTITIES.search(text):
        yield html.unescape(text)
    if "%" in text and _PERCENT.search(text):
        yield unquote(text)
    if "\\u" in text and _UNICODE_ESCAPES.search(text):
        yield _UNICODE_ESCAPES.sub(lambda found: codecs.decode(found[0], "unicode_escape"), text)
    yield from _from_base64(text)
    for found in _HEX.findall(text)[:_MOST_CODES]:
        yield from _words(_unhexed(found))
    if len(_ROT13.findall(text)) >= _FEWEST_MARKS:
        yield codecs.decode(text, "rot13")
    if len(_REVERSED.findall(text)) >= _FEWEST_MARKS:
        yield "\n".join(line[::-1] for line in text.splitlines())
    if len(_LEET_WORD.findall(text)) >= _FEWEST_LEET:
        yield _LEET_WORD.sub(lambda found: found[0].translate(_LEET), text)
    if _SPACED_OUT.search(text):
        yield _SPACED_OUT.sub(lambda found: re.sub(r"[ ._-]", "", found[0]), text)


def _from_base64(text: str) -> Iterator[str]:
    """Yield what each run of base64 holds, and what they hold one behind the other."""
    runs = [found.rstrip("=") for found in _BASE64.findall(text)[:_MOST_CODES]]
    decoded = [words for run in runs for words in _words(_unbased(run))]
    yield from decoded
    if len(decoded) > 1:
        yield " ".join(decoded)


def _unbased(run: str) -> bytes:
    whole = run[: len(run) - (len(run) % 4 == 1)]
    try:
        return base64.b64decode(whole + "=" * (-len(whole) % 4), altchars=b"-_" if set(run) & set("-_") else None)
    except (binascii.Error, ValueError):
        return b""


def _unhexed(found: str) -> bytes:
    digits = "".join(_HEX_PAIR.findall(found)) or re.sub(r"[^0-9a-fA-F]", "", found)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _words(raw: bytes) -> Iterator[str]:
    """Yield the bytes as text if they are words."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return
    readable = sum(letter.isalpha() or letter in " .,:;'\"!?-\n()" for letter in text)
    if len(text) >= 12 and " " in text and readable >= _WORDY * len(text):
        yield text
