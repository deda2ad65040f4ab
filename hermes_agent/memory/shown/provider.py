"""How the external memory is, as a line of the status."""

from hermes_agent.memory.provider_health import ProviderHealth
from hermes_agent.records.archive import Json
from hermes_agent.records.status import Line

NAME = "Provider"


def line(
    name: str,
    mode: str,
    health: ProviderHealth,
    when: str,
    problem: str | None,
    *,
    is_ready: bool,
) -> Line:
    """Tell what waits for the external memory, and what hinders it; `problem` is why it cannot even be loaded."""
    trouble = problem or health.trouble
    value: Json = {"name": name, "mode": mode, "waiting": health.waiting, "trouble": trouble}
    waiting = f"; {health.waiting:,} things it was not told yet" if health.waiting else ""
    if mode == "local":
        return Line(NAME, f"{name}, left alone (memory.providerMode){waiting}", value)
    if problem is not None:
        return Line(NAME, f"{name}: {problem}{waiting}", value, "Choose another one, or none: hermes memory off")
    if not is_ready:
        advice = f"Set it up: hermes memory setup {name}, or leave it: hermes memory off"
        return Line(NAME, f"{name} is not ready: its package or a setting is missing{waiting}", value, advice)
    if health.trouble is not None:
        advice = "It is tried again by and by; at once by: hermes memory test"
        return Line(NAME, f"{name}, at {when}: {health.trouble}{waiting}", value, advice)
    return Line(NAME, f"{name} ({mode}){waiting}", value)
