"""What conversations are about, as a noun phrase that they share: "Lisbon trip", not "Let's talk about the trip".

People name a topic when they open a conversation, so what their first requests share counts before all else.
There is no tagger here: a phrase is a run of words that are neither stop words, verbs nor words people open with.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from hermes_agent.learn.lexicon import word_set
from hermes_agent.text.stems import content_words, stem
from hermes_agent.text.stopwords import ENGLISH_STOP_WORDS
from hermes_agent.text.verbs import Form, lemma, listed

_POLITE = r"(?:(?:ok|okay|so|hi|hello|hey|please|now|right|well|and|again)\b[,!.:]?\s+)*"
_WISH = (
    r"(?:let'?s|let\s+us|can\s+(?:we|you|i)|could\s+(?:we|you|i)|shall\s+we|we\s+(?:should|need\s+to|have\s+to)"
    r"|i(?:'d|\s+would)\s+like\s+to|i\s+(?:want|wanted|need)\s+to|please|help\s+me)\s+"
)
_TALK = (
    r"(?:(?:go\s+)?(?:talk|chat|speak|think|hear)\s+(?:some\s+more\s+|more\s+|again\s+)?(?:about|over|through)"
    r"|discuss|(?:go\s+|come\s+|get\s+)?back\s+to|return\s+to|go\s+(?:over|through)"
    r"|(?:a|another|one\s+more|i\s+have\s+a)\s+question\s+(?:about|on)|tell\s+me\s+(?:more\s+)?about"
    r"|(?:what|how|more|something|a\s+word)\s+about|about|regarding|concerning)\s+"
)
# A folder's name may stand before it, as in the task of an episode.
_LEAD_IN = re.compile(
    rf"^(?:[\w.-]+: )?{_POLITE}(?:{_WISH})?{_TALK}(?:the\s+|a\s+|an\s+|my\s+|our\s+)?", re.IGNORECASE
)
_TRAIL = re.compile(r"(?:\s+(?:again|now|please|today))*[\s.!?,]*$", re.IGNORECASE)
_CLAUSE_END = re.compile(r"(?<=[.!?:;,])\s+|\s+[—–-]\s+")
_LONGEST_OPENING = 8
_FEWEST_WORDS = 2
_WORD = re.compile(r"\w[\w'’-]*(?:\.\w+)*")
_NO_TOPIC = word_set(
    """talk let's question questions thing things help again back today tomorrow yesterday day days week weeks
    month months year years time times please thanks thank hello okay ok yes no good great fine nice right better
    best new old more most much many lot bit way morning evening afternoon night euro euros dollar dollars percent
    minutes hours remember reminder note notes choice idea kind sort part work monday tuesday wednesday thursday
    friday saturday sunday january february march april may june july august september october november december"""
)
# "I'm", "friend who's", "don't"; Mia's is somebody's, O'Brien a name.
_CONTRACTED = re.compile(
    r"['’](?:m|ve|re|ll|d|t|em)$|^(?:who|what|it|that|there|here|he|she|let|how|where)['’]s$", re.I
)
_NO_NOUNS = word_set(
    """able ago already always another anybody anyone anything around away both can't cannot couple d'you dear
    different done dozen eight either else enough especially even ever every everybody everyone everything
    far few first five four getting going gonna gotta guess guys half hard hey hi hopefully however hundred
    im instead interesting ive keep last lately little long lots main make making maybe mean might mine must
    need needs never next nine nobody nothing often oh one ones possible pretty quite rather ready really
    recent recently second seven several since six somebody someone something sometimes soon still sure ten
    third though thousand three together trying twelve two useful usually want wanting wants whatever
    whether without wonder wondering yeah yet"""
)
_FORMS: tuple[Form, ...] = ("base", "third", "past", "done", "ing")
_LONGEST = 3
_MOST_NAMED = 3
_ALIKE = 0.5


@dataclass(slots=True)
class _Phrase:
    shown: str
    sessions: set[str] = field(default_factory=set)
    openings: set[str] = field(default_factory=set)
    """The conversations that were opened with it."""


def subject(request: str) -> str:
    """Return what a request is about: without what leads up to it, and as it is where nothing does."""
    lead_in = _LEAD_IN.match(request)
    named = _CLAUSE_END.split(request[lead_in.end() :], maxsplit=1)[0] if lead_in is not None else ""
    return _TRAIL.sub("", named.rstrip(":;,")) if content_words(named) else request


def is_opening(text: str) -> bool:
    """Tell whether a text only says what is to be talked about."""
    lead_in = _LEAD_IN.match(text)
    named = "" if lead_in is None else text[lead_in.end() :]
    is_short = len(named.split()) <= _LONGEST_OPENING and not any(map(str.isdigit, named))
    return lead_in is not None and is_short and _CLAUSE_END.search(named) is None


def without_opening(text: str) -> str:
    """Return a text without the sentence that only says what is to be talked about, if there is more."""
    lead_in = _LEAD_IN.match(text)
    end = None if lead_in is None else _CLAUSE_END.search(text, lead_in.end())
    if end is None or not is_opening(text[: end.start()]) or len(content_words(text[end.end() :])) < _FEWEST_WORDS:
        return text
    return text[end.end() :]


def is_named(request: str) -> bool:
    """Tell whether a request says in so many words what is to be talked about."""
    return _LEAD_IN.match(request) is not None


@lru_cache(maxsize=4_096)
def is_same_subject(one: str, other: str) -> bool:
    """Tell whether two requests name the same: half at least of the words that name something."""
    names, others = _names(one), _names(other)
    return bool(names) and bool(others) and len(names & others) / max(len(names), len(others)) >= _ALIKE


def shared_topic(openings: Mapping[str, str], said: Mapping[str, Sequence[str]]) -> str | None:
    """Return the phrases that name what conversations share; None where no two of them share one.

    `openings` are the first requests by conversation, `said` what else was said. After the phrase that most
    of them hold come those of the conversations without it.
    """
    every = {key: one for key, one in _collected(openings, said).items() if _is_noun(one.shown)}
    left = {*openings, *said}
    found: list[str] = []
    while len(found) < _MOST_NAMED and len(left) > 1:
        best = max(every.values(), key=lambda one: _weight(one, left), default=None)
        if best is None or len(best.sessions & left) < 2:
            break
        found.append(best.shown)
        left = left - best.sessions
    return "; ".join(found) or None


def _is_noun(phrase: str) -> bool:
    """Tell whether a phrase may be the name of a topic: no contraction, no bare verb, its head is a thing."""
    said = [one.group() for one in _WORD.finditer(phrase)]
    lower = [one.lower() for one in said]
    if any(
        _CONTRACTED.search(one) or one in _NO_NOUNS or one in ENGLISH_STOP_WORDS - {"of", "the"} for one in lower
    ):
        return False
    head = said[-1]
    is_deed = head.islower() and any(lemma(lower[-1], form) for form in ("base", "done", "past", "ing"))
    is_sure_deed = is_deed and _is_sure_verb(lower[-1])
    return not is_sure_deed and not (is_deed and len(said) == 1)


def _weight(one: _Phrase, left: set[str]) -> tuple[int, int, int]:
    return len(one.openings & left), len(one.sessions & left), len(one.shown.split())


def _collected(openings: Mapping[str, str], said: Mapping[str, Sequence[str]]) -> dict[frozenset[str], _Phrase]:
    """Return the phrases of conversations by the stems of their words, as they were written first."""
    every: dict[frozenset[str], _Phrase] = {}
    for session, request in openings.items():
        for key, shown in _opening_phrases(request):
            held = every.setdefault(key, _Phrase(shown))
            held.sessions.add(session)
            held.openings.add(session)
    for session, texts in said.items():
        for text in texts:
            for key, shown in _phrases(text):
                every.setdefault(key, _Phrase(shown)).sessions.add(session)
    return every


@lru_cache(maxsize=4_096)
def _names(request: str) -> frozenset[str]:
    return frozenset(one for key, _ in _opening_phrases(request) for one in key)


def _opening_phrases(request: str) -> Iterator[tuple[frozenset[str], str]]:
    named = subject(request)
    # Behind a lead-in stands no order: "tax" of "about the tax return" is no verb.
    return _phrases(named, is_order=named == request)


def _phrases(text: str, *, is_order: bool = True) -> Iterator[tuple[frozenset[str], str]]:
    """Yield every phrase of up to three words that may name something: its stems, and how it is written."""
    for run in _runs(text, is_order=is_order):
        for start in range(len(run)):
            for end in range(start + 1, min(start + _LONGEST, len(run)) + 1):
                stems = frozenset(stem(one.group().lower()) for one in run[start:end])
                yield stems, text[run[start].start() : run[end - 1].end()]


def _runs(text: str, *, is_order: bool) -> Iterator[list[re.Match[str]]]:
    """Yield the runs of words that may name something; "migration of the database" is one as well."""
    run: list[re.Match[str]] = []
    for found in _WORD.finditer(text):
        is_next = bool(run) and not text[run[-1].end() : found.start()].strip()
        if run and not is_next and text[run[-1].end() : found.start()].split() not in (["of"], ["of", "the"]):
            yield run
            run = []
        is_first = is_order and not text[: found.start()].strip()
        # "return" of "the tax return" is no verb.
        is_compound = not is_order and bool(run) and is_next and found.group().lower() in listed()
        if is_compound or _may_name(found.group(), is_first=is_first):
            run.append(found)
    if run:
        yield run


def _may_name(word: str, *, is_first: bool) -> bool:
    lower = word.lower()
    if (
        lower in ENGLISH_STOP_WORDS
        or lower in _NO_TOPIC
        or lower.endswith("ly")
        or not any(map(str.isalpha, word))
    ):
        return False
    if is_first and lower in listed():
        return False
    is_name = word[0].isupper() and not is_first
    return is_name or not _is_sure_verb(lower)


def _is_sure_verb(word: str) -> bool:
    verbs = (listed().get(lemma(word, form)) for form in _FORMS)
    return any(verb is not None and verb.is_sure for verb in verbs)
