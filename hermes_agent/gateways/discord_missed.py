"""From where on a channel is asked for what was missed: a pure decision.

Discord brings nothing again that it once brought, so after a start each channel is asked for what came after
the last thing that was kept there, and a little before: what is known already is known by its id.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from hermes_agent.gateways.gateway import Place

_EPOCH_MILLISECONDS = 1_420_070_400_000
_TIME_BITS = 22
_OVERLAP = 60_000 << _TIME_BITS
"""A minute: events of one channel may overtake each other, and a kill may come in between."""
_DAY_MILLISECONDS = 86_400_000


@dataclass(frozen=True, slots=True)
class Floors:
    """What was said before is known, or none of ours."""

    by_channel: Mapping[int, int]
    elsewhere: int

    def of(self, channel_id: int) -> int:
        """Return the id behind which a channel is asked."""
        return self.by_channel.get(channel_id, self.elsewhere)


def channel_of(place: Place) -> int:
    """Return the channel of a place; a thread is a channel, too."""
    return int(place.thread_id or place.chat_id)


def floors_of(last: Mapping[Place, int], now_milliseconds: int) -> Floors:
    """Return from where on channels are asked, by what was kept last in each.

    All channels are asked before anything new is kept: so what was kept last anywhere tells until when we
    listened. A channel in which nobody talked with us for long is asked from a day before that, as Discord may
    not have shown it to us for a while. Before the first start it is a day, as with Telegram.
    """
    newest = max(last.values(), default=None)
    if newest is None:
        return Floors({}, (now_milliseconds - _DAY_MILLISECONDS - _EPOCH_MILLISECONDS) << _TIME_BITS)
    furthest = newest - (_DAY_MILLISECONDS << _TIME_BITS)
    by_channel = {channel_of(place): max(position - _OVERLAP, furthest, 0) for place, position in last.items()}
    return Floors(by_channel, max(newest - _OVERLAP, 0))
