"""Cut a sentence of another language into parts, and find the verb and the subject of each.

A part lies between commas and conjunctions. One without a verb that is known goes on with the value before it, or
tells nothing; one without a subject goes on with the person before it, as far as the form of its verb allows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.people_abroad import Mention
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tongue import Form, Person, Tongue
from hermes_agent.records.statements import USER, WE, Polarity, Who

_SPLIT = {"fr": r"|[^\W\d_]{1,6}'(?=\w)", "it": r"|[^\W\d_]{1,6}'(?=\w)", "pt": r"|-(?:me|se|nos|te|lhe)\b"}
_WHOLE = {"fr": r"aujourd'hui|d'ailleurs|quelqu'un", "pt": r"[^\W\d_]+(?=-(?:me|se|nos|te|lhe)\b)"}
_TOKENS = {
    code: Pattern(
        (f"{_WHOLE[code]}|" if code in _WHOLE else "")
        + r"\d+(?:[.,:/]\d+)*(?:\.(?=\s+[^\W\d_]))?"
        + _SPLIT.get(code, "")
        + r"|[^\W_]+(?:[-'&+][^\W_]+)*[+#]*|[^\w\s]"
    )
    for code in ("de", "nl", "fr", "es", "it", "pt")
}
_TITLE = Pattern(r"(?-i:[A-ZÀ-Þ][a-zß-ÿ])")
_MARKS = (",", ";", ":", "(", ")", "–", "—", ".", "!", "?", "-", "…", "/")
_YEAR = Pattern(r"(?:19|20)\d\d")
_NEVER_NOUNS = frozenset(
    ("gusta", "gustan", "encanta", "encantan", "piace", "piacciono", "chifla", "chiflan", "fascina", "fascinan")
)


@dataclass(frozen=True, slots=True)
class Part:
    """The words between two joints."""

    begin: int
    end: int
    joint: tuple[str, ...]
    of: Mention | None = None
    """Whom a relative clause is about."""
    is_under: bool = False
    """Whether it is a subordinate clause."""


@dataclass(frozen=True, slots=True)
class Verb:
    """The verb of a part. `place` is its finite form, `last` a participle or the verb itself."""

    place: int
    last: int
    kind: str
    forms: tuple[Form, ...]
    person: Person


@dataclass
class Course:
    """What a message has told so far: who was spoken of last, and who is the subject."""

    last: Who | None = None
    subject: Who | None = None
    people: list[Mention] = field(default_factory=list)


def words_of(plain: str, start: int, end: int, message: str, tongue: Tongue) -> Words:
    """Cut a sentence into words: articles that lost a vowel and pronouns behind a verb stand for themselves."""
    found = list(_TOKENS[tongue.code].finditer(plain, start, end))
    is_lower = _TITLE.search(message[:200]) is None
    return Words(
        message,
        [one[0].lower().lstrip("-") or "-" for one in found],
        [one.start() for one in found],
        [one.end() for one in found],
        time_letters="",
        has_times=False,
        is_lower=is_lower,
    )


def parts(words: Words, people: Sequence[Mention], tongue: Tongue) -> list[Part]:
    """Cut a sentence at its joints; what belongs to a person is not cut."""
    inside = {place for one in people for place in range(one.begin, one.end)}
    ends = {one.end: one for one in people}
    found: list[Part] = []
    begin, joint = 0, tuple[str, ...]()
    of: Mention | None = None
    is_under = False
    place = 0
    while place < len(words.words):
        word = words.words[place]
        named = ends.get(place) or (ends.get(place - 1) if words.words[place - 1] == "," else None)
        is_relative = named is not None and tongue.does(word, "relatives") and place not in inside
        is_joint = word in _MARKS or tongue.does(word, "and", "because")
        if place in inside or not (is_relative or is_joint) or _is_within(words, place, tongue):
            place += 1
            continue
        if place > begin:
            found.append(Part(begin, place, joint, of, is_under))
            joint, of, is_under = (
                (),
                of if tongue.does(word, "and") else None,
                is_under and tongue.does(word, "and"),
            )
        joint = (*joint, word)
        of = named if is_relative else of
        is_under = is_relative or is_under or (tongue.does(word, "because") and tongue.is_verb_last)
        place += 1
        begin = place
    if begin < len(words.words):
        found.append(Part(begin, len(words.words), joint, of, is_under))
    return found


def _is_within(words: Words, place: int, tongue: Tongue) -> bool:
    """Tell whether a joint is inside a number, "treinta y cuatro", or compares: "como profesora"."""
    word = words.words[place]
    before, after = words.words[place - 1] if place else "", words.at(place + 1)
    if tongue.does(word, "and") and is_number(before, tongue) and is_number(after, tongue):
        return True
    if word in ("-", "/", ".") and before and after:
        return True
    if tongue.does(word, "and") and tongue.does(before, "days"):
        return tongue.does(after, "days") or tongue.does(words.at(place + 2), "days")
    return word in ("como", "comme", "quando") and place > 0 and before not in _MARKS


def is_number(word: str, tongue: Tongue) -> bool:
    """Tell whether a word is a number, in digits or letters."""
    return word.isdigit() or tongue.does(word, "numbers") or tongue.number.fullmatch(word) is not None


def time_places(words: Words, tongue: Tongue) -> frozenset[int]:
    """Return where the words of a time stand: "seit Oktober", "l'anno scorso"; "nueve años" is none."""
    found: set[int] = set()
    for place, word in enumerate(words.words):
        if not tongue.does(word, "days") and not _YEAR.fullmatch(word):
            continue
        begin = place
        while begin > 0 and _leads(words.words[begin - 1], tongue):
            begin -= 1
        end = place + 1
        while end < len(words.words) and _follows(words, end, tongue):
            end += 1
        begin -= 3 * (words.words[max(begin - 3, 0) : begin] == ["il", "y", "a"])
        said = words.words[begin:place]
        is_led = any(not tongue.does(one, "articles") and not is_number(one, tongue) for one in said)
        if is_led or tongue.does(words.words[end - 1], "day ends"):
            found.update(range(begin, end))
    return frozenset(found)


def _leads(word: str, tongue: Tongue) -> bool:
    return tongue.does(word, "day leads", "articles", "every") or is_number(word.rstrip("."), tongue)


def _follows(words: Words, place: int, tongue: Tongue) -> bool:
    word = words.words[place]
    if tongue.does(word, "day ends") or _YEAR.fullmatch(word):
        return True
    return tongue.does(word, "of") and bool(
        _YEAR.fullmatch(words.at(place + 1)) or tongue.does(words.at(place + 1), "days")
    )


def verbs_of(words: Words, cut: Sequence[Part], skipped: frozenset[int], tongue: Tongue) -> list[Verb | None]:
    """Return the verb of each part; an auxiliary holds for what is joined: "geboren und hier aufgewachsen"."""
    found: list[Verb | None] = []
    for part in cut:
        verb = _verb_of(words, part, skipped, tongue)
        before = found[-1] if found else None
        if verb is None and before is not None and before.last != before.place:
            done = _participle(words, part, part.begin - 1, tongue)
            verb = Verb(part.begin - 1, done[0], "verb", done[1], before.person) if done else None
        found.append(verb)
    return found


def _verb_of(words: Words, part: Part, skipped: frozenset[int], tongue: Tongue) -> Verb | None:
    """Return the verb of a part, as far as it is known; "to be" only where no other is."""
    places = [
        place
        for place in range(part.begin, part.end)
        if place not in skipped
        and _may_be_verb(words, place, tongue)
        and not _is_infinitive(words, part, place, tongue)
    ]
    if part.is_under and tongue.is_verb_last:
        places.reverse()
    found = [one for one in (_verb_at(words, part, place, tongue) for place in places) if one is not None]
    # "da quando mi sono separato vivo a Trani": the participle is unknown, the second verb is not.
    if len(found) > 1 and found[0].kind == "be" and found[1].kind == "verb" and not tongue.is_verb_last:
        return found[1]
    return found[0] if found else None


def _is_infinitive(words: Words, part: Part, place: int, tongue: Tongue) -> bool:
    """Tell whether a form that "we" would have stands without "we": "ich soll nach Wien ziehen"."""
    word = words.words[place]
    if not tongue.is_verb_last or not word.endswith("en") or word not in tongue.forms:
        return False
    is_plain = all(one.tense in ("present", "doing") for one in tongue.forms[word])
    # "meine Frau und ich wohnen", "wir wohnen hier und essen kein Fleisch"
    is_joined = any(tongue.does(one, "and") for one in part.joint) and place <= part.begin + 1
    return (
        is_plain
        and not is_joined
        and not any(tongue.does(one, "we") for one in words.words[part.begin : part.end])
    )


def _may_be_verb(words: Words, place: int, tongue: Tongue) -> bool:
    """Tell whether a word may be a verb where it stands: "mi trabajo" and "die Liebe" are none."""
    word = words.words[place]
    before = words.words[place - 1] if place else ""
    if word in _NEVER_NOUNS:
        return True
    if tongue.does(word, "articles", "prepositions") and not tongue.does(word, "be3", "have3"):
        return word in ("como",) and tongue.does(before, "not")
    if tongue.code == "de" and words.is_capital(place) and place > 0 and before not in _MARKS:
        return False
    # "la uso" is rare, "el uso" is not.
    return not tongue.does(before, "some", "mine", "oblique") and not (
        tongue.does(before, "articles", "prepositions")
        and tongue.does(before, "articles")
        and not tongue.is_verb_last
    )


def _verb_at(words: Words, part: Part, place: int, tongue: Tongue) -> Verb | None:
    word = words.words[place]
    person: Person = "first" if tongue.does(word, "have1", "be1", "stay1", "want1", "may1") else "third"
    is_both = any(word in tongue.words[f"{one}1"] & tongue.words[f"{one}3"] for one in ("want", "may"))
    if is_both or tongue.does(word, "had", "was"):
        person = "any"
    if tongue.does(word, "have1", "have3", "be1", "be3", "stay1", "stay3", "was", "passive", "may1", "may3"):
        done = _participle(words, part, place, tongue)
        if done is not None:
            last, forms = done
            return Verb(place, last, "verb", forms, "any" if tongue.does(word, "passive") else person)
        kinds = (
            ("stay1", "stay"),
            ("stay3", "stay"),
            ("have1", "have"),
            ("have3", "have"),
            ("be1", "be"),
            ("be3", "be"),
        )
        for group, kind in kinds:
            if tongue.does(word, group):
                return Verb(place, place, kind, (), person)
    if tongue.does(word, "was"):
        return Verb(place, place, "was", (), person)
    if tongue.does(word, "want1", "want3"):
        return Verb(place, place, "want", (), person)
    forms = tuple(one for one in tongue.forms.get(word, ()) if one.tense in ("present", "past"))
    if not forms:
        return None
    persons = {one.person for one in forms}
    return Verb(place, place, "verb", forms, persons.pop() if len(persons) == 1 else "any")


def _participle(words: Words, part: Part, place: int, tongue: Tongue) -> tuple[int, tuple[Form, ...]] | None:
    """Return the participle or gerund that goes with an auxiliary."""
    if tongue.is_verb_last:
        places: Sequence[int] = [*range(part.end - 1, place, -1), place - 1] if not part.is_under else [place - 1]
    else:
        places = range(place + 1, min(place + 5, part.end))
    for other in places:
        if not part.begin <= other < part.end or other == place:
            continue
        forms = tuple(one for one in tongue.forms.get(words.words[other], ()) if one.tense in ("done", "doing"))
        if forms:
            return other, forms
        word = words.words[other]
        is_between = tongue.does(word, "adverbs", "not", "prepositions", "days") or is_number(word, tongue)
        if not tongue.is_verb_last and not is_between:
            return None
    return None


def subject_of(
    words: Words, part: Part, verb: Verb, course: Course, skipped: frozenset[int], tongue: Tongue
) -> Who | None:
    """Return whom a part is about; None where it cannot be told."""
    if part.of is not None and verb.person != "first":
        return part.of.who
    said = range(part.begin, part.end)
    own = [place for place in said if tongue.does(words.words[place], "i", "we") and place not in skipped]
    own = [place for place in own if abs(place - verb.place) <= 4 or place < verb.place]
    if own and verb.person != "third":
        return USER if tongue.does(words.words[own[0]], "i") else WE
    if own and words.words[own[0]] == "on":
        return WE
    if words.words[max(verb.place - 2, 0) : verb.place] == ["moi", "c'"]:
        return USER
    person = _person(words, part, verb, course, tongue)
    if person is not None:
        return person if verb.person != "first" else None
    is_bare = all(_is_light(words, place, skipped, tongue) for place in range(part.begin, verb.place))
    if verb.person == "first":
        is_elided = part.begin == verb.place or course.subject is USER
        return USER if tongue.drops_subject or (is_elided and is_bare) else None
    he = [place for place in said if tongue.does(words.words[place], "he") and abs(place - verb.place) <= 2]
    if he:
        return course.last
    if verb.person == "any" and course.subject is None and tongue.drops_subject and is_bare:
        return USER
    return course.subject if is_bare and not he else None


def _person(words: Words, part: Part, verb: Verb, course: Course, tongue: Tongue) -> Who | None:
    """Return the person who stands where a subject does: before the verb, or right behind it."""
    for one in course.people:
        if not part.begin <= one.begin < part.end:
            continue
        is_liking = words.words[verb.place] in _NEVER_NOUNS and words.words[one.begin - 1] == "a"
        before = range(part.begin, one.begin - is_liking)
        is_first = all(_is_light(words, place, frozenset(), tongue) for place in before)
        between = range(one.end, verb.place)
        leads = (
            is_first
            and one.end <= verb.place
            and all(_is_light(words, place, frozenset(), tongue) for place in between)
        )
        follows = tongue.is_verb_last and one.begin == verb.place + 1
        if (one.is_subject or is_liking) and (leads or follows):
            return one.who
    return None


def _is_light(words: Words, place: int, skipped: frozenset[int], tongue: Tongue) -> bool:
    """Tell whether a word before a verb leaves its subject open."""
    return (
        place in skipped or tongue.does(words.words[place], "adverbs", "not", "once") or words.words[place] == ","
    )


def polarity_of(words: Words, part: Part, tongue: Tongue) -> Polarity | None:
    """Return what the small words of a part say: that it is, is not, is no longer; None if that is open."""
    said = words.words[part.begin : part.end]
    text = " ".join(said)
    first, second = (*tongue.words["only"], "")[:2]
    if (
        first
        and second
        and any(a in (first, second) and b in (first, second) for a, b in zip(said, said[1:], strict=False))
    ):
        return None
    if tongue.over.search(text.replace("' ", "'")):
        return "no longer"
    is_denied = any(tongue.does(one, "not") for one in said) or words.at(part.end) == "weder"
    return "is not" if is_denied else "is"
