"""Figures for whoever watches the server (Prometheus): how much is asked, how long it takes, how memory is.

Labels are names of ours (a route's template, a state, a kind), never words of memory or of a request: what a
monitor keeps, it keeps for years. What the store tells is read when it is asked for, every 15 seconds at most.
"""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from hermes_agent import __version__, clock
from hermes_agent.app import App
from hermes_agent.errors import HermesError
from hermes_agent.jobs import backing_up
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.memory import embedding
from hermes_agent.memory import status as memory_status
from hermes_agent.store import jobs

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 10.0)
_FRESH_SECONDS = 15.0
"""So long what the store told is told again: counting a large one takes a tenth of a second."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Meter:
    """What one server has counted since it began, and what its home is like now."""

    def __init__(self, app: App, pulse: Pulse) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "hermes_http_requests", "Requests answered.", ("route", "method", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "hermes_http_request_seconds",
            "How long answers took.",
            ("route", "method"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._recall = Histogram(
            "hermes_recall_seconds", "How long it took to recall.", buckets=_SECONDS, registry=self._registry
        )
        self._registry.register(_Home(app, pulse))
        app.memory.on_recall = self._recall.observe

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        # Whoever asks chooses the method: made-up ones must not each become a figure of their own.
        known = method if method in _METHODS else "other"
        self._requests.labels(route, known, str(status)).inc()
        self._seconds.labels(route, known).observe(seconds)

    def written(self) -> bytes:
        """Write all of it, a figure a line."""
        return generate_latest(self._registry)


class _Home(Collector):
    """What is read when somebody asks; of a store that cannot be reached only that is told."""

    def __init__(self, app: App, pulse: Pulse) -> None:
        self._app = app
        self._pulse = pulse
        self._known: list[Metric] = []
        self._read_at: float | None = None

    def collect(self) -> Iterator[Metric]:
        """Read the home."""
        info = GaugeMetricFamily("hermes_info", "Which program serves.", labels=("version",))
        info.add_metric((__version__,), 1)
        yield info
        yield _gauge("hermes_worker_up", "Whether the worker lives.", float(self._pulse.trouble is None))
        if self._pulse.last_beat is not None:
            yield _gauge(
                "hermes_worker_last_beat_timestamp_seconds",
                "When the worker last looked for work.",
                self._pulse.last_beat / clock.MICROSECONDS,
            )
        self._read()
        yield _gauge("hermes_store_up", "Whether the store can be read.", float(bool(self._known)))
        yield from self._known

    def _read(self) -> None:
        """Read the store, unless that was done a moment ago."""
        now = clock.monotonic()
        if self._known and self._read_at is not None and now - self._read_at < _FRESH_SECONDS:
            return
        try:
            self._known, self._read_at = list(self._of_store()), now
        except HermesError:
            self._known = []

    def _of_store(self) -> Iterator[Metric]:
        app = self._app
        with app.store.read() as connection:
            states = jobs.counts(connection)
        by_state = GaugeMetricFamily("hermes_jobs", "Jobs in the store.", labels=("state",))
        for state in ("waiting", "running", "done", "failed"):
            by_state.add_metric((state,), states.get(state, 0))
        yield by_state
        counts = memory_status.count(app.store, app.embedder)
        yield _gauge("hermes_store_bytes", "How large the store is.", counts.size_bytes)
        items = GaugeMetricFamily("hermes_memory_items", "What memory holds.", labels=("kind",))
        for kind, number in (
            ("episode", counts.raw),
            ("compressed_episode", counts.compressed),
            ("fact", counts.facts),
            ("reflection", counts.reflections),
            ("quarantined", counts.quarantined),
        ):
            items.add_metric((kind,), number)
        yield items
        if app.embedder is not None:
            health = embedding.health(app.store, app.embedder)
            yield _gauge("hermes_embedding_backlog", "What still waits for a vector.", health.total - health.done)
        made, _ = backing_up.last(app.store)
        if made is not None:
            age = (clock.now() - made) / clock.MICROSECONDS
            yield _gauge("hermes_backup_age_seconds", "How old the last backup is.", age)


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=value)
