"""The overview: how much there is, what is new, whether all is well, and how that went over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from fastapi import APIRouter, Request
from fastapi.responses import Response

from hermes_agent import clock, status
from hermes_agent.app import App
from hermes_agent.memory import events, facts, growth, selftest, spending
from hermes_agent.memory import status as memory_status
from hermes_agent.recall.grading import score
from hermes_agent.recall.looking import HIDDEN_SOURCES
from hermes_agent.records.memory import Fact
from hermes_agent.store import entities, summaries
from hermes_agent.store.sessions import Listed, Listing
from hermes_agent.web.callers import Reader, TheApp
from hermes_agent.web.charts import Chart, Drawing, Series, draw
from hermes_agent.web.rendering import render

router = APIRouter()

_DAYS = 30
_SHOWN = 5
_RUNS = 20
_FRESH_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Tile:
    """How many there are of something, and where they are shown."""

    count: int
    one: str
    many: str
    path: str


@dataclass(frozen=True, slots=True)
class News:
    """What came since yesterday began."""

    facts: Sequence[Fact]
    sessions: Sequence[Listed]


@dataclass(frozen=True, slots=True)
class Slow:
    """How everything is and was, and when that was looked at."""

    at: float
    lines: Sequence[status.Line]
    drawn: Sequence[Drawing]
    changes: int
    """How many changes of memory were made since yesterday began."""


@router.get("/")
def shown(request: Request, app: TheApp, caller: Reader) -> Response:
    """Show how everything is."""
    tiles, slow = _tiles(app), _slow(request, app)
    return render(
        request,
        caller,
        "overview.html",
        tiles=tiles,
        is_new=not any(tile.count for tile in tiles),
        news=_news(app),
        lines=slow.lines,
        drawn=slow.drawn,
        changes=slow.changes,
    )


def _tiles(app: App) -> list[Tile]:
    totals = growth.totals(app.store)
    counts = memory_status.count(app.store, None)
    with app.store.read() as connection:
        named, told = entities.count(connection), summaries.count(connection)
    return [
        Tile(totals.sessions, "conversation", "conversations", "/sessions"),
        Tile(totals.messages, "message", "messages", "/sessions"),
        Tile(counts.facts, "fact", "facts", "/facts"),
        Tile(counts.episodes, "episode", "episodes", "/episodes"),
        Tile(told, "summary", "summaries", "/episodes/summaries"),
        Tile(counts.reflections, "reflection", "reflections", "/reflections"),
        Tile(len(app.library.list()), "skill", "skills", "/skills"),
        Tile(named, "person or thing", "people and things", "/map"),
    ]


def _news(app: App) -> News:
    since = _yesterday(app)
    listing = Listing(hidden_sources=HIDDEN_SOURCES, since=since)
    return News(
        [fact for fact in facts.recent(app.store, _SHOWN) if fact.learned_at >= since],
        app.memory.sessions(listing, _SHOWN),
    )


def _yesterday(app: App) -> int:
    return growth.begin_of(growth.today_in(app.zone) - timedelta(days=1), app.zone)


def _slow(request: Request, app: App) -> Slow:
    """Return how everything is and was, looked at anew after some seconds: it reads much."""
    kept = getattr(request.app.state, "overview", None)
    if not isinstance(kept, Slow) or clock.monotonic() - kept.at > _FRESH_SECONDS:
        drawn = [draw(chart) for chart in _charts(app) if not chart.is_empty]
        changes = events.count_changes(app.store, events.Wanted(since=_yesterday(app)))
        kept = Slow(clock.monotonic(), status.lines(app), drawn, changes)
        request.app.state.overview = kept
    return kept


def _charts(app: App) -> list[Chart]:
    daily = growth.daily(app.store, _DAYS, app.zone)
    days = [_short(day) for day in daily.days]
    whole = growth.grown(app.store, app.zone)
    charts = [
        Chart("said", "Exchanges a day", days, [Series("exchanges", daily.exchanges)]),
        Chart("learned", "Facts learned a day", days, [Series("facts", daily.facts)]),
    ]
    if whole is not None and len(whole.days) > 1:
        labels = [day.isoformat() for day in whole.days]
        charts.append(
            Chart("grown", "Exchanges in all", labels, [Series("exchanges", whole.exchanges)], kind="lines")
        )
    return [*charts, *_costs(app, daily.days), *_selftests(app)]


def _costs(app: App, days: Sequence[date]) -> list[Chart]:
    by_day = {
        one.day: spending.total(list(one.by_work.values())) for one in spending.days(app.store, _DAYS, app.zone)
    }
    labels = [_short(day) for day in days]
    costs = [by_day.get(day) for day in days]
    spent = [0 if one is None else one.input_tokens + one.output_tokens for one in costs]
    saved = [0 if one is None else one.saved_tokens for one in costs]
    return [
        Chart("spent", "Tokens that memory cost", labels, [Series("tokens", spent)]),
        Chart("saved", "Tokens that recall saved", labels, [Series("tokens", saved)]),
    ]


def _selftests(app: App) -> list[Chart]:
    runs = selftest.history(app.store, _RUNS)[::-1]
    if not runs:
        return []
    labels = [_short(clock.to_datetime(run.at, app.zone).date()) for run in runs]
    shares = [round(100 * score(run.answers).recall_5, 1) for run in runs]
    title = "Self-test: found among the first five, in percent"
    return [Chart("tested", title, labels, [Series("found", shares)], kind="lines", most=100)]


def _short(day: date) -> str:
    return f"{day:%m-%d}"
