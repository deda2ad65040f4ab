"""Where in the dashboard a thing is, by the name that people give it: `fact:042`, `skill:deploy`, `entry:212`."""

import re
from urllib.parse import quote

from hermes_agent.records.notes import SUBJECTS

_NUMBERED = re.compile(r"(fact|reflection|summary|episode|entry):0*(\d{1,18})")
_FOLDERS = {
    "fact": "/facts/{}",
    "reflection": "/reflections/{}",
    "summary": "/episodes/summaries/{}",
    "episode": "/episodes/{}",
    "entry": "/journal/{}",
}
_SAID = re.compile(r"session (?P<session>\S+), message (?P<message>\d{1,18})")
_NOTES = set(SUBJECTS.values())


def path_of(name: str | None, kind: str = "") -> str | None:
    """Return where a named thing is shown; None if it has no page. `kind` is of the entry it is subject of."""
    if not name:
        return None
    if match := _NUMBERED.fullmatch(name):
        return _FOLDERS[match[1]].format(match[2])
    if match := _SAID.fullmatch(name):
        return message_path(match["session"], int(match["message"]))
    if name.startswith("skill:"):
        return f"/skills/{quoted(name.removeprefix('skill:'))}"
    if name.startswith("note:") or name in _NOTES:
        return "/notes"
    if name.startswith("review:"):
        return "/review"
    if kind.startswith(("session.", "turn.", "decision.", "result.", "failure.", "remark.")):
        return session_path(name)
    return None


def session_path(session_id: str) -> str:
    """Return where a conversation is read."""
    return f"/sessions/{quoted(session_id)}"


def message_path(session_id: str, message_id: int | None) -> str:
    """Return where a conversation is read at one of its messages."""
    path = session_path(session_id)
    return path if message_id is None else f"{path}?message={message_id}#m{message_id}"


def thing_path(key: str) -> str:
    """Return where a person, project or thing is shown."""
    return f"/map/thing?key={quoted(key)}"


def quoted(name: str) -> str:
    """Write a name as a part of an address; no address holds half a character, which was stored all the same."""
    return quote(name, safe="", errors="replace")
