"""What is known of a language: as text, so that its grammar reads as a table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language; `says` and `asks` are lines of `attribute = pattern`.

    `finds` are the words a statement is looked up by in the archive.
    """

    code: str
    hint: str
    joint: str
    starts: str
    says: str
    asks: str
    finds: str
