"""Phrases with gaps: how the tables of threats are written, and how a text is searched for one.

A phrase is words with one space between them. `ignore/forget` is either word, `instruction*` any ending,
`the?` may be missing, `do_not` is two words, `..` is up to four words of filler and `...` up to eight, `^` is
the beginning of a sentence or of a part of one. Filler never leaves the sentence and is bounded, so that a
search takes time in proportion to the text. In a script without spaces a gap counts characters.

A line of a table is an id and a phrase. `!` behind the id: a prohibition right before it lets it pass ("never
ignore your rules"); `!!`: one earlier in the same part of the sentence does; `~`: so does a teller ("we send
…"). `-` before the id: what matches this phrase at the same place passes. `not:` and `told:` name the words.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

_ACCENTS = re.compile("[\u0300-\u036f\u0640\u064b-\u065f\u0670]+")
_ENDINGS = re.compile(r"[.!?;:](?=[\s\"')\]]|$)|[。！？；：؟।\n]")
_PAUSES = re.compile("[,،，、]")
_END, _PAUSE = _MARKS = ("\x01", "\x02")
_ASCII_ONLY_WORDS = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in _MARKS}
_LATIN = re.compile("[a-z]")
# Letters of other alphabets that pass for Latin ones, in words that mix both.
_OTHER = re.compile("[\u0370-\u04ff]")
_LOOKALIKES = str.maketrans("аеорсухіјѕһкмтвнοαεικρυν", "aeopcyxijshkmtbhoaeikpuv")
_LOOK_BACK = 120
_SHORTEST_OPENING, _OPENING = 2, 4

_WORD = "[^., ]"
_SPACED_GAPS = {"..": f"(?:{_WORD}+ (?:, )?){{0,4}}?", "...": f"(?:{_WORD}+ (?:, )?){{0,8}}?"}
_SOLID_GAPS = {"..": "[^.]{0,6}?", "...": "[^.]{0,14}?"}


def fold(text: str) -> str:
    """Return the text in lower case, in compatible forms, without accents and vowel points."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", folded))


def plain(text: str) -> str:
    """Return the words of a text, folded, one space between them; `.` ends a sentence, `,` a part of one."""
    marked = _PAUSES.sub(_PAUSE, _ENDINGS.sub(_END, fold(text)))
    if marked.isascii():
        kept = marked.translate(_ASCII_ONLY_WORDS)
    else:
        kept = "".join(c if unicodedata.category(c)[0] in "LMN" or c in _MARKS else " " for c in marked)
    words = kept.replace(_END, " . ").replace(_PAUSE, " , ").split()
    if _LATIN.search(kept) and _OTHER.search(kept):
        words = [w.translate(_LOOKALIKES) if _LATIN.search(w) and _OTHER.search(w) else w for w in words]
    return f" . {' '.join(words)} . "


def solid(plain_text: str) -> str:
    """Return a plain text without its spaces; only where a sentence ends is marked."""
    return plain_text.replace(" ", "").replace(",", "")


def openings(words: set[str]) -> set[str]:
    """Return words and how they begin: most phrases are ruled out by them, without a search."""
    sizes = range(_SHORTEST_OPENING, _OPENING + 1)
    return words.union(*({f"{word[:size]}*" for word in words} for size in sizes))


@dataclass(frozen=True)
class Phrase:
    """One phrase of a table, compiled when a text first holds a word of it."""

    source: str
    is_solid: bool = False

    @cached_property
    def needles(self) -> tuple[str, ...]:
        """The words of which one must be in a text that holds the phrase: those of its rarest place."""
        return tuple(word.partition("*")[0].strip() for word in self._rarest)

    @cached_property
    def openings(self) -> frozenset[str]:
        """Those words, or how they begin, in the form of `openings`; for phrases over the plain form."""
        return frozenset(map(_opening, self._rarest))

    @cached_property
    def _rarest(self) -> Sequence[str]:
        places = [_alternatives(token) for token in self.source.split() if not _is_loose(token)]
        return max(places, key=lambda words: (min(len(word.partition("*")[0]) for word in words), -len(words)))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The phrase as a regular expression over the plain or the solid form."""
        pieces = [self._piece(token) for token in self.source.split()]
        return re.compile("".join(pieces) if self.is_solid else f"(?<= ){''.join(pieces)}")

    def _piece(self, token: str) -> str:
        if token in _SPACED_GAPS:
            return (_SOLID_GAPS if self.is_solid else _SPACED_GAPS)[token]
        words = "|".join(map(_word, _alternatives(token.rstrip("?"))))
        piece = f"(?:{words})" if self.is_solid else f"(?:{words}) (?:, )?"
        return f"(?:{piece})?" if token.endswith("?") else piece


@dataclass(frozen=True, slots=True)
class Threat:
    """Something that must not be said to the agent, in one language."""

    id: str
    phrase: Phrase
    guard: re.Pattern[str] | None
    exceptions: tuple[Phrase, ...] = ()

    def is_in(self, text: str) -> bool:
        """Tell whether the text, in the phrase's form, says it."""
        return next(self.places(text), None) is not None

    def places(self, text: str) -> Iterator[int]:
        """Yield where the text, in the phrase's form, says it."""
        if not any(needle in text for needle in self.phrase.needles):
            return
        for match in self.phrase.pattern.finditer(text):
            start = match.start()
            is_guarded = self.guard is not None and self.guard.search(text, max(0, start - _LOOK_BACK), start)
            if not is_guarded and not any(other.pattern.match(text, start) for other in self.exceptions):
                yield start


def read_table(table: str, *, is_solid: bool = False) -> list[Threat]:
    """Read the lines of one language."""
    forbidding = telling = ""
    threats: list[Threat] = []
    # An indented line goes on with the one above; behind a slash it goes on with the same choice of words.
    whole = table.replace("/\n    ", "/").replace("\n    ", " ")
    for line in filter(None, whole.splitlines()):
        name, _, rest = line.partition(" ")
        if name == "not:":
            forbidding = "|".join(re.escape(word) for word in _alternatives(rest.strip()))
        elif name == "told:":
            telling = "|".join(re.escape(word) for word in _alternatives(rest.strip()))
        elif name.startswith("-"):
            last = threats.pop()
            threats.append(replace(last, exceptions=(*last.exceptions, Phrase(rest.strip(), is_solid))))
        else:
            guard = "|".join(_guards(name, forbidding, telling, is_solid))
            phrase = Phrase(rest.strip(), is_solid)
            threats.append(Threat(name.rstrip("!~"), phrase, re.compile(guard) if guard else None))
    return threats


def _guards(name: str, forbidding: str, telling: str, is_solid: bool) -> Iterator[str]:
    if is_solid:
        if "!" in name:
            yield f"(?:{forbidding})$"
        return
    if "!!" in name:
        yield f" (?:{forbidding})(?: [^.,]*)? $"
    elif "!" in name:
        yield f" (?:{forbidding}) $"
    if "~" in name:
        yield f" (?:{telling}) $"


def _word(word: str) -> str:
    return "[.,]" if word == "^" else re.escape(word).replace(r"\*", f"{_WORD}*")


def _opening(word: str) -> str:
    begins, star, _ = max(word.split(), key=len).partition("*")
    return f"{begins[:_OPENING]}*" if star else begins


def _alternatives(token: str) -> list[str]:
    return [fold(word).replace("_", " ") for word in token.split("/")]


def _is_loose(token: str) -> bool:
    return token in _SPACED_GAPS or "^" in token or token.endswith("?")
