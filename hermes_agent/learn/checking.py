"""Check what a light model claims against the messages themselves. Pure: claims in, candidates and refusals out.

A claim stands if its message was shown, its quote is in that message letter for letter and in the speaker's own
words, its value is in the quote and not denied there, whoever it is about was spoken of, and what it replaces has
the same attribute or is named in the quote. What does not stand is refused whole: half a claim may be the wrong
half.
"""

from collections.abc import Sequence

from hermes_agent.learn import attributes, lexicon, moods
from hermes_agent.learn.candidates import of_speaker
from hermes_agent.learn.claims import Claim, Malformed
from hermes_agent.learn.fact_text import fact_text
from hermes_agent.learn.matching import all_stems, same_person, topic_words
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import sentences
from hermes_agent.learn.since import valid_from
from hermes_agent.learn.subjects import subject_of, who_named
from hermes_agent.records.learning import Candidate, Heard, Part, Reading
from hermes_agent.records.memory import Fact
from hermes_agent.records.statements import USER, WE, Statement, Who
from hermes_agent.text import secrets
from hermes_agent.text.words import fold

_MOST_SURE = 0.9
_LEAST_SURE = 0.5
_WEAK_BELOW = 0.7
_LONGEST_ATTRIBUTE = 40
_LONGEST_VALUE = 300
_REDACTED = "[redacted"
_OTHERS = Pattern(r"(?m)^[ \t]*>.*$")
_NOT_TO_KEEP = Pattern(
    r"(?<!i )(?<!we )(?<!they )\b(?:don't|do not|dont|never) (?:keep|store|save|remember|note|record|memori[sz]e"
    r"|write) (?:it|this|that|any of (?:it|this|that)|them)\b"
    r"|\b(?:please |just )?forget (?:that|this|it|what i (?:just )?said)\b|\boff the record\b"
)
_REPORT = Pattern(
    r"(?:^| )(?:said|says|(?:people|they|some|you) say|told|tells|claims|claimed|swears?|swore|thinks|thought"
    r"|believes?|believed|insists?|insisted|goes ,|was like|reckons?|reckoned|heard|wrote|writes|promised|promises"
    r"|asked|asks|shouted|announced|joked|jokes|pretends?|pretended|according to|states|stated|explained|suggested"
    r"|mentioned|dit|sagt|sagte|meint|dice|dijo|disse|zegt|zei)(?= |$)"
)
_NO_REPORT = Pattern(
    r"(?:^| )(?:said|says) (?:no|yes|ok|okay|goodbye|so)\b|(?:what|as|that) (?:i|we) (?:said|told|mentioned|wrote)"
    r"|i told you"
)
_CLAUSES = Pattern(
    r"[.;:!?()\n–—]|\b(?:but|aber|mais|pero)\b"
    r"|(?:,|\b(?:and|so|because|though|although)\b)(?= (?:i|we|he|she|they|it|you|my|our|his|her|their)\b)"
)
# "No" at the beginning only answers, and "not only" denies nothing.
_DENIES = Pattern(
    r"\b(?:not(?! (?:only|just|to mention))|never|cannot|\w+n[’']t|(?:do|does|did|is|are|was|ca|wo)nt)\b"
    r"|(?<=\w )(?:no|neither|nor|without|nicht|keine?|nie|pas|jamais|nunca|non)\b"
    r"|\b(?:i|we|he|she|they) used to\b|\b(?:stopped|quit|gave up|given up)\b"
)
_DISLIKES = Pattern(
    r"\b(?:hat(?:e[sd]?|ing)|dislik(?:e[sd]?|ing)|detest(?:s|ed)?|despise[sd]?|loathe[sd]?|hass(?:e|t)|déteste|odio"
    r"|(?:can[’']?t|cannot) (?:stand|bear))\b"
)
_LIKES = Pattern(r"\b(?:like|love|enjoy|prefer|adore)s?\b")
_LIKING = (attributes.LIKES, "prefers", "eats", "drinks")
_SAID_BY_DENYING = (
    *("allergy", "health", "schedule"),
    *(attributes.INSTRUCTION, attributes.NOTE, attributes.MEANING, attributes.DECISION, attributes.ENDED),
)
"""Attributes whose value may stand behind a "not": who cannot eat nuts has an allergy."""
_DOCTORS = Pattern(r"\b(?:doctors?|gp|physio|surgeon|dentist|consultant|specialist|midwife|nurse|hospital)\b")


class RefusedError(Exception):
    """Why a claim does not stand; it is caught where claims are checked."""


def check(part: Part, claims: Sequence[Claim | Malformed], model: str) -> Reading:
    """Return the claims that stand as candidates, in the order they were said, and why the others do not."""
    found: list[Candidate] = []
    refused: list[str] = []
    seen: set[tuple[str, Who, str, str, str]] = set()
    for claim in claims:
        if isinstance(claim, Malformed):
            refused.append(claim.reason)
            continue
        try:
            one = _candidate(part, claim, model)
        except RefusedError as error:
            refused.append(str(error))
            continue
        stated = one.statement
        key = (one.heard.uid, stated.who, stated.attribute, stated.value.casefold(), stated.polarity)
        if key not in seen:
            seen.add(key)
            found.append(one)
    place = {heard.uid: number for number, heard in enumerate(part.fresh)}
    found.sort(key=lambda one: (place[one.heard.uid], one.statement.start))
    return Reading(found, refused)


def _candidate(part: Part, claim: Claim, model: str) -> Candidate:
    heard = _message(part, claim.message)
    start, end = _span(heard, claim.quote)
    confidence = _confidence(claim.confidence)
    attribute, value = _attribute(claim.attribute), _value(claim)
    who = _who(part, claim)
    _bear_out(claim, attribute)
    known = attributes.is_personal(attribute)
    stated = Statement(
        who,
        attribute,
        value,
        start,
        end,
        polarity=claim.polarity,
        is_single=attributes.is_single(attribute) if known else claim.is_single,
        is_weak=confidence < _WEAK_BELOW,
    )
    stated = of_speaker(stated, heard)
    return Candidate(
        stated,
        subject_of(stated.who),
        fact_text(stated),
        heard,
        confidence,
        f"as {model} reads it",
        valid_from(stated, heard, part.zone),
        repeats=None if claim.repeats is None else _known(part, claim.repeats).uid,
        replaces=tuple(_replaced(_known(part, number), stated, claim.quote).uid for number in claim.replaces),
    )


def _message(part: Part, number: int) -> Heard:
    if not 1 <= number <= len(part.fresh):
        raise RefusedError("no message has that number")
    heard = part.fresh[number - 1]
    if _NOT_TO_KEEP.search(heard.text):
        raise RefusedError("the user asked not to keep it")
    return heard


def _span(heard: Heard, quote: str) -> tuple[int, int]:
    """Find the words of a quote in a message; what somebody else wrote there is not the speaker's word."""
    words = quote.strip()
    start = heard.text.find(words) if words else -1
    if start < 0:
        raise RefusedError("the quote is not in the message")
    end = start + len(words)
    own = moods.masked(_OTHERS.sub(lambda line: " " * len(line[0]), heard.text))
    if not topic_words(own[start:end]) and topic_words(words):
        raise RefusedError("the quote is somebody else's words")
    if _is_hearsay(heard.text, start, end):
        raise RefusedError("somebody else is said to have said it")
    if any(max(start, line.start()) < min(end, line.end()) for line in _OTHERS.finditer(heard.text)):
        raise RefusedError("the quote is somebody else's words")
    return start, end


def _is_hearsay(text: str, start: int, end: int) -> bool:
    """Tell whether a sentence up to the end of a quote reports what others say; doctors are believed."""
    begin = max((one.start for one in sentences(text) if one.start <= start), default=0)
    said = fold(text[begin:end])
    report = _REPORT.search(said)
    if report is None or _NO_REPORT.search(said) or _DOCTORS.search(said):
        return False
    return said[: report.start()].split()[-1:] not in (["i"], ["we"])


def _confidence(given: float) -> float:
    if not 0 <= given <= 1:
        raise RefusedError("the confidence is not between 0 and 1")
    if given < _LEAST_SURE:
        raise RefusedError("it is too uncertain")
    return min(given, _MOST_SURE)


def _attribute(given: str) -> str:
    name = " ".join(given.split()).lower()
    if not name or len(name) > _LONGEST_ATTRIBUTE:
        raise RefusedError("the attribute has no name that can be kept")
    return attributes.ALIASES.get(fold(name), name)


def _value(claim: Claim) -> str:
    """Return the value if the quote says it: its words, or the letters where words are not written apart."""
    value = " ".join(claim.value.split())
    if not value or len(value) > _LONGEST_VALUE:
        raise RefusedError("the value has no length that can be kept")
    wanted = topic_words(value)
    is_said = fold(value) in fold(" ".join(claim.quote.split()))
    if not is_said and not (wanted and wanted <= all_stems(claim.quote)):
        raise RefusedError("the value is not in the quote")
    if _REDACTED in claim.quote or secrets.redact(value)[0] != value or _is_secret(claim):
        raise RefusedError("it is a secret")
    return value


def _is_secret(claim: Claim) -> bool:
    """Tell whether a value goes by a name that is nobody's business: "the wifi password is …"."""
    return any(map(attributes.is_secret, (claim.attribute, claim.name or "", _up_to_value(claim))))


def _bear_out(claim: Claim, attribute: str) -> None:
    """Refuse a claim whose quote says the opposite: "I hate rain" is no "likes rain"."""
    if not attributes.is_personal(attribute) or attribute in _SAID_BY_DENYING:
        return
    clause = _up_to_value(claim)
    denied = len(list(_DENIES.finditer(_DISLIKES.sub("", clause))))
    if attribute in _LIKING:
        denied += len(list(_DISLIKES.finditer(clause)))
    # Twice denied is said: "I can't live without coffee".
    is_denied = denied % 2 == 1
    is_liked = attribute in _LIKING and not is_denied and _LIKES.search(clause) is not None
    if (claim.polarity == "is" and is_denied) or (claim.polarity == "is not" and is_liked):
        raise RefusedError("the quote says the opposite")


def _up_to_value(claim: Claim) -> str:
    """Return the clause of the quote that says the value, without the value; what denies it stands before it."""
    quote = " ".join(claim.quote.split())
    place = fold(quote).find(fold(" ".join(claim.value.split())))
    return "" if place < 0 else _CLAUSES.split(quote[:place])[-1]


def _who(part: Part, claim: Claim) -> Who:
    if claim.about in ("user", "team"):
        return USER if claim.about == "user" else WE
    name, relation = " ".join((claim.name or "").split()), fold((claim.relation or "").strip())
    spoken = " ".join(
        [*(heard.text for heard in (*part.before, *part.fresh)), *(fact.text for fact in part.known)]
    )
    if name and not (all_stems(name) <= all_stems(spoken) or fold(name) in fold(spoken)):
        raise RefusedError("whom it is about was not spoken of")
    if claim.about == "thing":
        if not name:
            raise RefusedError("it is about a thing without a name")
        return Who("thing", name=name)
    relation = lexicon.RELATIONS.get(relation, "")
    if not name and not relation:
        raise RefusedError("it is about a person without a name")
    return Who("person", relation, name)


def _known(part: Part, number: int) -> Fact:
    if not 1 <= number <= len(part.known):
        raise RefusedError("no known fact has that number")
    return part.known[number - 1]


def _replaced(fact: Fact, stated: Statement, quote: str) -> Fact:
    """Return a known fact that a claim may replace: of its slot, or one whose value the quote names."""
    if fact.subject is not None and not same_person(who_named(fact.subject), stated.who):
        raise RefusedError("it replaces a fact about somebody else")
    is_named = not topic_words(fact.value or fact.text).isdisjoint(all_stems(quote))
    # A plan ends by what came of it, in whatever words: "we live in Porto now" ends "fly on Sunday".
    if fact.attribute not in (stated.attribute, "plan") and not is_named:
        raise RefusedError("it replaces a fact that the quote does not speak of")
    return fact
