"""One contender at one size: load it or take it as it was kept, then measure it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import loaded, measure
from benchmarks.baselines import Plain, Tantivy, said
from benchmarks.corpus import Corpus
from benchmarks.loaded import Address, Load
from benchmarks.measure import Ranking, Searched, Times
from benchmarks.questions import QueryClass


@dataclass(frozen=True)
class Measured:
    """What was measured of one contender. `searches` and `agreements` go by the name of the query class."""

    name: str
    load: Load
    append: Times | None = None
    searches: Mapping[str, Times] = field(default_factory=dict)
    agreements: Mapping[str, float] = field(default_factory=dict)
    found_shares: Mapping[str, float] = field(default_factory=dict)
    first_milliseconds: float | None = None


@dataclass(frozen=True)
class Setting:
    """What all contenders of one size have in common."""

    folder: Path
    corpus: Corpus
    message_count: int
    classes: Sequence[QueryClass]

    def place(self, name: str) -> Path:
        return self.folder / f"{name}-{self.message_count}"


Exhaustive = Mapping[str, Sequence[Ranking]]


def measure_store(setting: Setting, engine: str, exhaustive: Exhaustive) -> tuple[Measured, Exhaustive]:
    """Measure our store on an engine.

    Only SQLite can rank exhaustively the way both engines are held against; its rankings are handed on.
    """
    folder = setting.place(engine)
    load = loaded.remembered(folder)
    if load is None:
        loaded.empty(folder)
    with loaded.served(engine, folder) as address:
        if load is None:
            store = address.open()
            load = loaded.fill(store, setting.corpus, setting.message_count)
            store.close()
            loaded.remember(folder, load)
        warm(folder)
        searches = {asked.name: measure.search(address, asked) for asked in setting.classes}
        if engine == "sqlite":
            exhaustive = {
                asked.name: measure.exhaustive_rankings(address, asked.asks)
                for asked in setting.classes
                if asked.is_ranked
            }
        agreements = _agreements(address, setting.classes, exhaustive)
        append = measure.append(address, measure.fresh_messages(setting.corpus, measure.APPENDS))
    return _measured(engine, load, append, searches, agreements), exhaustive


def measure_plain(setting: Setting) -> Measured:
    """Measure plain FTS5: words side by side are all wanted, in a question any of them counts."""
    folder = setting.place("plain")
    load = loaded.remembered(folder)
    if load is None:
        filling = Plain(loaded.empty(folder))
        load = loaded.remember(folder, filling.fill(said(setting.corpus, setting.message_count)))
        filling.close()
    warm(folder)
    plain = Plain(folder)
    searches = {}
    for asked in setting.classes:
        rounds = range(measure.ROUNDS)
        if asked.is_ranked:
            searches[asked.name] = measure.calmest([plain.search_any(asked.asks) for _ in rounds])
        elif asked.asks[0].words:
            searches[asked.name] = measure.calmest([plain.search_all(asked.asks) for _ in rounds])
        elif asked.name == "phrase":
            searches[asked.name] = measure.calmest([plain.search_typed(asked.asks) for _ in rounds])
    append = plain.append(measure.fresh_messages(setting.corpus, measure.APPENDS))
    plain.close()
    return Measured("plain FTS5", load, append, searches)


def measure_tantivy(setting: Setting) -> Measured:
    """Measure tantivy, where any of the words counts in every query."""
    folder = setting.place("tantivy")
    load = loaded.remembered(folder)
    if load is None:
        index = Tantivy(loaded.empty(folder) / "index")
        load = loaded.remember(folder, index.fill(said(setting.corpus, setting.message_count)))
    warm(folder)
    index = Tantivy(folder / "index")
    searches = {
        asked.name: measure.calmest([index.search_any(asked.asks) for _ in range(measure.ROUNDS)])
        for asked in setting.classes
        if asked.asks[0].words
    }
    return Measured("tantivy", load, None, searches)


def warm(folder: Path) -> None:
    """Read every file once, so that it is in the operating system's cache."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                while file.read(1 << 20):
                    pass


def _agreements(address: Address, classes: Sequence[QueryClass], exhaustive: Exhaustive) -> dict[str, float]:
    return {
        asked.name: measure.agreement(measure.rankings(address, asked.asks), exhaustive[asked.name])
        for asked in classes
        if asked.name in exhaustive
    }


def _measured(
    name: str, load: Load, append: Times, searches: Mapping[str, Searched], agreements: Mapping[str, float]
) -> Measured:
    return Measured(
        name,
        load,
        append,
        {asked: found.times for asked, found in searches.items()},
        agreements,
        {asked: found.found_share for asked, found in searches.items()},
        Times(tuple(found.first_milliseconds for found in searches.values())).p50,
    )
