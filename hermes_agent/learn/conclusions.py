"""Draw conclusions about the user from several facts together. Pure, and careful: little is concluded.

Three kinds: when somebody writes, from the times at which things were said; how somebody wants to be answered,
from wishes that point the same way; what somebody is at home in, from the tools they use. Where facts point both
ways nothing is concluded.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from zoneinfo import ZoneInfo

from hermes_agent import clock
from hermes_agent.learn import attributes, lexicon
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.traits import Told
from hermes_agent.records.memory import Fact
from hermes_agent.records.user_model import Facet, Trait
from hermes_agent.text.words import fold

_LEAST_MESSAGES, _LEAST_DAYS, _LEAST_SHARE = 8, 4, 0.7
_MOST_EVIDENCE = 20
_DOUBT = 3
"""So many facts are worth as much as what is not known: three of three give a confidence of one half."""
_PARTS_OF_DAY = {"at night": range(5), "in the morning": range(5, 12), "in the afternoon": range(12, 18)}
_EVENING = "in the evening"
_SATURDAY = 5
_TRADES = ("database", "editor", "framework", "cloud", "ci", "queue", "packager", "shell")
_LEAST_TOOLS, _LEAST_TRADES = 3, 2
_SAYS_TRADE = Pattern(r"\b(?:software|developer|engineer|programmer|sysadmin|devops|data scientist)\b")
_NO = r"\b(?:no|not|n't|don't|never|without|stop|avoid|skip|drop|less|fewer)\b.*"


@dataclass(frozen=True, slots=True)
class _Manner:
    """A way to be answered: the words that ask for it, and the line that says so."""

    facet: Facet
    text: str
    asks: Pattern
    is_denied: Pattern | None = None
    opposite: str = ""


_BRIEF = r"(?:short(?:er)?|brief|concise|terse|succinct|tl;?dr|to the point|one (?:sentence|line|paragraph)s?)\b"
_LISTS = r"(?:bullets?|bullet points|lists)\b"
_MANNERS = (
    _Manner(
        "style",
        "Prefers short answers",
        Pattern(rf"\b{_BRIEF}|{_NO}\b(?:long|lengthy|essays?|walls? of text|rambl\w+|detail\w*)\b"),
        Pattern(rf"{_NO}\b{_BRIEF}"),
        "Prefers thorough answers",
    ),
    _Manner(
        "style",
        "Prefers thorough answers",
        Pattern(
            r"\b(?:detail(?:ed|s)?|thorough(?:ly)?|in depth|step by step|full reasoning|long version"
            r"|explain fully)\b"
        ),
        Pattern(rf"{_NO}\b(?:detail|thorough|in depth|step by step|full)"),
        "Prefers short answers",
    ),
    _Manner("style", "Prefers prose to lists", Pattern(rf"{_NO}\b{_LISTS}"), None, "Prefers lists to prose"),
    _Manner(
        "style",
        "Prefers lists to prose",
        Pattern(rf"\b(?:in|as|with|use|using|give me) (?:a )?{_LISTS}"),
        Pattern(rf"{_NO}\b{_LISTS}"),
        "Prefers prose to lists",
    ),
    _Manner(
        "style",
        "Prefers a plain tone",
        Pattern(rf"{_NO}\b(?:emojis?|exclamation|flattery|praise|apologi\w+|small talk|pleasantries|fluff)\b"),
    ),
    _Manner(
        "reporting",
        "Wants to be asked first",
        Pattern(
            r"\b(?:ask|check with|confirm with) (?:me )?(?:first|before)\b|\bbefore you \w+"
            r"|\bmy (?:ok|okay|approval)\b"
        ),
    ),
)


def conclusions(told: Sequence[Told], zone: tzinfo | None) -> list[Trait]:
    """Return what follows from several facts that the owner said; `zone` is where the owner reads the clock."""
    own = [one for one in told if one.fact.trust == "owner"]
    return [*_manners(own), *_trade(own), *_habits(own, zone)]


def _manners(told: Sequence[Told]) -> Iterator[Trait]:
    wishes = [
        one
        for one in told
        if one.statement.who.kind == "user"
        and one.statement.attribute in (attributes.INSTRUCTION, "prefers", "likes")
    ]
    asked = {manner.text: [one.fact for one in wishes if _asks(manner, one)] for manner in _MANNERS}
    for manner in _MANNERS:
        facts = asked[manner.text]
        if len(facts) > 1 and not asked.get(manner.opposite):
            times = len(facts) + sum(fact.corroborations for fact in facts)
            yield _concluded(manner.facet, manner.text, facts, times, 1.0)


def _asks(manner: _Manner, one: Told) -> bool:
    words, is_not = one.statement.value.lower(), one.statement.polarity == "is not"
    if manner.is_denied is not None and manner.is_denied.search(words):
        return False
    return not is_not and manner.asks.search(words) is not None


def _trade(told: Sequence[Told]) -> Iterator[Trait]:
    """Conclude from tools of several kinds that somebody makes software, unless a role says so."""
    if any(one.statement.attribute == "role" and _SAYS_TRADE.search(one.statement.value) for one in told):
        return
    kinds: Counter[str] = Counter()
    facts: list[Fact] = []
    for one in told:
        of_user = one.statement.who.kind in ("user", "we") and one.statement.polarity == "is"
        if not of_user or one.statement.attribute not in (attributes.USES, "skill"):
            continue
        said = set(fold(one.statement.value).split())
        found = [kind for kind in _TRADES if lexicon.KINDS[kind] & said]
        kinds.update(found)
        facts += [one.fact] if found else []
    if len(facts) >= _LEAST_TOOLS and len(kinds) >= _LEAST_TRADES:
        yield _concluded("domain-knowledge", "Is at home in software", facts, len(facts), 1.0)


def _habits(told: Sequence[Told], zone: tzinfo | None) -> Iterator[Trait]:
    """Conclude when somebody writes, from the messages in which facts were said."""
    place = _own_zone(told) or zone
    said = {one.fact.source_message: one.fact for one in told if one.fact.source_message is not None}
    when = [(clock.to_datetime(fact.said_at, place), fact) for fact in said.values()]
    for named in (_part_of_day, _part_of_week):
        yield from _mostly(when, named)


def _mostly(when: Sequence[tuple[datetime, Fact]], named: Callable[[datetime], str]) -> Iterator[Trait]:
    """Conclude a habit if most messages, on several days, were written at such a time."""
    if len(when) < _LEAST_MESSAGES:
        return
    ((most, count),) = Counter(named(moment) for moment, _ in when).most_common(1)
    share = count / len(when)
    some = [(moment, fact) for moment, fact in when if named(moment) == most]
    days: set[date] = {moment.date() for moment, _ in some}
    if most and share >= _LEAST_SHARE and len(days) >= _LEAST_DAYS:
        yield _concluded("schedule", f"Mostly writes {most}", [fact for _, fact in some], len(days), share)


def _part_of_day(moment: datetime) -> str:
    return next((name for name, hours in _PARTS_OF_DAY.items() if moment.hour in hours), _EVENING)


def _part_of_week(moment: datetime) -> str:
    return "at weekends" if moment.weekday() >= _SATURDAY else ""


def _own_zone(told: Sequence[Told]) -> tzinfo | None:
    """Return the time zone the user said to be in, if it is one's name."""
    for one in reversed(told):
        if one.statement.attribute in ("time zone", "timezone") and one.statement.who.kind == "user":
            try:
                return ZoneInfo(one.statement.value.split()[0])
            except (KeyError, ValueError, OSError):
                continue
    return None


def _concluded(facet: Facet, text: str, facts: Sequence[Fact], weight: int, share: float) -> Trait:
    """Word a conclusion; of many facts the latest are its evidence."""
    evidence = tuple(sorted(facts, key=lambda fact: fact.id)[-_MOST_EVIDENCE:])
    return Trait(facet, text, evidence, round(share * weight / (weight + _DOUBT), 2), "concluded")
