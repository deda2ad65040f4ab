"""The tool `session_search`: one call, four shapes, told apart by what is given.

A message to scroll around wins over a query, a query over a session to read; with nothing given
the latest conversations are listed. Whatever a model sends, it gets an answer it can act on.
"""

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from hermes_agent.errors import ToolError
from hermes_agent.recall import archive, payload
from hermes_agent.recall.looking import RESULTS, TALK, Request
from hermes_agent.recall.sifting import marks_of
from hermes_agent.records.archive import Json, Message
from hermes_agent.records.search import Detail, Found, Sort
from hermes_agent.store.store import Store

_LARGEST = 2**62


def session_search(
    store: Store,
    arguments: Mapping[str, Json],
    profile: str,
    zone: tzinfo | None = None,
    current_session: str | None = None,
) -> payload.Payload:
    """Answer one call of the tool; a mistake in it comes back as an error the model can read."""
    try:
        return _answer(store, arguments, profile, zone, current_session)
    except ToolError as error:
        said = error.message if error.hint is None else f"{error.message} {error.hint}"
        return {"success": False, "error": said}


def _answer(
    store: Store, arguments: Mapping[str, Json], profile: str, zone: tzinfo | None, current: str | None
) -> payload.Payload:
    session_id = _own_session(_text(arguments, "session_id"), _text(arguments, "profile"), profile)
    around = _whole(arguments, "around_message_id")
    limit = _whole(arguments, "limit")
    if session_id and around is not None:
        window = _whole(arguments, "window")
        width = archive.WINDOW if window is None else window
        scrolled = archive.scroll(store, session_id, around, width, current)
        return payload.scrolled(scrolled, profile, zone, _marks(store, _ids(scrolled.messages)))
    query = _text(arguments, "query")
    if query:
        request = Request(
            query,
            limit=RESULTS if limit is None else limit,
            sort=_sort(arguments),
            roles=_roles(arguments),
            current_session=current,
            detail=_detail(arguments),
        )
        discovered = archive.discover(store, request)
        shown = [one for found in discovered.results for one in _ids_of(found)]
        return payload.discovered(discovered, profile, zone, _marks(store, shown))
    if session_id:
        whole = archive.read(store, session_id)
        return payload.read(whole, profile, zone, _marks(store, _ids(whole.messages)))
    latest = archive.browse(store, RESULTS if limit is None else limit, current)
    first = [recent.first_id for recent in latest.results if recent.first_id is not None]
    return payload.browsed(latest, profile, zone, _marks(store, first))


def _marks(store: Store, message_ids: Sequence[int]) -> payload.Marks:
    with store.read() as connection:
        return marks_of(connection, message_ids)


def _ids(shown: Sequence[Message]) -> list[int]:
    return [message.id for message in shown]


def _ids_of(found: Found) -> list[int]:
    match = [] if found.match_message_id is None else [found.match_message_id]
    return [*match, *_ids([*found.bookend_start, *found.messages, *found.bookend_end])]


def _own_session(session_id: str, asked_profile: str, profile: str) -> str:
    """Take `profile/id` and `@session:profile/id` apart; another profile's memory is not ours to read."""
    name, slash, rest = session_id.removeprefix("@session:").partition("/")
    others = [wanted for wanted in (name if slash else "", asked_profile) if wanted and wanted != profile]
    if others:
        raise ToolError(
            f"Profile {others[0]!r} is another memory and cannot be searched from here.",
            hint=f"This is profile {profile!r}; leave the profile out.",
        )
    return rest if slash else name


def _text(arguments: Mapping[str, Json], name: str) -> str:
    value = arguments.get(name)
    if value is None:
        return ""
    # Python refuses to write integers of thousands of digits.
    return hex(value) if isinstance(value, int) and abs(value) > _LARGEST else str(value).strip()


def _whole(arguments: Mapping[str, Json], name: str) -> int | None:
    value = arguments.get(name)
    if value is None or value == "":
        return None
    try:
        number = value if isinstance(value, int) else int(float(str(value)))
    except (ValueError, OverflowError):
        raise ToolError(f"{name} must be a whole number, not {str(value)[:40]!r}.") from None
    return max(-_LARGEST, min(number, _LARGEST))


def _roles(arguments: Mapping[str, Json]) -> Sequence[str]:
    value = arguments.get("role_filter")
    parts = (
        [str(part) for part in value] if isinstance(value, list) else _text(arguments, "role_filter").split(",")
    )
    return tuple(part.strip().lower() for part in parts if part.strip()) or TALK


def _sort(arguments: Mapping[str, Json]) -> Sort | None:
    match _text(arguments, "sort").lower():
        case "newest":
            return "newest"
        case "oldest":
            return "oldest"
        case _:
            return None


def _detail(arguments: Mapping[str, Json]) -> Detail:
    return "index" if _text(arguments, "detail").lower() == "index" else "full"
