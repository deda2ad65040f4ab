"""Changes of memory of every kind, drawn by hypothesis, and all that memory holds, to be compared."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hypothesis import strategies as st
from sqlalchemy import Connection, Table, select

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.memory import compressing, distilling, episodes, reflections, skill_upkeep, skills, tidying
from hermes_agent.memory import facts as verbs
from hermes_agent.memory.compressing import Wanted
from hermes_agent.memory.fact_changes import edit, expire, pin
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.memory import Joined
from hermes_agent.records.notes import Operation
from hermes_agent.records.skills import SkillMaker, SkillState
from hermes_agent.store import entity_joins, summaries, tables
from tests.learning import learn
from tests.recall.conversations import DAY, FIRST_DAY
from tests.store.outlined import count_and_compare

SAYINGS = (
    "I live in Lyon.",
    "I moved to Oslo.",
    "I live in Bern.",
    "I like tea.",
    "I don't like tea any more.",
    "My name is Ada. I speak French.",
    "My sister Mia lives in Porto.",
    "We use PostgreSQL 16.",
)
SENTENCES = ("User lives in Oslo", "Atlas runs on Docker", "Deploys run on Fridays", "User likes coffee")
TWINS = ("The build host is called Otto", "Build host is called Otto.", "Atlas, Boreas", "Boreas and Atlas")
SPELLINGS = ("Mia runs PostgreSQL", "Ben likes PostgreSQL", "Ann has PostgreSQL", "Tom asked for Post Greql")
ENTRIES = ("Prefers metric units", "The server is called Atlas", "Deploys run on Fridays")

_EMPTIED = (
    *(tables.disputes, tables.vectors, tables.facts, tables.entity_links, tables.entity_aliases, tables.entities),
    *(tables.journal, tables.note_versions, tables.jobs, tables.reflections, tables.messages, tables.sessions),
    *(tables.skills, tables.sketches, tables.episodes, tables.summaries, tables.spending),
)


@dataclass(frozen=True)
class State:
    """What memory holds; times and uids of journal entries aside, these are all of it that changes may touch."""

    facts: list[dict[str, object]]
    disputes: list[dict[str, object]]
    links: list[tuple[object, ...]]
    things: list[str]
    """Those that no text names."""
    damage: tuple[int, int]
    notes: dict[str, str]
    reflections: list[dict[str, object]]
    skills: list[dict[str, object]]
    joined: list[Joined]
    told: list[tuple[object, ...]]
    """Which episodes a summary stands for, and the words of the summaries that do."""


def state(notebook: Notebook) -> State:
    """Read all of it."""
    with notebook.store.read() as connection:
        count_and_compare(connection)
        damage = notebook.store.engine.text.check(connection)
        # What episodes name is read from their messages, which no undo touches.
        links = (
            select(tables.entity_links.c.item, tables.entities.c.key)
            .join(tables.entities, tables.entities.c.id == tables.entity_links.c.entity_id)
            .where(tables.entity_links.c.kind == "fact")
        )
        named = select(tables.entity_links.c.entity_id)
        unnamed = select(tables.entities.c.key).where(tables.entities.c.id.not_in(named))
        return State(
            facts=_rows(connection, tables.facts),
            disputes=_rows(connection, tables.disputes),
            links=sorted(tuple(row) for row in connection.execute(links)),
            things=sorted(connection.execute(unnamed).scalars()),
            damage=(damage.missing, damage.stale),
            notes={note: notebook.text(note) for note in ("user", "memory", "soul")},
            # What a task means is derived, and told again by the job.
            reflections=[{**row, "gist": None} for row in _rows(connection, tables.reflections)],
            # How often a skill was read is counted whatever is undone.
            skills=[{**row, "used_count": 0, "last_used_at": None} for row in _rows(connection, tables.skills)],
            joined=sorted(entity_joins.every(connection), key=lambda one: one.name),
            told=sorted(_told(connection), key=repr),
        )


def _told(connection: Connection) -> Iterator[tuple[object, ...]]:
    for row in _rows(connection, tables.episodes):
        if row["state"] != "raw" or row["summary_id"] is not None:
            yield "episode", row["id"], row["state"], row["summary_id"]
    for one in summaries.recent(connection, 1_000):
        yield "summary", one.id, one.text


def emptied(notebook: Notebook) -> None:
    """Empty the store and the notes: an example begins."""
    with notebook.store.write() as connection:
        for table in _EMPTIED:
            connection.execute(table.delete())
        notebook.store.engine.text.clear(connection)
        entity_joins.change(connection, removed=entity_joins.every(connection))
    shutil.rmtree(notebook.home.skills, ignore_errors=True)
    for note in ("user", "memory", "soul"):
        notebook.path(note).unlink(missing_ok=True)


Action = Callable[[Notebook], object]


def said(saying: str, day: int) -> Action:
    """Let the user say something on a day, and learn from it."""

    def act(notebook: Notebook) -> None:
        memory = Memory(notebook.store, "default")
        session = new_uid()
        memory.begin(NewSession("cli", session, started_at=FIRST_DAY + day * DAY))
        memory.append(session, NewMessage("user", saying, said_at=FIRST_DAY + day * DAY + 1))
        _make_episodes(notebook)
        learn(notebook.store, session)

    return act


def worked(request: str, failure: str) -> Action:
    """Let the user ask for a task that is done at the second try, and reflect on it."""

    def act(notebook: Notebook) -> None:
        memory = Memory(notebook.store, "default")
        session = new_uid()
        calls = [{"id": "c", "function": {"name": "shell", "arguments": '{"command": "make"}'}}]
        memory.begin(NewSession("cli", session))
        memory.append(
            session,
            NewMessage("user", request),
            NewMessage("assistant", None, tool_calls=calls),
            NewMessage("tool", failure, tool_call_id="c", tool_name="shell", metadata={"is_error": True}),
            NewMessage("assistant", "It failed."),
        )
        _make_episodes(notebook)
        reflections.reflect_on(notebook.store, session)

    return act


def unlearned(place: int) -> Action:
    """Delete one of the reflections, if there is any."""

    def act(notebook: Notebook) -> None:
        held = reflections.recent(notebook.store, 50)
        if held:
            reflections.delete(notebook.store, held[place % len(held)].name)

    return act


def made_skill(name: str, maker: SkillMaker) -> Action:
    """Make a skill, or try to."""
    text = f"---\nname: {name}\ndescription: Do {name}.\n---\n\n# {name}\n\nRun it.\n"
    return lambda notebook: skills.create(notebook.store, notebook.home.skills, name, text, cause=Cause(maker))


def patched_skill(name: str, word: str) -> Action:
    return lambda notebook: skills.patch(notebook.store, notebook.home.skills, name, "Run it", f"Run it {word}")


def moved_skill(name: str, where: SkillState, maker: SkillMaker) -> Action:
    return lambda notebook: skills.set_state(notebook.store, notebook.home.skills, name, where, Cause(maker))


def read_skill(name: str) -> Action:
    return lambda notebook: skill_upkeep.count_use(notebook.store, name)


def corrected_skill(name: str, remark: str) -> Action:
    """Let the agent follow a skill, and its user put it right."""

    def act(notebook: Notebook) -> None:
        memory = Memory(notebook.store, "default")
        session = new_uid()
        calls = [{"id": "c", "function": {"name": "skill_view", "arguments": f'{{"name": "{name}"}}'}}]
        memory.begin(NewSession("cli", session))
        memory.append(
            session,
            NewMessage("user", f"Do {name}"),
            NewMessage("assistant", None, tool_calls=calls),
            NewMessage("tool", "text", tool_call_id="c", tool_name="skill_view"),
            NewMessage("assistant", "Done."),
            NewMessage("user", remark),
        )
        _make_episodes(notebook)
        list(distilling.distill(notebook.store, notebook.home.skills, (), None))

    return act


def tidied(notebook: Notebook) -> None:
    for change in tidying.propose(notebook.store, notebook, 90).changes:
        tidying.make(notebook.store, notebook.home.skills, change)


def compressed(days: int) -> Action:
    """Let summaries stand for what was said before a day."""

    def act(notebook: Notebook) -> None:
        list(compressing.compress(notebook.store, Wanted(FIRST_DAY + days * DAY)))

    return act


def _make_episodes(notebook: Notebook) -> None:
    reached: int | None = 0
    while reached is not None:
        reached = episodes.make_next(notebook.store, reached, None, has_vectors=True)


def on_a_fact(place: int, change: Callable[[Notebook, str], object]) -> Action:
    """Change one of the facts that are held, if there is any."""

    def act(notebook: Notebook) -> None:
        held = verbs.recent(notebook.store, 50)
        if held:
            change(notebook, held[place % len(held)].name)

    return act


def expired(days: int | None) -> Callable[[Notebook, str], object]:
    return lambda notebook, name: expire(notebook.store, name, None if days is None else clock.now() + days * DAY)


def pinned(is_pinned: bool) -> Callable[[Notebook, str], object]:
    return lambda notebook, name: pin(notebook.store, name, is_pinned=is_pinned)


def noted(target: str, operation: Operation) -> Action:
    return lambda notebook: notebook.change("user" if target == "user" else "memory", [operation], actor="agent")


def written(text: str) -> Action:
    """Write a note by hand."""

    def act(notebook: Notebook) -> None:
        notebook.path("memory").write_text(text)
        notebook.reconcile()

    return act


def edited(number: int) -> Callable[[Notebook, str], object]:
    return lambda notebook, name: edit(notebook.store, name, f"Atlas runs on machine {number}")


_places = st.integers(0, 9)
fact_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(said, st.sampled_from(SAYINGS), st.integers(0, 9)),
    st.sampled_from(SENTENCES).map(lambda text: lambda notebook: verbs.add(notebook.store, text)),
    st.builds(on_a_fact, _places, st.integers(0, 9).map(edited)),
    st.builds(on_a_fact, _places, st.sampled_from((True, False)).map(pinned)),
    st.builds(on_a_fact, _places, st.sampled_from((-1, 5, None)).map(expired)),
    st.builds(on_a_fact, _places, st.just(lambda notebook, name: verbs.delete(notebook.store, name))),
)
task_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(worked, st.sampled_from(("Run the tests", "Deploy Atlas")), st.sampled_from(("no make", "timeout"))),
    st.builds(unlearned, _places),
    st.builds(compressed, st.sampled_from((2, 5, 10_000))),
)
_names, _makers = st.sampled_from(("deploy", "cook")), st.sampled_from(("owner", "agent", "learning"))
skill_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(made_skill, _names, _makers),
    st.builds(patched_skill, _names, st.sampled_from(("now", "twice"))),
    st.builds(moved_skill, _names, st.sampled_from(("live", "archived", "deleted")), _makers),
    st.builds(read_skill, _names),
    st.builds(corrected_skill, _names, st.sampled_from(("no, use make ship", "you forgot the tests"))),
)
tidy_actions: st.SearchStrategy[Action] = st.one_of(
    st.just(tidied),
    # What says the same in other words, so that there is something to tidy.
    st.sampled_from(TWINS).map(lambda text: lambda notebook: verbs.add(notebook.store, text)),
    st.builds(worked, st.sampled_from(("Run the test again", "Run the tests please")), st.just("no make")),
    st.sampled_from(SPELLINGS).map(lambda text: lambda notebook: verbs.add(notebook.store, text)),
)
note_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(
        noted, st.sampled_from(("user", "memory")), st.builds(Operation, st.just("add"), st.sampled_from(ENTRIES))
    ),
    st.builds(
        noted,
        st.just("memory"),
        st.builds(Operation, st.just("remove"), st.none(), st.sampled_from(ENTRIES)),
    ),
    st.sampled_from(("", "one", "one\n§\ntwo", "by hand\n")).map(written),
    st.sampled_from(("Be kind.\n", "Be brief.\n")).map(lambda text: lambda notebook: notebook.write_soul(text)),
)


def _rows(connection: Connection, table: Table) -> list[dict[str, object]]:
    return [dict(row) for row in connection.execute(select(table).order_by(table.c.id)).mappings()]
