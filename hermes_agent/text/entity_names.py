"""Find names by their capital letters, sentence by sentence."""

from collections.abc import Iterator
from typing import NamedTuple

from hermes_agent.text.compiled import compiled
from hermes_agent.text.entity_forms import Kind, Mention
from hermes_agent.text.entity_words import (
    FUNCTION_WORDS,
    GERMAN,
    GERMAN_CUES,
    GERMAN_DETERMINERS,
    GERMAN_NOUN_END,
    GERMAN_NOUN_MAY_END,
    GERMAN_NOUNS,
    GERMAN_VERBS,
    INNER_WORDS,
    NO_SENTENCE_END,
    NOT_GERMAN,
    ORDINARY,
    ORDINARY_END,
    PROJECT_WORDS,
    TITLES,
)

_TOKEN = r"[^\W\d_]\w{0,80}(?:['’.&+-]\w{1,40}){0,4}[+#]{0,2}|\d\w{0,40}|[^\w\s]|\n"
_POSSESSIVE = r"(?i)(?:['’]s|['’])$"
_HUMP = r"[^\W\d_A-Z][A-Z]"
_ENDS = frozenset(".!?…\n:;•|>。！？")
_LONGEST_NAME = 6
_HEADLINE_WORDS = 4
_LATIN_END = "\u024f"
_PROJECT_END = r"-(?:[Pp]rojekt|[Pp]roject)$"
_CONTRACTED = frozenset({"m", "ve", "re", "ll", "d", "t", "s"})
_ELIDED = frozenset({"l", "j", "c", "d", "n", "s", "t", "m", "qu"})
# Words that open a name as well as a sentence: New York, Los Angeles.
_NAME_OPENERS = frozenset({"new", "los", "las", "san", "big", "best", "great", "old", "st"})
_NAME_ARTICLES = frozenset({"la", "le", "el", "die", "der"})
# What a headline writes small.
_SMALL = frozenset(
    {
        "of",
        "and",
        "the",
        "in",
        "a",
        "an",
        "to",
        "for",
        "with",
        "on",
        "at",
        "or",
        "by",
        "from",
        "vs",
        "und",
        "et",
        "de",
    }
)
_CUES = TITLES | PROJECT_WORDS | {word for word in GERMAN_CUES if len(word) > 3 and word not in ("nach", "heißt")}


class _Word(NamedTuple):
    """A word of a sentence, without its possessive; `gap` is whether more than a space stands before it."""

    text: str
    plain: str
    start: int
    gap: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def has_capital(self) -> bool:
        return self.text[0] != self.plain[:1]

    @property
    def is_shouted(self) -> bool:
        return len(self.text) > 1 and self.text.isupper()

    @property
    def has_form(self) -> bool:
        """Tell whether the word is written as no ordinary word is: `GitHub`, `FTS5`."""
        if self.text == self.plain:
            return False
        has_digit = any(letter.isdigit() for letter in self.text)
        return compiled(_HUMP).search(self.text) is not None or (self.has_capital and has_digit)


def names(text: str) -> Iterator[Mention]:
    """Yield the names in a text, in order; `text` has blanks where something else was found."""
    is_german = _is_german(text[:4_000].lower().split())
    for sentence in _sentences(text):
        yield from _in_sentence(sentence, is_german)


def _sentences(text: str) -> Iterator[list[_Word]]:
    sentence: list[_Word] = []
    end = 0
    for token in compiled(_TOKEN).finditer(text):
        said = token[0]
        if said[0].isalnum():
            bare = compiled(_POSSESSIVE).sub("", said) if "'" in said or "’" in said else said
            start, after = token.span()
            sentence.append(_Word(bare, bare.lower(), start, text[end:start] != " "))
            # After a possessive a new name begins: "Anna's Atlas".
            end = after if bare == said else -1
        elif said in _ENDS and not _is_abbreviation(said, sentence):
            if sentence:
                yield sentence
            sentence = []
        elif said == "." and sentence:
            end = token.end()
    if sentence:
        yield sentence


def _is_abbreviation(mark: str, sentence: list[_Word]) -> bool:
    if mark != "." or not sentence:
        return False
    last = sentence[-1]
    return last.plain in NO_SENTENCE_END or (len(last.text) == 1 and last.has_capital)


def _is_german(words: list[str]) -> bool:
    return sum(map(GERMAN.__contains__, words)) > sum(map(NOT_GERMAN.__contains__, words))


def _in_sentence(sentence: list[_Word], is_german: bool) -> Iterator[Mention]:
    # Most words have no capital, and no name begins with them.
    starts = [place for place, word in enumerate(sentence) if word.text != word.plain]
    if not starts:
        return
    plain = [word.plain for word in sentence]
    german_here = sum(map(GERMAN.__contains__, plain))
    other_here = sum(map(NOT_GERMAN.__contains__, plain))
    if german_here != other_here:
        is_german = german_here > other_here
    is_headline = _is_headline(sentence)
    end = 0
    for start in starts:
        if start < end:
            continue
        end = start + _run_at(sentence, start)
        found = _named(sentence, start, end, is_german, is_headline) if end > start else None
        if found is not None:
            yield found


def _is_headline(sentence: list[_Word]) -> bool:
    """Tell a headline or a shouted line, where capitals mean nothing: hardly a word of it is without."""
    words = [word for word in sentence if word.text[0].isalpha()]
    if sum(word.has_capital for word in words) < 3:
        return False
    shouted = sum(word.is_shouted for word in words)
    if shouted > 2 and (shouted == len(words) or (shouted > 3 and 10 * shouted >= 7 * len(words))):
        return True
    large = [word for word in words if word.has_capital and not word.gap]
    small = sum(not word.has_capital and word.plain not in _SMALL for word in words)
    return len(large) >= _HEADLINE_WORDS and 6 * small <= len(large)


def _run_at(sentence: list[_Word], place: int) -> int:
    """Return how many words from a place on are written as one name: Bank of America, Anna Schmidt."""
    if not _may_begin(sentence[place]):
        return 0
    length, at = 1, place + 1
    while at < len(sentence) and at - place < _LONGEST_NAME:
        inner = at + _inner_words(sentence[at : at + 2])
        if inner >= len(sentence) or any(word.gap for word in sentence[at : inner + 1]):
            break
        if not _may_begin(sentence[inner]):
            break
        if inner > at and sentence[place].is_shouted:  # "CEO of Google" are two
            break
        at = inner + 1
        length = at - place
    return length


def _inner_words(following: list[_Word]) -> int:
    """Return how many small words may stand here inside a name: Bank of America, Lord of the Rings."""
    texts = [word.text for word in following]
    if not texts or texts[0] not in INNER_WORDS:
        return 0
    return 2 if texts[1:] and (texts[1] in INNER_WORDS or texts == ["of", "the"]) else 1


def _may_begin(word: _Word) -> bool:
    return word.has_capital or word.has_form


def _named(sentence: list[_Word], start: int, end: int, is_german: bool, is_headline: bool) -> Mention | None:
    """Cut what names nothing off a run, and return what is left if it is a name."""
    opens = start == 0 or sentence[start].gap
    while start < end and _is_ordinary(sentence[start], opens=opens, is_last=start + 1 == end):
        start += 1
    while end > start + 1 and _is_ordinary(sentence[end - 1], opens=False, is_last=True):
        end -= 1
    if start == end:
        return None
    cue = sentence[start - 1].plain if start and not sentence[start].gap else ""
    while start < end - 1 and (sentence[start].plain in _CUES or not _may_begin(sentence[start])):
        cue = sentence[start].plain
        start += 1
    if sentence[start].plain in _CUES:
        return None
    run = sentence[start:end]
    after = sentence[end].plain if end < len(sentence) and not sentence[end].gap else ""
    if len(run) > 1 and run[-1].plain in PROJECT_WORDS:
        run, after = run[:-1], run[-1].plain
    is_project = cue in PROJECT_WORDS or after in PROJECT_WORDS
    name = compiled(_PROJECT_END).sub("", " ".join(word.text for word in run))
    if len(name) < 2 or not (is_project or _is_name(run, cue, after, opens, is_german, is_headline)):
        return None
    kind: Kind = "project" if is_project or len(name) < run[-1].end - run[0].start else "name"
    return Mention(run[0].start, run[-1].end, name, kind)


def _is_ordinary(word: _Word, *, opens: bool, is_last: bool) -> bool:
    """Tell whether a word with a capital names nothing: more words do where a sentence or a part of it opens."""
    if word.has_form:
        return False
    head, mark, tail = word.plain.replace("’", "'").partition("'")
    if mark and (tail in _CONTRACTED or (head in _ELIDED and word.text[len(head) + 1].islower())):
        return True
    if not is_last and (word.plain in _NAME_OPENERS or (word.plain in _NAME_ARTICLES and not opens)):
        return False
    return word.plain in (ORDINARY if opens else FUNCTION_WORDS)


def _is_name(run: list[_Word], cue: str, after: str, opens: bool, is_german: bool, is_headline: bool) -> bool:
    if any(word.has_form for word in run):
        return True
    if is_headline:
        return False
    if len(run) == 1 and run[0].is_shouted:
        return True
    if is_german:
        return _is_german_name(run, cue, after, opens)
    if len(run) > 1:
        return not all(word.plain in ORDINARY or compiled(ORDINARY_END).search(word.plain) for word in run)
    word = run[0].plain
    return not opens or (word[0] <= _LATIN_END and compiled(ORDINARY_END).search(word) is None)


def _is_german_name(run: list[_Word], cue: str, after: str, opens: bool) -> bool:
    if any(word.plain in GERMAN_NOUNS or compiled(GERMAN_NOUN_END).search(word.plain) for word in run):
        return False
    if len(run) > 1 or cue in GERMAN_CUES or cue in TITLES:
        return True
    if cue in GERMAN_DETERMINERS or compiled(GERMAN_NOUN_MAY_END).search(run[0].plain):
        return False
    return cue in GERMAN_VERBS or (opens and after in GERMAN_VERBS)
