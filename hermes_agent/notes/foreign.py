"""Tell an instruction to the assistant in a text from elsewhere: a web page, a tool's output, a mail, an import.

Such a text is full of imperatives that are meant for its reader ("ignore the old section", "never commit
secrets"), so no single phrase is an alarm. What gives an attack away is that several things stand close together:
the assistant is spoken to, told to do something, for all time, behind its owner's back, in somebody's name. Each
of these kinds counts once in a stretch of text (`signals.py` says how much), and enough of them are an alarm.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import starmap

from hermes_agent.notes import addressing, phrases, signals, threats, threats_worldwide
from hermes_agent.notes.hidden_text import brought_to_light
from hermes_agent.notes.phrases import Threat

LONGEST = 100_000
"""Of a longer text the beginning and the end are read."""

_ENOUGH = 4
_STRETCH = 420
"""So many characters of plain words belong together: about a paragraph."""
_HIDDEN_COUNTS = 2
_CORE = frozenset(("address", "memory", "override", "authority", "consent", "forged", "unseen"))
"""One of these must be there: friends, too, write each other what to do from now on and whom not to tell."""
_WISH = "wish"
"""Whatever a sentence wants done: it counts where the assistant is spoken to."""
_IS_SPOKEN_TO = 2
_IS_SAID_OF_MODELS = frozenset(("address", "transfer", "wish"))
_KNOWN = {
    "prompt_injection": 3,
    "disregard_rules": 3,
    "sys_prompt_override": 3,
    "fake_update": 3,
    "identity_override": 2,
    "role_hijack": 2,
    "role_pretend": 2,
    "bypass_restrictions": 3,
    "remove_filters": 2,
    "forced_action": 3,
    "leak_system_prompt": 2,
    "context_exfil": 3,
    "exfil_secrets": 3,
    "send_to_url": 1,
    "deception_hide": 3,
    "agent_config_mod": 2,
    "hermes_config_mod": 2,
    "c2_task_pull": 2,
    "translate_execute": 2,
}
"""What the threats to notes count here; the others are about commands, which a page may well explain."""
_KINDS = {
    "leak_system_prompt": "transfer",
    "context_exfil": "transfer",
    "exfil_secrets": "transfer",
    "send_to_url": "transfer",
    "deception_hide": "secret",
    "agent_config_mod": "memory",
    "hermes_config_mod": "memory",
    "c2_task_pull": "order",
    "translate_execute": "order",
    "forced_action": "order",
}
# Patterns that skip white space would try every beginning of a long run of it; those of a ruler begin at its first
# sign only, and nothing that was taken is given back (`*+`).
_BLANK = re.compile(r"\s{3,}")
_WRAPPED = re.compile(r"\n[ \t]*+(?:(?:[#>*%;|]++|//|--)[ \t]*+)?(?=[a-z0-9(\"'])")
_ESCAPED = re.compile(r"\\[nrt]")
_ENDS = re.compile(r"\\[nrt]|[<>{}()]|\[/?|\]")
_WORD = re.compile(r"[^\W_]+")
_OVERRIDING = frozenset(("ignore", "disregard", "forget", "override"))
# Behind a quotation mark it is spoken of.
_IN_SO_MANY_WORDS = re.compile(
    r"(?<![\"“'‘«`])\b(?:ignore|disregard|forget|override) (?:(?:all|any|your|the|of|every|and|each) ){0,4}"
    r"(?:previous|prior|earlier|above|preceding|former) (?:\w+ )?(?:instructions|prompts|directives|orders)\b"
)
_IMPERATIVES = re.compile(addressing.IMPERATIVES)
_FORGED = re.compile(
    threats.COMMANDS["forged_role"]
    + r"|</?(?:tool|function|context|memory|system|user|assistant|owner|instructions?)"
    r"(?:[_-]\w+)?>|^#{2,} ?(?:instruction|response|system|human|assistant) ?:"
    r"|(?<!-)-{3,}+ ?end of [\w ]{1,20}-{3,}|(?<!=)={3,}+ ?(?:begin|end) [\w ]{1,30}",
    re.MULTILINE,
)
_UNSEEN = re.compile(
    threats.COMMANDS["hidden_div"] + r"|<\w+ hidden\b|\bcolor ?: ?(?:#fff|white)|\[(?:white|hidden|invisible)"
    r" (?:text|comment)\b"
)
_IN_ANY_WORDS = (("forged", 2, _FORGED), ("unseen", 2, _UNSEEN), (_WISH, 1, _IMPERATIVES))

Written = tuple[str, int, re.Pattern[str]]
"""What is looked for in a text as it is written: its kind, what it counts, how it looks."""

Weighed = tuple[str, int, Threat]
"""What is looked for in the words of a text: its kind, what it counts, the phrase."""
Heard = tuple[int, str, int]
"""Where something is said, of what kind it is, and what it counts."""


def find(text: str) -> tuple[str, ...]:
    """Return the kinds of what speaks to the assistant in a text if they are enough for an alarm, else nothing."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}\n{text[-LONGEST // 2 :]}"
    plainly = _loudest(text)
    if sum(plainly.values()) >= _ENOUGH:
        return tuple(sorted(plainly))
    for hidden in brought_to_light(text):
        found = _loudest(hidden)
        # Only what the code had hidden counts more: the rest of the text is in the clear.
        if sum(found.values()) > sum(plainly.values()) and sum(found.values()) + _HIDDEN_COUNTS >= _ENOUGH:
            return tuple(sorted([*found, "hidden"]))
    return ()


def _unwrapped(text: str) -> str:
    """Undo line breaks inside sentences, also those that a string of a program spells out."""
    return _WRAPPED.sub(" ", _ENDS.sub(" . ", text))


def _loudest(text: str) -> dict[str, int]:
    """Return the kinds that stand together in the stretch where they count most, and what each counts."""
    # Each once: of a text that is all signs, thousands are heard at one place.
    heard = sorted(set(_heard(text)))
    best: dict[str, int] = {}
    for place, (begin, _, _) in enumerate(heard):
        kinds: dict[str, int] = {}
        for at, kind, weight in heard[place:]:
            if at > begin + _STRETCH:
                break
            kinds[kind] = max(weight, kinds.get(kind, 0))
        if not any(starmap(_is_core, kinds.items())):
            continue
        if kinds.get("address", 0) < _IS_SPOKEN_TO:
            kinds.pop(_WISH, None)
        # A heading such as "Language models:" with a link below it is what most pages about them hold.
        if kinds.get("transfer") == 1 and kinds.keys() <= _IS_SAID_OF_MODELS:
            kinds.pop("transfer")
        if sum(kinds.values()) > sum(best.values()):
            best = kinds
    return best


def _heard(text: str) -> list[Heard]:
    """Return what is said in a text; without a kind that is enough for an alarm, not all of it is looked for."""
    plain = phrases.plain(_unwrapped(text))
    possible = _possible(set(plain.split()))
    heard = [
        *_said([one for one in possible if _is_core(*one[:2])], plain),
        *(() if text.isascii() else _said_solid(plain)),
        *_seen(text, len(plain)),
    ]
    if any(_is_core(kind, weight) for _, kind, weight in heard):
        heard += _said([one for one in possible if not _is_core(*one[:2])], plain)
    return heard


def _is_core(kind: str, weight: int) -> bool:
    return weight > 1 and kind in _CORE


def _said(possible: Sequence[Weighed], plain: str) -> Iterator[Heard]:
    for kind, weight, threat in possible:
        for place in threat.places(plain):
            yield place, kind, weight


def _said_solid(plain: str) -> Iterator[Heard]:
    solid = phrases.solid(plain)
    share = len(plain) / max(len(solid), 1)
    for place, kind, weight in _said(_solid(), solid):
        yield round(place * share), kind, weight


def _seen(text: str, size: int) -> Iterator[Heard]:
    """Yield what a text says as it is written; `size` is the length of its plain form, which places count in."""
    line = _WRAPPED.sub(" ", _BLANK.sub("\n\n", _ESCAPED.sub("\n", text.casefold())))
    # As the patterns see them: a sign that a letter carries is none of theirs.
    for kind, weight, pattern in _written(set(_WORD.findall(line))):
        for match in pattern.finditer(line):
            yield round(match.start() * size / max(len(line), 1)), kind, weight


def _written(words: set[str]) -> Iterator[Written]:
    """Yield what is looked for in the text as it is written, if its words allow of it."""
    yield from _IN_ANY_WORDS
    if not words.isdisjoint(_OVERRIDING):
        yield "override", 4, _IN_SO_MANY_WORDS
    for needed, addresses in _addresses():
        if not words.isdisjoint(needed):
            yield from addresses


@cache
def _addresses() -> list[tuple[frozenset[str], list[Written]]]:
    return [
        (words, [("address", weight, re.compile(pattern)) for weight, pattern in patterns])
        for words, patterns in addressing.PATTERNS
    ]


def _possible(words: set[str]) -> list[Weighed]:
    """Return what a text may say by the words in it."""
    spaced, opened = _spaced(), _by_opening()
    places = {place for one in phrases.openings(words) & opened.keys() for place in opened[one]}
    return [spaced[place] for place in sorted(places)]


@cache
def _by_opening() -> Mapping[str, Sequence[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place, (_, _, threat) in enumerate(_spaced()):
        for one in threat.phrase.openings:
            found[one].append(place)
    return dict(found)


@cache
def _spaced() -> list[Weighed]:
    known = [
        threat for table in (threats.ENGLISH, *threats_worldwide.SPACED) for threat in phrases.read_table(table)
    ]
    own = [threat for table in (signals.ENGLISH, signals.ABROAD) for threat in phrases.read_table(table)]
    return [*_weighed_known(known), *_weighed(own)]


@cache
def _solid() -> list[Weighed]:
    known = [threat for table in threats_worldwide.SOLID for threat in phrases.read_table(table, is_solid=True)]
    return [*_weighed_known(known), *_weighed(phrases.read_table(signals.SOLID, is_solid=True))]


def _weighed_known(known: list[Threat]) -> Iterator[Weighed]:
    for threat in known:
        if threat.id in _KNOWN:
            yield _KINDS.get(threat.id, "override"), _KNOWN[threat.id], threat


def _weighed(own: list[Threat]) -> Iterator[Weighed]:
    for threat in own:
        yield threat.id[:-1], int(threat.id[-1]), threat
