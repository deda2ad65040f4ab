"""Likes and dislikes told the other way round: "golf bores me", "jazz isn't my thing", "not a cat person".

What is liked is the subject, or stands alone. Only things by their kind count ("golf", "loud music"), in the
simple present: "the film bored me" is over.
"""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import GIVEN_NAMES, RELATIONS, word_set
from hermes_agent.learn.objects import values
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import is_adverb
from hermes_agent.records.statements import USER, Polarity, Statement
from hermes_agent.text.verbs import lemma

_FELT = word_set("anxious nervous gag cringe shudder uncomfortable queasy miserable sad angry scream want itchy")
_DISLIKED = {
    "annoy": ("me",),
    "bore": ("me",),
    "creep": ("me out",),
    "disgust": ("me",),
    "drain": ("me",),
    "drive": ("me mad", "me crazy", "me nuts", "me insane", "me up the wall", "me round the bend"),
    "freak": ("me out",),
    "frighten": ("me",),
    "get": ("on my nerves", "my goat"),
    "give": ("me the creeps", "me the ick", "me the willies", "me anxiety", "me the shivers"),
    "gross": ("me out",),
    "irritate": ("me",),
    "send": ("me to sleep",),
    "leave": ("me cold",),
    "make": tuple(f"me {word}" for word in sorted(_FELT)),
    "scare": ("me",),
    "stress": ("me out",),
    "taste": ("like soap", "of soap", "like dirt", "like cardboard", "like feet"),
    "terrify": ("me",),
    "turn": ("my stomach", "me off"),
}
_LIKED = {
    "calm": ("me", "me down"),
    "cheer": ("me up",),
    "fascinate": ("me",),
    "keep": ("me sane", "me going"),
    "make": ("me happy",),
    "relax": ("me",),
    "do": ("it for me", "wonders for me"),
}
_VERBS = {
    form: verb for verb in (*_DISLIKED, *_LIKED) for form in (verb, f"{verb}s", f"{verb}es", f"{verb[:-1]}ies")
}
_FEELING = _VERBS.keys() | {"is", "are", "'s", "do", "does"}
_MINE = ("my thing", "my cup of tea", "my jam", "my bag", "my scene", "my passion", "my weakness")
_BEING_LIKED = (*_MINE, "my guilty pleasure", "my comfort food", "my happy place", "my favourite pastime")
_WHAT_I_LIKE = tuple(f"what i {one}" for one in ("love", "like", "enjoy", "adore", "live for", "care for"))
_BEING_DISLIKED = ("torture for me", "my idea of hell", "hell for me", "not for me")
_NOT_DONE = {
    "appeal": ("to me",),
    "do": ("it for me", "anything for me", "much for me"),
    "interest": ("me",),
    "pass": ("my lips",),
}
_OF_ME = word_set("me my tastes taste what")
_SENSED = word_set("smell taste texture sound sight feel noise idea thought")
_THE = word_set("phone dark heat cold sea gym dentist rain snow sun")
_NO_KINDS = glue.INDEFINITE | word_set("work life stuff things thing question answer news traffic weather")
_MOST_WORDS = 4
_FARTHEST = 5
_BEFORE = glue.JOINTS - {"or"}
_PASSING = word_set("today tonight now currently lately yesterday")
_FAN = word_set("huge big massive lifelong avid total a not the biggest much of")
_DEGREES = word_set("not really so super very totally massively properly big")
_FELLOWS = word_set("guy girl gal man woman person bloke lad fan")
_LOVING = word_set("love like enjoy adore")
_HATING = word_set("hate dislike loathe detest stand bear abide")
_HERE = word_set("you your that this it")
_ENDS = word_set("so because but") | frozenset(",;:(")
_TAKEN_WITH = (("obsessed", "with"), ("addicted", "to"), ("hooked", "on"), ("mad", "about"), ("crazy", "about"))
_WOULD = word_set("could would can") | {"'d"}
_CHOOSING = word_set("take choose pick rather sooner")
_EVER = ("every day", "all day", "forever", "any day", "by the bucket", "for breakfast lunch and dinner")
_AT_ALL_TIMES = ("", "always", "any day", "every time", "forever", "all day", "every day")
_ASKED_OF_SELF = Pattern(
    r"(?:^|[.!,;\n]\s*)(?:and |but |as for )?(?P<thing>[^\W\d_]+(?: [^\W\d_]+){0,2})(?: tho(?:ugh)?)?\?+\s+"
    r"(?:(?P<no>(?:(?:no (?:thanks|thx|way|ta),? )?(?:never|not ever|hard pass|yuck|ew+|bleh|not for me)"
    r"|i? ?(?:can'?t stand|hate|loathe) (?:it|them))\b)"
    r"|(?:i )?(?:love|adore) (?:it|them)\b|(?:i )?could (?:bathe|live) (?:in|on) it|yes,? always)"
)


def read_tastes(words: Words) -> Iterator[Statement]:
    """Yield what the user likes and dislikes that is told of the things themselves."""
    listed = words.words
    if not _PASSING.isdisjoint(listed):
        return
    if not _OF_ME.isdisjoint(listed):
        for place in _verbs_near_me(listed):
            polarity = _felt(words, place)
            if polarity is not None and (span := _thing(words, place)) is not None:
                yield _liked(words, span, polarity)
    yield from _fan(words)
    if ">" in listed:
        yield from _better(words)
    if not _WOULD.isdisjoint(listed):
        yield from _craved(words)
    if "never" in listed:
        yield from _always(words)
    if "when" in listed:
        yield from _cases(words)


def _verbs_near_me(listed: list[str]) -> list[int]:
    """Return where a verb may stand that tells what something is to the user."""
    marks = [place for place, word in enumerate(listed) if word in _OF_ME]
    near = {at for mark in marks for at in range(max(mark - _FARTHEST, 1), mark + 1)}
    return sorted(at for at in near if listed[at] in _FEELING)


def _cases(words: Words) -> Iterator[Statement]:
    """Read "I hate it when people are late"."""
    listed = words.words
    for place in range(2, len(listed) - 3):
        if listed[place : place + 2] != ["it", "when"] or "i" not in listed[:place] or listed[place - 2] == "not":
            continue
        verb = listed[place - 1]
        end = next((at for at in range(place + 2, len(listed)) if listed[at] in _ENDS), len(listed))
        is_denied = listed[place - 2] == "n't"
        if (verb in _LOVING or verb in _HATING) and _HERE.isdisjoint(listed[place + 2 : end]):
            yield _liked(words, (place + 1, end), "is" if verb in _LOVING and not is_denied else "is not")
        return


def read_rhetorical(plain: str, message: str) -> Iterator[Statement]:
    """Yield "horror films? no thanks, never": what the user asks and answers."""
    if "?" not in plain:
        return
    for match in _ASKED_OF_SELF.finditer(plain):
        begin, end = match.span("thing")
        said = match["thing"].lower().split()
        if glue.QUESTION_WORDS.isdisjoint(said) and (glue.AUXILIARIES | glue.PRONOUNS).isdisjoint(said):
            polarity: Polarity = "is not" if match["no"] else "is"
            yield made(USER, "likes", message[begin:end], begin, match.end(), polarity)


def _liked(words: Words, span: Span, polarity: Polarity, attribute: str = "likes") -> Statement:
    start, stop = words.starts[span[0]], words.ends[span[1] - 1]
    return made(USER, attribute, words.said(*span), start, stop, polarity)


def _follows(words: Words, place: int, phrases: tuple[str, ...]) -> bool:
    while is_adverb(words.at(place)) and words.at(place) != "not":
        place += 1
    behind = " ".join(words.words[place : place + 5]) + " "
    return any(behind.startswith(f"{one} ") for one in phrases)


def _felt(words: Words, place: int) -> Polarity | None:
    """Return how a verb at a place tells what its subject is to the user."""
    word = words.words[place]
    if word in ("is", "are", "'s"):
        after = place + 1
        while is_adverb(words.at(after)) and words.at(after) != "not":
            after += 1
        if words.at(after) in glue.NOT:
            return "is not" if _follows(words, after + 1, (*_MINE, "for me")) else None
        if _follows(words, place + 1, _BEING_DISLIKED):
            return "is not"
        return "is" if _follows(words, place + 1, (*_BEING_LIKED, *_WHAT_I_LIKE)) else None
    if word in ("do", "does") and words.at(place + 1) in glue.NOT:
        after = place + 2 + is_adverb(words.at(place + 2))
        return "is not" if _follows(words, after + 1, _NOT_DONE.get(words.at(after), ())) else None
    if word in ("do", "does") and _follows(words, place + 1, ("nothing for me", "little for me")):
        return "is not"
    verb = _VERBS.get(word, "")
    if _follows(words, place + 1, _DISLIKED.get(verb, ())):
        return "is not"
    return "is" if _follows(words, place + 1, _LIKED.get(verb, ())) else None


def _thing(words: Words, end: int) -> Span | None:
    """Return the kind of thing that stands in front of a verb: "loud music", "the smell of fish"."""
    listed = words.words
    while end > 0 and is_adverb(listed[end - 1]):
        end -= 1
    begin = end
    while begin > 0 and end - begin < _MOST_WORDS and listed[begin - 1] not in glue.CLOSED - {"of"}:
        begin -= 1
    if begin == end or listed[begin] == "of" or listed[begin] in _NO_KINDS:
        return None
    before = listed[begin - 1] if begin else ""
    if before == "the":
        if listed[begin] not in _SENSED | _THE:
            return None
        before = listed[begin - 2] if begin > 1 else ""
    is_open = not before or before in glue.MARKS or before in _BEFORE
    first = listed[begin]
    is_somebody = first in RELATIONS or first in GIVEN_NAMES or (begin > 0 and words.is_capital(begin))
    return (begin, end) if is_open and not is_somebody else None


def _fan(words: Words) -> Iterator[Statement]:
    """Read "huge fan of ramen", "not a cat person", said without "I'm"."""
    listed = words.words
    place = 0
    while place < len(listed) and (listed[place] in glue.LEADS or listed[place] == ","):
        place += 1
    if tuple(listed[place : place + 2]) in _TAKEN_WITH:
        yield from (_liked(words, span, "is") for span in values(words, place + 2, len(listed)))
        return
    if things := _into(words, place):
        yield from (_liked(words, one, "is not" if listed[place] == "not" else "is") for one in things)
        return
    start = place
    while place < len(listed) and (listed[place] in _FAN or (place > start and is_adverb(listed[place]))):
        place += 1
    polarity: Polarity = "is not" if "not" in listed[start:place] else "is"
    if place > start and listed[place : place + 2] == ["fan", "of"]:
        for span in values(words, place + 2, len(listed)):
            yield _liked(words, span, polarity)
        return
    following = words.at(place + 1)
    is_person = following == "person" and "a" in listed[start:place] and kinds.kinds_of(listed[place])
    if is_person or (following == "fan" and place > start and listed[place] not in glue.CLOSED):
        yield _liked(words, (place, place + 1), polarity)


def _into(words: Words, place: int) -> list[Span]:
    """Return what somebody is "not into", "really into", or "more of a … guy", said without "I'm"."""
    listed = words.words
    if words.at(place + 1) == "into":
        is_felt = words.at(place) in _DEGREES
        return values(words, place + 2, len(listed)) if is_felt and words.at(place + 2) not in glue.CLOSED else []
    if listed[place : place + 3] == ["more", "of", "a"] and words.at(place + 4) in _FELLOWS:
        return [(place + 3, place + 4)]
    return []


def _better(words: Words) -> Iterator[Statement]:
    """Read "tea > coffee always": two of a kind, and which is the better one."""
    listed = words.words
    place = listed.index(">")
    is_short = 0 < place <= 2 and place + 1 < len(listed) and " ".join(listed[place + 2 :]) in _AT_ALL_TIMES
    if is_short and kinds.kinds_of(listed[place - 1]) & kinds.kinds_of(listed[place + 1]):
        yield _liked(words, (0, place), "is", "prefers")


def _craved(words: Words) -> Iterator[Statement]:
    """Read "I could live on cheese", "I'd put olives in everything", "I'd take tea over coffee any day"."""
    listed = words.words
    for place in range(len(listed) - 3):
        if listed[place] in _WOULD and (place == 0 or listed[place - 1] in ("i", "and")):
            yield from _would(words, place)
            return


def _would(words: Words, place: int) -> Iterator[Statement]:
    listed, begin, end = words.words, place + 1, len(words.words)
    lead, tail = listed[begin : begin + 2], listed[-2:]
    if tail == ["any", "day"] and lead[0] in _CHOOSING and not {"over", "than"}.isdisjoint(listed):
        yield _liked(words, (begin + 1, end - 2), "is", "prefers")
        return
    is_eaten = lead[0] in ("eat", "drink") and any(one in " ".join(listed[begin:]) for one in _EVER)
    is_put = lead[0] == "put" and tail in (["in", "everything"], ["on", "everything"])
    is_spared = lead == ["do", "without"] and listed[place] in ("can", "could")
    if not (is_eaten or is_put or is_spared or lead in (["live", "on"], ["live", "off"])):
        return
    for span in values(words, begin + (1 if is_eaten or is_put else 2), end - 2 * is_put)[:1]:
        yield _liked(words, span, "is not" if is_spared else "is")


def _always(words: Words) -> Iterator[Statement]:
    """Read "anything in wool, never acrylic", "only oat milk, never soy"."""
    listed = words.words
    if "never" not in listed[2:] or not glue.AUXILIARIES.isdisjoint(listed):
        return
    place = listed.index("never", 2)
    begin = 2 if listed[0] == "anything" and listed[1] in ("in", "with", "from") else 1
    if listed[place - 1] != "," or listed[0] not in ("anything", "only", "always"):
        return
    if (begin == 1 and listed[0] == "anything") or lemma(listed[begin], "base"):
        return
    for polarity, one, end in (("is", begin, place - 1), ("is not", place + 1, len(listed))):
        for span in values(words, one, end)[:1]:
            yield _liked(words, span, "is" if polarity == "is" else "is not")
