"""A conversation as it was held, part by part, and for each request what memory sent with it."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from hermes_agent.app import App
from hermes_agent.errors import HermesError
from hermes_agent.memory import facts, message_reading, quarantine
from hermes_agent.memory.message_reading import Passage
from hermes_agent.memory.shown.archive import session_json
from hermes_agent.recall import block
from hermes_agent.recall.block import Item
from hermes_agent.records.archive import UNTRUSTED, Json, Message, Session
from hermes_agent.records.memory import Fact
from hermes_agent.records.quarantine import QuarantineState
from hermes_agent.store import sessions
from hermes_agent.text.clean import preview
from hermes_agent.web import changes, etags
from hermes_agent.web.asked import Short
from hermes_agent.web.callers import Caller, Reader, TheApp
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/sessions")

_PART = 50
_LONGEST = 6_000
_HEADING = 90
Number = Annotated[int, Query(ge=1, le=2**53)]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that the agent wanted to use."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as it is shown: cut where it is very long, with what memory sent along."""

    message: Message
    text: str
    is_shortened: bool
    calls: Sequence[Call]
    sent: Sequence[Item]
    quarantine: QuarantineState | None
    learned: Sequence[Fact]

    @property
    def is_foreign(self) -> bool:
        """Whether neither the owner nor the agent said it."""
        return self.message.source_class in UNTRUSTED


@router.get("/{name:path}/messages/{number}")
def message(request: Request, app: TheApp, caller: Reader, name: str, number: int) -> Response:
    """Show one message whole, with all that is known of it."""
    session = app.memory.session(name)
    (shown,) = _shown(app, [message_reading.of(app.store, session, str(number))], is_whole=True)
    return render(request, caller, "message.html", session=session, one=shown)


@router.get("/{name:path}/prompt")
def prompt(request: Request, app: TheApp, caller: Reader, name: str) -> Response:
    """Show what the session began with: the system prompt, notes included, as the model got it."""
    session = app.memory.session(name)
    with app.store.read() as connection:
        text = sessions.prompt_of(connection, session)
    return render(request, caller, "session_prompt.html", session=session, text=text)


@router.get("/{name:path}")
def read(
    request: Request,
    app: TheApp,
    caller: Reader,
    name: str,
    message: Number | None = None,
    start: Number | None = None,
    before: Number | None = None,
    done: Short = "",
) -> Response:
    """Show a part of a conversation: its beginning, or around a message, or what stands after or before one."""
    session = app.memory.session(name)
    around = message if start is None and before is None else None
    part = message_reading.part(app.store, session, _PART, start=start or 0, before=before, around=around)
    return _page(request, app, caller, session, part, wanted=message, done=done)


def refused(
    request: Request, app: App, caller: Caller, session_id: str, error: HermesError, *, typed: str
) -> Response:
    """Show the beginning of a conversation that was to be renamed, with the title that was typed."""
    session = app.memory.session(session_id)
    part = message_reading.part(app.store, session, _PART)
    return _page(request, app, caller, session, part, typed=typed, error=changes.too_late(error))


def _page(
    request: Request,
    app: App,
    caller: Caller,
    session: Session,
    part: Passage,
    *,
    wanted: int | None = None,
    typed: str | None = None,
    error: HermesError | None = None,
    done: str = "",
) -> Response:
    found = part.messages
    return render(
        request,
        caller,
        "session.html",
        error=error,
        session=session,
        typed=session.title or "" if typed is None else typed,
        heading=session.title or ("" if part.has_earlier else _first_words(found)) or session.id,
        messages=_shown(app, found),
        older=found[0].id if found and part.has_earlier else None,
        newer=found[-1].id + 1 if found and part.has_later else None,
        wanted=wanted,
        is_missing=wanted is not None and all(one.id != wanted for one in found),
        parent=_parent(app, session),
        tag=etags.tag_of(session_json(session)),
        done=changes.made(app, done),
    )


def _first_words(found: Sequence[Message]) -> str:
    return next((preview(one.content, _HEADING) for one in found if one.role == "user" and one.content), "")


def _parent(app: App, session: Session) -> Session | None:
    if session.parent_session_id is None:
        return None
    with app.store.read() as connection:
        return sessions.get(connection, session.parent_session_id)


def _shown(app: App, found: Sequence[Message], *, is_whole: bool = False) -> list[Shown]:
    states = quarantine.states(app.store, found)
    learned: Mapping[str | None, list[Fact]] = defaultdict(list)
    for fact in facts.learned_from(app.store, found):
        learned[fact.source_message].append(fact)
    return [_shown_one(one, states.get(one.id), learned[one.uid], is_whole=is_whole) for one in found]


def _shown_one(
    message: Message, state: QuarantineState | None, learned: Sequence[Fact], *, is_whole: bool
) -> Shown:
    text = message.content or ""
    is_shortened = len(text) > _LONGEST and not is_whole
    items = [] if message.sent is None else block.read(message.sent)[0]
    shown = text[:_LONGEST] if is_shortened else text
    return Shown(message, shown, is_shortened, _calls(message), items, state, learned)


def _calls(message: Message) -> list[Call]:
    """Return the tools a message wants; their shape is the model's, or another program's."""
    wanted = message.tool_calls
    if not isinstance(wanted, list):
        return []
    return [_call(one) for one in wanted]


def _call(wanted: Json) -> Call:
    inner = wanted.get("function", wanted) if isinstance(wanted, dict) else None
    if not isinstance(inner, dict):
        return Call("tool", str(wanted))
    arguments = inner.get("arguments", inner.get("args", ""))
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, indent=1)
    return Call(str(inner.get("name", inner.get("tool_name", "tool"))), text[:_LONGEST])
