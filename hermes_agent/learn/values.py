"""Tell whether a value has the shape its attribute needs, and trim what does not belong to it.

"I'm Ada" is a name, "I'm tired" is none: what cannot be told apart for sure has no shape and makes no
statement.
"""

import re

from hermes_agent.learn import glue, lexicon
from hermes_agent.learn.grammar_corrections import NOT_THAT
from hermes_agent.learn.grammar_english import NUMBER_WORD, Shape
from hermes_agent.learn.patterns import Pattern
from hermes_agent.text.words import fold

LONGEST_VALUE = 200
_TAIL = Pattern(
    r",?\s+and\s+(?:so\s+(?:is|does|do|are)\s+.+|(?:my|our)\s+.+?\s+(?:too|as\s+well|also))$"
    r"|,?\s+(?:because|since(?!\s+\d)|which|but|though|although|by\s+the\s+way|btw|lol|haha|you\s+know"
    r"|so\s+that|if\s+you)\b.*$"
    # "…, forget Oslo" is asked of us, not said of the value.
    r"|[,;]\s+(?:and\s+)?(?-i:forget|remember|ignore|disregard|please|don't\s+forget|never\s?mind|sorry)\b.*$"
    r"|,?\s+(?:too|as\s+well|please|thanks|thank\s+you|ok|okay|right\s+now|these\s+days|nowadays"
    r"|at\s+the\s+moment|currently|now|actually"
    r"|instead|already|a\s+lot|so\s+much|very\s+much|nice\s+to\s+meet\s+you)$"
)
_PLACE_TAIL = Pattern(
    r",?\s+(?:with|for\s+(?:the|\d|a|an|many|now|about|over|almost)|since|and|where|last|this|in\s+(?:\d{4}"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|\d+\s+\w+\s+ago|an?\s+(?:week|month|year|while)"
    r"|recently|currently|together|alone|when|until|while|as|during|every|on\s+\w+days?|yesterday|today"
    r"|tomorrow)\b.*$"
)
_MARKS = " \t,;:.!—–-*_"
_PAIRS = (('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("'", "'"), ("(", ")"))
_STATES = lexicon.word_set(
    """dead secret private confidential broken lost stolen gone full empty down off on up ringing charging unknown
    wrong fine ok okay good bad great important nice slow fast late ready done outdated expired locked blocked
    missing unavailable annoying awful terrible perfect boring stressful hard easy complicated"""
)
_NUMBER_WORD = Pattern(NUMBER_WORD)
_ANY_MORE = Pattern(r",?\s+(?:any\s?more|any\s+longer)$")
_VAGUE = lexicon.word_set(
    """it that this them him her you these those there here something anything nothing everything one some so
    both all me us not how when what why who whatever more less too very off up down sth stuff things your"""
)
_NO_PLACE = Pattern(
    r"(?:fear|hope|peace|harmony|denial|hell|style|the\s+past|the\s+moment|the\s+future|a\s+bubble)\b"
)
_NOT_LIKED = Pattern(
    r"(?:you|your|that|this|it|how|when|what|the\s+way|to\s+(?:know|see|hear|think|ask|say|thank|point))\b"
)
_TOKEN = Pattern(r"[^\W\d_][^\s,;:!?()\"“”]*")
_RELATIVE = Pattern(rf"\b(?:{lexicon.RELATIVE_TIMES})\b")
_TELLING = Pattern(
    r"\d|\b(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|january|february|march"
    r"|april|may|june|july"
    r"|august|september|october|november|december|noon|midnight)\b|[\w-]+\.[a-z]{2,}|://|/\w|[\"“«]"
    r"|\b(?-i:[A-Z])[\w-]+"
)
_PASSING = Pattern(
    r"(?:too|so|very|still|not|really|pretty|quite|almost|on\s+(?:the\s+way|fire|hold|vacation|holiday)"
    r"|in\s+(?:trouble|pain)|\w+ing\b|late|delayed|down|broken|slow|fast|green|red|up|back"
    r"|gone|ok|okay|fine|good|bad|great|awful|terrible|nice|full|empty|dead|here|there|done|ready|over|due"
    r"|cold|hot|warm)\b|.*(?:%|\b(?:minutes?|hours?|degrees?)\b)"
)


def shaped(value: str, shape: Shape) -> str | None:
    """Return the value trimmed to its shape; None when it does not have it."""
    text = trimmed(value)
    if not text or len(text) > LONGEST_VALUE:
        return None
    match shape:
        case "name":
            return name_in(text, is_sure=True)
        case "self":
            return name_in(text, is_sure=False)
        case "place":
            place = trimmed(_PLACE_TAIL.sub("", text))
            is_place = place and not is_vague(place) and len(place.split()) <= 8 and not _NO_PLACE.match(place)
            return place if is_place else None
        case "role":
            return text if is_role(text) else None
        case "trait":
            return text if is_trait(text) else None
        case "age":
            number = text.split()[0]
            is_age = number.isdigit() and 1 <= int(number) <= 120
            return text if is_age or _NUMBER_WORD.fullmatch(text) else None
        case "health":
            return text if lexicon.HEALTH & set(fold(text).split()) else None
        case "tool":
            return text if is_tool(text) else None
        case "clause":
            return text if len(text.split()) <= 10 and not is_vague(text) else None
        case "any":
            return None if is_vague(text) else text


def trimmed(value: str) -> str:
    """Take off what only accompanies a value: reasons, politeness, quotes, closing marks."""
    text = value.strip().partition(" § ")[0]
    for _ in range(3):
        text = _unwrapped(_TAIL.sub("", text).strip(_MARKS))
    return text


def _unwrapped(text: str) -> str:
    """Take off quotation marks and brackets around the whole, and those that lack their partner."""
    for first, last in _PAIRS:
        inner = text[1:-1] if len(text) > 1 else ""
        if inner and text[0] == first and text[-1] == last and first not in inner and last not in inner:
            return inner.strip(_MARKS)
        if text[:1] == first and last not in text[1:]:
            text = text[1:]
        # 5'11" is no end of a quotation.
        if text[-1:] == last and first not in text[:-1] and not text[-2:-1].isdigit():
            text = text[:-1]
    return text.strip(_MARKS)


def instead_of(value: str) -> tuple[str, str]:
    """Return the value, and what it is said to stand instead of: "pho, not ramen"."""
    match = NOT_THAT.fullmatch(value.strip())
    return (match["value"], match["former"]) if match else (value, "")


def is_bare_state(value: str) -> bool:
    """Tell whether a value is one word for how something is: "my phone is dead", "my address is secret"."""
    return fold(value).removeprefix("very ").removeprefix("still ") in _STATES


def ends(value: str) -> tuple[str, bool]:
    """Return the value without "any more", and whether it was there."""
    text = _ANY_MORE.sub("", value.strip())
    return text, text != value.strip()


def is_vague(text: str) -> bool:
    """Tell whether a value points at something instead of naming it."""
    words = fold(text).split()
    return (
        not words
        or words[0] in glue.OBJECTS
        or words[:2] == ["not", "to"]
        or (words[0] in _VAGUE and len(words) <= 2)
    )


def is_likeable(value: str) -> bool:
    """Tell whether somebody can like this for good: "tea", not "how you said that"."""
    return _NOT_LIKED.match(value) is None


def is_passing(value: str) -> bool:
    """Tell whether a value is only about now."""
    return _RELATIVE.search(value) is not None


def is_telling(value: str) -> bool:
    """Tell whether a value is particular enough to be kept: a number, a date, a name, an address."""
    return _TELLING.search(value) is not None and not is_state(value)


def is_state(value: str) -> bool:
    """Tell whether a value says how something is just now: slow, broken, 5 minutes late."""
    return _PASSING.match(value) is not None


def is_role(text: str) -> bool:
    """Tell whether the words name an occupation."""
    words = re.split(r"\s+(?:of|in|from|and)\s+", fold(text))[0].split()
    if not words or len(text.split()) > 8:
        return False
    head = words[-1]
    singular = head.removesuffix("s")
    endings = (
        "ologist",
        "grapher",
        "smith",
        "keeper",
        "iatrist",
        "maker",
        "worker",
        "ingenieur",
        "engineer",
        "programmer",
    )
    known = head in lexicon.OCCUPATIONS or singular in lexicon.OCCUPATIONS or head.endswith(endings)
    return known or (words[0] in ("head", "vp", "director") and " of " in f" {fold(text)} ")


def is_trait(text: str) -> bool:
    """Tell whether a word says what somebody lastingly is: vegan, Austrian, left-handed."""
    word = fold(text).replace(" ", "-")
    return word in lexicon.DIETS | lexicon.TRAITS | lexicon.STATUSES | lexicon.NATIONALITIES


def is_tool(text: str) -> bool:
    """Tell whether a value begins with a tool of a known kind."""
    word = fold(text).split()[0]
    return any(word in members for members in lexicon.KINDS.values())


def name_in(text: str, *, is_sure: bool) -> str | None:
    """Return the personal name a text begins with; without `is_sure` only what can be nothing else.

    In lower or upper case alone letters do not tell: then the given names of the lexicon do.
    """
    found = list(_TOKEN.finditer(_NAME_END.split(text)[0]))
    tokens = [match[0].rstrip(".'’") for match in found]
    if not tokens or not text.startswith(tokens[0]):
        return None
    cased = not (text.isupper() and len(text) > 3)
    taken: list[str] = []
    for token in tokens[:4]:
        word = fold(token)
        is_particle = word in lexicon.NAME_PARTICLES and bool(taken)
        looks = is_particle or word in lexicon.GIVEN_NAMES or (cased and _looks_named(token, is_sure))
        opens = is_sure and len(taken) < 2 and len(tokens) <= 2
        if word in lexicon.NOT_NAMES and not is_particle:
            break
        if not looks and not opens:
            break
        taken.append(token)
    while taken and fold(taken[-1]) in lexicon.NAME_PARTICLES and len(taken) > 1:
        taken.pop()
    rest = tokens[len(taken) :]
    if not taken or (
        rest and (not is_sure or fold(rest[0]) not in _AFTER_NAME) and not text.startswith(" ".join(taken) + ",")
    ):
        return None
    if fold(taken[0]) in lexicon.NOT_NAMES or (not is_sure and (is_role(text) or is_trait(taken[0]))):
        return None
    # As it stands: what is between the words is part of the name, a nickname's quotes or the dot of an initial.
    return text[: found[len(taken) - 1].start() + len(taken[-1])]


def _looks_named(token: str, is_sure: bool) -> bool:
    """Tell whether a word is written like a name; scripts without capitals leave it open."""
    if token[0].upper() == token[0].lower():
        return True
    # "I'm AFK", "I'm Extremely busy", "I'm Bored" name nobody.
    is_odd = (token.isupper() and len(token) > 1) or token.lower().endswith(("ly", "ing", "ed"))
    return token[0].isupper() and (is_sure or not is_odd)


_NAME_END = Pattern(r"\s*[,;:§|/(]")
_PHONE = Pattern(r"[,;(]?\s+(?:tel|phone|ph|mobile|mob|fax|number|e-?mail|mail)\b.*$")
_AGE = Pattern(r"\s*\(\s*\d{1,3}\s*\)")
_AFTER_NAME = lexicon.word_set("and but from not or like as with by aka i the who so")


def people_in(text: str) -> list[str]:
    """Return the names of an enumeration: "Tom and Ann", "Tom, Ann and Joe"."""
    said = _PHONE.sub("", _AGE.sub("", text)).strip(" .,;:()")
    parts = re.split(r"\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&|und|et|y|e|en)\s+", said)
    # Where one is written with a capital letter, all are.
    is_cased = said[:1].isupper()
    names = [name_in(part, is_sure=True) if part[0].isupper() or not is_cased else None for part in parts if part]
    found = [name for name in names if name]
    return found if found and len(found) == len(names) else []


def titled(name: str) -> str:
    """Write a name with capitals when it was typed without, or all in capitals."""
    if any(letter.isupper() for letter in name) and not (name.isupper() and len(name) > 2):
        return name
    words = (
        w if fold(w) in lexicon.NAME_PARTICLES and i else w[:1].upper() + w[1:].lower()
        for i, w in enumerate(name.split())
    )
    return " ".join(words)


_FAVOURITES = lexicon.word_set(
    "favourite favorite preferred native favorito favorita préféré préférée preferito preferita favoriete"
)


def is_lasting_noun(noun: str) -> bool:
    """Tell whether people have such a thing for long."""
    words = fold(noun).replace("'s", "").split()
    if not words:
        return False
    if _FAVOURITES & set(words) or words[0].startswith("lieblings"):
        return True
    head = words[-1]
    kinds = lexicon.KINDS.keys() | lexicon.LASTING_NOUNS
    return head in kinds or head.removesuffix("s") in kinds or (head in lexicon.LASTING_HEADS and len(words) > 1)
