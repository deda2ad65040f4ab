"""Draft a skill from requests that come again and again: what is asked for, how it is wanted, what worked.

Nothing is made up: the steps are calls that were made in more than one of the tasks, the wishes are the user's
words, the lessons those of the reflections. Requests are alike if they ask for the same thing by the same verb.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from hermes_agent import clock
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.ordered import is_told
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.reflecting import lessons, own, reflect, tried
from hermes_agent.learn.sentences import sentences
from hermes_agent.learn.skill_corrections import PUT_RIGHT
from hermes_agent.learn.tasks import Task, is_fault, is_owners
from hermes_agent.notes import screening
from hermes_agent.skills.document import LONGEST_NAME
from hermes_agent.skills.validation import LONGEST_DESCRIPTION
from hermes_agent.text.clean import preview
from hermes_agent.text.pasted import holds_pasted
from hermes_agent.text.stems import content_words, stem
from hermes_agent.text.verbs import lemma
from hermes_agent.text.words import capital, words

FEWEST = 3
"""So many tasks alike make a skill."""
_MOST_LINES = 6
_MOST_THINGS = 2
_LONGEST_REQUEST = 400
_LONGEST_LINE = 160
_LEAD = Pattern(
    r"^\W*(?:(?:hey|hi|hello|ok|okay|please|now|then|so|and|also|hermes|again)\b[\s,!.]*)*"
    r"(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?(?:help\s+me\s+(?:to\s+)?)?"
    r"|i(?:'d|\s+would)\s+like\s+you\s+to\s+|i\s+(?:want|need)\s+you\s+to\s+|help\s+me\s+(?:to\s+)?|please\s+)?"
)
_WISH = Pattern(
    r"\b(?:focus(?:ing|sed|ed)?\s+on|concentrat(?:e|ing)\s+on|with(?:out)?|in\s+(?:the\s+style|\w+\s+words|bullet|english|german"
    r"|french|spanish)|using|as\s+(?:a|an)|no\s+more\s+than|at\s+most|under\s+\d|for\s+(?:a|an|the|my|our)\s+\w+|make\s+sure"
    r"|don't|do\s+not|never|always|especially|keep\s+it)\b.*"
)
_LOOSE = word_set(
    "this that these those new next other another my our your the a an it them one please again now today"
)
_PLAIN = word_set(
    """be do have go get let make want need know think see say tell give take try keep remember forget thank
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
class Work:
    """A request to do something, and what came of it."""

    text: str
    verb: str
    things: frozenset[str]
    """The stems of what it is about."""
    said_at: int
    is_failed: bool
    steps: Sequence[str] = ()
    lessons: Sequence[str] = ()
    wishes: Sequence[str] = ()
    """How it is wanted, by the request."""
    remarks: Sequence[str] = ()
    """What was put right afterwards."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A skill that could be made, of tasks that were alike."""

    name: str
    description: str
    document: str
    tasks: int


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
        verb=order.verb,
        things=order.things,
        said_at=task.request.said_at,
        is_failed=taught is not None and taught.outcome != "done",
        steps=own(one.shown for one in tried(task) if not one.is_failed),
        lessons=lessons(task),
        wishes=own(order.wishes),
        remarks=own(text for text in remarks if not holds_pasted(text)),
    )


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
    things = [word for word in content_words(asked_for)[1:] if word not in _LOOSE]
    return Order(verb, frozenset(stem(word) for word in things), list(_wishes(request)))


def clusters(works: Sequence[Work]) -> list[list[Work]]:
    """Put work that is alike together: the same verb, and things in common with most of the others."""
    found: list[list[Work]] = []
    for work in works:
        home = next((one for one in found if one[0].verb == work.verb and _shares(one, work)), None)
        if home is None:
            found.append([work])
        else:
            home.append(work)
    return found


def draft(alike: Sequence[Work], zone: tzinfo | None) -> Draft | None:
    """Write the skill of work that came again and again; None if it came too seldom, failed, or has no name."""
    done = [work for work in alike if not work.is_failed]
    common = _common(alike)
    if len(done) < FEWEST or not common:
        return None
    verb = alike[0].verb
    name = "-".join([verb, *(word.lower() for word in common)])[:LONGEST_NAME].strip("-")
    thing = " ".join(common)
    wishes = unique(wish for work in alike for wish in work.wishes)
    told = f": {wishes[0].rstrip('.')}" if wishes else ""
    description = f"{capital(verb)} {thing}{told}. Use when asked to {verb} {thing}."[:LONGEST_DESCRIPTION]
    return Draft(name, description, _document(name, description, alike, wishes, zone), len(alike))


def _end_of_lead(text: str) -> int:
    lead = _LEAD.match(text)
    return 0 if lead is None else lead.end()


def _wishes(request: str) -> Iterator[str]:
    wish = _WISH.search(request)
    if wish is not None:
        yield capital(wish.group().strip(" .!?"))


def _shares(alike: Sequence[Work], work: Work) -> bool:
    counts = Counter(thing for one in alike for thing in one.things)
    usual = {thing for thing, count in counts.items() if count * 2 >= len(alike)}
    return bool(usual & work.things)


def _common(alike: Sequence[Work]) -> list[str]:
    """Return the words that most of the requests share, as they are mostly written, in their order."""
    counts = Counter(thing for work in alike for thing in work.things)
    shared = {thing for thing, count in counts.items() if count * 3 >= len(alike) * 2}
    written = Counter(word for work in alike for word in _written(work.text) if stem(word.lower()) in shared)
    best: dict[str, str] = {}
    for word, _ in written.most_common():
        best.setdefault(stem(word.lower()), word)
    order = [one for word in _written(alike[0].text) if (one := stem(word.lower())) in shared]
    return [best[one] for one in dict.fromkeys(order)][:_MOST_THINGS]


def _written(text: str) -> list[str]:
    """Return the words of a text as they are written, those that a name can be made of."""
    return [
        word
        for word in (piece.strip(".,;:!?()\"'") for piece in text.split())
        if word.isascii() and word.isalnum()
    ]


def unique(texts: Iterable[str]) -> list[str]:
    """Return texts as lines of a skill, each once, a few of them."""
    return list({text.casefold(): preview(text, _LONGEST_LINE) for text in texts}.values())[:_MOST_LINES]


def _document(
    name: str, description: str, alike: Sequence[Work], wishes: Sequence[str], zone: tzinfo | None
) -> str:
    first = clock.to_datetime(min(work.said_at for work in alike), zone).date()
    asked = unique(work.text for work in alike)
    counts = Counter(step for work in alike for step in dict.fromkeys(work.steps))
    # In the order of the last time.
    steps = [step for work in reversed(alike) for step in work.steps if counts[step] > 1]
    sections = [
        ("Asked for", [f"“{text}”" for text in asked]),
        ("How it is wanted", wishes),
        (PUT_RIGHT, [f"“{text}”" for text in unique(text for work in alike for text in work.remarks)]),
        ("Steps that worked", list(dict.fromkeys(steps))[: _MOST_LINES * 2]),
        ("Mind", unique(lesson for work in alike for lesson in work.lessons)),
    ]
    told = f"Learned from {len(alike)} tasks since {first}. Change it as you like: what you write stays."
    return document(name, description, told, sections)


def document(name: str, description: str, told: str, sections: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Write a SKILL.md: where it comes from, then its sections, those that hold something."""
    written = [f"## {title}\n\n" + "\n".join(f"- {line}" for line in lines) for title, lines in sections if lines]
    heading = description.partition(":")[0].partition(".")[0]
    quoted = json.dumps(description, ensure_ascii=False)  # a string of JSON is one of YAML
    front = f"---\nname: {name}\ndescription: {quoted}\n---\n\n"
    return f"{front}# {heading}\n\n{told}\n\n" + "\n\n".join(written) + "\n"
