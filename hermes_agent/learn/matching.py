"""Compare words, values, things and people: when two of them are the same, and when one covers the other.

An own folding of endings instead of a stemmer library: snowballstemmer takes 140 ms to import, and the slots
of a statement leave little to stem.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from hermes_agent.learn import lexicon
from hermes_agent.learn.attributes import DONE_SOMEWHERE, ENDED
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import Statement, Who
from hermes_agent.text.kinds import asked_things
from hermes_agent.text.stopwords import QUESTION_WORDS, STOP_WORDS
from hermes_agent.text.verbs import lemma
from hermes_agent.text.words import fold, words

_EMPTY = (
    STOP_WORDS
    | QUESTION_WORDS
    | lexicon.word_set(
        """ve ll re m d im dont doesnt didnt isnt whats wheres again ever still also called name named kind sort
        thing things anything something everything lot much many get got going think mention mentioned discuss
        discussed ask asked"""
    )
)
_ARTICLES = lexicon.word_set(
    "a an the my our your his her their some any der die das ein eine le la les un une el los las il lo"
)
_POSSESSIVES = lexicon.word_set("my our your their")
_SYNONYMS = {
    **dict.fromkeys(("telephone", "mobile", "cell", "cellphone", "handy", "telefon"), "phone"),
    **dict.fromkeys(("email", "e-mail", "mail"), "email"),
    **dict.fromkeys(("favorite", "favourite", "lieblings"), "favourite"),
    **dict.fromkeys(("color", "colour", "farbe"), "colour"),
    **dict.fromkeys(("movie", "film"), "film"),
    **dict.fromkeys(("kid", "kids", "children"), "child"),
    **dict.fromkeys(("telefonnummer",), "phone number"),
    **dict.fromkeys(("lieblingsfarbe",), "favourite colour"),
}
_SHORTEST_STEM = 3
_SAME_SPELLING = {
    "time zone": "timezone",
    "e-mail address": "email",
    "email address": "email",
    "e-mail": "email",
    "wi-fi": "wifi",
}
_SPELLINGS = Pattern("|".join(map(re.escape, _SAME_SPELLING)))
_WORK = ("my job", "the job", "job", "work", "working")
_BEFORE_PLACES = ("in", "at", "a", "en", "em", "te")
_IN_TOWN = Pattern(r"(?:^|\s)(?P<in>in|at)\s+(?-i:[A-ZÀ-Þ])\S*(?:\s+\S+)*$")
_OF = Pattern(r"\s(?:at|of|with|for|in|on|to)\s")


def stem(word: str) -> str:
    """Take the common endings off a folded word."""
    word = _SYNONYMS.get(word, word)
    for ending, put in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("xed", "x")):
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            return word[: -len(ending)] + put
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _SHORTEST_STEM:
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) > _SHORTEST_STEM:
            root = word[: -len(ending)]
            return root[:-1] if root[-1] == root[-2] and root[-1] not in "sl" else root.removesuffix("e")
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM + 1 else word


_IN_TRAINING = f" in {stem('training')}"
_PLANS = ("plan", "goal", "decision")
_PLAN_STEMS = frozenset(map(stem, ("plan", "plans", "idea", "project", "migration", "move", "trip", "switch")))
_LIGHT_STEMS = frozenset(map(stem, ("do", "get", "take", "have", "make", "go", "part", "whole")))
"""What says nothing of what was planned: "I'm not doing the marathon"."""
_SYNONYM_STEMS = frozenset(stem(word) for word in _SYNONYMS)


def beginning_of(stemmed: str) -> str:
    """Return the letters with which every word of a stem begins; empty when it has words of other letters."""
    return "" if stemmed in _SYNONYM_STEMS else stemmed[:_SHORTEST_STEM].rstrip("y")


def topic_words(text: str) -> set[str]:
    """Return the stems of the words that carry the topic."""
    return {stem(word) for word in words(text) if word not in _EMPTY}


def all_stems(text: str) -> set[str]:
    """Return the stems of all words."""
    return {stem(word) for word in words(text)}


@lru_cache(maxsize=16_384)
def plain(value: str) -> str:
    """Bring a value to the form two of them are compared in."""
    said = words(value)
    # Whose it is goes without saying: "oat milk in my coffee" is noted as "in their coffee".
    found = [stem(word) for word in said if word not in _POSSESSIVES] or [stem(word) for word in said]
    while len(found) > 1 and found[0] in _ARTICLES:
        found = found[1:]
    return " ".join(found)


def same_value(one: str, other: str) -> bool:
    """Tell whether two values are the same but for case, articles and endings."""
    return plain(one) == plain(other)


def holds_value(value: str, part: str) -> bool:
    """Tell whether an enumeration holds a value, or is it."""
    return same_value(value, part) or any(same_value(one, part) for one in listed(value))


def holds(known: Statement, new: Statement) -> bool:
    """Tell whether a known value holds what is said of it anew: it, a list with it, or it with its town."""
    is_with_town = known.attribute in DONE_SOMEWHERE and is_fuller(known.value, new.value)
    return is_with_town or holds_value(known.value, new.value)


def is_placed(one: str, other: str) -> bool:
    """Tell whether one of two values is the other with the place it is in: "Nordlicht", "Nordlicht in Bergen"."""
    return is_fuller(one, other) or is_fuller(other, one)


def is_fuller(value: str, other: str) -> bool:
    """Tell whether a value is another with more said: a firm with its town, a town with what is studied there.

    Who is in training is not yet what they are trained for.
    """
    said, part = plain(value), plain(other)
    if not part or said.endswith(_IN_TRAINING):
        return False
    if part.split()[0] in _BEFORE_PLACES:
        return said.endswith(f" {part}")
    return any(said.startswith(f"{part} {word} ") for word in _BEFORE_PLACES)


def is_elsewhere(value: str, other: str) -> bool:
    """Tell whether two values are one thing in two towns: "physics in Berlin", "physics in Munich"."""
    one, two = _IN_TOWN.search(value), _IN_TOWN.search(other)
    if one is None or two is None or same_value(one[0], two[0]) or one["in"] != two["in"]:
        return False
    return same_value(value[: one.start()], other[: two.start()])


def is_one_study(new: Statement, known: Statement) -> bool:
    """Tell whether two studies are one: told with the town, or without, or going on in another town.

    Former ones are many: one may have studied in several towns.
    """
    is_study = new.attribute == known.attribute == "studies" and new.polarity == known.polarity == "is"
    return is_study and (is_placed(new.value, known.value) or is_elsewhere(new.value, known.value))


def is_any_job(value: str) -> bool:
    """Tell whether words name whatever job somebody has: who quit theirs works at no firm called "job"."""
    return fold(value) in _WORK


def is_left_with(known: Statement, left: Statement) -> bool:
    """Tell whether what somebody does goes with the job, or with the town, that they left."""
    if not same_person(known.who, left.who):
        return False
    if left.attribute == "employer" and is_any_job(left.value):
        return known.attribute in ("employer", "role", "field")
    towns = [f"{word} {left.value}" for word in ("in", "at")]
    if left.attribute == "location":
        return known.attribute == "studies" and any(same_value(known.value, town) for town in towns)
    is_work = left.attribute == "field" and known.attribute in ("employer", "role")
    return is_work and any(is_fuller(known.value, town) for town in towns)


def is_ended_by(known: Statement, ended: Statement, ties: Iterable[Who] = (), *, is_loose: bool = False) -> bool:
    """Tell whether something that is over ("I gave up the violin", "Rex died") ends what was known.

    Loosely, "coffee" also ends "coffee every day".
    """
    if ended.who.kind == "person":
        return known.who.kind == "person" and same_person(known.who, ended.who, ties)
    if is_dropped_plan(known, ended):
        return True
    if known.who != ended.who:
        return False
    if is_any_job(ended.value):
        return known.attribute in ("employer", "role", "field")
    if known.who.kind == "user" and names_thing(ended.value, known.attribute):
        return True
    about = topic_words(ended.value)
    is_part = is_loose and bool(about) and about <= all_stems(known.value)
    return is_part or holds(known, ended)


def is_dropped_plan(known: Statement, ended: Statement) -> bool:
    """Tell whether "we dropped the Kubernetes plan" is about a plan that was told: its words are in it."""
    said = deed_stems(ended.value)
    is_plan = _is_plan(known) and {known.who.kind, ended.who.kind} <= {"user", "we"}
    is_meant = ended.attribute == ENDED or not said.isdisjoint(_PLAN_STEMS)
    if not is_plan or not is_meant:
        return False
    about = said - _PLAN_STEMS - (_LIGHT_STEMS if ended.attribute == ENDED else frozenset())
    if about:
        return about <= deed_stems(known.value)
    deed = next(iter(words(known.value.removeprefix("to "))), "")
    return len(said) == 1 and said == deed_stems(deed)  # "we're not moving after all"


def _is_plan(known: Statement) -> bool:
    """Tell whether something is planned or decided; what was decided against cannot be dropped."""
    first = fold(known.value).split()[:1]
    if known.attribute == "is":
        return bool(first) and first[0].endswith("ing")  # "I'm planning to run a marathon"
    return known.attribute in _PLANS and first not in (["not"], ["against"])


def deed_stems(text: str) -> set[str]:
    """Return the stems of the words that carry the topic, those of verbs in whatever form: buying is to buy."""
    return {stem(lemma(word, "ing") or word) for word in words(text) if word not in _EMPTY}


def listed(value: str) -> list[str]:
    """Take an enumeration apart; what is none comes back whole."""
    parts = re.split(r"\s*,\s*(?:and\s+)?|\s+(?:and|&|or|und|et|y|e|en)\s+", value)
    return [part.strip() for part in parts if part.strip()] or [value]


def enumerated(values: Sequence[str]) -> str:
    """Write values as people list them: `a, b and c`."""
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"


def noun_stems(noun: str) -> list[str]:
    """Return the stems of a thing's name in order, its head last: "appointment at the dentist" ends with it."""
    text = _SPELLINGS.sub(lambda match: _SAME_SPELLING[match[0]], fold(noun))
    head, _, rest = _OF.sub(" \n ", text, count=1).partition(" \n ")
    return [part for word in words(f"{rest} {head}") if word not in _ARTICLES for part in stem(word).split()]


def names_thing(asked: str, said: str) -> bool:
    """Tell whether a thing that was spoken of is the thing asked for.

    A phone number is no phone: the last word must be the same, and every word asked must be there.
    """
    wanted, given = noun_stems(asked), noun_stems(said)
    return bool(wanted) and bool(given) and wanted[-1] == given[-1] and set(wanted) <= set(given)


def is_of_kind(value: str, kind: str) -> bool:
    """Tell whether a value says, or is known to be, what was asked for: PostgreSQL is a database."""
    wanted = noun_stems(kind)
    if not wanted:
        return True
    if set(wanted) <= all_stems(value):
        return True
    head = wanted[-1]
    members = next((found for name, found in lexicon.KINDS.items() if stem(name) == head), frozenset())
    # "c++" and "c#" are one letter to the cutter of words.
    said = {*words(value), *fold(value).split(), "".join(words(value))}  # VS Code is vscode
    if lexicon.CHILDREN & set(words(kind)):
        return not lexicon.OFFSPRING.isdisjoint(said)
    return bool(members & said) or not asked_things(f"which {kind}").isdisjoint(said)


def same_person(one: Who, other: Who, ties: Iterable[Who] = ()) -> bool:
    """Tell whether two of them are the same; `ties` are people known by relation and name both."""
    if "thing" in (one.kind, other.kind):
        return "user" not in (one.kind, other.kind) and same_value(subject_name(one), subject_name(other))
    if one.kind != other.kind:
        return False
    if one.kind != "person":
        return one.kind != "someone"
    for a in _known_as(one, ties):
        for b in _known_as(other, ties):
            if a.name and b.name:
                is_other = a.relation and b.relation and not _same_relation(a.relation, b.relation)
                if _same_name(a.name, b.name) and not is_other:
                    return True
            elif _same_relation(a.relation, b.relation):
                return True
    return False


def _same_name(one: str, other: str) -> bool:
    """Tomas may be Tomas Berg, who is not Tomas Holm."""
    short, full = sorted((fold(one).split(), fold(other).split()), key=len)
    return short[0] == full[0] and (len(short) == 1 or short[-1] == full[-1])


def subject_name(who: Who) -> str:
    """Return what somebody or something is called, with the relation in front."""
    return f"{who.relation} {who.name}".strip() or who.kind


def _known_as(who: Who, ties: Iterable[Who]) -> list[Who]:
    known = [who]
    if who.name and not who.relation:
        known += [tie for tie in ties if fold(tie.name) == fold(who.name)]
    return known


def _same_relation(asked: str, said: str) -> bool:
    """A younger sister is a sister; an elder one is not the younger."""
    wanted, given = asked.split(), said.split()
    return (
        bool(wanted)
        and bool(given)
        and wanted[-1] == given[-1]
        and (set(wanted) <= set(given) or set(given) <= set(wanted))
    )
