"""The gateways of the daemon: those that are enabled, each in threads of its own, started again when it fails."""

from collections.abc import Callable, Mapping

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.enabled_gateways import enabled_gateways
from hermes_agent.errors import HermesError
from hermes_agent.gateways import found
from hermes_agent.gateways.running import DRAIN_SECONDS, LEAVE_SECONDS, Running, State
from hermes_agent.jobs.worker import LOG

LONGEST_END_SECONDS = DRAIN_SECONDS + 3 * LEAVE_SECONDS
"""How long they may take to end: turns under way finish, or are stopped and kept."""


class Gateways:
    """All gateways of a home."""

    def __init__(self, app: App, on_change: Callable[[], None]) -> None:
        """`on_change` is called, from any thread, when one of them connects, fails or ends."""
        self._on_change = on_change
        self._states: dict[str, State] = {}
        self.running: list[Running] = []
        for name in enabled_gateways(app.settings):
            try:
                self.running.append(Running(app, found.platform(name), self._note))
            except HermesError as error:
                LOG.error("The gateway %s: %s %s", name, error.message, error.hint or "")
                self._states[name] = State(name, "ended", f"{error.message} {error.hint or ''}".strip())

    def start(self) -> None:
        """Begin to connect, each by itself."""
        for one in self.running:
            one.start()

    def stop(self) -> None:
        """Begin nothing new; return at once."""
        for one in self.running:
            one.stop()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until all have ended; tell whether they have."""
        deadline = clock.monotonic() + timeout_seconds
        ended = [one.wait(max(0.0, deadline - clock.monotonic())) for one in self.running]
        return all(ended)

    @property
    def have_ended(self) -> bool:
        """Whether none is at work any more."""
        return all(one.state.condition == "ended" for one in self.running)

    def told(self) -> Mapping[str, Mapping[str, str | None]]:
        """Return how each is, for the status."""
        states = sorted(self._states.items())
        return {name: {"condition": one.condition, "trouble": one.trouble} for name, one in states}

    def _note(self, state: State) -> None:
        before = self._states.get(state.name)
        self._states[state.name] = state
        if before is None or before.condition != state.condition:
            LOG.info("The gateway %s: %s", state.name, state.condition)
        self._on_change()
