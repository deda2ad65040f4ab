"""Find what a text says is another name: "Deborah, aka Deb", "IBM (International Business Machines)".

A wrong alias makes two things one, so only plain forms count, and two names side by side only when one is made
from the other's letters.
"""

from collections.abc import Iterator

from hermes_agent.text.compiled import compiled
from hermes_agent.text.entity_keys import entity_key
from hermes_agent.text.entity_words import FUNCTION_WORDS
from hermes_agent.text.words import CHARACTER_CAP

SPEAKER = "user"
"""Stands for the full name of the one who says "call me …" without giving it."""

_MOST_ALIASES = 20
_CAPITAL = "A-Z\u00c0-\u00d6\u00d8-\u00de"
_WORD = rf"[{_CAPITAL}][\w’'&.-]{{0,40}}(?<![.'’])"
_NAME = rf"{_WORD}(?: (?:(?:of|de|van|von|the|and|for) ){{0,2}}{_WORD}){{0,5}}"
_ALSO = (
    r"(?:a\.?k\.?a\.?|also known as|also called|better known as|known as|nicknamed|alias|auch bekannt als"
    r"|auch genannt|genannt|kurz|dit|dite|también conocid[oa] como|detto|detta)"
)
# An explanation may stand between: "Atlas, our billing service, also called BX".
_BETWEEN = r"(?:, (?:our|my|the|a|an|unser|unsere|der|die|das) [\w -]{1,60})?"
_KNOWN_AS = rf"\b(?P<full>{_NAME}){_BETWEEN},? (?:\()?{_ALSO},? [\"“'„]?(?P<alias>{_NAME})"
_IN_BRACKETS = rf"\b(?P<first>{_NAME}) \((?P<second>{_NAME})\)"
_SHORT_FOR = (
    rf"\b(?P<alias>{_WORD}),? (?:is|was|ist) (?:short|a nickname|an abbreviation|die Abkürzung|kurz)"
    rf" (?:for|of|für) (?P<full>{_NAME})"
    rf"|\b(?P<alias2>[{_CAPITAL}]{{2,10}}) (?:stands for|steht für) (?P<full2>{_NAME})"
)
_FOR_SHORT = rf"\b(?P<full>{_NAME}),? or (?P<alias>{_WORD}) for short\b"
_CALL_ME = (
    r"\b(?i:calls? me|nenn(?:t|e|en)? mich|appellez?-moi|llámame) (?:just |einfach |bitte )?"
    rf"[\"“'„]?(?P<alias>{_WORD}(?: {_WORD})?)"
)
_MY_NAME = rf"\b(?i:my name is|my name's|i am|i'm|mein name ist|ich heiße|ich bin) (?P<full>{_NAME})"


def aliases_in(text: str) -> list[tuple[str, str]]:
    """Return the other names a text gives: alias first, full name second, each pair once."""
    read = text[:CHARACTER_CAP]
    found: dict[tuple[str, str], None] = {}
    for alias, full in _pairs(read):
        if _is_alias(alias, full):
            found.setdefault((alias, full))
        if len(found) >= _MOST_ALIASES:
            break
    return list(found)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    # Looking for names is slow, so first for the words without which there is no pair.
    if compiled(f" {_ALSO}|\\({_ALSO}").search(text):
        for match in compiled(_KNOWN_AS).finditer(text):
            yield match["alias"], match["full"]
    if any(words in text for words in (" for ", " of ", " für ")):
        for match in compiled(_SHORT_FOR).finditer(text):
            yield match["alias"] or match["alias2"], match["full"] or match["full2"]
    if " for short" in text:
        for match in compiled(_FOR_SHORT).finditer(text):
            yield match["alias"], match["full"]
    if " (" in text:
        for match in compiled(_IN_BRACKETS).finditer(text):
            yield from _bracketed(match["first"], match["second"])
    for match in compiled(_CALL_ME).finditer(text):
        named = compiled(_MY_NAME).search(text)
        yield match["alias"], named["full"] if named else SPEAKER


def _bracketed(first: str, second: str) -> Iterator[tuple[str, str]]:
    """Yield a pair when one name is the beginning or the initials of the other."""
    for alias, full in ((first, second), (second, first)):
        # Before a bracket more words may have a capital than belong to the name.
        words = full.split()
        for start in range(len(words)):
            rest = words[start:]
            if rest[0][0].isupper() and (_is_beginning(alias, rest) or _is_initials(alias, rest)):
                yield alias, " ".join(rest)
                return


def _is_beginning(alias: str, words: list[str]) -> bool:
    whole = words[0].lower()
    return len(alias) >= 2 and " " not in alias and whole != alias.lower() and whole.startswith(alias.lower())


def _is_initials(alias: str, words: list[str]) -> bool:
    """Tell whether an alias is made of initials, those of the small words taken in or left out."""
    capitals = "".join(word[0] for word in words if word[0].isupper())
    return len(words) > 1 and alias.replace(".", "") in (capitals, "".join(word[0].upper() for word in words))


def _is_alias(alias: str, full: str) -> bool:
    names_both = all(name.lower() not in FUNCTION_WORDS for name in (alias, full))
    return names_both and entity_key(alias) != entity_key(full)
