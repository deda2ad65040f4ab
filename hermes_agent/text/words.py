"""Cut text into the words that both engines index, so that both answer alike.

A word is a run of letters and digits, case-folded and without accents. Scripts written without
spaces (Han, Kana, Hangul, Thai, …) become overlapping pairs of characters plus the last one, so
that any part of such a run is found as a phrase of pairs. An emoji is a word of its own.
Very long texts are indexed up to `WORD_CAP` words: PostgreSQL holds no higher position.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import accumulate

WORD_CAP = 16_000
CHARACTER_CAP = 400_000
"""Longer texts are not even looked through further: cutting 100 MB into words takes 20 s."""
WORD_LENGTH_CAP = 64
BYTE_CAP = 500_000

# Han, Kana, Hangul, Bopomofo, Thai, Lao, Myanmar, Khmer: no spaces between words (Hangul has
# them, but people search it by part).
UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3031-\u3035"
    "\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_EMOJI = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
# Vowel signs of the Indic scripts, Hebrew and Arabic points are marks, which `\w` leaves out.
_MARKED = "\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"

_ASCII_FOLDED = bytes(byte if chr(byte).isalnum() and byte < 128 else ord(" ") for byte in range(256)).lower()
_PIECE = re.compile(f"[{UNSPACED}]+|[{_EMOJI}]|(?:(?![{UNSPACED}{_EMOJI}])[^\\W_]|[{_MARKED}])+")
_ASCII_PLACED = re.compile(r"[A-Za-z0-9]+")
# A character with the marks and vowels that fold together with it.
_CLUSTER = re.compile("(?s).[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u093c\u3099\u309a\uff9e\uff9f\u1160-\u11ff]*")
_UNSPACED_START = re.compile(f"[{UNSPACED}]")
_ACCENT = re.compile("[\u0300-\u036f]+")


def has_unspaced(text: str) -> bool:
    """Tell whether any of the text is in a script written without spaces."""
    return not text.isascii() and _UNSPACED_START.search(text) is not None


def fold(text: str) -> str:
    """Bring text to the form words are compared in: lower case, compatible forms, no accents."""
    if text.isascii():
        return text.lower()
    # Decomposed before and after folding: a compatible form may be a capital, and folding may compose.
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", _ACCENT.sub("", plain))


def words(text: str, cap: int = WORD_CAP) -> list[str]:
    """Return the words of the text in order, at most `cap` of them."""
    if text.isascii():
        # A table is three times as fast as a pattern, and every message comes by here.
        found = text.encode("ascii").translate(_ASCII_FOLDED).decode("ascii").split()
    else:
        found = []
        for piece in _PIECE.findall(fold(text)):
            found.extend(_pairs(piece) if _UNSPACED_START.match(piece) else (piece,))
            if len(found) >= cap:
                break
    found = found[:cap]
    if max(map(len, found), default=0) > WORD_LENGTH_CAP:
        found = [word[:WORD_LENGTH_CAP] for word in found]
    return _within_bytes(found, text)


def query_words(token: str) -> list[str]:
    """Return the words that must stand side by side where `token` occurs in a text.

    Differs from `words` at the end of a token in a script without spaces: inside a text the run may
    go on, so its final single character is left out unless it is all there is.
    """
    found: list[str] = []
    pieces = _PIECE.findall(fold(token))
    for place, piece in enumerate(pieces, start=1):
        if not _UNSPACED_START.match(piece):
            found.append(piece[:WORD_LENGTH_CAP])
        elif place == len(pieces) and len(piece) > 1:
            found.extend(_pairs(piece)[:-1])
        else:
            found.extend(_pairs(piece))
    return found


def placed_words(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each word with the characters of the text it stands for, in the order of `words`."""
    if text.isascii():
        for match in _ASCII_PLACED.finditer(text):
            yield match[0].lower()[:WORD_LENGTH_CAP], match.start(), match.end()
        return
    clusters = _CLUSTER.findall(text)
    ends = list(accumulate(len(cluster) for cluster in clusters))
    folded = [fold(cluster) for cluster in clusters]
    origin = [place for place, piece in enumerate(folded) for _ in piece]
    whole = "".join(folded)
    for match in _PIECE.finditer(whole):
        start, end = match.span()
        is_run = _UNSPACED_START.match(match[0]) is not None
        for first in range(start, end) if is_run else (start,):
            last = min(first + 2, end) if is_run else end
            begin = ends[origin[first]] - len(clusters[origin[first]])
            yield whole[first:last][:WORD_LENGTH_CAP], begin, ends[origin[last - 1]]


def _within_bytes(found: list[str], text: str) -> list[str]:
    """Cut the words where together they take more bytes than PostgreSQL holds; only long texts can."""
    if text.isascii() or len(text) * 4 <= BYTE_CAP:
        return found
    sizes = accumulate(len(word.encode("utf-8", "surrogatepass")) for word in found)
    return found[: sum(1 for size in sizes if size <= BYTE_CAP)]


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run))]


def uncapital(text: str) -> str:
    """Take the capital letter off the beginning, unless it is an abbreviation."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def capital(text: str) -> str:
    """Begin with a capital letter."""
    return text[:1].upper() + text[1:]


def lowered_in_place(text: str) -> str:
    """Lower the case and keep every character at its place; a few letters have two in lower case."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def lowered(text: str) -> str:
    """Lower the case of words, but not of codes: flight TP1234, train ICE 597."""
    said = text.split(" ")
    return " ".join(
        word if _is_code(word, following) else word.lower()
        for word, following in zip(said, [*said[1:], ""], strict=True)
    )


def _is_code(word: str, following: str) -> bool:
    has_digit = any(letter.isdigit() for letter in word) or (len(word) > 1 and following.isdigit())
    return has_digit and word.isupper()
