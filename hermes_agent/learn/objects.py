"""Cut what stands behind a verb into values: "padel, chess and a bit of bass guitar" are three.

A value ends at a time, at a contrast ("not tea") and, unless prepositions belong to it, at the first of them.
Where one part of a list is no thing by itself ("a safe, inviting place") the whole is one value.
"""

from collections.abc import Iterator

from hermes_agent.learn import glue
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.times import Time, times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import is_adverb
from hermes_agent.text.verbs import is_sure, lemma

_CONTRASTS = word_set("not instead rather but except because since although though so then over than how what")
_EMPTY = word_set(
    """it this that these those them him her me us you everything anything something nothing one ones lot lots more
    most all some any both things thing stuff myself such much here there so"""
)
_LEADING = glue.DETERMINERS | word_set(
    "bit lot lots few couple of only just mainly mostly far too many much more new"
)
_BEFORE_TO = word_set("like love want going used able have need try learn how not")
_KEPT = word_set("that")
_TAILS = word_set("please max online myself ourselves installed")
_ENDS = glue.JOINTS | glue.RELATIVES | glue.CONDITIONS | frozenset('():;—–-…"')
_DEGREES = (["a", "lot", "more"], ["a", "bit", "more"], ["a", "lot"], ["a", "bit"], ["so", "much"], ["more"])
_QUALITIES = word_set(
    """bright casual cheap classic clean cold cosy cozy dark edgy fast fresh handmade healthy heavy light minimal
    modern natural quiet simple small soft strong unique vintage warm"""
)
_UNITS = word_set("minutes hours days weeks months year years decades")
_COUNTS = word_set("a couple of few half several") | glue.NUMBERS.keys()
_NAMES = word_set("max will may")
_EXCLAIMED = word_set("god heaven heavens bless thank touch lord mind believe")
_CALLED_UPON = word_set("help knows forbid willing him her them me us god goodness wood you it")
_OVER = word_set("over to than above")


def end_of_object(words: Words, begin: int, end: int, *, rest: bool) -> int:
    """Return where the object at a place ends; with `rest` prepositions belong to it."""
    # A time in front of the thing belongs to it: "a 1974 Citroën".
    found = [one for one in times(words, begin, end) if one.begin > begin and not _is_part(words, one)]
    stop = found[0].begin if found else end
    for place in range(begin, stop):
        word = words.words[place]
        if word == "," and words.at(place + 1) in ("only", "just", "never", "ever", "no", "wait", "sorry"):
            return place
        if word == "," and words.at(place + 1) in _EXCLAIMED and words.at(place + 2) in _CALLED_UPON:
            return place
        if word == "," and words.at(place + 1) == "and" and _is_other(words, begin, place + 2):
            return place
        if word in _CONTRASTS or (word in _ENDS and word not in glue.AND and not (rest and word == "that")):
            return place
        if word in glue.PREPOSITIONS and word != "of" and not rest and place > begin:
            return place
        if rest and place > begin and (word == "'" or (word == "to" and _is_aim(words, place))):
            return place
        if rest and word == "for" and words.words[begin - 1] not in ("'s", "is") and place > begin:
            return place
        if word in ("'cause", "lately"):
            return place
        if word == "anymore" or (word == "any" and words.at(place + 1) in ("more", "longer")):
            return place
    return stop


def _is_other(words: Words, begin: int, place: int) -> bool:
    """Tell whether a list of other things begins: "mad about trains, and a girl of six"."""
    return (
        words.at(place) in ("a", "an")
        and words.words[begin] not in ("a", "an", "the")
        and place < len(words.words)
    )


def _is_aim(words: Words, place: int) -> bool:
    """Tell whether "to" says what for: "listen to records to relax", not "like to relax"."""
    return bool(lemma(words.at(place + 1), "base")) and words.words[place - 1] not in _BEFORE_TO


def _is_part(words: Words, one: Time) -> bool:
    return words.words[one.begin - 1] in glue.DETERMINERS and one.kind in ("date", "past")


def values(words: Words, begin: int, end: int, *, rest: bool = False) -> list[Span]:
    """Return the values of a list, each without articles and adverbs around it."""
    is_broken = begin < end and (words.words[begin] in glue.PREPOSITIONS or words.words[begin] == ",")
    if begin >= end or is_broken or _is_finite(words.words[begin]):
        return []
    stop = end_of_object(words, begin, end, rest=rest)
    parts = list(_parts(words, begin, stop))
    if len(parts) > 1 and not _are_alike(words, parts):
        parts = [(begin, stop)]
    parts = [part for part in parts if part[0] == begin or words.words[part[0]] != "too"]  # "…, too slow"
    if len(parts) == 2 and _is_summed_up(words, parts[1]):
        parts = parts[:1]
    found = (trimmed(words, *part) for part in parts)
    spans = [span for span in found if span is not None]
    return [one for one in spans if one[0] == begin or words.words[one[0]] not in glue.PREPOSITIONS]


def _is_summed_up(words: Words, part: Span) -> bool:
    """Tell whether a part only names what was said: "latex, a circumstance which …"."""
    is_aside = words.words[part[0] - 1] == "," and words.words[part[0]] in ("a", "an")
    is_named = any(words.is_capital(at) for at in range(*part))  # "a new car, a Honda that I bought"
    return is_aside and not is_named and words.at(part[1]) in ("which", "that")


def _is_finite(word: str) -> bool:
    """Tell whether a word is the verb of a clause that was not seen: "a fellow I know phoned"."""
    verb = lemma(word, "past")
    return bool(verb) and is_sure(verb) and verb != word and not lemma(word, "base")


def one_value(words: Words, begin: int, end: int) -> Span | None:
    """Return a single value, which may hold commas: an address, a title with its name."""
    stop = _before_doing(words, begin, end_of_object(words, begin, end, rest=False))
    for place in range(begin, stop):
        is_joined = words.words[place] == "," and place + 1 < stop and words.is_capital(place + 1)
        is_joined = is_joined and not words.words[place + 1].startswith(("utc", "gmt"))
        if (words.words[place] == "," and not is_joined) or words.words[place] == "and" and place > begin:
            if words.words[place] == "and" and place + 1 < stop and words.is_capital(place + 1):
                continue
            stop = place
            break
    return trimmed(words, begin, stop)


def _before_doing(words: Words, begin: int, end: int) -> int:
    """Return where a name ends in front of what is done there: "Singapore doing something with bonds"."""
    for place in range(begin + 1, end):
        word = words.words[place]
        is_doing = word.endswith("ing") and not words.is_capital(place) and bool(lemma(word, "ing"))
        if is_doing and words.is_capital(place - 1):
            return place
    return end


def _parts(words: Words, begin: int, end: int) -> Iterator[Span]:
    start = begin
    for place in range(begin, end):
        if words.words[place] in glue.AND or words.words[place] == ",":
            if start < place:
                yield start, place
            start = place + 1
    if start < end:
        yield start, end


def _are_alike(words: Words, parts: list[Span]) -> bool:
    """Tell whether the parts of a list are things each: all doings or none, none a bare adjective."""
    doing = [words.words[begin].endswith("ing") and end - begin > 1 for begin, end in parts]
    first, second = parts[0], parts[1]
    is_article = words.words[first[1] - 2] in ("a", "an") and words.words[second[0]] not in glue.DETERMINERS
    is_adjective = is_article and words.words[first[1]] == "," and first[1] - first[0] >= 2
    is_adjective = is_adjective or (first[1] - first[0] == 1 and words.words[first[0]] in _QUALITIES)
    return not is_adjective and not (doing[0] and not all(doing))


def _is_leading(words: Words, begin: int, end: int) -> bool:
    word = words.words[begin]
    if begin + 1 < end and word in ("new", "the") and words.is_capital(begin) and words.is_capital(begin + 1):
        return word == "the"  # New York
    return word in _LEADING or word in glue.MARKS or (is_adverb(word) and not _is_name(words, begin))


def _is_trailing(words: Words, place: int, begin: int) -> bool:
    word = words.words[place]
    is_bare = is_adverb(word) or word in glue.MARKS | _TAILS
    is_alone = word == "max" and place == begin  # "I go by max"
    return is_bare and not is_alone and not _is_name(words, place)


def _is_name(words: Words, place: int) -> bool:
    """Tell whether a word that is mostly none is a name: Max, Will, May; Fastly, LaunchDarkly."""
    word = words.words[place]
    return (word in _NAMES or (word.endswith("ly") and place > 0)) and words.is_capital(place)


def trimmed(words: Words, begin: int, end: int) -> Span | None:
    """Take articles in front and adverbs around away; None if no thing is left."""
    while begin < end and _is_leading(words, begin, end):
        begin += 1
    while end > begin and _is_trailing(words, end - 1, begin):
        end -= 1
    end = _without_while(words, begin, end)
    if end - begin > 2 and words.words[end - 2] == "more" and is_adverb(words.words[end - 1]):
        end -= 1
    for tail in _DEGREES:
        if words.words[end - len(tail) : end] == tail and end - len(tail) > begin:
            end -= len(tail)
            break
    if begin < end and words.words[begin] in glue.OBJECTS:
        return None
    if (
        begin >= end
        or (end - begin == 1 and words.words[begin] in _EMPTY | glue.CLOSED and not _is_name(words, begin))
        or words.words[end - 1] in glue.OBJECTS
    ):
        return None
    return begin, end


def _without_while(words: Words, begin: int, end: int) -> int:
    """Return where a value ends in front of "a couple of weeks", of which only "ago" was read as a time."""
    at = end - 1
    if at <= begin or words.words[at] not in _UNITS:
        return end
    while at - 1 > begin and (words.words[at - 1] in _COUNTS or words.words[at - 1].isdigit()):
        at -= 1
    is_past = words.at(end) in ("ago", "back", "earlier") and at < end - 1
    return at if is_past or (at < end - 1 and words.words[at] in ("a", "half", "several")) else end


def first_part(words: Words, begin: int, end: int) -> int:
    """Return where the part of a phrase before its first comma ends."""
    return words.words.index(",", begin, end) if "," in words.words[begin:end] else end
