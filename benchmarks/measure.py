"""Measure a loaded archive through its own doors.

Each class of queries is asked in a process of its own, every query once: the files are in the operating
system's cache, the process has opened the store and asked something else before. What is measured in milliseconds
is measured in three rounds, of which the calmest counts: the baselines beside it, too.
"""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import ceil
from multiprocessing import get_context
from time import perf_counter

from benchmarks.corpus import Corpus
from benchmarks.loaded import PROFILE, Address
from benchmarks.questions import Ask, QueryClass
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.looking import Request
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store.text_index import TABLES
from hermes_agent.text.query import any_of, parse

APPENDS = 400
ROUNDS = 3
TOP = 10
# A conversation far behind every archive that is loaded: its texts are new to all of them.
_FRESH = 10_000_000


@dataclass(frozen=True)
class Times:
    """Milliseconds of one thing done again and again."""

    milliseconds: tuple[float, ...]

    @property
    def p50(self) -> float:
        return self._percentile(0.50)

    @property
    def p95(self) -> float:
        return self._percentile(0.95)

    def _percentile(self, share: float) -> float:
        return sorted(self.milliseconds)[ceil(share * len(self.milliseconds)) - 1]


@dataclass(frozen=True)
class Searched:
    """How long a class of queries took, how long the very first one, and how many found something."""

    times: Times
    first_milliseconds: float
    found_share: float


@dataclass(frozen=True)
class Ranking:
    """The best ids of a query, and how long the ranking alone took."""

    ids: tuple[int, ...]
    milliseconds: float


def since(begun: float) -> float:
    """Return the milliseconds since then."""
    return (perf_counter() - begun) * 1_000


def fresh_messages(corpus: Corpus, count: int) -> list[NewMessage]:
    """Make messages that no archive holds yet."""
    made: list[NewMessage] = []
    index = _FRESH
    while len(made) < count:
        made += [NewMessage(m.role, m.content) for m in corpus.conversation(index).messages]
        index += 1
    return made[:count]


def calmest(rounds: Sequence[Times]) -> Times:
    """Return the round that was disturbed least: what else the machine does can only make one slower."""
    return min(rounds, key=lambda times: times.p95)


def append(address: Address, new: Sequence[NewMessage]) -> Times:
    """Append the messages one by one, each durable before the next, and remove them again; in three rounds."""
    store = address.open()
    memory = Memory(store, PROFILE)
    rounds = []
    for _ in range(ROUNDS):
        session_id = memory.begin(NewSession())
        times = []
        for message in new:
            begun = perf_counter()
            memory.append(session_id, message)
            times.append(since(begun))
        memory.delete([session_id], "benchmark")
        rounds.append(Times(tuple(times)))
    store.close()
    return calmest(rounds)


def search(address: Address, asked: QueryClass) -> Searched:
    """Ask every query of a class in a new process; of three such rounds return the calmest."""
    rounds = []
    for _ in range(ROUNDS):
        with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
            rounds.append(process.submit(_search, address, asked).result())
    return min(rounds, key=lambda searched: searched.times.p95)


def _search(address: Address, asked: QueryClass) -> Searched:
    store = address.open()
    memory = Memory(store, PROFILE)
    warm_up = []
    for ask in asked.warm_up:
        begun = perf_counter()
        memory.discover(Request(ask.typed))
        warm_up.append(since(begun))
    times = []
    found = 0
    for ask in asked.asks:
        begun = perf_counter()
        answer = memory.discover(Request(ask.typed, detail="full"))
        times.append(since(begun))
        found += bool(answer.results)
    store.close()
    return Searched(Times(tuple(times)), warm_up[0], found / len(asked.asks))


def rankings(address: Address, asks: Sequence[Ask]) -> list[Ranking]:
    """Return the ids our ranking puts first, any of the words counting."""
    store = address.open()
    made = []
    with store.read() as connection:
        for ask in asks:
            begun = perf_counter()
            matches = store.engine.text.match(connection, "talk", any_of(parse(ask.typed)), TOP, "best")
            made.append(Ranking(tuple(match.id for match in matches.best), since(begun)))
    store.close()
    return made


def exhaustive_rankings(address: Address, asks: Sequence[Ask]) -> list[Ranking]:
    """Return the ids that FTS5 itself puts first when every posting of every word is scored."""
    table = TABLES["talk"]
    sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY bm25({table}), rowid DESC LIMIT {TOP}"
    store = address.open()
    made = []
    with store.read() as connection:
        for ask in asks:
            wanted = " OR ".join(f'"{word}"' for word in ask.words)
            begun = perf_counter()
            rows = connection.exec_driver_sql(sql, (wanted,)).all()
            made.append(Ranking(tuple(int(row[0]) for row in rows), since(begun)))
    store.close()
    return made


def agreement(ours: Sequence[Ranking], exhaustive: Sequence[Ranking]) -> float:
    """Return how many of the exhaustive first ten ours has among its first ten, on average of ten."""
    shares = [
        len(set(mine.ids) & set(full.ids)) / len(full.ids)
        for mine, full in zip(ours, exhaustive, strict=True)
        if full.ids
    ]
    return TOP * sum(shares) / len(shares)
