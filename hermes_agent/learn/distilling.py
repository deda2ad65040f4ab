"""Draft a skill from requests that come again and again: what is asked for, how it is wanted, what worked.

Nothing is made up: the steps are calls that were made in more than one of the tasks, the wishes are the user's
words, the lessons those of the reflections. Requests are alike if they ask for the same thing by the same verb,
or by one that means the same.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from hermes_agent import clock
from hermes_agent.learn.learned_skill import (
    ASKED,
    MIND,
    MOST_LINES,
    WANTED,
    WORKED,
    Learned,
    description_of,
    most_lines,
    render,
)
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.ordered import is_told
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.reflecting import lessons, own, reflect, tried
from hermes_agent.learn.same_purpose import plain, plain_verb
from hermes_agent.learn.sentences import sentences
from hermes_agent.learn.skill_corrections import PUT_RIGHT
from hermes_agent.learn.tasks import Task, is_fault, is_owners
from hermes_agent.notes import screening
from hermes_agent.records.archive import Message
from hermes_agent.skills.document import LONGEST_NAME
from hermes_agent.text.clean import preview
from hermes_agent.text.pasted import holds_pasted
from hermes_agent.text.stems import content_words, stem
from hermes_agent.text.verbs import lemma
from hermes_agent.text.words import capital, words

FEWEST = 3
"""So many tasks alike make a skill."""
_LATER = 3_600 * clock.MICROSECONDS
"""After so long the same words are asked for anew: the report of the next week."""
_MOST_THINGS = 3
_LONGEST_REQUEST = 400
_LONGEST_LINE = 160
_LEAD = Pattern(
    r"^\W*(?:(?:hey|hi|hello|ok|okay|please|now|then|so|and|also|hermes|again)\b[\s,!.]*)*"
    r"(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+)?(?:help\s+me\s+(?:to\s+)?)?"
    r"|i(?:'d|\s+would)\s+like\s+you\s+to\s+|i\s+(?:want|need)\s+you\s+to\s+|help\s+me\s+(?:to\s+)?|please\s+)?"
)
_WISH = Pattern(
    r"\b(?:focus(?:ing|sed|ed)?\s+on|concentrat(?:e|ing)\s+on|with(?:out)?|in\s+(?:the\s+style|\w+\s+words|bullet|english|german"
    r"|french|spanish)|using|as\s+(?:a|an)|no\s+more\s+than|at\s+most|under\s+\d|for\s+(?:a|an|the|my|our)\s+\w+|make\s+sure"
    r"|don't|do\s+not|never|always|especially|keep\s+it"
    r"|(?:short|brief(?:ly)?|concise(?:ly)?|detailed|polite(?:ly)?|formal(?:ly)?|informal|plain)(?=\s*(?:$|[,.;!]|and\b|but\b))"
    r")\b.*"
)
_AGAIN = Pattern(r"[\s,]+(?:again|once\s+more|one\s+more\s+time)\W*$")
_LOOSE = word_set(
    "this that these those new next other another my our your the a an it them one please again now today"
)
_SMALL = word_set("a an the of in on for to from with by at into about and or my our your its")
"""Words that hold a phrase together."""
_THIS = word_set("this that another")
_NEW = word_set("new next another other")
_PLAIN = word_set(
    """be do have go get let make want need know think see show say tell give take try keep remember forget thank
    love like hate enjoy miss hope wish feel guess mean believe appreciate"""
)
"""Verbs that say little of what is to be done, or what somebody feels."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a request asks for: what is to be done, with what, and how it is wanted."""

    verb: str
    things: frozenset[str]
    """The stems of what it is about."""
    wishes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request by itself: what is known of it before its conversation is read."""

    message_id: int
    session_id: str
    text: str
    verb: str
    things: frozenset[str]
    """The stems of what it is about."""
    said_at: int


@dataclass(frozen=True, slots=True)
class Work:
    """A request to do something, and what came of it."""

    text: str
    session_id: str
    verb: str
    is_failed: bool
    steps: Sequence[str] = ()
    lessons: Sequence[str] = ()
    wishes: Sequence[str] = ()
    """How it is wanted, by the request."""
    remarks: Sequence[str] = ()
    """What was put right afterwards."""
    is_more: bool = False
    """Whether it goes on with another one, and is none of its own."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A skill that could be made, of tasks that were alike."""

    name: str
    description: str
    document: str
    tasks: int
    words: frozenset[str] = frozenset()
    """The stems of its verb and its things."""
    verb: str = ""
    sources: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The conversations that each of its lines comes from, and each that it has no room for."""


def work_of(task: Task) -> Work | None:
    """Return the work a task asked for; None where nothing was ordered, or in somebody else's words."""
    if not is_owners(task.request) or holds_pasted(task.request.content or ""):
        return None
    request = " ".join((task.request.content or "").split())
    order = order_of(request)
    if order is None or screening.find(request, "note"):
        return None
    task = replace(task, remarks=[one for one in task.remarks if is_owners(one)])
    taught = reflect(task)
    remarks = [one.content or "" for one in task.remarks if is_fault(one.content or "")]
    return Work(
        text=request,
        session_id=task.request.session_id,
        verb=order.verb,
        is_failed=taught is not None and taught.outcome != "done",
        steps=own(one.shown for one in tried(task) if not one.is_failed),
        lessons=lessons(task),
        wishes=own(order.wishes),
        remarks=own(text for text in remarks if not holds_pasted(text)),
    )


def apart(task: Task, answers: Collection[int]) -> list[Task]:
    """Cut a task where its user asked for another thing of the same kind, the one before being answered.

    What is said to a task goes on with it, and most that is alike does: a repetition, or what adds a wish.
    """
    found = [replace(task, attempts=[], remarks=[])]
    for remark in task.remarks:
        last = found[-1].request
        is_answered = any(last.id < answer < remark.id for answer in answers)
        if is_answered and is_owners(remark) and is_another(remark, last):
            found.append(replace(task, request=remark, attempts=[], remarks=[]))
        else:
            found[-1].remarks.append(remark)
    for attempt in task.attempts:
        of = [one for one in found if one.request.id < attempt.message_id]
        (of or found)[-1 if of else 0].attempts.append(attempt)
    return found


def is_another(message: Message, former: Message) -> bool:
    """Tell whether a request is for another thing of the kind that was asked for before it: the next PR."""
    text, before = message.content or "", former.content or ""
    new, old = order_of(text), order_of(before)
    if new is None or old is None or plain_verb(new.verb) != plain_verb(old.verb):
        return False
    if message.said_at - former.said_at > _LATER:
        return True
    said, known = words(text), words(before)
    if said == known or "again" in said:
        return False
    numbers = {word for word in said if word.isdigit()} - set(known)
    if new.things - old.things or numbers or _NEW.intersection(said):
        return True
    return set(new.wishes) <= set(old.wishes)


def works_of(tasks: Sequence[Task]) -> list[Work]:
    """Return the work of tasks that are alike; what goes on with the one before in its conversation is marked."""
    found: list[Work] = []
    last: dict[str, Message] = {}
    for task in tasks:
        work, before = work_of(task), last.get(task.request.session_id)
        if work is None:
            continue
        is_more = before is not None and not is_another(task.request, before)
        if not is_more:
            last[work.session_id] = task.request
        found.append(replace(work, is_more=is_more))
    return found


def order_of(request: str) -> Order | None:
    """Return what a request orders; None where it orders nothing in particular."""
    request = " ".join(request.split())
    if not request or len(request) > _LONGEST_REQUEST:
        return None
    asked = sentences(request)[0].text if sentences(request) else request
    order = asked[_end_of_lead(asked) :].strip()
    verb = lemma(next(iter(words(order)), ""), "base")
    if not verb or verb in _PLAIN or is_told(order):
        return None
    wish = _WISH.search(order)
    asked_for = order if wish is None else order[: wish.start()]
    things = [word for word in content_words(plain(asked_for))[1:] if word not in _LOOSE]
    return Order(verb, frozenset(stem(word) for word in things), list(_wishes(request)))


def clusters(asked: Sequence[Asked]) -> list[list[Asked]]:
    """Put requests that are alike together: verbs that mean the same, things in common with most of the others."""
    found: list[list[Asked]] = []
    by_verb: dict[str, list[tuple[list[Asked], Counter[str]]]] = {}
    for one in asked:
        homes = by_verb.setdefault(plain_verb(one.verb), [])
        home = next(((alike, counts) for alike, counts in homes if _shares(alike, counts, one)), None)
        if home is None:
            home = ([], Counter())
            homes.append(home)
            found.append(home[0])
        home[0].append(one)
        home[1].update(one.things)
    return found


def draft(alike: Sequence[Asked], works: Sequence[Work], zone: tzinfo | None) -> Draft | None:
    """Write the skill of requests that came again and again, by the work on some of them.

    None if it was done too seldom, or has no name.
    """
    common = _common(alike)
    if sum(not work.is_failed and not work.is_more for work in works) < FEWEST or not common:
        return None
    verb = Counter(one.verb for one in alike).most_common(1)[0][0]
    name = "-".join([verb, *(word.lower() for word in common)])[:LONGEST_NAME].strip("-")
    phrase = _phrase(alike, verb, common)
    sections, sources = _sections(works)
    first = clock.to_datetime(min(one.said_at for one in alike), zone).date()
    document = render(Learned(name, phrase, str(first), sections))
    described = frozenset(stem(word.lower()) for word in (plain_verb(verb), *common))
    return Draft(name, description_of(phrase, sections), document, len(alike), described, verb, sources)


def bare(request: str) -> str:
    """Return a request without what only leads to it: "Could you please"."""
    return request[_end_of_lead(request) :]


def _end_of_lead(text: str) -> int:
    lead = _LEAD.match(text)
    return 0 if lead is None else lead.end()


def _wishes(request: str) -> Iterator[str]:
    wish = _WISH.search(request)
    if wish is not None:
        yield capital(_AGAIN.sub("", wish.group()).strip(" .!?"))


def _shares(alike: Sequence[Asked], counts: Mapping[str, int], one: Asked) -> bool:
    return any(counts[thing] * 2 >= len(alike) for thing in one.things)


def _common(alike: Sequence[Asked]) -> list[str]:
    """Return the words that most of the requests share, as they are mostly written, in their order."""
    counts = Counter(thing for one in alike for thing in one.things)
    shared = {thing for thing, count in counts.items() if count * 3 >= len(alike) * 2}
    written = Counter(word for one in alike for word in _written(one.text) if stem(word.lower()) in shared)
    best: dict[str, str] = {}
    for word, _ in written.most_common():
        best.setdefault(stem(word.lower()), word)
    order = [one for word in _written(alike[0].text) if (one := stem(word.lower())) in shared]
    return [best[one] for one in dict.fromkeys(order)][:_MOST_THINGS]


def _phrase(alike: Sequence[Asked], verb: str, common: Sequence[str]) -> str:
    """Say what is asked for in its user's own words, the small ones too: "count the errors in the log"."""
    wanted = {stem(word.lower()): word for word in common}
    found: list[tuple[int, str]] = []
    for one in alike:
        text = plain(one.text)
        pieces = [piece.strip(".,;:!?()\"'") for piece in text[_end_of_lead(text) :].split()][1:]
        stems = [stem(piece.lower()) for piece in pieces]
        if not wanted.keys() <= set(stems):
            continue
        last = max(stems.index(one) for one in wanted)
        kept = [_kept(piece, wanted) for piece in pieces[: last + 1]]
        dropped = sum(not said and piece.lower() not in _LOOSE for said, piece in zip(kept, pieces, strict=False))
        found.append((dropped, " ".join(filter(None, kept))))
    told = min(found, key=lambda one: one[0])[1] if found else " ".join(common)
    return f"{verb} {told}"


def _kept(piece: str, wanted: Mapping[str, str]) -> str:
    word = piece.lower()
    if word in _THIS:
        return "a"
    return wanted.get(stem(word)) or (piece if word in _SMALL else "")


def _written(text: str) -> list[str]:
    """Return the words of a text as they are written, those that a name can be made of."""
    return [
        word
        for word in (piece.strip(".,;:!?()\"'") for piece in plain(text).split())
        if word.isascii() and word.isalnum()
    ]


def unique(texts: Iterable[str]) -> list[str]:
    """Return texts as lines of a skill, each once, a few of them."""
    return list({text.casefold(): preview(text, _LONGEST_LINE) for text in texts}.values())[:MOST_LINES]


def _sections(works: Sequence[Work]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the lines of a skill by their sections, and the conversations of each, those left out as well."""
    counts = Counter(step for work in works for step in dict.fromkeys(work.steps))
    said: dict[str, list[tuple[str, str]]] = {
        ASKED: [(_quoted(work.text), work.session_id) for work in works],
        WANTED: [(preview(wish, _LONGEST_LINE), work.session_id) for work in works for wish in work.wishes],
        PUT_RIGHT: [(_quoted(text), work.session_id) for work in works for text in work.remarks],
        # In the order of the last time.
        WORKED: [(step, work.session_id) for work in reversed(works) for step in work.steps if counts[step] > 1],
        MIND: [(preview(lesson, _LONGEST_LINE), work.session_id) for work in works for lesson in work.lessons],
    }
    sections: dict[str, list[str]] = {}
    sources: dict[str, list[str]] = {}
    for title, lines in said.items():
        kept: dict[str, str] = {}
        for text, session_id in lines:
            line = kept.setdefault(text.casefold(), text)
            if session_id not in sources.setdefault(line, []):
                sources[line].append(session_id)
        sections[title] = list(kept.values())[: most_lines(title)]
    return sections, sources


def _quoted(text: str) -> str:
    return f"“{preview(text, _LONGEST_LINE)}”"
