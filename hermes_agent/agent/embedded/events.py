"""Answer from the journal: what happened at a time, why something was decided, why the last thing was done.

Every line is an entry of the journal with its day and its session. Where the journal holds nothing, the answer
says so, and what the conversations of the archive hold comes after it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from hermes_agent.agent.embedded.asked import About, Happened, Talk, Why
from hermes_agent.agent.embedded.doing import talk_answer
from hermes_agent.agent.embedded.evidence import Knowledge
from hermes_agent.agent.embedded.lookup import nearest, query_for, quotations
from hermes_agent.agent.embedded.quoting import near_by, quoted, said
from hermes_agent.agent.embedded.scene import Done, Scene
from hermes_agent.agent.embedded.telling import Call, call
from hermes_agent.agent.embedded.times import span_of
from hermes_agent.agent.embedded.wording import day, sentence, turned
from hermes_agent.learn import attributes
from hermes_agent.learn.matching import all_stems, topic_words
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.archive import Json
from hermes_agent.text.dates import Span
from hermes_agent.text.time_phrases import asked_span

_MOST_EVENTS = 15
_MOST_REASONS = 3
_MOST_RESULTS = 10
_LABELLED = ("decision", "result", "failure", "remark")
_LONG_AGO = Pattern(r"\b(?:weeks?|months?|years?)\s+ago\b")
_GIVES_REASON = Pattern(r"\b(?:because|since|so\s+that|in\s+order\s+to|due\s+to|reason)\b")
_PREPOSITION = Pattern(r"^(?:on|in|during|since)\s+")
_NO_REASON = "No reason was given."

Event = Mapping[str, Json]


def event_calls(question: Happened | Why, scene: Scene, knowledge: Knowledge) -> list[Call]:
    """Return the look into the journal that a question needs, and the search beside it."""
    span = _span(question.time, scene)
    if isinstance(question, Happened):
        made = [
            _look_up(span, kind=question.kind, limit=_MOST_EVENTS),
            call("session_search", limit=_MOST_RESULTS),
        ]
    elif not question.topic and not question.time:
        made = [call("journal", action="look_up", here=True, limit=_MOST_EVENTS)]
    else:
        made = [_look_up(span, kind=question.kind, about=question.topic, limit=_MOST_REASONS)]
        if topic_words(question.topic):
            query = query_for(About(question.topic), knowledge)
            made.append(call("session_search", query=query, role_filter="user", limit=_MOST_RESULTS))
    return [one for one in made if one[0] in scene.tools]


def event_answer(question: Happened | Why, scene: Scene, knowledge: Knowledge, results: Sequence[Done]) -> str:
    """Answer from what the journal gave."""
    looked = next((one for one in results if one.call.name == "journal"), None)
    if looked is not None and not looked.succeeded:
        return "I could not look into the journal." + (f" {error}" if (error := _error(looked)) else "")
    events = [one for one in _events(looked) if not _is_forgotten(one, scene)]
    if isinstance(question, Happened):
        searched = [one for one in results if one.call.name == "session_search"]
        return _happened(question, scene, events, searched, has_more="message" in _payload(looked))
    if not question.topic and not question.time:
        return _last_done(events)
    return _why(question, scene, knowledge, events)


def _look_up(span: Span | None, **arguments: Json) -> Call:
    """Write a call of `journal`; times are written as the clock on the wall shows them, which the tool reads."""
    times = {} if span is None else {"since": _moment(span.start), "until": _moment(span.end)}
    given = {name: value for name, value in arguments.items() if value}
    return call("journal", action="look_up", **given, **times)


def _moment(at: datetime) -> str:
    return at.replace(tzinfo=None).isoformat(timespec="seconds")


def _span(time: str, scene: Scene) -> Span | None:
    """Return the days that are meant; "three weeks ago" is no exact day."""
    if not time:
        return None
    asked = asked_span(time, scene.now) if _LONG_AGO.search(time) else None
    if asked is None:
        return span_of(time, scene.now)
    start, end = (
        datetime(one.year, one.month, one.day, tzinfo=scene.now.tzinfo) for one in (asked.start, asked.end)
    )
    return Span(start, end + timedelta(days=1))


def _happened(
    question: Happened, scene: Scene, events: Sequence[Event], searched: Sequence[Done], *, has_more: bool
) -> str:
    span = _span(question.time, scene)
    if span is None:
        return f"I could not tell which days “{question.time}” means."
    if not events:
        what = f"no {question.kind}" if question.kind else "nothing"
        nothing = f"The journal holds {what} {_from(question.time)}."
        return nothing if question.kind else f"{nothing} {talk_answer(Talk(question.time), scene, searched)}"
    is_day = span.end - span.start <= timedelta(days=1)
    lead = f"From the journal, {day(span.start)}:" if is_day else f"From the journal, {question.time}:"
    lines = [f"- {_told(event, with_day=not is_day)}" for event in reversed(events)]
    if has_more:
        last = span.end - timedelta(seconds=1)
        lines.append(f"`hermes memory events --since {span.start.date()} --until {last.date()}` shows all of it.")
    return "\n".join([lead, *lines])


def _why(question: Why, scene: Scene, knowledge: Knowledge, events: Sequence[Event]) -> str:
    if events:
        lines = [sentence(_told(event, with_day=True)) for event in events]
        return "\n".join(
            line if one.get("reason") else f"{line} {_NO_REASON}" for line, one in zip(lines, events, strict=True)
        )
    when = f" {_from(question.time)}" if question.time else ""
    if not question.topic:
        return f"The journal holds no {question.kind}{when}."
    asked = topic_words(question.topic)
    decided = [
        known
        for known in reversed(knowledge.said)
        if known.statement.attribute == attributes.DECISION and asked and asked <= all_stems(known.saying.text)
    ]
    if decided and question.kind == "decision" and not question.time:
        found = quoted(decided[0], "en")
        return found if _GIVES_REASON.search(decided[0].saying.text) else f"{found} {_NO_REASON}"
    whole = [one for one in quotations(question.topic, scene, time=question.time) if one.share >= 1]
    reasons = [one for one in whole if _GIVES_REASON.search(one.text)]
    if reasons:
        return "\n".join(said(one.text, one.saying, "en") for one in reasons[:_MOST_REASONS])
    about = f"{question.kind} about {turned(question.topic)}{when}"
    nothing = f"The journal holds no {about}, and you gave me no reason for it."
    near = None if question.time else nearest(question.topic, scene)
    return f"{nothing} {near_by(near)}" if near else nothing


def _last_done(events: Sequence[Event]) -> str:
    """Say what was done last in this conversation, and why: what was asked, if nothing else is known."""
    done = [one for one in events if not str(one.get("text")).lower().startswith("“why")]
    if not done:
        return "The journal holds nothing of this conversation yet, so I know no reason."
    last = done[0]
    told = sentence(f"the last I have here is from {_told(last, with_day=True)}")
    if last.get("reason"):
        return told
    return f"{told} The journal gives no other reason: I did what those words asked for."


def _told(event: Event, *, with_day: bool) -> str:
    """Write one event: when, what, why and where."""
    at, kind = str(event.get("when") or ""), str(event.get("kind") or "").partition(".")[0]
    text = str(event.get("text") or "").rstrip(".")
    label = f"{kind}: " if kind in _LABELLED else ""
    reason = f", {event['reason']}" if event.get("reason") else ""
    parts = [f"session {event['session']}" if event.get("session") else "", str(event.get("mark") or "")]
    place = ", ".join(part for part in parts if part)
    where = f" ({place})" if place else ""
    return f"{_when(at, with_day=with_day)}: {label}{text}{reason}{where}."


def _when(written: str, *, with_day: bool) -> str:
    try:
        at = datetime.strptime(written, "%Y-%m-%d %H:%M")
    except ValueError:
        return written
    return f"{day(at)}, {at:%H:%M}" if with_day else f"{at:%H:%M}"


def _from(time: str) -> str:
    """Put a time behind a noun: "from yesterday", "from 3 May"."""
    return f"from {_PREPOSITION.sub('', time)}"


def _is_forgotten(event: Event, scene: Scene) -> bool:
    """Tell whether an event holds words that the user asked to forget."""
    stems = all_stems(str(event.get("text")))
    return any(words and words <= stems for words in (topic_words(one.text) for one in scene.forgotten))


def _events(done: Done | None) -> list[Event]:
    found = _payload(done).get("events")
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _payload(done: Done | None) -> Mapping[str, Json]:
    return {} if done is None or done.payload is None else done.payload


def _error(done: Done) -> str:
    return str(_payload(done).get("error") or "")
