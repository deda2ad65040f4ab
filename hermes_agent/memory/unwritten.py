"""Skills that could not be written: set aside, so that they keep no other from it, and told when all is done."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from hermes_agent.errors import UsageError

LOG = logging.getLogger("hermes")


class Unwritten:
    """What kept skills from being written; only what their owner can mend."""

    def __init__(self) -> None:
        self._errors: list[UsageError] = []

    def __len__(self) -> int:
        return len(self._errors)

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """Go on without a skill if the work on it fails."""
        try:
            yield
        except UsageError as error:
            self._errors.append(error)
            LOG.warning("A skill could not be written: %s", error.message)

    def tell(self) -> None:
        """Raise what went wrong last, if anything did."""
        if self._errors:
            raise self._errors[-1]
