"""How the gateways are, for the status: what the daemon tells of them, and what waits in the store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.records.archive import Json
from hermes_agent.records.status import Line

NAME = "Gateways"
_NOT_AT_WORK = "not at work"


@dataclass(frozen=True, slots=True)
class GatewayHealth:
    """How one gateway is."""

    name: str
    condition: str
    trouble: str | None = None
    waiting: int = 0
    """Messages that are not handled yet."""
    unsent: int = 0
    """Answers that are not sent yet."""

    @property
    def is_well(self) -> bool:
        """Whether it is connected, or about to be."""
        return self.condition in ("connected", "connecting") and self.trouble is None


def health(
    enabled: Sequence[str],
    told: Mapping[str, Mapping[str, str | None]] | None,
    counts: Mapping[str, Mapping[str, int]],
) -> list[GatewayHealth]:
    """Put together what is known of the gateways that are to run; `told` is None without a daemon."""
    found = []
    for name in enabled:
        state = (told or {}).get(name, {"condition": _NOT_AT_WORK})
        count = counts.get(name, {})
        waiting = count.get("waiting", 0) + count.get("begun", 0)
        condition = state.get("condition") or _NOT_AT_WORK
        found.append(GatewayHealth(name, condition, state.get("trouble"), waiting, count.get("answered", 0)))
    return found


def words(one: GatewayHealth) -> str:
    """Tell how a gateway is in a few words."""
    parts = [one.condition if one.trouble is None else f"{one.condition}: {one.trouble}"]
    parts += [f"{one.waiting} to be handled"] if one.waiting else []
    parts += [f"{one.unsent} to be sent"] if one.unsent else []
    return ", ".join(parts)


def as_json(one: GatewayHealth) -> dict[str, Json]:
    """Tell it to programs."""
    return {
        "name": one.name,
        "condition": one.condition,
        "trouble": one.trouble,
        "waiting": one.waiting,
        "unsent": one.unsent,
    }


def line(found: Sequence[GatewayHealth], *, is_daemon_there: bool) -> list[Line]:
    """Tell how all of them are in a line of the status; nothing where none is to run."""
    if not found:
        return []
    text = "; ".join(f"{one.name} {words(one)}" for one in found)
    troubled = [one for one in found if not one.is_well]
    is_off = all(one.condition == _NOT_AT_WORK for one in found)
    advice = None
    if is_off and not is_daemon_there:
        text, advice = f"{text}: no daemon runs", "Run: hermes start"
    elif is_off:
        text, advice = f"{text}: the daemon began before they were set up", "Run: hermes restart"
    elif troubled:
        advice = f"See the end of the log, and: hermes gateway setup {troubled[0].name}"
    return [Line(NAME, text, [as_json(one) for one in found], advice, is_problem=not is_off)]
