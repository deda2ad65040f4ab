"""The bytes of a text file and the text in them: UTF-8 or UTF-16, with or without a mark, CRLF or not.

What was read is written back in the same coding with the same line ends; bytes that are no text are
never guessed at.
"""

import codecs
from dataclasses import dataclass

HEAD_BYTES = 8_192
"""How much of a file must be seen to tell what it is."""


@dataclass(frozen=True, slots=True)
class Coding:
    """How a file writes its characters; `mark` are the bytes in front that say so."""

    codec: str
    mark: bytes = b""

    @property
    def errors(self) -> str:
        """How to read bytes that do not fit: UTF-8 keeps them recognisable, so that they can be reported."""
        return "surrogateescape" if self.codec == "utf-8" else "replace"


_MARKS = (
    Coding("utf-8", codecs.BOM_UTF8),
    Coding("utf-16-le", codecs.BOM_UTF16_LE),
    Coding("utf-16-be", codecs.BOM_UTF16_BE),
)


def coding_of(head: bytes) -> Coding | None:
    """Tell from its first bytes how a file is coded; None is a file that is no text."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return None
    for coding in _MARKS:
        if head.startswith(coding.mark):
            return coding
    return None if b"\0" in head else Coding("utf-8")


def decode(data: bytes) -> tuple[str, Coding] | None:
    """Return the text of a whole file and its coding; None when it is no text."""
    coding = coding_of(data[:HEAD_BYTES])
    if coding is None:
        return None
    try:
        return data[len(coding.mark) :].decode(coding.codec), coding
    except UnicodeDecodeError:
        return None


def encode(text: str, coding: Coding) -> bytes:
    """Return the bytes of a text in a file's own coding."""
    return coding.mark + text.encode(coding.codec)


def with_line_ends_of(text: str, piece: str) -> str:
    """Write a piece with the line ends of the text it goes into; mixed ends leave it as it is."""
    lines = text.count("\n")
    is_crlf = lines > 0 and text.count("\r\n") == lines
    return piece.replace("\r\n", "\n").replace("\n", "\r\n") if is_crlf else piece


def replaced_bytes(text: str) -> str:
    """Show bytes that were no UTF-8 as the sign for a character that could not be read."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
