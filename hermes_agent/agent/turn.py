"""One turn: what the user said, the model's rounds and its tools, the answer; each on the disk as it happens.

The user's message is committed before the model is asked, a call before it runs, a result when it is
there, and the answer with everything that must follow in one last commit. Killed at any moment, the
archive holds all that was said and done. Stopping (Ctrl-C, or closing the generator) keeps the words
that had come by then. What is forgotten while it goes on is not written back; if that is the message
itself, nothing more is.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace

from hermes_agent.agent import compaction, nudge, window
from hermes_agent.agent.archive import Archive
from hermes_agent.agent.deeds import Asked, TurnEnding, deed, turn_entry
from hermes_agent.agent.events import (
    ApprovalAsked,
    Compacted,
    Ending,
    Event,
    Finished,
    Recalled,
    Redacted,
    Response,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    Warned,
)
from hermes_agent.agent.recollection import Recollection
from hermes_agent.agent.toolbox import Toolbox, ToolResult, failed
from hermes_agent.errors import ForgottenMeanwhile, HermesError, ModelBusy, WindowFull
from hermes_agent.ids import new_uid
from hermes_agent.memory.deliveries import written
from hermes_agent.models.model import Model
from hermes_agent.recall.block import Item, Scrubber, render
from hermes_agent.records.archive import Message, NewMessage
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.spending import Cost, Spent
from hermes_agent.records.talk import Reply, Request, TextPiece, ThinkingPiece, ToolCall, Usage
from hermes_agent.records.turn import Begun, FinishedTurn
from hermes_agent.text import secrets

DENIED = "The owner did not allow this. Do not try it in another way; ask what to do instead."
STOPPED = "I stopped after {rounds} rounds of tools without an end in sight. Say “go on” to let me continue."

Happening = Generator[Event, bool | None, None]


@dataclass(frozen=True, slots=True)
class Bench:
    """What a turn works with; the same for every turn of a conversation but for the fresh toolbox."""

    archive: Archive
    model: Model
    light_model: Model
    toolbox: Toolbox
    session_id: str
    prompt: Callable[[], str]
    """Returns the system prompt; asked before each request: something may be forgotten while a turn goes on."""
    max_rounds: int
    nudges: nudge.Intervals
    recollection: Recollection


@dataclass(slots=True)
class Course:
    """How far a turn has come."""

    heard: "Heard"
    memories: Sequence[Item] = ()
    recall: Cost | None = None
    usage: Usage = field(default_factory=Usage)
    tools: list[str] = field(default_factory=list)
    streamed: str = ""
    running: ToolCall | None = None
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """What the user said, on the disk; `redacted` names the secrets that were taken out."""

    message_id: int
    message_uid: str
    text: str
    redacted: Sequence[str]
    receipt: int = 0
    """The last receipt of a forgetting by then."""

    @property
    def begun(self) -> Begun:
        """Where the turn begins that answers it."""
        return Begun(self.message_uid, self.receipt)


def hear(archive: Archive, session_id: str, said: str, uid: str | None = None, receipt: int = 0) -> Heard:
    """Keep what the user said, before anything else happens: a crash must not lose it.

    A door that must know afterwards whether it came to this gives the uid that the message gets. `receipt` is the
    last one of a forgetting by then.
    """
    text, kinds = secrets.redact(said)
    uid = uid or new_uid()
    (message_id,) = archive.append(session_id, replace(window.said(text), uid=uid))
    return Heard(message_id, uid, text, kinds, receipt)


def take_turn(bench: Bench, heard: Heard) -> Happening:
    """Answer the user. What a tool event tells of is on the disk; so is everything when it has finished."""
    course = Course(heard)
    try:
        if heard.redacted:
            yield Redacted(heard.redacted)
        recollected = bench.recollection.for_task(heard.text, bench.archive.window(bench.session_id))
        for trouble in recollected.troubles:
            yield Warned(trouble)
        course.memories, course.recall = recollected.items, recollected.cost
        if course.memories:
            bench.archive.keep_sent(heard.message_id, render(course.memories, heard.text), heard.begun)
            yield Recalled(course.memories)
        yield from _rounds(bench, course)
    except (KeyboardInterrupt, GeneratorExit) as stop:
        if course.is_over:
            raise
        response = _interrupt(bench, course)
        if isinstance(stop, GeneratorExit):
            return
        yield Finished(response)
    except ForgottenMeanwhile:
        raise
    except HermesError as error:
        _keep_failure(bench, course, error)
        raise


def _rounds(bench: Bench, course: Course) -> Happening:
    for _ in range(bench.max_rounds):
        reply = yield from _ask(bench, course)
        course.usage += reply.usage
        if not reply.calls and not reply.text.strip():
            raise ModelBusy(
                f"{bench.model.name} gave an empty answer.", hint="Say it again, or choose another model."
            )
        if not reply.calls:
            yield Finished(_finish(bench, course, window.replied(reply), "answered"))
            return
        # The calls are on the disk before the first of them runs.
        bench.archive.append(bench.session_id, window.replied(reply), begun=course.heard.begun)
        course.streamed = ""
        for call in reply.calls:
            yield from _use_tool(bench, course, call)
    text = STOPPED.format(rounds=bench.max_rounds)
    yield TextDelta(text)
    stopped = window.replied(Reply(text, model=bench.model.name, finish_reason="stopped"))
    yield Finished(_finish(bench, course, stopped, "stopped"))


def _ask(bench: Bench, course: Course) -> Generator[Event, bool | None, Reply]:
    """Let the model answer once; when its window is full, make room and ask again."""
    prompt = bench.prompt()
    kept: Sequence[Message] = bench.archive.window(bench.session_id)
    budget = compaction.Budget(bench.model.context_window, len(prompt))
    if compaction.is_due(kept, budget):
        kept = yield from _compact(bench, course, kept, budget)
    try:
        return (yield from _listen(bench, course, prompt, kept))
    except WindowFull:
        if course.streamed:
            raise
        shorter = yield from _compact(bench, course, kept, replace(budget, is_overflowing=True))
        if shorter is kept:
            raise
        return (yield from _listen(bench, course, prompt, shorter))


def _listen(
    bench: Bench, course: Course, prompt: str, kept: Sequence[Message]
) -> Generator[Event, bool | None, Reply]:
    lines = window.lines(kept)
    course.streamed = ""
    # A model may repeat the memory block it was given; that is not its answer and never kept as one.
    scrubber = Scrubber()
    for piece in bench.model.ask(Request(prompt, lines, bench.toolbox.specs)):
        if isinstance(piece, Reply):
            rest = scrubber.flush()
            if rest:
                course.streamed += rest
                yield TextDelta(rest)
            return window.without_echo(piece)
        if isinstance(piece, TextPiece):
            text = scrubber.feed(piece.text)
            course.streamed += text
            if text:
                yield TextDelta(text)
        elif isinstance(piece, ThinkingPiece):
            yield ThinkingDelta(piece.text)
    raise ModelBusy("The model's answer broke off.", hint="Say it again.")


def _compact(
    bench: Bench, course: Course, kept: Sequence[Message], budget: compaction.Budget
) -> Generator[Event, bool | None, Sequence[Message]]:
    """Let a summary stand for the older messages; return the window after it, the same one if nothing can go."""
    cut = compaction.choose_cut(kept, budget)
    if cut is None:
        return kept
    beside = _told_before(bench, cut.older)
    summary = compaction.summarize(cut.older, bench.light_model, budget, beside)
    message = compaction.message(summary.text, cut)
    bench.archive.compact(bench.session_id, cut.until, message, request=cut.request, begun=course.heard.begun)
    yield Compacted(len(cut.older), summary.problem)
    return bench.archive.window(bench.session_id)


def _told_before(bench: Bench, older: Sequence[Message]) -> str:
    """Tell the external memory what leaves the window; return what it wants the summary to hold."""
    external = bench.recollection.external
    return "" if external is None else external.before_compression(written(older), bench.session_id)


def _use_tool(bench: Bench, course: Course, call: ToolCall) -> Happening:
    question = bench.toolbox.question(call)
    allowed = True
    if question is not None:
        allowed = bool((yield ApprovalAsked(call, question)))
    yield ToolStarted(call)
    course.running = call
    result = bench.toolbox.run(call) if allowed else failed(DENIED)
    entry = deed(call, bench.session_id, "denied" if not allowed else "failed" if result.is_error else "done")
    bench.archive.append(bench.session_id, window.answered(call, result), entry=entry, begun=course.heard.begun)
    course.tools.append(call.name)
    course.running = None
    yield ToolFinished(call, result)


def _finish(bench: Bench, course: Course, answer: NewMessage, ending: Ending) -> Response:
    """Commit the answer, the journal entry and the jobs that must follow, together."""
    # Closed at once: counting stops early, and a reading that is left open holds a cursor on the server.
    with closing(bench.archive.steps_backwards(bench.session_id)) as steps:
        jobs = nudge.jobs(bench.session_id, steps, bench.nudges)
    entry = _entry(bench, course, ending)
    if course.recall is not None:
        course.recall = bench.recollection.saving(course.recall, bench.model.context_window)
    request = course.heard.message_uid if ending == "answered" else None
    turn = FinishedTurn(answer, entry, course.usage, jobs, _spent(bench, course), request, course.heard.begun)
    bench.archive.finish_turn(bench.session_id, turn)
    course.is_over = True
    return Response(answer.content or "", bench.session_id, ending, course.usage, course.memories)


def _interrupt(bench: Bench, course: Course) -> Response:
    """Keep what had come when the user stopped it; what was running or waiting says that it was stopped.

    Ctrl-C may fall between a commit and our knowing of it, so the archive says how far the turn had come.
    """
    with suppress(ForgottenMeanwhile):
        return _kept_so_far(bench, course)
    return Response(course.streamed, bench.session_id, "interrupted", course.usage, course.memories)


def _kept_so_far(bench: Bench, course: Course) -> Response:
    turn = window.latest_turn(bench.archive.window(bench.session_id))
    if turn and window.is_answer(turn[-1]):
        return Response(turn[-1].content or "", bench.session_id, "answered", course.usage, course.memories)
    for call in window.open_calls(turn):
        is_running = course.running is not None and call.id == course.running.id
        was = "running" if is_running else "waiting"
        result = ToolResult(f"[The user stopped this while it was {was}.]", is_error=True)
        entry = deed(call, bench.session_id, "stopped") if is_running else None
        bench.archive.append(
            bench.session_id, window.answered(call, result), entry=entry, begun=course.heard.begun
        )
    entry = _entry(bench, course, "interrupted")
    answer = window.cut_off(course.streamed, bench.model.name)
    finished = FinishedTurn(answer, entry, course.usage, recall=_spent(bench, course), begun=course.heard.begun)
    bench.archive.finish_turn(bench.session_id, finished)
    return Response(course.streamed, bench.session_id, "interrupted", course.usage, course.memories)


def _keep_failure(bench: Bench, course: Course, error: HermesError) -> None:
    """Keep beside the user's message why it was not answered, with the words that had come."""
    entry = replace(_entry(bench, course, "failed"), cause=error.message)
    answer = window.broken_off(course.streamed, error.message, bench.model.name)
    finished = FinishedTurn(answer, entry, course.usage, recall=_spent(bench, course), begun=course.heard.begun)
    with suppress(ForgottenMeanwhile):
        bench.archive.finish_turn(bench.session_id, finished)


def _spent(bench: Bench, course: Course) -> Spent | None:
    """Return what recall has cost, with the message it was for."""
    if course.recall is None:
        return None
    return Spent("recall", f"{bench.session_id}, message {course.heard.message_id}", course.recall)


def _entry(bench: Bench, course: Course, ending: TurnEnding) -> NewEntry:
    heard = course.heard
    asked = Asked(bench.session_id, heard.message_uid, heard.text, bench.model.name)
    return turn_entry(asked, ending, course.tools)
