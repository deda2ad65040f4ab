"""Session keys: which session a message belongs to, as the public product names them."""

from dataclasses import dataclass

from hermes_agent.config.paths import DEFAULT_PROFILE
from hermes_agent.gateways.gateway import Person, Place

_MAIN = "main"


@dataclass(frozen=True, slots=True)
class Sharing:
    """Whether each person has a session of their own in groups, and in the threads of groups."""

    per_user_in_groups: bool = True
    per_user_in_threads: bool = False


def is_shared(place: Place, sharing: Sharing) -> bool:
    """Tell whether everybody in a place talks in one session."""
    if place.kind == "dm":
        return False
    return not (sharing.per_user_in_threads if place.thread_id else sharing.per_user_in_groups)


def session_key(profile: str, platform: str, place: Place, person: Person, sharing: Sharing) -> str:
    """Return the key of the session that something said there belongs to.

    `agent:main:telegram:dm:7`, `agent:work:discord:group:12:99` – the last part is the person, unless all share.
    """
    parts = ["agent", _MAIN if profile == DEFAULT_PROFILE else profile, platform, place.kind]
    parts.append(place.chat_id or person.id)
    if place.thread_id:
        parts.append(place.thread_id)
    if place.kind != "dm" and not is_shared(place, sharing):
        parts.append(person.id)
    return ":".join(_plain(part) for part in parts)


def _plain(part: str) -> str:
    """Keep a part from looking like two."""
    return part.replace("%", "%25").replace(":", "%3A")
