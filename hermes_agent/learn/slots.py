"""What a noun of somebody's, or of a thing, is: "my shoe size is 43", "the rate limit is 120"."""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds, lexicon
from hermes_agent.learn.attributes import USES
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.objects import end_of_object, trimmed, values
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tooling import is_tool
from hermes_agent.learn.worth import is_hard
from hermes_agent.records.statements import USER, WE, Statement, Who
from hermes_agent.text.entity_openers import OPENERS
from hermes_agent.text.verbs import lemma
from hermes_agent.text.words import fold

_PERSONAL = ("name", "birthday", "home", "email", "phone number")
_SLOTS = ("name", "birthday", "home", "employer", "role", "origin", "birthplace", "time zone")
_NO_SLOTS = (
    "probability",
    "answer",
    "result",
    "ping",
    "total",
    "sum",
    "score",
    "odds",
    "ratio",
    "difference",
    "responsiveness",
    "suggestion",
    "advice",
    "recommendation",
    "opinion",
    "guess",
    "dream",
    "things",
    "favourite",
    "favourites",
    "question",
    "questions",
    "problem",
    "issue",
    "point",
    "favourite thing",
    "sentence",
    "prompt",
    "message",
)
_LONGEST_VALUE = 7
_POSTS = frozenset(
    ("lead", "head", "chair", "chairman", "director", "treasurer", "secretary", "maintainer", "rep")
)
_OF_LIFE = ("learn", "become", "retire", "move", "buy", "quit", "stop", "lose", "open")
_AIMS = ("goal", "aim", "ambition", "dream", "target", "resolution")
_PASTIMES = ("hobby", "hobbies", "main hobby", "pastime", "pastimes")
_EMPTY = ("a", "so", "too", "very", "mine", "ours", "every")


def read_slot(told: Told, noun: str, begin: int, end: int) -> Iterator[Statement]:
    """Yield what fills a slot: a name or a number, or whatever a noun that is always kept is."""
    words = told.words
    if not noun:
        return
    if noun in _AIMS and not told.subject.is_the and words.at(begin) == "to" and _is_far(told, begin + 1, end):
        yield told.made("goal", (begin + 1, end), told.polarity())
        return
    if noun in _PASTIMES and not told.subject.is_the:
        spans = [one for one in values(words, begin, end) if _is_pastime(words.words[one[1] - 1])]
        yield from (told.made("hobby", one, told.polarity()) for one in spans)
        return
    begin += words.at(begin) == "like" and words.at(begin + 1)[:1].isdigit()
    begin += noun == "birthday" and words.at(begin) == "on"
    begin += words.at(begin) in ("called", "named") and begin + 1 < end
    span = trimmed(words, begin, _end(told, noun, begin, end)) if begin < end else None
    if span is None:
        return
    if noun == "preference" and words.words[begin] == "for":
        yield told.made("prefers", (begin + 1, end), told.polarity())
    elif words.words[begin] in ("a", "an") and _is_own_model(told, span):
        yield told.made("owns", span, told.polarity(), who=USER)
    elif (
        words.words[begin] in _EMPTY
        or words.words[begin] in glue.PREPOSITIONS
        or _is_no_slot(told, noun, begin, span)
    ):
        return
    elif _is_named(told, noun, begin, span):
        yield told.made("is", span, told.polarity(), who=told.thing())
    elif (role := _post(told, noun)) is not None and _is_somebody(words, span):
        yield told.made("role", role, told.polarity(), who=Who("person", name=words.said(*span)))
    elif noun.split()[-1] == "stack" and not told.subject.is_the:
        stop = end_of_object(words, begin, end, rest=False)
        yield from (told.made("uses", one, told.polarity()) for one in values(words, begin, stop))
    elif _is_filled(told, noun, span):
        who = told.subject.who
        if who.kind == "thing":
            who = USER if noun in _PERSONAL or noun.startswith("favourite") else WE
        yield told.made(noun, span, told.polarity(), who=who)


def _is_pastime(word: str) -> bool:
    is_doing = word.endswith("ing") and bool(lemma(word, "ing")) and not kinds.is_mood(word)
    return kinds.is_activity(word) or is_doing


def _post(told: Told, noun: str) -> Span | None:
    """Return the words of a post that one person has: "our QA lead", "our CTO"."""
    span = told.subject.noun
    if span is None or told.subject.who.kind != "we":
        return None
    said = told.words.said(span[1] - 1, span[1])
    is_title = said.isupper() and said.startswith("C") and len(said) == 3
    return span if is_title or noun.split()[-1] in _POSTS else None


def _is_somebody(words: Words, span: Span) -> bool:
    """Tell whether a value is the name of a person: one to three words with capitals, no thing that is known."""
    is_named = all(words.is_capital(at) and words.words[at].isalpha() for at in range(*span))
    return is_named and span[1] - span[0] <= 3 and not kinds.kinds_of(words.words[span[0]])


def _is_far(told: Told, begin: int, end: int) -> bool:
    """Tell whether an aim is more than the task at hand: it has a number or a date, or is of a life."""
    listed = told.words.words[begin:end]
    has_number = any(word[0].isdigit() or word in glue.NUMBERS for word in listed)
    return len(listed) > 1 and (has_number or told.has("date") or listed[0] in _OF_LIFE)


def _end(told: Told, noun: str, begin: int, end: int) -> int:
    listed = told.words.words
    if noun == "birthday":
        return next((place for place in range(begin, end) if listed[place] in ("not", ",")), end)
    stop = end_of_object(told.words, begin, end, rest=True)
    if "," in listed[begin:stop] and noun not in ("home", "address"):
        return listed.index(",", begin)
    return stop


def _is_no_slot(told: Told, noun: str, begin: int, span: Span) -> bool:
    """Tell whether a noun is of the talk ("my suggestion", "the answer"), or no noun that one keeps."""
    words = told.words
    is_number = span[1] - span[0] == 1 and len(words.words[span[0]]) < 3
    if not noun[0].isalpha() or "decision" in noun or "so far" in noun or noun.endswith(("schedule", *_NO_SLOTS)):
        return True
    if told.subject.is_the and is_number:
        return True
    thing = told.subject.noun
    if not told.subject.is_the or thing is None or not words.is_capital(thing[0]):
        return False
    is_bare = thing[0] == 0 or words.words[thing[0] - 1] not in glue.DETERMINERS
    known = lexicon.LASTING_NOUNS | lexicon.LASTING_HEADS | lexicon.NUMBERED_NOUNS
    is_kept = noun.split()[-1] in known or "style" in noun
    return is_bare and not is_kept and words.words[begin] not in ("the", "our")


def _is_named(told: Told, noun: str, begin: int, span: Span) -> bool:
    """Tell whether a thing with a name is said to be something: "Atlas is our monolith"."""
    words, thing = told.words, told.subject.noun
    if thing is None or not told.subject.is_the or not words.is_capital(thing[0]) or thing[1] - thing[0] > 1:
        return False
    if words.words[begin] not in ("the", "our") or words.words[span[1] - 1] in ("best", "worst", "key", "one"):
        return False
    return len(noun) > 1 and fold(noun) not in OPENERS and (thing[0] > 0 or not kinds.kinds_of(noun))


def _is_filled(told: Told, noun: str, span: Span) -> bool:
    words = told.words
    is_known = noun.split()[-1] in lexicon.LASTING_NOUNS or noun.startswith("favourite") or noun in _SLOTS
    first = span[0] + (words.words[span[0]] in ("about", "around", "roughly", "over", "under"))
    is_firm = first < span[1] and is_hard(words, (first, first + 1)) and span[1] - span[0] <= _LONGEST_VALUE
    is_count = words.words[span[0]] in glue.NUMBERS and noun.split()[-1] in lexicon.NUMBERED_NOUNS
    is_firm = is_firm or (is_count and 1 < span[1] - span[0] <= _LONGEST_VALUE)
    is_known = is_known or (noun == USES and is_tool(words, span[0]))
    if told.subject.is_the and not is_known and noun.split()[-1] not in lexicon.NUMBERED_NOUNS:
        return False
    is_mine = not told.subject.is_the or noun in _PERSONAL or noun.startswith("favourite")
    return (is_known or is_firm) and (is_firm or is_mine)


def _is_own_model(told: Told, span: Span) -> bool:
    """Tell whether "my car is a red Toyota Yaris" names what the user has."""
    noun = told.subject.noun
    is_thing = noun is not None and not kinds.kinds_of(told.words.words[noun[1] - 1]).isdisjoint(
        ("vehicle", "device")
    )
    return is_thing and any(told.words.is_capital(at) for at in range(*span))
