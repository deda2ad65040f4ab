"""A conversation: one session with its frozen prompt, from the first word to the end.

It begins in the archive with the first message, not when a door opens: nobody wants empty sessions.
The prompt is built then, from the notes as they are, and never again; a resumed session sends the
prompt that was stored with it. Only forgetting changes what a conversation holds: before each request
it asks whether anything was forgotten since, and lets go of it.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from hermes_agent import clock
from hermes_agent.agent import prompt
from hermes_agent.agent.archive import Archive, Unkept
from hermes_agent.agent.desk import Desk
from hermes_agent.agent.events import Event, Finished, Response, Warned
from hermes_agent.agent.recollection import Recollection
from hermes_agent.agent.tools.todo import TodoList
from hermes_agent.agent.turn import Bench, Happening, Heard, hear, take_turn
from hermes_agent.errors import UsageError
from hermes_agent.memory import meanwhile
from hermes_agent.memory.external import External
from hermes_agent.memory.meanwhile import Standing
from hermes_agent.records.archive import NewSession


@dataclass(frozen=True, slots=True)
class Opening:
    """How a conversation begins: through which door, in which folder, kept or not."""

    source: str
    folder: Path
    is_incognito: bool = False
    session_id: str | None = None
    """What the session is to be called; a door that may be killed knows it before the session begins."""
    user_id: str | None = None
    """Who talks, as the door names people."""


class Conversation:
    """One session that goes on as long as its door is open."""

    def __init__(self, desk: Desk, opening: Opening) -> None:
        self.desk = desk
        self.opening = opening
        self.session_id: str | None = None
        self._first_id = opening.session_id
        self._unkept = Unkept() if opening.is_incognito else None
        self._archive: Archive = self._unkept or desk.memory
        self._prompt: str | None = None
        self._turns = 0
        self._todo = TodoList()
        self._told: set[str] = set()
        self._history: dict[int, int] = {}
        self._news: list[str] = []
        self._receipt = 0
        """The last receipt of a forgetting that is heeded in what is held here."""

    def resume(self, name: str) -> int:
        """Go on with a session, with its prompt as stored; return how many messages its window has."""
        if self.opening.is_incognito:
            raise UsageError("An incognito conversation cannot go on with a kept one.")
        self._receipt = meanwhile.standing(self.desk.memory.store).receipt
        resumed = self.desk.memory.resume(name)
        self.session_id = resumed.session.id
        self._prompt = resumed.system_prompt
        self._todo = TodoList()
        self._history.clear()
        return len(resumed.messages)

    def say(self, said: str) -> Happening:
        """Take one turn; iterate over what happens."""
        yield from self.answer(self.hear(said))

    def hear(self, said: str, uid: str | None = None) -> Heard:
        """Keep what the user says, and begin the session if it has not begun; `answer` takes the turn.

        `uid` names the message, for a door that asks after a kill whether it was kept.
        """
        if not said.strip():
            raise UsageError("There is nothing to say.")
        standing = self._standing()
        if not standing.is_there:
            self._start_over()
            self._news.append("The conversation was removed meanwhile: a new one begins.")
        self._let_go(standing.receipt)
        return hear(self._archive, self._session(), said, uid, self._receipt)

    def answer(self, heard: Heard) -> Happening:
        """Answer what was heard; iterate over what happens."""
        while self._news:
            yield Warned(self._news.pop(0))
        session_id, _ = self._begun()
        desk = self.desk
        # After the commit: the tools of other servers may take a while to come up.
        toolbox = desk.toolbox(session_id, self.opening.folder, self._todo, is_incognito=self.opening.is_incognito)
        for problem in self._new_problems():
            yield Warned(problem)
        bench = Bench(
            archive=self._archive,
            model=desk.model,
            light_model=desk.light_for("window", None if self.opening.is_incognito else session_id),
            toolbox=toolbox,
            session_id=session_id,
            prompt=self._current_prompt,
            max_rounds=desk.limits.max_rounds,
            nudges=desk.limits.nudges,
            recollection=Recollection(
                desk.memory,
                session_id,
                desk.limits.recall_tokens,
                self._told,
                self._history,
                self._external,
            ),
        )
        self._turns += 1
        if self._external is not None:
            self._external.begin_turn(self._turns, heard.text, session_id)
        yield from take_turn(bench, heard)
        if self._external is not None:
            self._external.get_ready(heard.text, session_id)

    def ask(self, said: str) -> Response:
        """Take one turn to its end and return the response with everything that happened; nobody is asked."""
        return collect(self.say(said))

    def end(self, reason: str = "agent_close") -> None:
        """End the session, if it began; a later `resume` takes it up again."""
        if self.session_id is not None and not self.opening.is_incognito and self._standing().is_there:
            self.desk.memory.end(self.session_id, reason)
        self._start_over()

    def _start_over(self) -> None:
        self.session_id = self._first_id = None
        self._prompt = None
        self._turns = 0
        self._todo = TodoList()
        self._history.clear()

    def _standing(self) -> Standing:
        """Tell whether the session was deleted or forgotten since it began, and what was the last forgetting."""
        return meanwhile.standing(self.desk.memory.store, None if self._unkept else self.session_id)

    def _current_prompt(self) -> str:
        """Return the prompt as it may be sent now."""
        self._let_go(self._standing().receipt)
        return self._begun()[1]

    def _let_go(self, receipt: int) -> None:
        """Hold nothing any more that was forgotten up to a receipt: the prompt is taken as it is stored since."""
        if receipt == self._receipt:
            return
        if self.session_id is not None:
            look = meanwhile.look_since(self.desk.memory.store, self._receipt)
            self._todo.forget(look)
            if self._unkept is not None:
                self._unkept.forget(look)
                self._prompt = None
            else:
                self._prompt = self.desk.memory.opened(self.session_id).system_prompt
        self._receipt = receipt

    def _new_problems(self) -> list[str]:
        """Return what was not told yet of the tools of other servers, and of an external memory not loaded."""
        problems = [] if self.desk.servers is None else [*self.desk.servers.problems]
        missing = None if self.opening.is_incognito else self.desk.external_problem
        if missing is not None:
            problems.append(f"The external memory is not used: {missing.message}")
        new = [problem for problem in problems if problem not in self._told]
        self._told.update(new)
        return new

    def _session(self) -> str:
        """Return the session; it begins with its prompt, unless somebody else has to be asked for a part of it."""
        if self.session_id is None:
            self._prompt = self._build_prompt("") if self._external is None else None
            self.session_id = self._archive.begin(
                NewSession(
                    source=self.opening.source,
                    id=self._first_id,
                    user_id=self.opening.user_id,
                    model=self.desk.model.name,
                    system_prompt=self._prompt,
                    folder=str(self.opening.folder),
                ),
                self._receipt,
            )
        return self.session_id

    def _begun(self) -> tuple[str, str]:
        session_id = self._session()
        if self._prompt is None:
            external = self._external
            self._prompt = self._build_prompt("" if external is None else external.prompt_block(session_id))
            if self._unkept is None:
                # It has none yet, or was another program's, or what stood in it was forgotten.
                self.desk.memory.keep_prompt(session_id, self._prompt, self._receipt)
        return session_id, self._prompt

    @property
    def _external(self) -> External | None:
        """The external memory; it is in no incognito conversation."""
        return None if self.opening.is_incognito else self.desk.external

    def _build_prompt(self, external: str) -> str:
        began = clock.to_datetime(clock.now(), self.desk.memory.zone)
        return prompt.build(
            self.desk.notebook.snapshot(),
            skill_index=self.desk.library.index(),
            folder=str(self.opening.folder),
            began=f"{began:%A, %Y-%m-%d}",
            external=external,
        )


def collect(turn: Happening) -> Response:
    """Run a turn to its end; what would need asking is not allowed."""
    events: list[Event] = []
    for event in turn:
        if isinstance(event, Finished):
            return replace(event.response, events=tuple(events))
        events.append(event)
    raise RuntimeError("a turn ended without a response")
