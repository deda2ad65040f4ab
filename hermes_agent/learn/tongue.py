"""What is known of a language beside English: its small words, and what its verbs tell.

Read from `tongue_xx.txt` when the language is first met. A line of words is `what they do: the words`; a line of a
verb is `verb attribute shape: first person / third / past / participle / gerund: prepositions`. Accents may be
missing in what is typed where no small word is meant then. Behind an attribute stand marks: + it begins, ! it
ends, - it denies, ~ the verb belongs to its value, ^ denied it is so, = it tells something only when denied.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from hermes_agent.learn.patterns import Pattern
from hermes_agent.text.words import fold

Tense = Literal["present", "past", "done", "doing"]
Person = Literal["first", "third", "any"]
DIRECT = "-"
CODES = ("de", "es", "fr", "it", "nl", "pt")
_COLUMNS: tuple[tuple[Person, Tense], ...] = (
    ("first", "present"),
    ("third", "present"),
    ("any", "past"),
    ("any", "done"),
    ("any", "doing"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """What a verb tells: the attribute, the shape of its value, the words in front of it, and its marks."""

    attribute: str
    marks: str
    shape: str
    prepositions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a verb."""

    line: Line
    person: Person
    tense: Tense


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language: words by what they do, the forms of its verbs."""

    code: str
    words: Mapping[str, frozenset[str]]
    forms: Mapping[str, tuple[Form, ...]]
    over: Pattern
    number: Pattern

    def does(self, word: str, *kinds: str) -> bool:
        """Tell whether a word is of one of the kinds."""
        return any(word in self.words[kind] for kind in kinds)

    @property
    def is_verb_last(self) -> bool:
        """Whether the verb of a subordinate clause stands at its end."""
        return self.code in ("de", "nl")

    @property
    def drops_subject(self) -> bool:
        """Whether "I" is left out as a rule."""
        return self.code in ("es", "it", "pt")


@cache
def tongue(code: str) -> Tongue:
    """Return a language by its code."""
    text = files("hermes_agent.learn").joinpath(f"tongue_{code}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    said = dict(line.split(":", 1) for line in lines if not line.startswith("verb "))
    words = {kind: frozenset(listed.split()) for kind, listed in said.items()}
    words |= {kind: words.get(kind, frozenset()) for kind in ("stay1", "stay3")}
    small = frozenset().union(*(listed for kind, listed in words.items() if kind != "hints"))
    forms: dict[str, tuple[Form, ...]] = {}
    for line in lines:
        if line.startswith("verb "):
            _enter(forms, line, small)
    return Tongue(code, words, forms, Pattern(said["over"].strip()), Pattern(said["number"].strip()))


def _enter(forms: dict[str, tuple[Form, ...]], text: str, small: frozenset[str]) -> None:
    head, columns, prepositions = text.removeprefix("verb ").split(":")
    name, shape = head.split()
    attribute = name.rstrip("+!-~^=")
    line = Line(attribute.replace("_", " "), name[len(attribute) :], shape, frozenset(prepositions.split()))
    for (person, tense), column in zip(_COLUMNS, columns.split("/"), strict=False):
        for word in column.split():
            plain = fold(word)
            is_other = plain in small or (plain != word and plain in forms)
            for one in {word} if is_other else {word, plain}:
                forms[one] = (*forms.get(one, ()), Form(line, person, tense))
