"""What is wanted: searching, forgetting, skills, lists; and the plain word for what cannot be done."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from hermes_agent.agent.embedded.asked import COUNT, FIRST, JUST_NOW, Slot, Talk
from hermes_agent.agent.embedded.evidence import Knowledge
from hermes_agent.agent.embedded.forgetting import slot_named
from hermes_agent.agent.embedded.keeping import plan
from hermes_agent.agent.embedded.lookup import same_subject
from hermes_agent.agent.embedded.notes import FILES, undone
from hermes_agent.agent.embedded.requests import Wish
from hermes_agent.agent.embedded.scene import Done, Scene
from hermes_agent.agent.embedded.skill_drafting import draft_answer, draft_calls
from hermes_agent.agent.embedded.telling import Call, call
from hermes_agent.agent.embedded.times import span_of
from hermes_agent.agent.embedded.wording import ADDS_MODEL, day, ended, quote, turned
from hermes_agent.learn import attributes
from hermes_agent.learn.distilling import order_of
from hermes_agent.learn.entries import is_ours, line_of, person_line, read_entry
from hermes_agent.learn.matching import all_stems, names_thing, topic_words
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.statements import read_statements
from hermes_agent.records.archive import Json
from hermes_agent.records.statements import Statement
from hermes_agent.records.talk import NEEDS_MODEL
from hermes_agent.text.words import uncapital

_LISTED = 5
_MOST_RESULTS = 10
_LONGEST_SKILL = 2_000
_MARKS = Pattern(r">>>|<<<")
_SPACE = Pattern(r"\s+")
_MORE_THAN_A_WORD = (
    "That is more than I take out on one word. `hermes notes edit` changes the notes, `hermes sessions delete ID` "
    "removes a conversation."
)
_STAYS = "The conversations themselves stay in the archive; `hermes sessions delete ID` removes one."


def do_calls(wish: Wish, scene: Scene, knowledge: Knowledge) -> list[Call]:
    """Return the calls a wish needs."""
    made: list[Call] = []
    match wish.kind:
        case "search":
            made = [call("session_search", query=wish.what, limit=_LISTED)]
        case "list sessions":
            made = [call("session_search", limit=_MOST_RESULTS)]
        case "list skills":
            made = [call("skills_list")]
        case "show skill":
            made = [call("skill_view", name=wish.what)]
        case "make skill":
            made = draft_calls(wish, scene)
        case "forget":
            matches = list(_matching(wish.what, scene, knowledge))
            if len(matches) == 1:
                target, operation = matches[0]
                made = [call("memory", target=target, operations=[operation])]
        case "forget last":
            for target, operations in _taken_back(wish, scene).items():
                made.append(call("memory", target=target, operations=list(operations)))
    return [one for one in made if one[0] in scene.tools]


def do_answer(wish: Wish, scene: Scene, knowledge: Knowledge, results: Sequence[Done]) -> str:
    """Say what came of a wish."""
    done = results[0] if results else None
    match wish.kind:
        case "search":
            return _searched(wish.what, done)
        case "list sessions":
            return _talked("", done, scene)
        case "list skills":
            return _skills(done)
        case "show skill":
            return _skill(wish.what, done)
        case "make skill":
            return draft_answer(wish, scene, done)
        case "forget":
            return _forgotten(wish.what, done, scene, knowledge)
        case "forget last":
            return _back(wish, results, scene)
        case "forget everything":
            return _MORE_THAN_A_WORD
        case "task":
            before = "" if wish.what else _wanted_before(scene)
            return _cannot(wish.what, before, is_kept="memory" in scene.tools)


def talk_answer(talk: Talk, scene: Scene, results: Sequence[Done]) -> str:
    """Say which conversations there were at a time."""
    done = results[0] if results else None
    if talk.time == JUST_NOW:
        said = scene.earlier[-1].text if scene.earlier else ""
        return ended(f"You said {quote(said)}") if said else "That was the first you said in this conversation."
    if talk.time in (FIRST, COUNT):
        return _history(talk.time, done)
    return _talked(talk.time, done, scene)


def _history(kind: str, done: Done | None) -> str:
    """Answer from the list of conversations; one that is full may not be all of them."""
    if done is None or not done.succeeded:
        return _failed("look at the conversations", done)
    every = list(_results(done))
    if not every:
        return "This is our first conversation."
    if len(every) >= _MOST_RESULTS:
        return f"I see only the {len(every)} latest conversations. `hermes sessions list` shows them all."
    if kind == COUNT:
        return f"The archive holds {len(every)} other conversation{'s' if len(every) > 1 else ''} beside this one."
    first = min(every, key=lambda one: str(one.get("started_at")))
    return f"The first conversation I see: {_closed(_listed(first))}"


def _listed(one: Mapping[str, Json]) -> str:
    title = one.get("title") or one.get("preview") or "no title"
    return f"{_date(one.get('started_at'))}, session {one.get('session_id')}: {title}"


def _closed(line: str) -> str:
    """End a line as its words end: those that were cut with an ellipsis."""
    is_cut = line.endswith(("...", "…"))
    return line.rstrip(".… ") + (" …" if is_cut else ".")


def _results(done: Done | None) -> Iterator[Mapping[str, Json]]:
    found = done.payload.get("results") if done is not None and done.payload is not None else None
    for result in found if isinstance(found, list) else []:
        if isinstance(result, Mapping):
            yield result


def _searched(words: str, done: Done | None) -> str:
    if done is None or not done.succeeded:
        return _failed("search", done)
    lines = []
    for result in _results(done):
        snippet = _SPACE.sub(" ", _MARKS.sub("", str(result.get("snippet") or ""))).strip()
        lines.append(f"- {_date(result.get('when'))}, session {result.get('session_id')}: {snippet}")
    if not lines:
        return f"Nothing in the archive holds {quote(words)}. Try another word, or a part of one."
    count = len(lines)
    return "\n".join(
        [
            f"{count} conversation{'s' if count > 1 else ''} with {quote(words)}:",
            *lines,
            "`hermes sessions show ID` shows one whole.",
        ]
    )


def _talked(time: str, done: Done | None, scene: Scene) -> str:
    if done is None or not done.succeeded:
        return _failed("look at the conversations", done)
    span = (
        span_of(time, scene.now)
        if time and time not in ("last time", "before", "recently", "lately", "so far", "earlier")
        else None
    )
    if time and span is None and not re.match(r"(?:last time|before|recently|lately|so far|earlier)$", time):
        return f"I could not tell which days “{time}” means."
    every = list(_results(done))
    kept = []
    for result in every:
        moments = [one for key in ("started_at", "last_active") if (one := _moment(result.get(key))) is not None]
        if span is None or any(
            span.start.replace(tzinfo=None) <= at < span.end.replace(tzinfo=None) for at in moments
        ):
            kept.append(result)
    if not kept:
        return _no_talk(time, every, span.start if span else None)
    lines = [f"- {_listed(one)}" for one in kept[:_MOST_RESULTS]]
    lead = f"We talked {time}:" if time else "The latest conversations:"
    return "\n".join([lead, *lines, "`hermes sessions show ID` shows one whole."])


def _no_talk(time: str, every: Sequence[Mapping[str, Json]], start: datetime | None) -> str:
    moments = [at for one in every if (at := _moment(one.get("started_at"))) is not None]
    if start is not None and len(every) >= _MOST_RESULTS and moments and min(moments) > start.replace(tzinfo=None):
        shown = f"`hermes sessions list --since {start.date()}` shows more."
        return f"I see only the {len(every)} latest conversations, and they are all later. {shown}"
    if not time:
        return "There is no other conversation yet."
    when = re.sub(r"^(?:on|in)\s+", "", time)
    none = f"The archive holds no other conversation from {when}."
    # A week may mean the last seven days: what was said then is named. Of a day only the day was asked.
    if start is None or not moments or "week" not in time:
        return none
    dated = [one for one in every if _moment(one.get("started_at")) is not None]
    near = min(
        dated, key=lambda one: abs((_moment(one.get("started_at")) or datetime.min) - start.replace(tzinfo=None))
    )
    return f"{none} The nearest: {_closed(_listed(near))}"


def _skills(done: Done | None) -> str:
    if done is None or not done.succeeded or done.payload is None:
        return _failed("list the skills", done)
    found = done.payload.get("skills")
    skills = [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []
    if not skills:
        return "There are no skills yet."
    return "\n".join(
        ["Skills:", *(f"- {one.get('name')}: {one.get('description') or ''}".rstrip(": ") for one in skills)]
    )


def _skill(name: str, done: Done | None) -> str:
    if done is None or not done.succeeded or done.payload is None:
        return _failed(f"show the skill {name}", done)
    content = str(done.payload.get("content") or "")
    if len(content) > _LONGEST_SKILL:
        return f"{content[:_LONGEST_SKILL]}\n… `hermes skills show {name}` shows the rest."
    return content or f"The skill {name} is empty."


def _matching(what: str, scene: Scene, knowledge: Knowledge) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield the operations that would take something out of the notes, one for each entry it may mean."""
    wanted = what.strip(" .!\"“”'")
    for target in ("user", "memory"):
        for entry in scene.before.of(target):
            if entry.casefold() == wanted.casefold():
                yield target, {"action": "remove", "old_text": entry}
                return
    claims = [one for one in read_statements(wanted) if one.polarity in ("is", "is not") and one.attribute]
    if claims:
        ended = plan([_ended(one) for one in claims], scene.before)
        for target, operations in ended.operations.items():
            yield from ((target, operation) for operation in operations)
        if ended.operations:
            return
    slot = slot_named(wanted)
    for target in ("user", "memory"):
        for entry in scene.before.of(target):
            if _is_meant(entry, target, wanted, slot, knowledge):
                yield target, _without(entry, target, slot, knowledge)


def _without(entry: str, target: str, slot: Slot | None, knowledge: Knowledge) -> Mapping[str, Json]:
    """Take an entry out; of a person of whom it says more, only what was asked for."""
    said = read_entry(entry, target)
    left = [one for one in said if slot is None or not _fits(slot, one, knowledge)]
    is_part = slot is not None and slot.attribute != attributes.NAME and 0 < len(left) < len(said)
    if is_part and said[0].who.kind == "person" and is_ours(entry, target):
        return {"action": "replace", "old_text": entry, "content": person_line(said[0].who, left)}
    return {"action": "remove", "old_text": entry}


def _ended(statement: Statement) -> Statement:
    return Statement(statement.who, statement.attribute, statement.value, 0, 0, "no longer", statement.is_single)


def _is_meant(entry: str, target: str, wanted: str, slot: Slot | None, knowledge: Knowledge) -> bool:
    said = read_entry(entry, target)
    if slot is not None and any(_fits(slot, one, knowledge) for one in said):
        return True
    words = topic_words(wanted)
    return bool(words) and words <= all_stems(entry) | all_stems(" ".join(map(line_of, said)))


def _fits(slot: Slot, statement: Statement, knowledge: Knowledge) -> bool:
    if statement.attribute in attributes.TABLE or slot.attribute in attributes.TABLE:
        is_same = statement.attribute == slot.attribute
    else:
        is_same = names_thing(slot.attribute, statement.attribute)
    return is_same and same_subject(slot, statement, knowledge)


def _forgotten(what: str, done: Done | None, scene: Scene, knowledge: Knowledge) -> str:
    if "memory" not in scene.tools:
        return "No notes can be changed here."
    matches = list(_matching(what, scene, knowledge))
    if not matches:
        near = [
            saying
            for saying in scene.sayings
            if topic_words(what) and topic_words(what) <= all_stems(saying.text) and saying.place
        ]
        said = f" It was said in {near[-1].place}." if near else ""
        return f"The notes hold nothing about {turned(what)}.{said} {_STAYS}"
    if len(matches) > 1:
        entries = "\n".join(f"- {FILES[target]}: {operation['old_text']}" for target, operation in matches)
        return f"Several entries may be meant. Say “forget” and the words of the one:\n{entries}"
    target, operation = matches[0]
    if done is None or not done.succeeded:
        return _failed("take it out", done)
    old = str(operation["old_text"])
    if operation["action"] == "replace":
        return (
            f"Done: {FILES[target]} now says {quote(str(operation['content']))} instead of {quote(old)}. {_STAYS}"
        )
    return f"Forgotten: {quote(old)} is out of {FILES[target]}. {_STAYS}"


def _taken_back(wish: Wish, scene: Scene) -> dict[str, list[Mapping[str, Json]]]:
    """Return what takes back the last change of this conversation; "forget" never puts anything back in."""
    made: dict[str, list[Mapping[str, Json]]] = {}
    for target, operation in reversed(scene.last_change):
        back = undone(operation)
        if back is None or (back["action"] == "add" and wish.what != "undo"):
            return {}
        made.setdefault(target, []).append(back)
    return made


def _back(wish: Wish, results: Sequence[Done], scene: Scene) -> str:
    made = _taken_back(wish, scene)
    if not made:
        return "This conversation has no note to take back. Say “forget” and the words of the entry you mean."
    failed = next((done for done in results if not done.succeeded), None)
    if failed is not None or len(results) < len(made):
        return _failed("take it back", failed)
    return f"Taken back: {'; '.join(_undoing(target, one) for target in made for one in made[target])}. {_STAYS}"


def _undoing(target: str, operation: Mapping[str, Json]) -> str:
    old, content, file = str(operation.get("old_text")), str(operation.get("content")), FILES[target]
    match operation["action"]:
        case "remove":
            return f"{quote(old)} is out of {file}"
        case "replace":
            return f"{file} says {quote(content)} again instead of {quote(old)}"
    return f"{quote(content)} is in {file} again"


def _wanted_before(scene: Scene) -> str:
    """Say how the same was wanted the last time that was said, with its day and place."""
    asked = order_of(scene.said)
    for saying in reversed(scene.sayings):
        former = order_of(saying.text) if asked is not None and saying.source in ("now", "dated") else None
        if asked is None or former is None or not former.wishes:
            continue
        if former.verb == asked.verb and former.things & asked.things:
            when = "in this conversation" if saying.at is None else f"on {day(saying.at)} in {saying.place}"
            return f"You asked for the same {when}, {quote(uncapital(former.wishes[0]))}: so it is wanted again."
    return ""


def _cannot(manner: str, before: str, *, is_kept: bool) -> str:
    kept = ended(f"It is kept in this conversation, with {quote(manner)}")
    if not manner:
        kept = "The request is kept in this conversation."
    if not is_kept:
        kept = "Nothing is kept here."
    told = " ".join(one for one in (kept, before) if one)
    return f"{NEEDS_MODEL}, and I am only the memory without one. {told} {ADDS_MODEL}"


def _failed(what: str, done: Done | None) -> str:
    if done is None:
        return f"I have no tool here to {what}."
    error = str(done.payload.get("error") or "") if done.payload is not None else ""
    return f"I could not {what}: {error or 'the tool gave no answer I can read.'}"


def _moment(value: Json) -> datetime | None:
    try:
        return datetime.strptime(str(value), "%Y-%m-%d %H:%M")
    except ValueError:
        return None


def _date(value: Json) -> str:
    at = _moment(value)
    return day(at) if at is not None else str(value)
