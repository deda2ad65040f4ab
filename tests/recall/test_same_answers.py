"""The same queries give the same sessions on SQLite and PostgreSQL, in the same order unless scores are tied."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from hermes_agent.store.text_index import Matches
from hermes_agent.text.query import Query, any_of, parse
from tests.counts import count, record
from tests.postgres import server_address
from tests.recall.conversations import search, talk

WORDS = ["apple", "Apples", "docker", "chat-send", "getUserById", "it's", "café", "Straße", "привет", "ещё"]
WORDS += ["100%", "P2.2", "foo™", "🎉", "机器学习", "机器", "学习Agent", "agent", "通信"]
WORDS += ["한국어로", "말하다", "パソコン", "हिन्दी"]
WORD = st.sampled_from(WORDS)
TEXT = st.lists(WORD, min_size=1, max_size=8).map(" ".join)
MESSAGE = st.tuples(st.sampled_from(["user", "assistant", "user", "tool"]), TEXT)
CORPUS = st.lists(st.lists(MESSAGE, min_size=1, max_size=4), min_size=1, max_size=8)
TALK = st.lists(st.lists(TEXT.map(lambda text: ("user", text)), min_size=1, max_size=4), min_size=1, max_size=8)
PART = st.builds(
    lambda word, start, length: word[start : start + length], WORD, st.integers(0, 4), st.integers(1, 5)
)
PIECE = st.one_of(
    WORD,
    WORD,
    PART,
    PART.map(lambda part: part + "*"),
    st.builds('"{} {}"'.format, WORD, WORD),
    st.sampled_from(["AND", "OR", "NOT", "what", "the", '"', "(", "?"]),
)
QUERY = st.lists(PIECE, min_size=1, max_size=5).map(" ".join)
SORT = st.sampled_from([None, None, "newest", "oldest"])
ROLES = st.sampled_from([None, None, "tool", "user", "user,tool"])

Said = list[list[tuple[str, str]]]


@dataclass(frozen=True)
class Engines:
    """One memory on each engine, with the same messages under the same ids."""

    sqlite: Memory
    postgres: Memory


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[[Said], Engines]]:
    """Return what loads a corpus into empty stores: a new file, and a schema emptied to its first id."""
    numbers = itertools.count()
    server = Memory(Store(Postgres(server_address(), schema_name(new_uid())), "default"), "default")
    opened: list[Store] = [server.store]

    def load_both(corpus: Said) -> Engines:
        file = Store(Sqlite(tmp_path / f"{next(numbers)}.db"), "default")
        opened.append(file)
        with server.store.write() as connection:
            connection.exec_driver_sql(
                "TRUNCATE sessions, messages, messages_fts, tools_fts, identifiers_fts RESTART IDENTITY CASCADE"
            )
        engines = Engines(Memory(file, "default"), server)
        for memory in (engines.sqlite, engines.postgres):
            for place, session in enumerate(corpus):
                talk(memory, f"s{place}", *(NewMessage(role, text) for role, text in session), day=place)
        return engines

    yield load_both
    for store in opened:
        store.close()


def answer(memory: Memory, **arguments: object) -> tuple[list[str], str | None]:
    found = search(memory, limit=10, **arguments)
    return [result["session_id"] for result in found["results"]], found.get("reason")


@pytest.mark.parametrize("widen", [False, True], ids=["as typed", "any of the words"])
def test_the_engines_score_alike(load: Callable[[Said], Engines], widen: bool) -> None:
    tried = 0

    @settings(max_examples=count(40, 500))
    @given(TALK, st.lists(WORD, min_size=1, max_size=4).map(" ".join))
    def compare(corpus: Said, typed: str) -> None:
        nonlocal tried
        tried += 1
        engines = load(corpus)
        query = any_of(parse(typed)) if widen else parse(typed)
        one, other = (scores(memory, query) for memory in (engines.sqlite, engines.postgres))
        assert one == pytest.approx(other, rel=1e-6, abs=1e-9)

    compare()
    record(f"property.same_scores.{'any' if widen else 'all'}.examples", tried)


def scores(memory: Memory, query: Query) -> dict[int, float]:
    with memory.store.read() as connection:
        matches: Matches = memory.store.engine.text.match(connection, "talk", query, 100, "best")
    return {match.id: match.score for match in matches.best}


def test_the_engines_find_the_same_sessions(load: Callable[[Said], Engines]) -> None:
    tried = 0

    @settings(max_examples=count(60, 1_000))
    @given(CORPUS, st.lists(st.tuples(QUERY, SORT, ROLES), min_size=1, max_size=5))
    def compare(corpus: Said, questions: list[tuple[str, str | None, str | None]]) -> None:
        nonlocal tried
        engines = load(corpus)
        for query, sort, roles in questions:
            tried += 1
            arguments = {"query": query, "sort": sort, "role_filter": roles}
            one, other = answer(engines.sqlite, **arguments), answer(engines.postgres, **arguments)
            assert (sorted(one[0]), one[1]) == (sorted(other[0]), other[1])
            if sort is not None:
                assert one[0] == other[0]

    compare()
    record("property.same_sessions.examples", tried)
