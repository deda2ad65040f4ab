"""The slash commands of a chat: what can be typed, and what each one does.

Only a known name alone or before a space is a command: a message may begin with a path such as
/etc/hosts. A single word that is no command is answered with the nearest one.
"""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.app import App
from hermes_agent.cli import suggest
from hermes_agent.cli.chat_room import Chat
from hermes_agent.config.reader_time import local_time
from hermes_agent.config.settings import MEMORY_MEMORY_CHAR_LIMIT, MEMORY_USER_CHAR_LIMIT
from hermes_agent.errors import NotFound, UsageError
from hermes_agent.notes import format
from hermes_agent.recall.looking import HIDDEN_SOURCES, Request
from hermes_agent.records.archive import Message, Session
from hermes_agent.records.notes import SUBJECTS, Target
from hermes_agent.store import jobs
from hermes_agent.store.sessions import Listing
from hermes_agent.text.clean import preview
from hermes_agent.text.quantities import counted

_SINGLE_WORD = re.compile(r"/[A-Za-z][A-Za-z_-]*")
_RECENT = 10
_LINE_CHARACTERS = 100
_NO_OTHER = "There is no other conversation yet."
KEYS = """\
Enter sends; Alt-Enter, Esc Enter or a backslash at the end begins a new line.
Ctrl-C stops an answer and keeps what was said; on a line it clears it. Ctrl-D ends the chat."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: how it is called (nothing when another line says so), what it does, and how."""

    usage: str
    help: str
    run: Callable[[Chat, str], None]


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as it was typed."""

    name: str
    rest: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A single word that looks like a command and is none."""

    name: str


def read(said: str) -> Typed | Unknown | None:
    """Read a command out of what was typed; None when it is a message."""
    name, *rest = said.strip().split(maxsplit=1)
    if name.lower() in COMMANDS:
        return Typed(name.lower(), rest[0].strip() if rest else "")
    return Unknown(name) if not rest and _SINGLE_WORD.fullmatch(name) else None


def run(chat: Chat, command: Typed | Unknown) -> None:
    """Do what a command says."""
    if isinstance(command, Typed):
        COMMANDS[command.name].run(chat, command.rest)
        return
    near = difflib.get_close_matches(command.name.lower(), COMMANDS, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}?" if near else "/help lists the commands."
    raise UsageError(f"There is no command {command.name}.", hint=hint)


def _help(chat: Chat, rest: str) -> None:
    width = max(len(command.usage) for command in COMMANDS.values())
    lines = [f"{command.usage:<{width}}  {command.help}" for command in COMMANDS.values() if command.usage]
    keys = f"\n\n{KEYS}" if chat.keyboard.is_person else ""
    chat.screen.tell("\n".join(lines) + keys, "/help")


def _new(chat: Chat, rest: str) -> None:
    chat.start_over("new_command")
    chat.screen.tell("A new conversation begins; the notes are read afresh.", "/new")


def _sessions(chat: Chat, rest: str) -> None:
    found = _recent(chat)
    lines = _numbered_lines(chat, found)
    goes_on = "/resume goes on with one, by number, id or title."
    chat.screen.tell("\n".join([*lines, goes_on]) if lines else _NO_OTHER, "/sessions")


def _resume(chat: Chat, rest: str) -> None:
    by_number = {str(number): session.id for number, (session, _) in enumerate(_recent(chat), start=1)}
    name = by_number.get(rest, rest) or chosen_session(chat)
    if not name:
        return
    count = chat.resume(name)
    chat.screen.tell("\n".join(resumed_lines(chat, count)), "/resume")


def chosen_session(chat: Chat) -> str:
    """Let a person choose among the latest conversations; "" when none was chosen."""
    found = _recent(chat)
    if not found:
        raise NotFound(_NO_OTHER)
    if not chat.keyboard.is_person:
        raise UsageError("Which conversation?", hint="Write its id or title: /resume ID. /sessions lists them.")
    chat.screen.tell("\n".join(_numbered_lines(chat, found)), "/resume")
    answer = chat.keyboard.ask("Which one? [number, or Enter for none]")
    numbered = {str(number): session.id for number, (session, _) in enumerate(found, start=1)}
    return numbered.get(answer, answer)


def _numbered_lines(chat: Chat, found: Sequence[tuple[Session, str]]) -> list[str]:
    return [f"{n:>2}. {_session_line(chat, session, first)}" for n, (session, first) in enumerate(found, start=1)]


def resumed_lines(chat: Chat, count: int) -> list[str]:
    """Say which conversation goes on, and what was said last in it."""
    session = chat.app.memory.session(chat.conversation.session_id or "")
    title = f" “{preview(session.title)}”" if session.title else ""
    when = local_time(session.last_active_at, chat.app.settings)[:16]
    said = [message for message in chat.app.memory.window(session.id) if _is_talk(message)]
    last = [f"  {message.role}: {preview(message.content or '', _LINE_CHARACTERS)}" for message in said[-2:]]
    return [f"Going on with {session.id}{title}: {counted(count, 'message')}, the last on {when}.", *last]


def _memory(chat: Chat, rest: str) -> None:
    notes: list[str] = []
    for target, limit in note_limits(chat.app).items():
        entries = chat.app.notebook.entries(target)
        notes.append(f"{SUBJECTS[target]}  {format.usage(format.size(entries), limit)}")
        notes += [f"  - {entry.replace(chr(10), chr(10) + '    ')}" for entry in entries] or ["  (empty)"]
    chat.screen.tell(
        "\n".join([*notes, "`hermes notes edit` changes them; a chat uses them as they were at its start."]),
        "/memory",
    )


def note_limits(app: App) -> Mapping[Target, int]:
    """Return how many characters each note may have."""
    return {"user": app.settings[MEMORY_USER_CHAR_LIMIT], "memory": app.settings[MEMORY_MEMORY_CHAR_LIMIT]}


def remember(chat: Chat, rest: str) -> None:
    """Propose what to add to the notes from this conversation, and add what is accepted."""
    _refuse_incognito(chat, "there is nothing to add from it")
    session_id = chat.conversation.session_id
    if session_id is None:
        raise UsageError(
            "Nothing has been said in this conversation yet.",
            hint="`hermes memory suggest` looks at the conversation before it.",
        )
    proposals = suggest.propose(chat.app, session_id)
    if not proposals:
        chat.screen.tell(suggest.NOTHING, "/remember")
        return
    lines = suggest.listed(proposals)
    if not chat.keyboard.is_person:
        chat.screen.tell("\n".join([*lines, suggest.HOW_TO_ACCEPT]), "/remember")
        return
    chat.screen.tell("\n".join(lines), "/remember")
    chosen = suggest.choose(proposals, chat.keyboard.ask(suggest.QUESTION))
    written = suggest.accept(chat.app, chosen, session_id, cause="/remember")
    chat.screen.tell("\n".join(written) or "Nothing was added.", "/remember")


def _undo(chat: Chat, rest: str) -> None:
    _refuse_incognito(chat, "there is nothing to take back")
    session_id = chat.conversation.session_id
    window = [] if session_id is None else chat.app.memory.window(session_id)
    said = [message for message in window if message.role == "user"]
    if session_id is None or not said:
        raise UsageError("There is nothing to take back in this conversation.")
    last = said[-1]
    tools = {message.tool_name for message in window if message.id > last.id and message.role == "tool"}
    chat.app.memory.rewind(session_id, last.id)
    lines = [f"Taken back: {preview(last.content or '', _LINE_CHARACTERS)}"]
    if tools & {"memory", "skill_manage"}:
        lines.append("What was noted stays: `hermes memory undo` takes that back.")
    if tools - {"memory", "recall", "session_search", "skills_list", "skill_view", "skill_manage", "todo"}:
        lines.append("What tools did stays done: /rollback lists the checkpoints of the folder.")
    chat.screen.tell("\n".join(lines), "/undo")


def _rollback(chat: Chat, rest: str) -> None:
    folder, checkpoints = chat.opening.folder, chat.app.checkpoints
    first, _, more = rest.partition(" ")
    if not rest:
        kept = checkpoints.list(folder)
        lines = [f"{s.number:>3}  {local_time(s.at, chat.app.settings)}  {preview(s.reason)}" for s in kept]
        hint = "/rollback N goes back to one, N FILE for one file; /rollback diff N shows what changed since."
        chat.screen.tell(
            "\n".join([*lines, hint]) if lines else f"There is no checkpoint of {folder} yet.", "/rollback"
        )
    elif first == "diff":
        difference = checkpoints.diff(folder, _number(more))
        chat.screen.tell(difference.rstrip() or "Nothing differs.", "/rollback")
    else:
        restored = checkpoints.restore(folder, _number(first), more.strip() or None)
        chat.screen.tell(str(restored), "/rollback")


def _number(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text.strip()):
        raise UsageError(f"{text.strip()[:40]!r} is not the number of a checkpoint.", hint="/rollback lists them.")
    return int(text)


def _skills(chat: Chat, rest: str) -> None:
    if rest:
        chat.screen.tell(chat.app.library.view(rest), "/skills")
        return
    lines = [
        f"{skill.name}  {preview(skill.problem or skill.description, _LINE_CHARACTERS)}"
        for skill in chat.app.library.list()
    ]
    chat.screen.tell("\n".join(lines) or f"No skills yet. They lie in {chat.app.home.skills}.", "/skills")


def _search(chat: Chat, rest: str) -> None:
    if not rest:
        raise UsageError("What for?", hint="/search docker deployment")
    current = None if chat.opening.is_incognito else chat.conversation.session_id
    answer = chat.app.memory.discover(Request(rest, current_session=current))
    lines = []
    for found in answer.results:
        when = local_time(found.session.started_at, chat.app.settings)[:16]
        lines += [f"{found.session.id}  {when}", f"  {found.matched_role}: {' '.join(found.snippet.split())}"]
    chat.screen.tell("\n".join([*lines, *([answer.message] if answer.message else [])]), "/search")


def _model(chat: Chat, rest: str) -> None:
    if rest:
        chat.use(App(chat.app.home, chat.app.settings, store=chat.app.store, model=rest))
    lines = [model_line(chat.app)]
    if not rest:
        lines += [
            *chat.app.choices.notes,
            "/model NAME changes it for this chat, `hermes model set NAME` for all.",
        ]
    chat.screen.tell("\n".join(lines), "/model")


def model_line(app: App) -> str:
    """Say which model answers, and why it is that one."""
    choice, name = app.choices.main, app.model.name
    why = f": {choice.reason}" if choice.name == name else ""
    return f"{re.sub('^the ', 'The ', name)} answers{why}."


def _usage(chat: Chat, rest: str) -> None:
    used = chat.usage
    amounts = (used.input, used.output, used.cache_read, used.reasoning)
    if chat.conversation.session_id is not None and not chat.opening.is_incognito:
        session = chat.app.memory.session(chat.conversation.session_id)
        amounts = (
            session.input_tokens,
            session.output_tokens,
            session.cache_read_tokens,
            session.reasoning_tokens,
        )
    read, written, cached, thought = amounts
    text = f"{read:,} tokens in, {written:,} out"
    text += f", {cached:,} of them from the vendor's cache" if cached else ""
    text += f", {thought:,} for thinking" if thought else ""
    chat.screen.tell(
        f"This conversation: {text}." if any(amounts) else "This conversation used no tokens.", "/usage"
    )


def _status(chat: Chat, rest: str) -> None:
    app = chat.app
    rows = [
        ("Model", model_line(app)),
        ("Conversation", _conversation_line(chat)),
        ("Folder", str(chat.opening.folder)),
        ("Profile", f"{app.home.profile} ({app.home.root})"),
    ]
    for target, limit in note_limits(app).items():
        rows.append((SUBJECTS[target], format.usage(format.size(app.notebook.entries(target)), limit)))
    with app.store.read() as connection:
        counts = jobs.counts(connection)
    waiting, failed = counts.get("waiting", 0), counts.get("failed", 0)
    failing = f", {failed} failed: `hermes jobs list --state failed` says why" if failed else ""
    rows.append(("Jobs", f"{waiting} waiting{failing}"))
    width = max(len(name) for name, _ in rows)
    chat.screen.tell("\n".join(f"{name:<{width}}  {text}" for name, text in rows), "/status")


def _conversation_line(chat: Chat) -> str:
    if chat.opening.is_incognito:
        return "incognito: nothing of it is kept"
    if chat.conversation.session_id is None:
        return "begins with your first message"
    session = chat.app.memory.session(chat.conversation.session_id)
    title = f" “{preview(session.title)}”" if session.title else ""
    return f"{session.id}{title}, {counted(session.message_count, 'message')}"


def _quit(chat: Chat, rest: str) -> None:
    chat.leave()


def _refuse_incognito(chat: Chat, why: str) -> None:
    if chat.opening.is_incognito:
        raise UsageError(f"Nothing of an incognito conversation is kept: {why}.")


def _recent(chat: Chat) -> list[tuple[Session, str]]:
    """Return the latest other conversations with their first words."""
    current = chat.conversation.session_id
    listing = Listing(hidden_sources=HIDDEN_SOURCES, without_ids=[current] if current else [])
    return [(listed.session, listed.preview) for listed in chat.app.memory.sessions(listing, _RECENT)]


def _session_line(chat: Chat, session: Session, first_words: str) -> str:
    when = local_time(session.last_active_at, chat.app.settings)[:16]
    return f"{session.id}  {when}  {preview(session.title or first_words)}"


def _is_talk(message: Message) -> bool:
    return message.role in ("user", "assistant") and bool(message.content) and not message.is_summary


COMMANDS: dict[str, Command] = {
    "/help": Command("/help", "show this list", _help),
    "/new": Command("/new", "begin a new conversation", _new),
    "/sessions": Command("/sessions", "list the latest conversations", _sessions),
    "/resume": Command("/resume [ID]", "go on with another conversation", _resume),
    "/memory": Command("/memory", "show the notes and how full they are", _memory),
    "/remember": Command("/remember", "propose what to add to the notes", remember),
    "/undo": Command("/undo", "take back the last exchange", _undo),
    "/rollback": Command("/rollback [N | diff N | N FILE]", "go back to a checkpoint of the folder", _rollback),
    "/skills": Command("/skills [NAME]", "list the skills, or show one", _skills),
    "/search": Command("/search WORDS", "find conversations", _search),
    "/model": Command("/model [NAME]", "show or change the model of this chat", _model),
    "/usage": Command("/usage", "show the tokens used", _usage),
    "/status": Command("/status", "show model, conversation, notes and jobs", _status),
    "/quit": Command("/quit, /exit", "end the chat", _quit),
    "/exit": Command("", "end the chat", _quit),
}
