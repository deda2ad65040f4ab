"""Say whether a learned fact is what a label says, in two ways. Pure.

`strict`: the same one, the same value with the same polarity, taken from the quoted words, under an attribute of
the same kind. Labels name attributes in free words ("skill: crochet", "hobby: crochet"), so `stated` lets the
attribute differ where the meaning does not: a home is not where one comes from, a name is nothing else, a goal is
not reached, what one is allergic to one does not eat. For that it is stricter about values: what they share must
be words of content, numbers must be the same, what was so is not what is so, and a fact finds one label only.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.learn.attributes import ENDED
from hermes_agent.learn.lexicon import RELATIONS
from hermes_agent.records.learning import Candidate
from hermes_agent.text.stopwords import ENGLISH_STOP_WORDS
from hermes_agent.text.words import words

_KINDS = (
    ("name", "called"),
    ("home", "location", "origin", "birthplace", "grew up", "is in", "address"),
    ("employer", "role", "work", "field", "studies", "works on", "project", "skill", "learns", "is"),
    ("likes", "dislikes", "prefers", "eats", "drinks", "diet", "plays", "collects", "hobby", "favourite", "habit"),
    ("uses", "owns", "has", "drives", "tool", "pet", "family", "version"),
    ("allergy", "health", "diet"),
    ("contact", "email", "phone", "phone number", "number"),
    ("note", "is", "status"),
    (
        *("age", "birthday", "date", "deadline", "schedule", "plan", "goal", "decision", "deploy day"),
        *("time zone", "habit"),
    ),
    ("instruction", "prefers", "note", "meaning", "rule"),
    ("speaks", "language", "learns"),
)
# Of these, an attribute on one side and one of the other say different things of the same value.
_APART = (
    (("home", "location", "is in", "address"), ("origin", "birthplace", "grew up")),
    (("goal", "learns"), ("plays", "speaks", "skill", "owns", "has", "hobby", "role", "employer")),
    (("allergy", "health"), ("likes", "prefers", "eats", "drinks", "diet", "grows", "cooks", "pet", "owns")),
)
_EATEN = ("eats", "drinks", "diet")
_HARM = ("allergy", "health")
_NAMES = ("name", "called", "maiden name", "nickname")
_FAVOURITE = re.compile(r"favou?rite .+")
_NEGATIVE = ("is not", "no longer")
_PAST = ("was", "no longer")
_MOST_OTHERS = 3


@dataclass(frozen=True)
class Label:
    """What a careful reader would write down."""

    subject: str
    attribute: str
    value: str
    quote: str
    polarity: str = "is"


def agrees(one: Candidate, label: Label, text: str) -> bool:
    """Tell whether a learned fact is what a label says, with an attribute of its kind."""
    stated = one.statement
    return (
        _overlaps(one, label, text)
        and _is_negative(stated.attribute, stated.polarity) == _is_negative(label.attribute, label.polarity)
        and _same_value(stated.value, label.value)
        and (_same_slot(one, label) or _same_thing(one, label))
    )


def states(one: Candidate, label: Label, text: str) -> bool:
    """Tell whether a learned fact says what a label says, whatever the attribute is called."""
    return (
        _overlaps(one, label, text)
        and (_same_polarity(one, label) or _is_kept_off(one, label))
        and (_is_said(one, label) or _is_turned(one, label))
    )


def _is_said(one: Candidate, label: Label) -> bool:
    return (
        _holds(one.statement.value, label.value)
        and not _means_other(one, label)
        and (_same_subject(one.subject, label.subject) or _same_thing(one, label))
    )


def _is_turned(one: Candidate, label: Label) -> bool:
    """Tell whether name and role stand the other way round: Lund is the dentist, the dentist is called Lund."""
    if {one.statement.attribute, label.attribute} != {"name", "role"}:
        return False
    return bool(_named(one.statement.value) & _named(label.subject) and _named(label.value) & _named(one.subject))


def _is_kept_off(one: Candidate, label: Label) -> bool:
    """Tell whether one side says what must not be eaten, the other that it does harm."""
    ours, theirs = one.statement, label
    return (ours.attribute in _EATEN and ours.polarity == "is not" and theirs.attribute in _HARM) or (
        theirs.attribute in _EATEN and theirs.polarity == "is not" and ours.attribute in _HARM
    )


def paired(learned: Sequence[Candidate], labels: Sequence[Label], text: str) -> list[Label]:
    """Return the labels that are stated, each by a fact of its own: one long fact does not find three labels."""
    free = list(learned)
    found: list[Label] = []
    for label in labels:
        fitting = [one for one in free if states(one, label, text)]
        if fitting:
            found.append(label)
            free.remove(min(fitting, key=lambda one: len(one.statement.value)))
    return found


def _overlaps(one: Candidate, label: Label, text: str) -> bool:
    start = text.find(label.quote)
    return one.statement.start < start + len(label.quote) and start < one.statement.end


def _is_negative(attribute: str, polarity: str) -> bool:
    return (polarity in _NEGATIVE) != (attribute == "dislikes")


def _same_polarity(one: Candidate, label: Label) -> bool:
    ours, theirs = one.statement.polarity, label.polarity
    if "was" in (ours, theirs):
        return ours in _PAST and theirs in _PAST
    return _is_negative(one.statement.attribute, ours) == _is_negative(label.attribute, theirs)


def _means_other(learned: Candidate, label: Label) -> bool:
    one, other = learned.statement.attribute, label.attribute
    if _is_kept_off(learned, label):
        return False
    if (one in _NAMES) != (other in _NAMES):
        return True
    return any((one in left and other in right) or (one in right and other in left) for left, right in _APART)


def _same_slot(one: Candidate, label: Label) -> bool:
    # What has come to an end without a word for its kind is over whatever it was.
    is_over = one.statement.attribute == ENDED and label.polarity == "no longer"
    same_kind = is_over or _same_kind(one.statement.attribute, label.attribute)
    return same_kind and _same_subject(one.subject, label.subject)


def _same_thing(one: Candidate, label: Label) -> bool:
    """Tell whether a thing is the subject on one side and the attribute of its owner on the other.

    "The API rate limit is 120" may be of the API (its rate limit) or of us (our API rate limit).
    """
    if _is_owner(one.subject) == _is_owner(label.subject):
        return False
    ours = set(words(f"{one.subject} {one.statement.attribute}"))
    theirs = set(words(f"{label.subject} {label.attribute}"))
    return bool((ours & theirs) - {"user", "we", "date", "name"})


def _is_owner(subject: str) -> bool:
    return subject.lower() in ("user", "we", "our team", "team")


def _same_subject(one: str, other: str) -> bool:
    if _is_owner(one) or _is_owner(other):
        return _is_owner(one) and _is_owner(other)
    return bool(_named(one) & _named(other))


def _named(subject: str) -> set[str]:
    """Return the words of a subject; "gf" and "girlfriend" are one."""
    return {RELATIONS.get(word, word) for word in words(subject)}


def _same_value(one: str, other: str) -> bool:
    return _likeness(words(one), words(other)) >= 0.5


def _likeness(one: Sequence[str], other: Sequence[str]) -> float:
    ours, theirs = Counter(one), Counter(other)
    return 2 * (ours & theirs).total() / max(ours.total() + theirs.total(), 1)


def _holds(one: str, other: str) -> bool:
    """Tell whether a value is what a label says: the same words of content, or all of them and few others."""
    ours, theirs = _content(one), _content(other)
    numbers, wanted = _numbers(ours), _numbers(theirs)
    if numbers and wanted and numbers.isdisjoint(wanted):
        return False
    has_all = set(theirs) <= set(ours) and len(ours) - len(theirs) <= max(_MOST_OTHERS, len(theirs))
    return has_all or _likeness(ours, theirs) >= 0.5


def _content(value: str) -> list[str]:
    every = words(value)
    return [word for word in every if word not in ENGLISH_STOP_WORDS] or every


def _numbers(value: Sequence[str]) -> set[str]:
    return {word for word in value if any(letter.isdigit() for letter in word)}


def _same_kind(one: str, other: str) -> bool:
    one, other = (_FAVOURITE.sub("favourite", name.replace("timezone", "time zone")) for name in (one, other))
    if one == other or set(words(one)) & set(words(other)):
        return True
    return any(one in kind and other in kind for kind in _KINDS)
