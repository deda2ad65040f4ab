"""A turn that is driven in a thread of its own, and stopped from another.

Stopping is the same KeyboardInterrupt that Ctrl-C is at a terminal. Nobody throws it into the thread: the turn's
own thread raises it, between two events and where it waits (`stopping`).
"""

from dataclasses import dataclass

from hermes_agent import stopping
from hermes_agent.agent.events import Event, Finished, Response
from hermes_agent.agent.turn import Happening


@dataclass(slots=True)
class Stop:
    """Whether a turn is to stop: any thread may want it, the turn's own takes it, once."""

    is_wanted: bool = False
    is_taken: bool = False

    def take(self) -> bool:
        """Tell, once, that the turn is to stop."""
        if not self.is_wanted or self.is_taken:
            return False
        self.is_taken = True
        return True


def stoppable(turn: Happening, stop: Stop, session_id: str = "") -> Happening:
    """Yield what happens, with what is decided sent back; a stop ends it as an interrupted turn."""
    decision: bool | None = None
    has_begun = False
    while True:
        try:
            event = _step(turn, stop, decision, has_begun=has_begun)
        except StopIteration:
            return
        except KeyboardInterrupt:
            # It came before the turn had begun, or after its end: what it had done is on the disk.
            yield Finished(Response("", session_id, "interrupted"))
            return
        has_begun = True
        decision = yield event
        if isinstance(event, Finished):
            return


def _step(turn: Happening, stop: Stop, decision: bool | None, *, has_begun: bool) -> Event:
    # A generator that has not begun keeps nothing of what stops it: its first wait asks instead.
    if has_begun and stop.take():
        return turn.throw(KeyboardInterrupt())
    with stopping.asking(stop.take):
        return turn.send(decision)
