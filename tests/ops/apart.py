"""A memory in which things happen, for two that go on apart: each operation is a verb and a number."""

import tempfile
from pathlib import Path

from hypothesis import strategies as st

from hermes_agent import clock
from hermes_agent.config.paths import home_at
from hermes_agent.memory import compressing, episodes, fact_changes, facts, learning, summary_changes, undoing
from hermes_agent.memory.compressing import Wanted
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.undo_choice import Named
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import canonical
from hermes_agent.store import facts as kept_facts
from hermes_agent.store.store import Store

UNDOABLE = (
    "fact.learned",
    "fact.deleted",
    "fact.added",
    "fact.edited",
    "fact.pinned",
    "memory.compressed",
    "summary.edited",
)
DAY = 86_400 * clock.MICROSECONDS
SAID = (
    "I live in Oslo.",
    "I moved to Bergen.",
    "My sister Ana lives in Porto.",
    "I am allergic to walnuts.",
    "I like figs.",
    "My dog is called Rex.",
)
Operation = tuple[str, int]
OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(
            ["say", "say", "ask", "answer", "learn", "add", "delete", "pin", "edit", "rewind", "compress", "undo"]
            + ["title", "remove", "begin", "retell"]
        ),
        st.integers(0, 5),
    ),
    max_size=7,
)


class Home:
    """A memory in which things happen, each at a moment of its own."""

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name
        self.memory = Memory(store, "default")
        self._folder = Path(tempfile.mkdtemp())

    def do(self, operation: Operation) -> None:
        verb, number = operation
        getattr(self, f"_{verb}")(number)

    def _session(self, number: int) -> str | None:
        with self.store.read() as connection:
            known = sorted(str(row["id"]) for row in canonical.rows(connection, "sessions"))
        return known[number % len(known)] if known else None

    def _current(self, number: int) -> str | None:
        with self.store.read() as connection:
            found = kept_facts.recent(connection, 100)
        return found[number % len(found)].name if found else None

    def _begin(self, number: int) -> None:
        self.memory.begin(NewSession(id=f"{self.name}-{number}"))
        self.memory.append(
            f"{self.name}-{number}", NewMessage("user", SAID[number]), NewMessage("assistant", "Yes.")
        )

    def _say(self, number: int) -> None:
        if session := self._session(number):
            old = clock.now() - 60 * DAY
            self.memory.append(
                session,
                NewMessage("user", SAID[number], said_at=old),
                NewMessage("assistant", "Noted.", said_at=old + 1),
            )
            self._make()

    def _ask(self, number: int) -> None:
        if session := self._session(number):
            self.memory.append(session, NewMessage("user", f"{SAID[number]} Is it so?"))
            self._make()

    def _answer(self, number: int) -> None:
        if session := self._session(number):
            self.memory.append(session, NewMessage("assistant", f"So it is, says {self.name}."))
            with self.store.write() as connection:
                episodes.record(connection, self.store.engine, session, None)

    def _make(self) -> None:
        reached: int | None = 0
        while reached is not None:
            reached = episodes.make_next(self.store, reached, None)

    def _learn(self, number: int) -> None:
        if session := self._session(number):
            while learning.learn_part(self.store, session) is not None:
                pass

    def _add(self, number: int) -> None:
        facts.add(self.store, f"{self.name} is number {number}")

    def _delete(self, number: int) -> None:
        if fact := self._current(number):
            facts.delete(self.store, fact)

    def _pin(self, number: int) -> None:
        if fact := self._current(number):
            fact_changes.pin(self.store, fact, is_pinned=number % 2 == 0)

    def _edit(self, number: int) -> None:
        fact, text = self._current(number), f"{self.name} knows better {clock.now()}"
        if fact:
            fact_changes.edit(self.store, fact, text)

    def _rewind(self, number: int) -> None:
        if session := self._session(number):
            live = [one for one in self.memory.messages(session) if one.state == "live"]
            if live:
                self.memory.rewind(session, live[-1].id)

    def _compress(self, number: int) -> None:
        self._make()
        list(compressing.compress(self.store, Wanted(clock.now() - 30 * DAY, actor="owner")))

    def _retell(self, number: int) -> None:
        standing = compressing.recent(self.store, 9)
        one = standing[number % len(standing)] if standing else None
        if one is not None and one.lines:
            lines = [line["text"] for line in one.lines]
            lines[number % len(lines)] = (
                "" if len(lines) > 1 and number == 3 else f"{self.name} says {clock.now()}"
            )
            summary_changes.edit(self.store, one.name, topic=f"{self.name} {number}", lines=lines)

    def _undo(self, number: int) -> None:
        with self.store.read() as connection:
            entries = [row for row in canonical.rows(connection, "journal") if row["kind"] in UNDOABLE]
        if entries:
            undoing.undo(self.notebook(), Named(str(entries[-1 - number % len(entries)]["uid"])))

    def _title(self, number: int) -> None:
        if session := self._session(number):
            self.memory.rename(session, f"{self.name} {clock.now()}")

    def _remove(self, number: int) -> None:
        session = self._session(number)
        if session and number == 5:
            self.memory.delete([session], "test")

    def notebook(self) -> Notebook:
        return Notebook(self.store, home_at(self._folder), 2_000, 2_000)
