"""Cut a message into sentences and tell what kind each one is: stated, asked, supposed, reported, joked.

Only what is plainly stated may become a fact. Everything here looks at the form alone; a sentence that
could be read two ways is not a statement.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.spelling import mended_question
from hermes_agent.text.pasted import is_handed_over

LONGEST_MESSAGE = 8_000
_MOST_SENTENCES = 80

# Control characters end a sentence too, so that no quotation ever carries one.
_HARD_END = Pattern("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]+")
_END = Pattern(r"[.!?…]+(?=[\"”»)\]']*(?:\s|$))|[。！？؟।]+|[;](?=\s)")
_ABBREVIATION = Pattern(
    r"(?i:\b(?:e\.g|i\.e|etc|vs|approx|no|nr|st|dr|mr|mrs|ms|prof|sr|jr|ca|bzw|z\.b|d\.h|a\.m|p\.m|inc|ltd"
    r"|co)|\b(?-i:[A-Z]))$",
)
_LONGEST_ABBREVIATION = 12
_MARKS = ("?", "？", "؟")
_ASKING_ENDS = ("か", "吗", "嗎", "呢", "까", "까요")
_ASKING_WORDS = ("什么", "什麼", "谁", "哪里", "哪裡", "哪儿", "多少", "怎么", "怎麼", "几点")
_OPENING_QUOTES = ('"', "“", "„", "«", "”", "‘", "'")

_ASK_LEAD = (
    r"(?:(?:and|so|ok|okay|hey|hi|hello|well|hmm|please|um|but|then|hermes|also|now)\b[\s,:;!.-]*)*"
    r"(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?|please\s+)?"
)
_ASKS = Pattern(
    _ASK_LEAD + r"(?:what(?!\s+an?\b)(?!\s+\w+\s*!)|who(?!\s+knows)|whom|whose|where"
    r"|which(?!\s+(?:is|was|are)\b(?!\s+(?:my|our)\b))|why"
    r"|how(?!\s+\w+\s*!)"
    r"|whats|wheres|whos|hows|whens"
    r"|when(?:'s|\s+(?:is|are|was|were|did|do|does|will|should|can|am))"
    r"|(?:do|does|did|is|are|am|was|were|can|could|will|would|should|have|has|had|isn't|aren't|don't|didn't"
    r"|doesn't)\s+"
    r"(?:i|you|we|my|our|he|she|they|it|the|this|that|there|your|his|her|anyone|someone)\b"
    r"|(?:tell|remind)\s+me\s+(?:again\s+)?(?:what|who|where|when|which|why|how|my|our|about|the|everything"
    r"|if|whether)\b"
    r"|(?:tell|remind)\s+me\s+(?:again\s+)?(?:of|all)\b"
    r"|i\s+(?:wonder|forgot|forget|don't\s+(?:know|remember)|can't\s+(?:remember|recall))\s+(?:what|who"
    r"|where|when|which|how|my|if)\b"
    r"|do\s+you\s+|what's|who's|where's|how's)",
)
_LEAD = Pattern(_ASK_LEAD)
_ASKS_NAMED = Pattern(_ASK_LEAD + r"(?:does|did|is|are|was)\s+(?-i:[A-Z])\w+\s+\w+")
_TAG_WORDS = (
    r"isn't\s+it|innit|is\s+it\s+not|right|correct|true|yes|no|(?:don't|do|didn't|did|am|aren't|haven't|can't)\s+i"
    r"|(?:isn't|is|doesn't|does)\s+(?:he|she|it|that)"
)
# Words at the end that make a question of a statement: "so I work at Ikea right".
_TAG = Pattern(rf"(?:,\s*(?!yes\b|no\b|true\b)(?:{_TAG_WORDS})|(?<=^so\s)(?:i|my|we|our)\b.+\s+right)\s*$")
TAGGED = Pattern(rf"(?P<claim>.+?)\s*,?\s+(?:{_TAG_WORDS}|you\s+know|ok|okay)[\s?]*$")
_WHEN_I_SAY = Pattern(r"\s*(?:when(?:ever)?|if)\s+i\s+(?:say|write|type|ask|mention)\b")

_SUPPOSED = Pattern(
    r"\b(?:if|unless|suppose|supposing|supposedly|imagine|imagining|pretend|pretending|assume|assuming"
    r"|hypothetical\w*|what\s+if|as\s+if|as\s+though"
    r"|maybe|perhaps|possibly|probably|presumably|hopefully|would|could|might|should|let's\s+say"
    r"|let\s+us\s+say|i\s+wish|i\s+hope|i\s+guess"
    r"|i\s+think|i\s+suppose|i\s+dreamed|i\s+dreamt|i'd|we'd|he'd|she'd|for\s+example|for\s+instance|e\.g\."
    r"|thinking\s+of|thinking\s+about"
    r"|considering|almost|nearly|not\s+sure|wenn|angenommen|vielleicht|wäre|hätte|würde|möchte|peut-être"
    r"|imaginons|supposons|serais|quizás|tal\s+vez|ojalá"
    r"|sería|forse|magari|sarei|talvez|seria|misschien|stel\s+dat|zou|zouden)\b"
    r"|\b(?:i|we|you|he|she|it|they)\s+may\b|\b(?:name|i|he|she|it|sister|brother|wife|husband)\s+were\b"
    r"|^\s*falls\b|^\s*(?:s'il|si|se|als)\s+(?:je|j'|mi|yo|io|eu|ik|me|mijn|mon|ma|il|mio|mia|o|a|meu|minha)\b",
)
_REPORTED = Pattern(
    r"\b(?:he|she|they|someone|somebody|everyone|everybody|people|nobody|who|you|(?:my|the|a|this|that|his"
    r"|her|our)\s+[\w-]+(?:\s+[\w-]+)?|(?-i:[A-Z])[\w'-]+)\s+"
    r"(?:(?:just|once|always|often|also|never|still|has|have)\s+)?"
    r"(?:said|says|say|told|tells|thinks|thought|think|claims|claimed|asked|asks|wrote|writes|believes"
    r"|believed|insists|joked|jokes|pretends|pretended"
    r"|sagt|sagte|meint|meinte|behauptet|dit|dice|dijo|disse|diz|zegt|zei)\b"
    r"|\baccording\s+to\b|\bin\s+(?:the|my|a|this|that|his|her)\s+(?:book|movie|film|game|story|song|novel"
    r"|play|dream|show|series|tale|poem)\b"
    r"|\bmy\s+(?:character|avatar|protagonist|alter\s+ego)\b|\bthe\s+(?:protagonist|main\s+character|hero"
    r"|narrator)\b",
)
_NO_REPORT = Pattern(
    r"\b(?:I|[Ww]e)\s+(?:say|said|think|write|ask|told)\b|\bwhen(?:ever)?\s+i\s+(?:say|write|ask)\b"
)
_LONGEST_TALK = 1_500
_MOST_LINES = 15
_WORK_ON = Pattern(
    r"\s*(?:please\s+|can\s+you\s+|could\s+you\s+)*(?:summari[sz]e|translate|proofread|rewrite|rephrase"
    r"|paraphrase|reply|respond|answer"
    r"|fix|review|explain|correct|improve|analy[sz]e|edit|shorten|check|classify|extract)\b[^\n:]{0,80}(?::|\n)"
)
_PLAYED = Pattern(
    r"\b(?:role\s?-?play|let's\s+(?:pretend|play)|you\s+are\s+now|act\s+as|in\s+character"
    r"|once\s+upon\s+a\s+time)\b|^\s*(?:imagine|pretend|suppose)\s+(?:that\s+)?(?:i|we|my)\b"
)
_JOKED = Pattern(
    r"\b(?:just\s+kidding|kidding|j/k|jk|lol|lmao|rofl|haha\w*|hehe\w*|just\s+joking|as\s+a\s+joke"
    r"|yeah\s+right|april\s+fools?|not\s+really)\b"
    r"|[😂🤣😜🙃😝😉]|/s$|\bscherz\b|;-?\)",
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it stands in its message; `text` is without its closing mark."""

    text: str
    start: int
    end: int
    mark: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether it asks, with or without a question mark."""
        has_mark = self.mark.endswith(_MARKS) or self.text.endswith(_ASKING_ENDS)
        return has_mark or any(word in self.text for word in _ASKING_WORDS) or asks(self.text)


def sentences(message: str) -> list[Sentence]:
    """Cut a message into sentences; only the beginning of a very long one is read."""
    return list(_cut(message[:LONGEST_MESSAGE]))


@lru_cache(maxsize=32)  # several readers go through one message
def _cut(text: str) -> tuple[Sentence, ...]:
    found: list[Sentence] = []
    at = 0
    is_code = False
    for end in _HARD_END.finditer(text + "\n"):
        line = text[at : end.start()].lstrip()
        is_fence = line.startswith("```")
        is_code = is_code != is_fence
        # Code and quoted mail are somebody else's words.
        if not is_code and not is_fence and not line.startswith(">"):
            found += _within(text, at, min(end.start(), len(text)))
        at = end.end()
        if len(found) >= _MOST_SENTENCES:
            break
    return tuple(found[:_MOST_SENTENCES])


def _within(text: str, start: int, end: int) -> Iterator[Sentence]:
    begin = start
    for match in _END.finditer(text, start, end):
        before = text[max(begin, match.start() - _LONGEST_ABBREVIATION) : match.start()]
        if match[0] == "." and _ABBREVIATION.search(before):
            continue
        yield from _sentence(text, begin, match.start(), match[0])
        begin = match.end()
    yield from _sentence(text, begin, end, "")


def _sentence(text: str, start: int, end: int, mark: str) -> Iterator[Sentence]:
    while start < end and text[start] in " \t\xa0-–—•*>)]\"'”’»" and text[start] not in _OPENING_QUOTES:
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Sentence(text[start:end], start, end, mark)


def asks(text: str) -> bool:
    """Tell whether a sentence without a question mark asks nevertheless, by how it begins."""
    plain = text.replace("’", "'")
    if _WHEN_I_SAY.match(plain):
        return False
    if _ASKS.match(plain) is not None or _ASKS_NAMED.match(plain) is not None:
        return True
    if _TAG.search(plain):
        return True
    lead = _LEAD.match(plain)
    return mended_question(plain[lead.end() :] if lead else plain) is not None


def is_supposed(text: str) -> bool:
    """Tell whether a sentence speaks of what may be, not of what is."""
    return _SUPPOSED.search(text.replace("’", "'")) is not None


def is_reported(text: str) -> bool:
    """Tell whether a sentence gives somebody else's words, or a story's."""
    plain = text.replace("’", "'")
    if plain.startswith(_OPENING_QUOTES):
        return True
    found = _REPORTED.search(plain)
    return found is not None and not _NO_REPORT.search(plain)


def is_long(message: str) -> bool:
    """Tell whether a message is longer than what people say in a chat."""
    return len(message) > _LONGEST_TALK or message.count("\n") > _MOST_LINES


def is_material(message: str) -> bool:
    """Tell whether a message is text to work on, or pasted, rather than something the user says."""
    if is_long(message) or _WORK_ON.match(message) is not None or _PLAYED.search(message) is not None:
        return True
    return is_handed_over(message)


def is_joked(message: str) -> bool:
    """Tell whether a message says of itself that it is not serious."""
    return _JOKED.search(message) is not None
