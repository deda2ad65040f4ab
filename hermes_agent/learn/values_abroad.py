"""Find the value in a part of a sentence of another language, and tell whether it has the shape that is needed."""

from collections.abc import Iterable, Iterator, Sequence

from hermes_agent.learn import lexicon
from hermes_agent.learn.clauses_abroad import is_number
from hermes_agent.learn.nouns_abroad import is_a, is_job
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tongue import DIRECT, Line, Tongue
from hermes_agent.text.words import fold

_LONGEST = {"place": 4, "firm": 5, "post": 4, "name": 3, "car": 3, "tool": 5}
_FAR = ("studies", "work", "pet", "owns", "collects", "habit")
"""Their values take along what follows with a preposition: "enfermería en Pamplona"."""
_BARE_POST = ("als", "comme", "como", "come")
_CLASS = ("clase", "aula", "lezion", "cours", "unterricht", "nachhilfe", "les", "explica")
_SOLD_NOT = ("job", "arbeit", "stelle", "herz", "trabajo", "lavoro", "emprego", "travail", "werk", "baan", "cœur")


def value_of(words: Words, region: Sequence[int], line: Line, tongue: Tongue) -> Span | None:
    """Return where the value of a verb stands among the words that are left for it; None where none fits.

    A place may stand behind another: "bei meinen Eltern in Celle".
    """
    for begin in _begins(words, region, line.prepositions, tongue):
        span = span_at(words, region, begin, tongue, is_far=line.attribute in _FAR)
        if span is not None and fits(words, span, line, tongue):
            return span
        if line.attribute != "home":
            break
    if line.shape not in ("tongue", "game") or DIRECT not in line.prepositions:
        return None
    alone = (place for place in region if is_a(line.shape, words.words[place]))
    return next(
        ((place, place + 1) for place in alone if not tongue.does(words.words[place - 1], "prepositions")), None
    )


def span_at(
    words: Words, region: Sequence[int], begin: int, tongue: Tongue, *, is_far: bool = False
) -> Span | None:
    """Return the run of words from a place on, without articles in front, up to what does not belong to it."""
    places = set(region)
    while begin in places and is_before_value(words.words[begin], tongue):
        begin += 1
    end = begin
    while end in places and not _is_end(words, begin, end, tongue, is_far=is_far):
        end += 1
    while end > begin and (
        tongue.does(words.words[end - 1], "prepositions", "articles") or words.words[end - 1] == ","
    ):
        end -= 1
    return (begin, end) if end > begin else None


def is_before_value(word: str, tongue: Tongue) -> bool:
    """Tell whether a word only leads up to a value: an article, "my", "a bit of"."""
    return tongue.does(word, "articles", "mine", "oblique") or is_a("little", word)


def _begins(words: Words, region: Sequence[int], prepositions: frozenset[str], tongue: Tongue) -> Iterator[int]:
    for index, place in enumerate(region):
        word = words.words[place]
        if word in prepositions:
            following = region[index + 1 : index + 3]
            # "vicino a Pesaro", "près de Lyon", "cerca de Vigo": a second preposition belongs to the first.
            is_double = len(following) > 1 and word in ("vicino", "près", "cerca", "perto", "nahe")
            yield from following[is_double : is_double + 1]
        elif not prepositions or DIRECT in prepositions:
            if not tongue.does(word, "prepositions") or tongue.does(word, "articles"):
                yield place
            return


def _is_end(words: Words, begin: int, place: int, tongue: Tongue, *, is_far: bool) -> bool:
    word = words.words[place]
    if tongue.does(word, "because", "relatives") and not tongue.does(word, "articles"):
        return True
    if tongue.does(word, "prepositions") and not tongue.does(word, "of"):
        return not is_far or place == begin
    return False


def items(words: Words, spans: Iterable[Span], first: Span, tongue: Tongue) -> Iterator[Span]:
    """Yield the values that go on with a list: "inglese, francese e un po' di tedesco"."""
    for begin, end in spans:
        is_led = tongue.does(words.words[begin], "articles", "prepositions") and not _is_little(words, begin)
        first_led = tongue.does(words.words[first[0] - 1], "articles", "prepositions") if first[0] else False
        while begin < end and (
            tongue.does(words.words[begin], "prepositions", "adverbs")
            or is_before_value(words.words[begin], tongue)
        ):
            begin += 1
        if begin == end or end - begin > 3 or (is_led and not first_led):
            return
        if words.is_capital(begin) != words.is_capital(first[0]):
            return
        if any(tongue.does(word, "prepositions", "he", "i", "we", "vague") for word in words.words[begin:end]):
            return
        yield begin, end


def _is_little(words: Words, place: int) -> bool:
    return is_a("little", words.at(place + 1))


def fits(words: Words, span: Span, line: Line, tongue: Tongue) -> bool:
    """Tell whether a value has the shape its verb needs."""
    said = words.words[span[0] : span[1]]
    if tongue.does(said[0], "vague") or len(said) > _LONGEST.get(line.shape, 8):
        return False
    before = words.words[span[0] - 1] if span[0] else ""
    is_my = any(tongue.does(word, "mine", "oblique") for word in (before, *said))
    if (is_my and line.shape != "own") or any(tongue.does(word, "i", "he") for word in said):
        return False
    if line.attribute in ("likes", "prefers") and any(is_a("talk", word) for word in said):
        return False
    if line.attribute == "studies" and tongue.does(before, "some"):
        return False
    match line.shape:
        case "place":
            return _is_place(words, span, before, tongue)
        case "firm":
            return not any(is_a("nofirm", word) or is_a("tongue", word) for word in said) and not said[0].isdigit()
        case "post":
            is_bare = words.words[span[0] - 1] in _BARE_POST
            return is_post(said) or (is_bare and len(said) <= 3)
        case "game" | "deed" | "tongue" | "food" | "retired" | "choir" | "animal":
            return any(is_a(line.shape, word) for word in said)
        case "both":
            return any(is_a(kind, word) for word in said for kind in ("game", "deed"))
        case "lasting":
            return any(is_a(kind, word) for word in said for kind in ("game", "tongue"))
        case "number":
            return is_number(said[0], tongue) and all(tongue.does(word, "years") for word in said[1:])
        case "started":
            return tongue.does(before, "some") and any(is_a("own", word) for word in said)
        case "class":
            return any(word.startswith(_CLASS) or word.endswith(("les", "unterricht", "kurse")) for word in said)
        case "own":
            is_mine = any(tongue.does(word, "mine", "oblique") for word in (before, *said))
            is_known = any(is_a("own", word) or is_a("animal", word) for word in said)
            return (is_mine or is_known) and not any(word in _SOLD_NOT for word in said)
        case "tool":
            return _is_tool(words, span, before, tongue)
        case "car":
            return tongue.does(before, "some") and words.is_capital(span[0]) and not is_a("own", said[0])
        case "name":
            return words.is_capital(span[0]) or fold(said[0]) in lexicon.GIVEN_NAMES
    return not said[0].isdigit()


def is_post(said: Sequence[str]) -> bool:
    """Tell whether words name an occupation, by the first two of them."""
    return any(is_job(word) for word in said[:2])


def _is_place(words: Words, span: Span, before: str, tongue: Tongue) -> bool:
    said = words.words[span[0] : span[1]]
    is_within = words.is_capital(span[1] - 1) and any(tongue.does(word, "of") for word in said)
    if is_a("home", said[0]) or any(word[0].isdigit() for word in said):
        return False
    if tongue.does(before, "some") and not is_within:
        return False  # "un piso", but "un pueblo de Segovia"
    if tongue.code == "de" and not words.is_lower:
        is_led = tongue.does(before, "articles") or before in ("im", "am")
        return words.is_capital(span[0]) and (not is_led or is_a("region", said[0]))
    is_named = any(words.is_capital(place) for place in range(*span))
    return is_named or (words.is_lower and len(said) <= 2)


def _is_tool(words: Words, span: Span, before: str, tongue: Tongue) -> bool:
    said = words.words[span[0] : span[1]]
    if any(word in members for word in said for members in lexicon.KINDS.values()):
        return True
    if tongue.code == "de":
        return words.is_capital(span[0]) and not tongue.does(before, "articles")
    return words.is_capital(span[0])
