"""`hermes chat` with a server elsewhere: the same screen and the same keys, while the turn is taken there.

What happens comes as events and is shown as it would be here. What a tool needs a yes for is asked here. Ctrl-C
stops the answer there, and what had come is kept. Slash commands that make sense from elsewhere are commands of
the server.
"""

import io
import signal
import sys
import uuid
from collections.abc import Mapping
from contextlib import suppress

from hermes_agent.agent import wire
from hermes_agent.agent.events import ApprovalAsked, Finished
from hermes_agent.cli import chat as local
from hermes_agent.cli import remote_runs, slash
from hermes_agent.cli.asking import Keyboard, read_all
from hermes_agent.cli.chat_room import ALLOW, NOBODY
from hermes_agent.cli.chat_screen import Screen
from hermes_agent.cli.chat_signals import Signals
from hermes_agent.cli.event_lines import visible
from hermes_agent.cli.output import folded
from hermes_agent.cli.server import Server, lines_of, strange
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.records.archive import Json
from hermes_agent.text import outside_json

_SIGNALLED = 128
_LATEST = 100
_EVENT, _DATA = "event: ", "data: "
# What a slash command is on the server; the rest of what was typed goes behind it.
_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "/sessions": ("sessions", "browse", "--limit", "10"),
    "/memory": ("notes", "show"),
    "/search": ("sessions", "search"),
    "/status": ("status",),
    "/model": ("model",),
}
_OWN = ("/help", "/new", "/resume", "/remember", "/skills", "/quit", "/exit")


def talk(server: Server, home: Home, values: Mapping[str, object]) -> int:
    """Talk until the end; return the exit code."""
    query = values.get("query")
    said = read_all() if query == "-" else None if query is None else str(query)
    resumed = values.get("resume")
    is_incognito, is_json = bool(values.get("is_incognito")), bool(values.get("is_json"))
    local.check(
        None if query is None else str(query),
        None if resumed is None else str(resumed),
        bool(values.get("is_continued")),
        is_incognito,
        is_json,
    )
    if values.get("model") is not None:
        raise UsageError("The server chooses the model.", hint="Change it: hermes --server URL model set NAME")
    if resumed == "":
        raise UsageError("Name the conversation to go on with.", hint="hermes --server URL sessions browse")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    with Signals() as signals:
        screen = local.screen(said, is_json=is_json, is_incognito=is_incognito)
        keyboard = local.keyboard(said, home, signals, is_incognito=is_incognito)
        room = _Room(server, screen, keyboard, signals, is_incognito=is_incognito)
        if resumed is not None:
            room.resume(str(resumed))
        elif values.get("is_continued"):
            room.resume_latest()
        return room.talk(is_brief=said is not None)


class _Room:
    """A chat with a server while it goes on."""

    def __init__(
        self, server: Server, screen: Screen, keyboard: Keyboard, signals: Signals, *, is_incognito: bool
    ) -> None:
        self._server = server
        self._screen = screen
        self._keyboard = keyboard
        self._signals = signals
        self._is_incognito = is_incognito
        self._session: str | None = None
        self._allowed: set[str] = set()
        self._exit_code = 0
        self._is_over = False

    def talk(self, *, is_brief: bool) -> int:
        """Hold the conversation to its end."""
        if not is_brief:
            told = self._server.ask("GET", "/api/server")
            self._screen.aside(
                f"{self._server.address}, profile {told.get('profile')}. /help lists what you can do."
            )
            self._screen.part()
        try:
            for said in self._keyboard.messages():
                self._take(said)
                if self._is_over:
                    break
        except KeyboardInterrupt:
            return _SIGNALLED + (self._signals.ended_by or signal.SIGINT)
        finally:
            self._leave()
        return self._exit_code if is_brief or not self._keyboard.is_person else 0

    def resume(self, name: str) -> None:
        """Go on with a session; one that is not there is told at once."""
        found = remote_runs.captured(self._server, ["sessions", "show", name, "--json"])
        session = found.get("session") if isinstance(found, dict) else None
        source = session if isinstance(session, dict) else found
        identity = source.get("id") if isinstance(source, dict) else None
        if not isinstance(identity, str):
            raise NotFound(f"There is no conversation {name!r}.")
        if identity != self._session:
            self._leave()
        self._session = identity
        self._screen.aside(f"Going on with {identity}.")

    def resume_latest(self) -> None:
        """Go on with the conversation that was active last."""
        found = remote_runs.captured(self._server, ["sessions", "list", "--limit", str(_LATEST), "--json"])
        listed = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        # Pinned ones lead, whatever their age. All times have one form, so that the later one sorts behind.
        latest = max(listed, key=lambda one: str(one.get("last_active_at") or ""), default={})
        if not isinstance(latest.get("id"), str):
            raise NotFound("There is no conversation yet.", hint="Begin one with: hermes")
        self.resume(str(latest["id"]))

    def _take(self, said: str) -> None:
        try:
            command = slash.read(said)
            if command is None:
                self._answer(said)
            else:
                self._command(command.name, command.rest if isinstance(command, slash.Typed) else "")
        except HermesError as error:
            self._screen.fail(error)
            self._exit_code = error.exit_code
        except KeyboardInterrupt:
            if not self._keyboard.is_person or self._signals.ended_by is not None:
                raise
            self._screen.aside("Stopped.")

    def _command(self, name: str, rest: str) -> None:
        if name in ("/quit", "/exit"):
            self._is_over = True
        elif name == "/help":
            self._screen.tell(_help(), "/help")
        elif name == "/new":
            self._leave()
            self._screen.tell("A new conversation begins; the notes are read afresh.", "/new")
        elif name == "/resume" and rest:
            self.resume(rest)
        elif name == "/remember" and self._session is not None:
            self._run("memory", "suggest", self._session)
        elif name == "/skills":
            self._run("skills", *(("show", rest) if rest else ("list",)))
        elif name in _COMMANDS:
            self._run(*_COMMANDS[name], *([rest] if rest else []))
        else:
            raise UsageError(f"{name} does not work here.", hint="/help lists what does.")

    def _leave(self) -> None:
        """End the conversation there, as one here ends: it is learned from at once."""
        session, self._session = self._session, None
        self._allowed.clear()
        if session is None:
            return
        try:
            self._server.ask("POST", "/api/chat/end", {"session": session})
        except HermesError as error:
            self._screen.aside(
                f"The conversation rests there, and is learned from in half an hour: {error.message}"
            )

    def _run(self, *arguments: str) -> None:
        remote_runs.follow_words(self._server, arguments)
        self._screen.part()

    def _answer(self, said: str) -> None:
        """Take one turn there, and show it as it happens."""
        body: dict[str, Json] = {"message": said, "session": self._session, "incognito": self._is_incognito}
        self._screen.begin()
        with self._keyboard.quiet(), self._signals.in_turn():
            is_interrupted = self._follow(body)
        if is_interrupted and (not self._keyboard.is_person or self._signals.ended_by is not None):
            raise KeyboardInterrupt

    def _follow(self, body: Mapping[str, Json]) -> bool:
        """Show every event; tell whether the turn was interrupted."""
        turn, name = "", ""
        with self._server.stream("POST", "/api/chat", body, key=str(uuid.uuid4())) as response:
            next_line = lines_of(response, self._server.address)
            while True:
                try:
                    line = next_line()
                    if line is None:
                        raise HermesError("The answer broke off.", hint="What was said is kept there.")
                    if line.startswith(_EVENT):
                        name = line.removeprefix(_EVENT)
                    if not line.startswith(_DATA):
                        continue
                    told = outside_json.read(line.removeprefix(_DATA))
                    told = told if isinstance(told, dict) else {}
                    if name == "begun":
                        turn, self._session = self._text(told, "turn"), self._text(told, "session_id")
                    elif name == "failed":
                        hint = None if told.get("hint") is None else self._text(told, "hint")
                        raise HermesError(self._text(told, "detail"), hint=hint)
                    elif self._show(name, told, turn):
                        return True
                    elif name == "finished":
                        return False
                except KeyboardInterrupt:
                    # The stream goes on: its last event says what was kept.
                    if not turn:
                        raise
                    with suppress(HermesError):
                        self._server.ask("POST", f"/api/chat/{turn}/stop", {})

    def _show(self, name: str, told: Mapping[str, Json], turn: str) -> bool:
        """Show one event, and answer what it asks; tell whether it ends an interrupted turn."""
        try:
            event = wire.read(name, told)
        except (KeyError, TypeError) as error:
            raise strange(self._server.address) from error
        if event is None:
            return False
        self._screen.show(event)
        if isinstance(event, ApprovalAsked):
            answer: dict[str, Json] = {"id": self._text(told, "id"), "is_allowed": self._decide(event)}
            with suppress(HermesError):  # its time was over
                self._server.ask("POST", f"/api/chat/{turn}/approval", answer)
        return isinstance(event, Finished) and event.response.ending == "interrupted"

    def _text(self, told: Mapping[str, Json], name: str) -> str:
        """Return a text that every event of this kind has."""
        value = told.get(name)
        if not isinstance(value, str):
            raise strange(self._server.address)
        return value

    def _decide(self, asked: ApprovalAsked) -> bool:
        if asked.question in self._allowed:
            return True
        question = visible(asked.question)
        if not self._keyboard.is_person:
            self._screen.aside(f"{NOBODY} {question}")
            return False
        answer = self._keyboard.ask(f"{question}\n{folded(ALLOW)}").lower()
        if answer in ("a", "always"):
            self._allowed.add(asked.question)
        return answer in ("y", "yes", "a", "always")


def _help() -> str:
    known = [one for name, one in slash.COMMANDS.items() if (name in _COMMANDS or name in _OWN) and one.usage]
    width = max(len(command.usage) for command in known)
    lines = [f"{command.usage:<{width}}  {command.help}" for command in known]
    return "\n".join([*lines, "", slash.KEYS])
