"""Sessions that could not be worked on: set aside, so that they keep no other, and told when all is done."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from hermes_agent.errors import CapReached, HermesError, ModelBusy, ModelError

_MOST_UNANSWERED = 2
LOG = logging.getLogger("hermes")


class Hindered:
    """What hindered the work on sessions, by their ids; with a second one without an answer it is the model."""

    def __init__(self) -> None:
        self._errors: dict[str, Exception] = {}
        self._capped: CapReached | None = None
        self._unanswered = 0

    def __contains__(self, session_id: str) -> bool:
        return session_id in self._errors

    def __len__(self) -> int:
        return len(self._errors)

    def is_model(self) -> bool:
        """Whether nobody answers, or may be asked today: there is no use in going on."""
        return self._capped is not None or self._unanswered >= _MOST_UNANSWERED

    @contextmanager
    def set_aside(self, session_id: str) -> Iterator[None]:
        """Set a session aside if the work on it fails."""
        try:
            yield
        except CapReached as error:
            self._capped = error
        except (ModelBusy, ModelError) as error:
            self._errors[session_id] = error
            self._unanswered += 1
            LOG.warning("The model did not answer for session %s: %s", session_id, error)
        except HermesError:
            raise
        except Exception as error:  # a text that a rule or a reader fails on must not stop the work on all others
            self._errors[session_id] = error
            LOG.exception("Session %s could not be worked on", session_id)

    def tell(self) -> None:
        """Raise that the cap is reached, or what went wrong last and with which session, if anything did."""
        if self._capped is not None:
            raise self._capped
        if self._errors:
            session_id, error = list(self._errors.items())[-1]
            others = len(self._errors) - 1
            beside = f", and {others:,} other{'s' if others > 1 else ''}," if others else ""
            kind = type(error).__name__
            raise HermesError(f"Session {session_id}{beside} could not be worked on: {kind}: {error}") from error
