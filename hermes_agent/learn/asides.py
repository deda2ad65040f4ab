"""What is told by the way of people: "Piotr, our data lead", "my wife (a nurse)", "a whippet called Dash"."""

from collections.abc import Iterator, Sequence

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.being import is_job
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import RELATIONS
from hermes_agent.learn.objects import trimmed
from hermes_agent.learn.parsing import Span, noun_phrase
from hermes_agent.learn.people import Mention
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import USER, Statement, Who

_OPENING = (",", "(", "-", "–", "—")
_LONGEST = 6
_NO_KIN = (
    "doctor",
    "dentist",
    "therapist",
    "lawyer",
    "teacher",
    "manager",
    "boss",
    "assistant",
    "landlord",
    "coach",
)
_POSTS = (
    "lead",
    "head",
    "contact",
    "rep",
    "intern",
    "dba",
    "pm",
    "cto",
    "ceo",
    "cfo",
    "hr",
    "chair",
    "host",
    "guide",
)
_FAMILIAR = ("family", "pet")


def read_asides(words: Words, people: Sequence[Mention]) -> Iterator[Statement]:
    """Yield what is said of people in words beside their names."""
    yield from _pets(words)
    for one in people:
        if one.who.relation in _NO_KIN and one.who.name and "," in words.words[one.begin : one.end]:
            name = words.message.find(one.who.name, words.starts[one.begin])
            if name >= 0:
                who = Who("person", one.who.relation)
                yield made(who, "name", one.who.name, words.starts[one.begin], name + len(one.who.name))
        if words.at(one.end) in _OPENING and one.end + 1 < len(words.words):
            yield from _behind(words, one)
        if one.begin > 1 and words.words[one.begin - 1] in _OPENING:
            yield from _before(words, one)
        if one.begin > 0 and words.words[one.begin - 1] in ("called", "named"):
            yield from _called(words, one)


def _pets(words: Words) -> Iterator[Statement]:
    """Read "my beagle Monty", "my two Salukis"."""
    for place, word in enumerate(words.words[:-1]):
        if word not in glue.MINE:
            continue
        end = noun_phrase(words, place, len(words.words))
        head = end - 1
        while head > place + 1 and words.is_capital(head) and not _is_animal(words, head):
            head -= 1
        is_counted = words.words[place + 1] in glue.NUMBERS
        is_gone = place > 0 and words.words[place - 1] in (
            "lost",
            "lose",
            "losing",
            "buried",
            "miss",
            "sold",
            "rehomed",
        )
        if not is_gone and kinds.had(words.words[head]) == "pet" and (head < end - 1 or is_counted):
            yield _made(words, USER, "pet", (place + 1, end), (place, end))


def _is_animal(words: Words, place: int) -> bool:
    """Tell whether a word with a capital letter is a pet: a Saluki; but "my friend Mara" is a friend."""
    return kinds.had(words.words[place]) == "pet" and words.words[place - 1] not in RELATIONS


def _behind(words: Words, one: Mention) -> Iterator[Statement]:
    """Read "Piotr, our data lead": an article, or brackets, tell that it is no list."""
    begin = one.end + 1
    is_bracket = words.words[one.end] == "("
    if words.words[begin] not in ("a", "an", "the", "our", "my") and not is_bracket:
        return
    span = _noun(words, begin)
    if span is None:
        return
    head = words.words[span[1] - 1]
    who = one.who
    if words.words[begin] in glue.MINE and kinds.had(head) in _FAMILIAR:
        if kinds.had(head) == "pet":
            yield _made(words, USER, "pet", (one.begin, span[1]), (one.begin, span[1]))
    elif is_job(head) or (words.words[begin] == "our" and head in _POSTS):
        yield _made(words, who, "role", span, (one.begin, span[1]))


def _before(words: Words, one: Mention) -> Iterator[Statement]:
    """Read "the intern, Matteus", "my GP, Dr Lund"."""
    if one.who.relation:
        return
    end = one.begin - 1
    begin = end
    while begin > 0 and words.words[begin - 1] not in glue.CLOSED and end - begin < _LONGEST:
        begin -= 1
    owner = words.words[begin - 1] if begin > 0 else ""
    if begin == end or owner not in ("the", "my", "our"):
        return
    head = words.words[end - 1]
    kind = kinds.had(head)
    if kind == "pet":
        yield _made(words, USER, "pet", (begin, one.end), (begin - 1, one.end))
    elif kind != "family" and kinds.is_job(head) and not head.endswith("s"):
        yield _made(words, one.who, "role", (begin, end), (begin - 1, one.end))


def _called(words: Words, one: Mention) -> Iterator[Statement]:
    """Read "a glassblower called Henning", "a whippet called Dash"."""
    end = one.begin - 1
    begin = end
    while begin > 0 and words.words[begin - 1] not in glue.CLOSED and end - begin < _LONGEST:
        begin -= 1
    if begin == end:
        return
    head = words.words[end - 1]
    if kinds.had(head) == "pet":
        yield _made(words, USER, "pet", (begin, one.end), (begin, one.end))
    elif is_job(head):
        yield _made(words, one.who, "role", (begin, end), (begin, one.end))


def _noun(words: Words, begin: int) -> Span | None:
    end = noun_phrase(words, begin, len(words.words))
    return trimmed(words, begin, end) if end > begin else None


def _made(words: Words, who: Who, attribute: str, value: Span, whole: Span) -> Statement:
    return made(who, attribute, words.said(*value), words.starts[whole[0]], words.ends[whole[1] - 1])


def read_trade(words: Words) -> Iterator[Statement]:
    """Read "As the only tester on the team, I …": what the user is."""
    if words.words[0] != "as" or words.at(1) not in ("a", "an", "the") or "i" not in words.words[:20]:
        return
    span = _noun(words, 1)
    if span is not None and is_job(words.words[span[1] - 1]):
        yield _made(words, USER, "role", span, (0, span[1]))
