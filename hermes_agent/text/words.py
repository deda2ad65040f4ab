"""Cut text into the words that both engines index, so that both answer alike.

A word is a run of letters and digits, case-folded and without accents. Scripts written without
spaces (Han, Kana, Hangul, Thai, …) become overlapping pairs of characters plus the last one, so
that any part of such a run is found as a phrase of pairs. An emoji is a word of its own.
Very long texts are indexed up to `WORD_CAP` words: PostgreSQL holds no higher position.
"""

import re
import unicodedata

WORD_CAP = 16_000
WORD_LENGTH_CAP = 64

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

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_PIECE = re.compile(f"[{UNSPACED}]+|[{_EMOJI}]|(?:(?![{UNSPACED}{_EMOJI}])[^\\W_]|[{_MARKED}])+")
_UNSPACED_START = re.compile(f"[{UNSPACED}]")
_ACCENT = re.compile("[\u0300-\u036f]+")


def has_unspaced(text: str) -> bool:
    """Tell whether any of the text is in a script written without spaces."""
    return not text.isascii() and _UNSPACED_START.search(text) is not None


def fold(text: str) -> str:
    """Bring text to the form words are compared in: lower case, compatible forms, no accents."""
    if text.isascii():
        return text.lower()
    plain = _ACCENT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", plain)


def words(text: str, cap: int = WORD_CAP) -> list[str]:
    """Return the words of the text in order, at most `cap` of them."""
    if text.isascii():
        found = _ASCII_WORD.findall(text.lower())
    else:
        found = []
        for piece in _PIECE.findall(fold(text)):
            found.extend(_pairs(piece) if _UNSPACED_START.match(piece) else (piece,))
            if len(found) >= cap:
                break
    return [word[:WORD_LENGTH_CAP] for word in found[:cap]]


def query_words(token: str) -> list[str]:
    """Return the words that must stand side by side where `token` occurs in a text.

    Differs from `words` in scripts without spaces: inside a text a run goes on, so the final
    single character is left out unless it is all there is.
    """
    found: list[str] = []
    for piece in _PIECE.findall(fold(token)):
        if _UNSPACED_START.match(piece) and len(piece) > 1:
            found.extend(_pairs(piece)[:-1])
        else:
            found.append(piece[:WORD_LENGTH_CAP])
    return found


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run))]
