"""`handle`: one turn for each call, and the work that follows, for places where no process stays: serverless.

Nothing is kept on the machine. The memory is a PostgreSQL database, notes and skills are in it, too, and the home
is an empty folder that goes with the process. A call may come again after a failure: with the same `id` it is the
same message, and its answer is given again, or the turn goes on where it was; no tool runs twice.

    from hermes_agent.public.handler import handle

    def lambda_handler(event, context):
        return handle(event, seconds=context.get_remaining_time_in_millis() / 1000 - 5)

`respond` is the same for the body of an HTTP request, and says the status, too.

It is told where the memory is by the environment: HERMES_MEMORY_BACKEND=postgres, HERMES_MEMORY_CONNECTION_STRING,
and the key of a model if one is to talk.
"""

import json
import tempfile
import uuid
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

from hermes_agent import clock
from hermes_agent.agent.conversation import Conversation, Opening, collect
from hermes_agent.agent.taking_up import Answered, Gone, InDoubt, Open, Unheard, break_off, reached
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import MEMORY_BACKEND
from hermes_agent.errors import NotFound, SettingError, Transient, UsageError
from hermes_agent.handlers import every_handler
from hermes_agent.ids import new_uid
from hermes_agent.jobs import upkeep, worker
from hermes_agent.records.archive import Json
from hermes_agent.store import jobs, messages, sole

SOURCE = "serverless"
_SECONDS = 20.0
_MOST_ID = 200
MESSAGES = uuid.UUID("6f6a3e0e-7a4b-5f0e-9a53-2b2f1c7d9e11")
# What looks after a machine: here there is none.
_OF_MACHINES = ("backup", "checkpoints", "vacuum")


def handle(event: Mapping[str, object], *, seconds: float = _SECONDS) -> dict[str, Json]:
    """Answer `event["message"]` in the session `event["session"]`, or in a new one; then do due jobs.

    `event["id"]` names the message. Without a message only jobs are done: call it so every few minutes. Jobs begin
    only while less than `seconds` have passed.
    """
    end = clock.monotonic() + seconds
    message, session, key = (_text(event, name) for name in ("message", "session", "id"))
    home = _home()
    with closing(App(home, load(home))) as app:
        _require_server(app)
        answered: dict[str, Json] = {}
        if message is not None:
            app.notebook.reconcile()
            app.sync_skills()
            uid = None if key is None else str(uuid.uuid5(MESSAGES, key))
            # Called again while the first call is still at it, the turn would be taken twice.
            with sole.alone(app.store, f"message {uid or new_uid()}") as hold:
                if hold is None:
                    raise Transient("This message is being answered already.", hint="Ask again in a while.")
                answered = _answer(app, message, session, uid)
        return {**answered, "jobs": _work(app, end)}


def respond(body: str, *, seconds: float = _SECONDS) -> tuple[int, dict[str, Json]]:
    """Answer the body of an HTTP request: return the status, and what to write as JSON.

    400 is what is no event, 404 what is not there (any more), 503 what may come again in a while. What the
    settings of the function lack is raised: that is for its log, not for who calls.
    """
    try:
        return 200, handle(_event(body), seconds=seconds)
    except SettingError:
        raise
    except NotFound as error:
        return 404, {"error": error.message}
    except UsageError as error:
        return 400, {"error": error.message}
    except Transient as error:
        return 503, {"error": error.message}


def _event(body: str) -> Mapping[str, object]:
    try:
        event = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UsageError("The body is no JSON.") from error
    if not isinstance(event, dict):
        raise UsageError("The body is no JSON object.")
    return event


def _answer(app: App, message: str, session: str | None, uid: str | None) -> dict[str, Json]:
    found = Unheard() if uid is None else reached(app.memory, uid)
    conversation = Conversation(app.desk, Opening(SOURCE, app.home.workspace))
    match found:
        case Answered(text):
            return {"answer": text, "is_repeated": True, "session": _session_of(app, uid or "")}
        case Gone():
            raise NotFound("This message was taken back or deleted since.")
        case InDoubt(session_id):
            return {"answer": break_off(app.memory, found, app.model.name), "session": session_id}
        case Open(session_id, heard):
            conversation.resume(session_id)
            response = collect(conversation.answer(heard))
        case Unheard():
            if session is not None:
                conversation.resume(session)
            response = collect(conversation.answer(conversation.hear(message, uid)))
    return {"answer": response.text, "session": response.session_id}


def _session_of(app: App, uid: str) -> str | None:
    with app.store.read() as connection:
        message = messages.by_uid(connection, uid)
    return None if message is None else message.session_id


def _work(app: App, end: float) -> dict[str, Json]:
    """Do what is due, as long as there is time; return how much was done, and how much waits."""
    upkeep.enqueue_due(app.memory, app.settings, app.home.reflections)
    handlers = {kind: one for kind, one in every_handler(app).items() if kind not in _OF_MACHINES}
    ended = worker.run_due(app.store, handlers, is_over=lambda: clock.monotonic() >= end)
    done = sum(outcome.ending == "done" for outcome in ended)
    with app.store.read() as connection:
        waiting = sum(job.kind in handlers for job in jobs.waiting(connection))
    return {"done": done, "waiting": waiting}


@cache
def _home() -> Home:
    """Return the empty home of this process: calls that come to it again share what it has read."""
    return paths.home_at(Path(tempfile.mkdtemp(prefix="hermes-")))


def _require_server(app: App) -> None:
    if app.settings[MEMORY_BACKEND] != "postgres":
        raise SettingError(
            "Without a database server nothing would be kept: the home goes with the process.",
            hint="Set HERMES_MEMORY_BACKEND=postgres and HERMES_MEMORY_CONNECTION_STRING.",
        )


def _text(event: Mapping[str, object], name: str) -> str | None:
    value = event.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise UsageError(f"`{name}` is text.")
    if name == "id" and len(value) > _MOST_ID:
        raise UsageError(f"`id` has at most {_MOST_ID} characters.")
    if name == "id" and any("\ud800" <= one <= "\udfff" for one in value):
        raise UsageError("`id` has half a character: a surrogate without its other half.")
    return value
