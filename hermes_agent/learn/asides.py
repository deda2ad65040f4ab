"""What is told by the way of people: "Piotr, our data lead", "my wife (a nurse)", "a whippet called Dash"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.appositions import number
from hermes_agent.learn.being import FORMERLY
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import RELATIONS
from hermes_agent.learn.objects import trimmed
from hermes_agent.learn.parsing import Span, noun_phrase
from hermes_agent.learn.people import Mention
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.trades import is_job, trait_of
from hermes_agent.learn.verb_groups import verb_group
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
    "sysadmin",
    "admin",
)
_PARTED = ("sacked", "fired", "left", "dropped", "dumped", "replaced", "ditched", "used", "divorced")
_ADORED = ("idol", "hero", "rival", "nemesis")
_BEFORE_SUBJECTS = (",", ";", "and", "but", "so", "because", "(")
_CALLED = ("called", "named")
_FIRMS = ("firm", "company", "employer", "practice", "agency", "bank", "school")
_HOMES = ("place", "flat", "house", "apartment", "cottage", "farm")
_FAMILIAR = ("family", "pet")
_WHENCE = {"at": "employer", "in": "location", "from": "origin"}
_GONE = (["died"], ["passed"], ["put", "to", "sleep"], ["put", "down"], ["was", "put"], ["had", "to", "be", "put"])


def read_asides(words: Words, people: Sequence[Mention]) -> Iterator[Statement]:
    """Yield what is said of people in words beside their names."""
    yield from _pets(words)
    yield from _firm(words)
    for one in people:
        if one.who.relation in _NO_KIN and one.who.name and "," in words.words[one.begin : one.end]:
            name = words.message.find(one.who.name, words.starts[one.begin])
            if name >= 0:
                who = Who("person", one.who.relation)
                yield made(who, "name", one.who.name, words.starts[one.begin], name + len(one.who.name))
        yield from [*_named_first(words, one), *_abroad(words, one), *_place_of(words, one)]
        if words.at(one.end) in _OPENING and one.end + 1 < len(words.words):
            yield from _behind(words, one)
        if one.begin > 1 and words.words[one.begin - 1] in _OPENING:
            yield from _before(words, one)
        called = next((at for at in range(max(one.begin - 1, 0), one.end) if words.words[at] in _CALLED), 0)
        if called:
            yield from _called(words, one, called)


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
        is_gone = is_gone or any(words.words[end : end + len(gone)] == gone for gone in _GONE)
        if not is_gone and kinds.had(words.words[head]) == "pet" and (head < end - 1 or is_counted):
            yield _made(words, USER, "pet", (place + 1, end), (place, end))


def _firm(words: Words) -> Iterator[Statement]:
    """Read "our firm, Okafor & Lindgren, …": where the user works."""
    for place in range(1, len(words.words) - 3):
        if words.words[place] not in _FIRMS or words.words[place + 1] != ",":
            continue
        end = place + 2
        while end < len(words.words) and (words.is_capital(end) or words.words[end] in ("&", "and", "of")):
            end += 1
        is_named = end > place + 2 and words.at(end) == "," and words.is_capital(place + 2)
        if is_named and words.words[place - 1] in glue.MINE:
            yield _made(words, USER, "employer", (place + 2, end), (place - 1, end))


def _is_animal(words: Words, place: int) -> bool:
    """Tell whether a word with a capital letter is a pet: a Saluki; but "my friend Mara" is a friend."""
    return kinds.had(words.words[place]) == "pet" and words.words[place - 1] not in RELATIONS


def _behind(words: Words, one: Mention) -> Iterator[Statement]:
    """Read "Piotr, our data lead": an article, or brackets, tell that it is no list."""
    begin = one.end + 1
    is_bracket = words.words[one.end] == "("
    if number(words.words[begin]) and words.at(begin + 1) == "," and begin + 2 < len(words.words):
        begin += 2  # "my mother Ada, 81, a retired teacher, …"
    begin += words.words[begin] in ("now", "currently") and begin + 1 < len(words.words)
    if words.words[begin] not in ("a", "an", "the", "our", "my") and not is_bracket:
        return
    span = _noun(words, begin)
    if span is None or (words.at(span[1]) in ("i", "we", "they") and words.at(span[1] + 1) in _PARTED):
        return  # "the vendor we sacked"
    head = words.words[span[1] - 1]
    who = one.who
    if (attribute := trait_of(head)) and words.words[begin] in ("a", "an"):
        yield _made(words, who, attribute, span, (one.begin, span[1]))
    elif words.words[begin] in glue.MINE and kinds.had(head) in _FAMILIAR:
        if kinds.had(head) == "pet":
            yield _made(words, USER, "pet", (one.begin, span[1]), (one.begin, span[1]))
    elif is_job(head) or (words.words[begin] == "our" and head in _POSTS):
        yield _made(words, who, "role", span, (one.begin, span[1]))
        yield from _whence(words, one, span[1])


def _whence(words: Words, one: Mention, place: int) -> Iterator[Statement]:
    """Read where a trade belongs to: "a cardiologist at the Royal Infirmary", "our sysadmin in Delft"."""
    attribute = _WHENCE.get(words.at(place))
    begin = place + 1 + (words.at(place + 1) == "the")
    end = begin
    while end < len(words.words) and words.is_capital(end) and words.words[end] not in glue.CLOSED:
        end += 1
    if attribute is not None and end > begin and words.time_letters[begin] == ".":
        yield _made(words, one.who, attribute, (begin, end), (one.begin, end))


def _named_first(words: Words, one: Mention) -> Iterator[Statement]:
    """Read "Pickle, our ginger cat": a pet of the user's."""
    is_named_first = bool(one.who.relation and one.who.name) and words.words[one.begin] not in glue.MINE
    if is_named_first and kinds.had(one.who.relation.split()[-1]) == "pet":
        yield _made(words, USER, "pet", (one.begin, one.end), (one.begin, one.end))


def _abroad(words: Words, one: Mention) -> Iterator[Statement]:
    """Read "my aunt in Toronto, who …", "my sister in Leeds has …": where somebody is, as a subject."""
    place = one.end + 1
    is_subject = one.begin == 0 or words.words[one.begin - 1] in _BEFORE_SUBJECTS
    if not one.who.relation or not is_subject or words.at(one.end) != "in" or place >= len(words.words) - 1:
        return
    end = place
    while end < len(words.words) and words.is_capital(end) and words.words[end] not in glue.CLOSED:
        end += 1
    is_over = words.at(end) in (",", "who") or verb_group(words, end, len(words.words), "noun") is not None
    if end > place and words.time_letters[place] == "." and is_over:
        yield _made(words, one.who, "location", (place, end), (one.begin, end))


def _place_of(words: Words, one: Mention) -> Iterator[Statement]:
    """Read "my brother's place in Inverness": where somebody lives."""
    at = one.end
    is_place = words.at(at) == "'s" and words.at(at + 1) in _HOMES and words.at(at + 2) == "in"
    begin = end = at + 3
    while is_place and end < len(words.words) and words.is_capital(end) and words.words[end] not in glue.CLOSED:
        end += 1
    if end > begin and one.who.relation and words.time_letters[begin] == ".":
        yield _made(words, one.who, "home", (begin, end), (one.begin, end))


def _before(words: Words, one: Mention) -> Iterator[Statement]:
    """Read "the intern, Matteus", "my GP, Dr Lund"."""
    if one.who.relation:
        return
    end = one.begin - 1
    begin = end
    while begin > 0 and words.words[begin - 1] not in glue.CLOSED and end - begin < _LONGEST:
        begin -= 1
    owner = words.words[begin - 1] if begin > 0 else ""
    if begin == end or owner not in ("the", "my", "our", "of", "at"):
        return
    head = words.words[end - 1]
    if (post := _post(words, begin - 1)) is not None:
        yield _made(words, one.who, "role", (post, end), (post - 1, one.end))
        return
    if owner in ("of", "at"):
        return
    kind = kinds.had(head)
    if kind == "pet":
        yield _made(words, USER, "pet", (begin, one.end), (begin - 1, one.end))
    elif kind != "family" and is_job(head) and not head.endswith("s") and head not in _ADORED:
        yield _made(words, one.who, "role", (begin, end), (begin - 1, one.end))


def _post(words: Words, place: int) -> int | None:
    """Return where "chairman of our cooperative" begins, if its "our" stands at a place."""
    at = place - (words.words[place] in ("the", "my", "our"))
    if at < 2 or words.words[at] not in ("of", "at"):
        return None
    begin = at
    while begin > 0 and words.words[begin - 1] not in glue.CLOSED and at - begin < _LONGEST:
        begin -= 1
    is_post = is_job(words.words[at - 1]) or words.words[at - 1] in _POSTS
    is_told = words.words[max(begin - 2, 0)] in glue.BE  # "he is the hero of Neuromancer, Gibson's novel"
    is_post = is_post and begin < at and words.words[begin - 1 : begin] in (["the"], ["our"], ["my"])
    return begin if is_post and not is_told else None


def _called(words: Words, one: Mention, end: int) -> Iterator[Statement]:
    """Read "a glassblower called Henning", "a whippet called Dash"."""
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
    elif one.who.relation and (attribute := trait_of(head)):
        yield _made(words, one.who, attribute, (end - 1, end), (begin, one.end))


def _noun(words: Words, begin: int) -> Span | None:
    end = noun_phrase(words, begin, len(words.words))
    return trimmed(words, begin, end) if end > begin else None


def _made(words: Words, who: Who, attribute: str, value: Span, whole: Span) -> Statement:
    return made(who, attribute, words.said(*value), words.starts[whole[0]], words.ends[whole[1] - 1])


def read_trade(words: Words) -> Iterator[Statement]:
    """Read "As the only tester on the team, I …", "Formerly a nurse, I …": what the user is or was."""
    is_former = words.words[0] in FORMERLY
    if not (is_former or words.words[0] == "as") or words.at(1) not in ("a", "an", "the"):
        return
    span = _noun(words, 1)
    if "i" in words.words and words.at(words.words.index("i") + 1) in ("was", "were", "had", "used"):
        return  # "As a student I was …"
    head = words.words[span[1] - 1] if span is not None else ""
    if span is not None and "i" in words.words[:20] and is_job(head) and head != "speaker":
        role = _made(words, USER, "role", span, (0, span[1]))
        yield replace(role, polarity="was", is_single=False) if is_former else role
