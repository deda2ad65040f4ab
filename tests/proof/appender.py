"""A process that appends for some seconds beside others, searches meanwhile, and tells what was kept.

`kept UID…` after each commit, `error …` for anything that went wrong, at last
`done SECONDS LONGEST_APPEND SEARCHES`.
"""

import sys
import time

from hermes_agent.errors import HermesError
from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.looking import Request
from hermes_agent.records.archive import NewMessage, NewSession
from tests.proof.places import open_at, tell

_SEARCH_EVERY = 10
SHARED = "shared"


def append(place: str, name: str, seconds: str) -> None:
    """Wait for a line on stdin, then append until the time is over."""
    memory = Memory(open_at(place), "default")
    tell("ready")
    sys.stdin.readline()
    began = time.monotonic()
    number = searches = 0
    longest = 0.0
    while time.monotonic() - began < float(seconds):
        number += 1
        # Every process has a session of its own, and one they all write to.
        session = SHARED if number % 3 == 0 else f"of-{name}"
        uids = [new_uid() for _ in range(1 + number % 4)]
        word = f"word{name}x{number}"
        asked = time.monotonic()
        try:
            memory.begin(NewSession(id=session))
            memory.append(session, *(NewMessage("user", f"common talk {word}", uid=uid) for uid in uids))
        except HermesError as error:
            tell("error", repr(error))
            continue
        longest = max(longest, time.monotonic() - asked)
        tell("kept", *uids)
        if number % _SEARCH_EVERY == 0:
            searches += 1
            _search(memory, word, session)
    memory.store.close()
    tell("done", f"{time.monotonic() - began:.3f}", f"{longest:.3f}", str(searches))


def _search(memory: Memory, word: str, session: str) -> None:
    """Find what was just kept, and something that everyone writes."""
    try:
        found = [result.session.id for result in memory.discover(Request(word)).results]
        memory.discover(Request("common talk"))
    except HermesError as error:
        tell("error", repr(error))
    else:
        if found != [session]:
            tell("error", f"{word} was kept in {session} and found in {found}")
