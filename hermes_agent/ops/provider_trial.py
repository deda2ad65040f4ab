"""Try an external memory for real: keep a sentence there, find it again, forget it."""

import secrets
from collections.abc import Generator
from dataclasses import dataclass

from hermes_agent import clock, stopping
from hermes_agent.errors import ToolError
from hermes_agent.memory.external import External
from hermes_agent.ops.steps import Step
from hermes_agent.providers.watched import Caller, as_text

_SECONDS = 60.0
_PATIENCE_SECONDS = 30.0
"""Some take a sentence in at once and find it only after a while."""
_LOOK_SECONDS = 1.0
_CALLER = Caller("hermes-memory-test")


@dataclass(frozen=True, slots=True)
class Trial:
    """How it went; None is what this provider cannot do, or what was not tried after a failure."""

    provider: str
    answered_ms: float
    is_kept: bool | None = None
    is_found: bool | None = None
    found_ms: float | None = None
    is_forgotten: bool | None = None

    @property
    def is_well(self) -> bool:
        """Whether nothing that was tried failed."""
        return False not in (self.is_kept, self.is_found, self.is_forgotten)


def try_out(external: External) -> Generator[Step, None, Trial]:
    """Keep, find and forget one sentence; ProviderError says what it could not do at all."""
    name = external.name
    yield Step(f"Asking {name}", 0, 4)
    began = clock.monotonic()
    _brought(external, "Are you there?")
    answered = _since(began)
    word = f"hermes{secrets.token_hex(4)}"
    sentence = f"The word of this test is {word}."
    yield Step(f"Keeping a sentence in {name}", 1, 4)
    try:
        kept = external.watched.ask(lambda one: one.remember(sentence), _SECONDS, _CALLER)
    except ToolError:
        return Trial(name, answered)
    yield Step(f"Looking for it in {name}", 2, 4)
    began = clock.monotonic()
    is_found = _find(external, sentence, word)
    found = _since(began)
    yield Step(f"Forgetting it in {name}", 3, 4)
    try:
        external.watched.ask(lambda one: one.forget(kept), _SECONDS, _CALLER)
    except ToolError:
        return Trial(name, answered, True, is_found, found)
    return Trial(name, answered, True, is_found, found, not _find(external, sentence, word, once=True))


def _find(external: External, sentence: str, word: str, *, once: bool = False) -> bool:
    end = clock.monotonic() + _PATIENCE_SECONDS
    while True:
        found = _brought(external, sentence)
        if word in found or once or clock.monotonic() >= end:
            return word in found
        stopping.sleep(_LOOK_SECONDS)


def _brought(external: External, query: str) -> str:
    return external.watched.hear(lambda one: as_text(one.prefetch(query, session_id="")), _SECONDS, _CALLER)


def _since(began: float) -> float:
    return round((clock.monotonic() - began) * 1_000, 1)
