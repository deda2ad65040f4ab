"""Bring what another program remembered into memory: its sentences as facts, its conversations as sessions."""

import json
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

from hermes_agent import clock
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.memory import facts
from hermes_agent.memory.facts import Imported
from hermes_agent.ops.elsewhere import memories
from hermes_agent.ops.elsewhere.memories import Memories
from hermes_agent.ops.fields import Malformed
from hermes_agent.ops.incoming import Incoming, read_session
from hermes_agent.ops.merge import ImportReport, bring_in
from hermes_agent.ops.steps import Step
from hermes_agent.records.archive import Json
from hermes_agent.store.store import Store

_LARGEST = 256 << 20


@dataclass(frozen=True, slots=True)
class Came:
    """What came of another program's memory."""

    program: str
    facts: int
    known: int
    owned: int
    """How many had come before without their owner's word, and have it now."""
    forgotten: int
    """How many were forgotten here for good, and did not come."""
    report: ImportReport


def read(path: Path) -> Memories | None:
    """Return what a file of Mem0 or Letta holds; None if it is none, or too large for one."""
    try:
        if path.stat().st_size > _LARGEST:
            return None
        return memories.read(cast(Json, json.loads(path.read_bytes())))
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}.") from error
    except OSError as error:
        raise HermesError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError):
        return None


def bring(store: Store, found: Memories, subject: str, *, is_own: bool) -> Generator[Step, None, Came]:
    """Bring what was read in; doing it twice is the same as once."""
    try:
        incoming = [read_session(one) for one in found.sessions]
    except Malformed as error:
        raise UsageError(f"{subject} was not imported: {error}.") from error
    sessions: list[Incoming] = incoming if is_own else [one.as_import() for one in incoming]
    report = yield from bring_in(store, sessions, len(sessions), subject)
    fates: list[Imported] = []
    for done, one in enumerate(found.remembered, 1):
        said_at = clock.now() if one.at is None else clock.from_seconds(one.at)
        text = one.text[: facts.LONGEST]
        fates.append(facts.add_imported(store, text, said_at, found.program, is_own=is_own))
        yield Step("memories", done, len(found.remembered))
    new, known, owned, forgotten = (fates.count(one) for one in get_args(Imported))
    return Came(found.program, new, known, owned, forgotten, report)
