"""Everything the embedded model sees, taken apart once: what was said now, before, elsewhere, and by tools.

A scene is made from the request alone. Only the user's own words count as evidence: questions, the
assistant's answers and tool results that are not the user's messages never do.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from typing import Literal

from hermes_agent import clock
from hermes_agent.agent.compaction import HEAD
from hermes_agent.agent.embedded.notes import FILES, Notes, last_change, parsed, read_notes, updated
from hermes_agent.learn.matching import all_stems, topic_words
from hermes_agent.learn.patterns import Pattern
from hermes_agent.recall import block
from hermes_agent.recall.sifting import QUARANTINED, TAKEN_BACK
from hermes_agent.records.archive import UNTRUSTED, Json
from hermes_agent.records.statements import Statement
from hermes_agent.records.talk import AssistantLine, Line, Request, ToolCall, ToolLine, UserLine

Source = Literal["now", "dated", "note", "fact"]

_SUMMARY_LINE = Pattern(r"(?m)^user: (?P<text>.+?)(?:\.\.\.)?$")
_SESSION = Pattern(r"session (?P<id>[\w:-]+)")
_MESSAGE = Pattern(r"message (?P<id>\d{1,18})")
_SINCE = Pattern(r", since (?P<day>\d{4}-\d{2}-\d{2})")
_HANDED_OVER = "from profile"
_OTHERS = frozenset({QUARANTINED, *(f"from {source}" for source in UNTRUSTED)})
_UNTIL = Pattern(r", until (?P<day>\d{4}-\d{2}-\d{2})")
_MOST_LINES = 400
_LONGEST_SAYING = 1_500
_MOST_CHARACTERS = 40_000


@dataclass(frozen=True, slots=True)
class Saying:
    """Words of the user, an entry of a note, or a fact: `place` is a session, a file, or the fact's name.

    `order` sorts what has no date, or the same: later words of this conversation are newer than anything dated.
    """

    text: str
    source: Source
    place: str = ""
    at: datetime | None = None
    order: int = 0
    is_cut: bool = False
    """Whether the words went on."""
    since: date | None = None
    """From when a fact is true, where that is known."""
    until: date | None = None
    """The last day on which it was."""
    not_so: tuple[str, ...] = ()
    """What of it was deleted or corrected since, in the words of facts."""
    is_to_come: bool = False
    """Whether its day has not come yet: a clock was wrong, and whatever else was said is newer."""
    is_from_others: bool = False
    """Whether it came from elsewhere and is not the user's own word, which counts more whenever it was said."""

    @property
    def is_wrong(self) -> bool:
        """Whether it says nothing but what was deleted or corrected since."""
        wrong = {stem for text in self.not_so for stem in all_stems(text)}
        return bool(wrong) and topic_words(self.text) <= wrong

    @property
    def age(self) -> tuple[bool, datetime, int]:
        """What sorts sayings from the oldest to the newest."""
        at = datetime.min if self.is_to_come else self.at or datetime.min
        return self.source == "now", at, self.order


@dataclass(frozen=True, slots=True)
class Done:
    """A call of this turn and what the tool said; `payload` is None when that is no JSON object."""

    call: ToolCall
    text: str
    payload: Mapping[str, Json] | None

    @property
    def succeeded(self) -> bool:
        """Whether the tool says that it worked."""
        return self.payload is not None and self.payload.get("success") is not False


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Words that a later message asked to forget: what they state, where they stand, and the request."""

    text: str
    statement: Statement | None
    saying: Saying
    request: Saying


@dataclass(frozen=True, slots=True)
class Scene:
    """What a request holds, in the terms answers are made of."""

    said: str
    before: Notes
    """The notes as they stood when the user spoke."""
    earlier: Sequence[Saying]
    recalled: Sequence[Saying]
    tools: frozenset[str]
    calls: int
    """The highest number a call of the request has; the next one has the number after."""
    done: Sequence[Done]
    answers: Sequence[str]
    """What the assistant answered before, the latest last."""
    now: datetime
    zone: tzinfo | None
    found: Sequence[Saying] = field(default=())
    """What the archive brought up in this turn."""
    left: tuple[Saying, ...] | None = None
    """What of the sayings is left after the user asked to forget some of it."""
    forgotten: Sequence[Forgotten] = ()
    lines: Sequence[Line] = ()
    """The conversation before what was said now, as a model sees it."""
    last_change: Sequence[tuple[str, Mapping[str, Json]]] = ()
    """What this conversation last changed in the notes: the note and the operation."""

    @property
    def sayings(self) -> list[Saying]:
        """All of the user's words that may answer a question, each once, the oldest first."""
        if self.left is not None:
            return list(self.left)
        unique: dict[str, Saying] = {}
        left = _MOST_CHARACTERS
        # The newest of this conversation first, then the best of the archive: what is too much is left out.
        for saying in [*reversed(self.earlier), *self.recalled, *self.found]:
            if saying.is_wrong:
                continue
            text = saying.text[:_LONGEST_SAYING]
            kept = unique.get(text)
            if kept is None and left <= 0:
                continue
            # Said again later, it counts from then on: of the archive's the newest, and this conversation's last.
            if kept is None or _is_said_again(saying, kept):
                unique[text] = replace(saying, text=text, is_cut=saying.is_cut or text != saying.text)
                left -= len(text)
        return sorted(unique.values(), key=lambda saying: saying.age)

    @property
    def with_now(self) -> "Scene":
        """The scene with what was said now among the evidence: a message may tell and ask in one."""
        return replace(self, earlier=[*self.earlier, Saying(self.said, "now", order=len(self.earlier) + 1)])

    @property
    def noted(self) -> list[tuple[str, Saying]]:
        """The entries of the notes with the note they stand in."""
        return [
            (target, Saying(entry, "note", FILES[target]))
            for target in ("user", "memory", "workspace")
            for entry in self.before.of(target)
        ]


def _is_said_again(saying: Saying, kept: Saying) -> bool:
    """Tell whether words count as said again later, or by the user after others."""
    if saying.is_from_others != kept.is_from_others:
        return kept.is_from_others
    return kept.source == saying.source in ("dated", "fact") and saying.age >= kept.age


def read_scene(request: Request, zone: tzinfo | None) -> Scene:
    """Take a request apart."""
    lines = list(request.lines)
    last = max((place for place, line in enumerate(lines) if isinstance(line, UserLine)), default=None)
    before = lines[:last] if last is not None else lines
    after = lines[last + 1 :] if last is not None else []
    items, said = _current(lines[last]) if last is not None else ([], "")
    done = list(_done(after))
    now = clock.to_datetime(clock.now(), zone)
    recalled = [_recalled(item) for item in [*_items(before), *items] if item.who in ("user", "note", "fact")]
    return Scene(
        said=said,
        before=updated(read_notes(request.system_prompt), before),
        last_change=last_change(before),
        earlier=list(_earlier(before)),
        recalled=[_by_now(saying, now) for saying in recalled],
        tools=frozenset(tool.name for tool in request.tools),
        calls=max(_numbers(lines), default=0),
        done=done,
        answers=[line.text for line in before if isinstance(line, AssistantLine) and line.text],
        now=now,
        zone=zone,
        found=[_by_now(saying, now) for one in done for saying in _from_archive(one, zone)],
        lines=before,
    )


def _by_now(saying: Saying, now: datetime) -> Saying:
    is_to_come = saying.at is not None and saying.at.date() > now.date()
    return replace(saying, is_to_come=True) if is_to_come else saying


def _current(line: Line) -> tuple[list[block.Item], str]:
    if not isinstance(line, UserLine):
        return [], ""
    items, said = _read(line.text)
    return items, "" if said.startswith(HEAD) else said


def _items(lines: Sequence[Line]) -> Iterator[block.Item]:
    for line in lines:
        if isinstance(line, UserLine):
            yield from _read(line.text)[0]


def _read(sent: str) -> tuple[list[block.Item], str]:
    """Take a message apart; what tasks taught is for those who do tasks."""
    items, said = block.read(sent)
    return [item for item in items if item.who != "reflection"], said


def _earlier(lines: Sequence[Line]) -> Iterator[Saying]:
    """Yield what the user said in this conversation, also what a summary kept of it."""
    said = [line.text for line in lines if isinstance(line, UserLine)][-_MOST_LINES:]
    order = 0
    for text in said:
        _, words = block.read(text)
        parts = [m["text"] for m in _SUMMARY_LINE.finditer(words)] if words.startswith(HEAD) else [words]
        for part in parts:
            order += 1
            yield Saying(part, "now", order=order)


def _recalled(item: block.Item) -> Saying:
    session = _SESSION.search(item.where)
    origin = _origin(item.where)
    place = f"session {session['id']}{_told_with(origin)}" if session else item.where
    if item.who == "note":
        return Saying(item.text, "note", place)
    text = item.text.removesuffix("…")
    if item.who == "fact":
        since, until = (pattern.search(item.where) for pattern in (_SINCE, _UNTIL))
        place = _UNTIL.sub("", _SINCE.sub("", item.where))
        # Before whatever else was said in the same minute: a correction may follow that nobody learned from yet.
        made = Saying(text, "fact", place, _moment(item.when), since=_day(since), until=_day(until))
        return replace(made, is_from_others=bool(origin))
    message = _MESSAGE.search(item.where)
    order = int(message["id"]) if message else 0
    made = Saying(text, "dated", place, _moment(item.when), order, is_cut=text != item.text)
    return replace(made, not_so=_taken_back(item.where), is_from_others=bool(origin))


def _origin(mark: str) -> str:
    """Return what a mark, or a place that ends with one, says of words that are not the user's; else nothing."""
    parts, _, _ = mark.partition(TAKEN_BACK)
    return next((part for part in parts.split(", ") if part in _OTHERS), "")


def _told_with(origin: str) -> str:
    """Write behind a place where its words came from."""
    if origin == _HANDED_OVER:
        return ", from another profile"
    return f", {origin}" if origin else ""


def _taken_back(mark: str) -> tuple[str, ...]:
    """Read what a mark says is not so."""
    _, _, texts = mark.partition(TAKEN_BACK)
    return tuple(texts.split("; ")) if texts else ()


def _day(found: re.Match[str] | None) -> date | None:
    try:
        return None if found is None else date.fromisoformat(found["day"])
    except ValueError:
        return None


def _moment(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M")
    except ValueError:
        return None


def _done(lines: Sequence[Line]) -> Iterator[Done]:
    replies = {line.call_id: line.text for line in lines if isinstance(line, ToolLine)}
    for line in lines:
        for call in line.calls if isinstance(line, AssistantLine) else ():
            # A call without a reply has failed: asking again would go round for ever.
            text = replies.get(call.id, "")
            yield Done(call, text, parsed(text))


def _numbers(lines: Sequence[Line]) -> Iterator[int]:
    for line in lines:
        for call in line.calls if isinstance(line, AssistantLine) else ():
            number = call.id.removeprefix("call_")
            if number.isascii() and number.isdigit():
                yield int(number[:9])


def _from_archive(done: Done, zone: tzinfo | None) -> Iterator[Saying]:
    """Yield the user's messages that a search brought up."""
    if done.call.name != "session_search" or done.payload is None:
        return
    results = done.payload.get("results")
    for result in results if isinstance(results, list) else []:
        if not isinstance(result, Mapping):
            continue
        place = f"session {result.get('session_id')}"
        for key in ("bookend_start", "messages", "bookend_end"):
            messages = result.get(key)
            for message in messages if isinstance(messages, list) else []:
                if (
                    isinstance(message, Mapping)
                    and message.get("role") == "user"
                    and isinstance(message.get("content"), str)
                ):
                    number = message.get("id")
                    order = number if isinstance(number, int) else 0
                    at = _spoken_at(message.get("timestamp"), zone)
                    mark = str(message.get("mark") or "")
                    origin = _origin(mark)
                    where = f"{place}{_told_with(origin)}"
                    made = Saying(str(message["content"]), "dated", where, at, order, not_so=_taken_back(mark))
                    yield replace(made, is_from_others=bool(origin))


def _spoken_at(timestamp: Json, zone: tzinfo | None) -> datetime | None:
    """Read a time to the minute, as the memory block has it; within a minute the message's number decides."""
    if isinstance(timestamp, bool) or not isinstance(timestamp, int | float):
        return None
    try:
        return clock.to_datetime(clock.from_seconds(timestamp), zone).replace(tzinfo=None, second=0, microsecond=0)
    except (OverflowError, ValueError, OSError):
        return None
