"""Read everything a message in another language tells, as `hearing` does for English. Pure, without a model.

What is asked, supposed, quoted, invented or said by others tells nothing. The lines of `grammar_languages`, which
the live chat reads by, add names, favourites and what is asked to be remembered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes_agent.learn import attributes
from hermes_agent.learn.birthdays_abroad import BIRTHDAY, BORN, DATE, DAY_DOT, YEAR
from hermes_agent.learn.clauses_abroad import (
    Course,
    Part,
    parts,
    polarity_of,
    subject_of,
    time_places,
    verbs_of,
    words_of,
)
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.foreign import read_in
from hermes_agent.learn.moods import QUOTATION
from hermes_agent.learn.nouns_abroad import favourite, relation_of
from hermes_agent.learn.orders_abroad import read_called_abroad, read_order_abroad
from hermes_agent.learn.people_abroad import Mention, mentions, names_of_several
from hermes_agent.learn.sentences import Sentence, sentences
from hermes_agent.learn.telling_abroad import read_leisure, read_part, read_routine
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.told_abroad import Told, region_of
from hermes_agent.learn.tongue import Tongue, tongue
from hermes_agent.records.statements import USER, Statement, Who

_BY_LINES = (attributes.NAME, attributes.NOTE)
_NEAR = 3
_OPENS = ("imagina", "imagine", "imagínate", "imaginons", "immagina", "immaginiamo", "stell", "stel", "supongamos")


def hear_abroad(plain: str, message: str, code: str) -> Iterator[Statement]:
    """Yield what a message tells in a language; text to work on and a play end what is meant."""
    known = tongue(code)
    course = Course()
    plain = DAY_DOT.sub(" ", plain)
    for sentence in sentences(plain):
        words = words_of(plain, sentence.start, sentence.end, message, known)
        if not words.words:
            continue
        order = read_order_abroad(sentence, code)
        if order is None and (known.does(words.words[0], "work") or words.words[0] in _OPENS):
            return
        if sentence.mark.endswith("?") or "¿" in sentence.text or _is_unreal(words, known):
            continue
        if called := read_called_abroad(sentence):
            yield replace(called, language=code)
        told = _sentence(words, course, known)
        found = [*([order] if order else []), *(one for one in told if order is None or one.start >= order.end)]
        found += names_of_several(sentence.text, sentence.start)
        found += _by_lines(sentence, code, {one.attribute for one in found if one.who == USER})
        yield from (replace(one, language=code) for one in found)


def _by_lines(sentence: Sentence, code: str, told: set[str]) -> Iterator[Statement]:
    """Read what the lines of the live chat know beside: names, favourites, what shall be remembered."""
    for one in read_in(sentence.text, sentence.start, code):
        if one.who.kind == "person" or one.is_weak or one.attribute in told:
            continue
        if one.attribute in _BY_LINES:
            yield one
        elif not attributes.is_personal(one.attribute) and (kind := favourite(one.attribute)):
            yield replace(one, attribute=kind)


def _is_unreal(words: Words, known: Tongue) -> bool:
    """Tell whether a sentence supposes, quotes or retells something."""
    if QUOTATION in words.words:
        return True
    if any(known.does(word, "unreal", "dreams") for word in words.words):
        return True
    return any(
        known.does(word, "fiction") and _is_told_in(words, place, known) for place, word in enumerate(words.words)
    )


def _is_told_in(words: Words, place: int, known: Tongue) -> bool:
    """Tell whether a book or a film is what a sentence speaks of: "in dem Roman", "la serie que veo"."""
    before = words.words[max(place - _NEAR, 0) : place]
    return place < _NEAR or any(known.does(word, "prepositions") for word in before)


def _sentence(words: Words, course: Course, known: Tongue) -> Iterator[Statement]:
    people = mentions(words, known)
    times = time_places(words, known)
    inside = frozenset(place for one in people for place in range(one.begin, one.end))
    cut = parts(words, people, known)
    if any(known.does(words.words[part.begin], "if") and part.of is None for part in cut):
        return
    course.people = people
    course.subject = None
    verbs = verbs_of(words, cut, inside | times, known)
    for index, (part, verb) in enumerate(zip(cut, verbs, strict=True)):
        said = words.words[part.begin : part.end]
        if any(known.does(word, "says") for word in said) and not any(known.does(word, "i") for word in said):
            return
        yield from _birthday(words, part, people, known)
        yield from _date(words, part, known)
        is_read = False
        if verb is None and any(known.does(word, "i") for word in said):
            course.subject = USER
        if verb is not None:
            who = subject_of(words, part, verb, course, inside | times, known)
            polarity = polarity_of(words, part, known)
            course.subject = who if part.of is None else course.subject
            if who is not None and polarity is not None and not any(known.does(word, "passing") for word in said):
                named = _without(people, part, inside)
                region = region_of(words, part, verb, named | times, known)
                rest = _rest(cut, verbs, index)
                within = frozenset(place for place in times if part.begin <= place < part.end)
                told = list(read_part(Told(words, part, verb, who, polarity, region, rest, within, known)))
                yield from told
                _name(told, course)
                is_read = bool(told)
        if not is_read:
            is_own = verb is not None and verb.person == "first" and known.drops_subject
            routine = read_routine(words, part, known, is_own=is_own) if part.of is None else None
            leisure = read_leisure(words, part, known, is_own=course.subject is USER)
            yield from [one for one in (routine, leisure) if one is not None]
        _meet(people, part, course, is_alone=verb is None)


def _birthday(words: Words, part: Part, people: Sequence[Mention], known: Tongue) -> Iterator[Statement]:
    """Read a day of birth; whose it is stands in the same part."""
    start, end = words.starts[part.begin], words.ends[part.end - 1]
    text = words.message[start:end]
    is_born = BORN.search(text) is not None
    if not is_born and BIRTHDAY.search(text) is None:
        return
    date = DATE.search(text) or (YEAR.search(text) if is_born else None)
    named = [one.who for one in people if part.begin <= one.begin < part.end]
    said = words.words[part.begin : part.end]
    is_own = any(known.does(word, "i", "mine", "be1") for word in said) or said[0] in (
        "nací",
        "nasci",
        "sono",
        "faço",
    )
    if date is not None and (named or is_own):
        yield made(named[0] if named else USER, "birthday", date[0].rstrip("."), start, end)


def _date(words: Words, part: Part, known: Tongue) -> Iterator[Statement]:
    """Read the day of something of the user's: "meine Prüfung ist am 12. Juni"."""
    begin = part.begin + known.does(words.words[part.begin], "articles")
    verb = begin + 2
    if verb >= part.end or not known.does(words.words[begin], "mine") or not known.does(words.words[verb], "be3"):
        return
    start, end = words.starts[part.begin], words.ends[part.end - 1]
    date = DATE.search(words.message[words.ends[verb] : end])
    noun = words.said(begin + 1, verb)
    if date is not None and not relation_of(noun) and BIRTHDAY.search(noun) is None:
        yield made(Who("thing", name=noun), "date", date[0].rstrip("."), start, end)


def _without(people: Sequence[Mention], part: Part, inside: frozenset[int]) -> frozenset[int]:
    """Return the places of the people in a part, but for those whom the user is said to have."""
    owned = {place for one in people if one.is_owned for place in range(one.begin, one.end)}
    return frozenset(place for place in inside if part.begin <= place < part.end and place not in owned)


def _rest(cut: Sequence[Part], verbs: Sequence[object], index: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for part, verb in zip(cut[index + 1 :], verbs[index + 1 :], strict=True):
        if verb is not None or part.of is not None or ";" in part.joint:
            break
        found.append((part.begin, part.end))
    return found


def _name(told: Sequence[Statement], course: Course) -> None:
    """Keep in mind what somebody is called: "mein Hund heißt Rex und ist neun" tells the age of Rex."""
    for one in told:
        if one.attribute == attributes.NAME and one.who.kind == "person":
            course.subject = course.last = one.who


def _meet(people: Sequence[Mention], part: Part, course: Course, *, is_alone: bool) -> None:
    """Keep in mind who was named; somebody named without a verb is whom the next one is about."""
    for one in people:
        if part.begin <= one.begin < part.end:
            course.last = one.who
            if (is_alone or course.subject is None) and one.is_subject and one.begin == part.begin:
                course.subject = one.who
